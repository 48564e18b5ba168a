"""The old system loses reviews in exactly the places that its description names."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.course import TaskInForce
from engine.domain.session import ChatMessage
from engine.domain.states import CriterionStatus, Language, Role
from engine.llm.scripted import ScriptedTransport
from engine.scenarios.legacy_path import (
    CHARACTERS_KEPT,
    CLIENT_SENDS,
    SERVER_TAKES,
    LegacyClient,
    LegacyReview,
    LegacyServer,
    PageMessage,
    cut_to_characters,
)
from engine.scenarios.proof import MARKER, NEXT_STEP, contents, proof_results, proof_task, scripted_gateway
from engine.scenarios.proof_old_path import legacy_review

REVIEW = legacy_review(proof_results(CriterionStatus.FAIL), CriterionStatus.FAIL, NEXT_STEP)
PASSED = legacy_review(proof_results(CriterionStatus.PASS), CriterionStatus.PASS, "")
ROOT = Path(__file__).parents[2]


def user(text: str) -> ChatMessage:
    return ChatMessage(role=Role.USER, content=text)


def numbered(count: int) -> list[ChatMessage]:
    return [user(f"message {number:02}") for number in range(count)]


class Old:
    """A server, its page and what was sent."""

    def __init__(self) -> None:
        self.transport: ScriptedTransport
        self.transport, gateway = scripted_gateway()
        task = TaskInForce(
            course_title="Web course",
            project_title="App",
            language=Language.EN,
            task=proof_task("login"),
            rubric_version="1",
        )
        self.server = LegacyServer(gateway, task)
        self.client = LegacyClient(self.server, "ada", "first")

    def sent(self) -> list[str]:
        return contents(self.transport.bodies[-1])


@pytest.fixture
def old() -> Old:
    return Old()


def test_the_page_sends_its_last_20_messages(old: Old) -> None:
    old.client.history = numbered(CLIENT_SENDS + 5)

    old.client.say("and now?")

    begun = old.server.messages("first")[:CLIENT_SENDS]
    assert [message.content for message in begun] == [f"message {number:02}" for number in range(5, 25)]
    assert len(old.server.messages("first")) == CLIENT_SENDS + 2


def test_the_server_takes_the_last_12_messages_and_the_newest(old: Old) -> None:
    old.client.history = numbered(SERVER_TAKES + 1)

    old.client.say("and now?")

    system, *others = old.sent()
    assert others == [*(f"message {number:02}" for number in range(1, 13)), "and now?"]
    assert "Every branch has a test" in system


def test_the_servers_own_conversation_wins_over_the_history_that_is_sent(old: Old) -> None:
    old.client.say("hello")
    old.client.history = [user("something else")]

    old.client.say("and now?")

    assert "something else" not in old.sent()
    assert "hello" in old.sent()


def test_a_new_session_knows_only_the_history_that_is_sent(old: Old) -> None:
    old.client.say("hello")
    again = LegacyClient(old.server, "ada", "second")
    again.history = [user("something else")]

    again.say("and now?")

    assert old.sent()[1:] == ["something else", "and now?"]


@pytest.mark.parametrize(
    ("lengths", "kept"),
    [
        ([10, 10, CHARACTERS_KEPT - 10, 10], 3),
        ([10, CHARACTERS_KEPT, 10], 2),
        ([10, 10, CHARACTERS_KEPT + 1], 1),
        ([10, CHARACTERS_KEPT - 20, 10], 3),
        ([10, 10, CHARACTERS_KEPT], 2),
        ([CHARACTERS_KEPT + 1, 10, 10], 3),
    ],
    ids=["just full", "first to exceed", "newest exceeds", "all fit", "newest fills it", "oldest exceeds"],
)
def test_the_message_that_first_exceeds_the_characters_is_the_last_that_is_kept(lengths: list[int], kept: int) -> None:
    messages = [user("x" * length) for length in lengths]

    assert cut_to_characters(messages) == tuple(messages[-kept:])


_ROLES = st.sampled_from([Role.USER, Role.ASSISTANT, Role.SYSTEM])
_MESSAGES = st.lists(st.builds(ChatMessage, role=_ROLES, content=st.text(max_size=30)), max_size=12)


@settings(max_examples=150)
@given(messages=_MESSAGES, limit=st.integers(0, 120))
def test_the_cut_keeps_the_system_apart_and_an_end_of_the_rest(messages: list[ChatMessage], limit: int) -> None:
    kept = cut_to_characters(messages, limit)

    system = [message for message in messages if message.role is Role.SYSTEM]
    others = [message for message in messages if message.role is not Role.SYSTEM]
    rest = list(kept[len(system) :])
    assert list(kept[: len(system)]) == system
    assert rest == others[len(others) - len(rest) :]
    assert sum(len(message.content) for message in rest[1:]) <= limit
    if len(rest) < len(others):
        assert sum(len(message.content) for message in rest) > limit


def test_a_review_is_stored_and_shown_but_told_to_no_conversation(old: Old) -> None:
    old.client.say("hello")
    texts, conversation = list(old.client.history), old.server.messages("first")

    old.client.take_review(REVIEW)

    assert old.server.stored_review("ada") == REVIEW
    assert old.server.stored_review("ben") is None
    assert [message.review for message in old.client.chat] == [None, None, REVIEW, None]
    assert old.client.history == texts
    assert old.server.messages("first") == conversation


@pytest.mark.parametrize(("review", "notices"), [(REVIEW, 1), (PASSED, 0)], ids=["failed", "passed"])
def test_a_notice_stands_under_a_card_that_is_not_a_pass(old: Old, review: LegacyReview, notices: int) -> None:
    old.client.take_review(review)

    assert [message.role for message in old.client.chat].count(Role.SYSTEM) == notices


def test_the_system_text_is_the_same_with_and_without_a_review(old: Old) -> None:
    old.client.say("hello")
    before = old.sent()[0]
    old.client.take_review(REVIEW)

    old.client.say("and now?")

    assert old.sent()[0] == before
    assert not any(MARKER in text for text in old.sent())


def test_the_card_holds_the_detail_and_its_summary_only_status_and_points() -> None:
    assert REVIEW.summary == "Review finished: FAIL (50 points)"
    assert MARKER in REVIEW.full_text
    assert NEXT_STEP in REVIEW.full_text


def test_a_restored_page_shows_the_card_and_tells_status_and_points(old: Old) -> None:
    old.client.say("hello")
    reply = old.client.chat[1].text
    old.client.take_review(REVIEW)

    old.client.restore()

    assert [message.review for message in old.client.chat] == [None, None, REVIEW, None]
    assert [message.content for message in old.client.history] == ["hello", reply, REVIEW.summary]


def test_a_restored_page_takes_the_servers_words_before_its_own(old: Old) -> None:
    old.client.take_review(REVIEW)
    old.client.restore()
    old.client.say("hello")
    old.client.chat[-1] = PageMessage(role=Role.ASSISTANT, text="an old copy")

    old.client.restore()

    told = old.server.messages("first")
    assert [message.text for message in old.client.chat if message.review is None][1:] == [
        message.content for message in told[1:]
    ]
    assert old.client.history[0].content == REVIEW.summary


def _imports_it(path: Path) -> bool:
    text = path.read_text(encoding="utf-8")
    return "legacy_path" in text or "proof_old_path" in text


def test_only_scenarios_and_the_command_line_use_it() -> None:
    modules = [path for folder in ("engine", "pages", "db") for path in (ROOT / folder).rglob("*.py")]
    product = [path for path in modules if "scenarios" not in path.parts and path.name != "cli.py"]

    assert len(product) > 20
    assert [path.name for path in product if _imports_it(path)] == []
