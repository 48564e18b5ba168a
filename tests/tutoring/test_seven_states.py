"""In each of the seven states, in both languages: what the tutor says, and that a model is given the same block."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from engine.domain.data_message import DataKind
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import FeedbackState, Language, OutcomeKind, ReviewFault, TurnState
from engine.llm.scripted import ScriptedTransport
from tests.tutoring.room import WORDS, Room, Sent, a_gateway, data_messages, opened_room

S, ZH, EN = FeedbackState, Language.ZH, Language.EN
QUESTION = {ZH: "接下来我该做什么？", EN: "What should I do now?"}
CLAIM = {ZH: "我已经改好了，应该没问题了吧？", EN: "I fixed it, so it is fine now, right?"}


def _reviewed(room: Room, *paths: str) -> str:
    submission = room.hand_in(*paths)
    room.review(submission)
    return submission.submission_id


def _began(room: Room, *paths: str) -> str:
    submission = room.hand_in(*paths)
    lease = room.space.worker.lease
    return room.space.reviewer.begin(LOCAL_VIEWER, submission.submission_id, lease).attempt.attempt_id


def _none(room: Room) -> None:
    _reviewed_elsewhere = room.hand_in("other.md", key=room.at(project=1))
    room.review(_reviewed_elsewhere)


def _stale(room: Room) -> None:
    _reviewed(room, "other.md")
    room.change_rules()


def _pending(room: Room) -> None:
    _reviewed(room, "other.md")
    room.hand_in("README.md", "notes.md")


def _unavailable(room: Room) -> None:
    _reviewed(room, "other.md")
    room.space.reviews.finish(
        LOCAL_VIEWER, _began(room, "README.md"), OutcomeKind.UNAVAILABLE, fault=ReviewFault.PROVIDER_DOWN
    )


def _invalid(room: Room) -> None:
    _reviewed(room, "other.md")
    record = {"verdict": "FAIL", "next_step": WORDS[room.language].readme_step, "criteria": []}
    room.space.reviews.finish(LOCAL_VIEWER, _began(room, "README.md"), OutcomeKind.COMPLETED, record=record)


def _passed(room: Room) -> None:
    _reviewed(room, "other.md")
    _reviewed(room, "README.md", "notes.md")


def _current(room: Room) -> None:
    _reviewed(room, "README.md", "notes.md")
    _reviewed(room, "other.md")


REACHED: Mapping[FeedbackState, Callable[[Room], None]] = {
    S.NONE: _none,
    S.STALE_RULES: _stale,
    S.PENDING: _pending,
    S.UNAVAILABLE: _unavailable,
    S.INVALID: _invalid,
    S.PASSED: _passed,
    S.CURRENT: _current,
}
"""Ways to each state; wherever there can be one, an older review with open items came before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Says:
    """What the tutor's words hold, by the contract's table."""

    zh: tuple[str, ...]
    en: tuple[str, ...]

    def of(self, language: Language) -> tuple[str, ...]:
        return self.zh if language is ZH else self.en


TABLE: Mapping[FeedbackState, Says] = {
    S.NONE: Says(
        zh=("还没有提交过", "没有评审可以参考", "Sell books", "试过什么"),
        en=("Nothing has been handed in", "no review to go by", "Sell books", "have you tried"),
    ),
    S.STALE_RULES: Says(
        zh=("提交 1", "规则变了", "不再算数", "重新评审"),
        en=(" 1 was reviewed", "rules for this task have changed", "no longer counts", "new review is due"),
    ),
    S.PENDING: Says(
        zh=("提交 2", "评审还没有完成", "不拿旧评审说事"),
        en=(" 2 yet", "no finished review", "leave older opinions aside"),
    ),
    S.UNAVAILABLE: Says(
        zh=("评审服务出了故障", "不是作品有问题", "再评审一次"),
        en=("review service had a fault", "says nothing about your work", "has to run again"),
    ),
    S.INVALID: Says(
        zh=("系统检查", "我不采用它", "不说明作品好坏"),
        en=("system check", "I do not use it", "says nothing about your work"),
    ),
    S.PASSED: Says(
        zh=("提交 2", "全部验收标准", "之前的待办都已了结"),
        en=(" 2. ", "Every acceptance criterion was met", "What was open before is settled"),
    ),
    S.CURRENT: Says(
        zh=("提交 2", "写明了为什么选这个数据库", "没有达到", "notes.md", "下一步：写两句选择的理由", "试过什么"),
        en=(
            " 2: ",
            "The choice of database is explained",
            "not met",
            "notes.md",
            "Next: Write two sentences of reasons",
            "have you tried",
        ),
    ),
}
NEVER_SAID = {
    ZH: ("已修复", "已经修好", "改好了", "已经达到", "已经通过", "没问题了", "恭喜"),
    EN: ("is fixed", "are fixed", "been fixed", "now passes", "is met now", "looks good", "congratulations", "is fine"),
}
"""Ways to declare an item settled, which only an outcome does."""
AFTER_A_CLAIM = {
    S.NONE: Says(zh=("要评审了才知道",), en=("only a review can show",)),
    S.STALE_RULES: Says(zh=("重新评审一次就知道了",), en=("a new review will show",)),
    S.PENDING: Says(zh=("等这次提交的评审出来",), en=("the review of this hand-in will show",)),
    S.UNAVAILABLE: Says(zh=("重新评审一次就知道了",), en=("a new review will show",)),
    S.INVALID: Says(zh=("重新评审一次就知道了",), en=("a new review will show",)),
    S.PASSED: Says(zh=("没有要做的事",), en=("nothing left to do",)),
    S.CURRENT: Says(zh=("要等新的评审才能了结", "仍然没有了结"), en=("Only a new review can close", "it stays open")),
}
IN_EACH = [pytest.param(state, language, id=f"{state}-{language}") for state in S for language in Language]


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[FeedbackState, Language], Room]]:
    """A room in each state and language, opened when it is first asked for; tests only talk in them."""
    with ExitStack() as stack:

        @cache
        def room_in(state: FeedbackState, language: Language) -> Room:
            opened = opened_room(tmp_path_factory.mktemp("state"), language=language)
            room = stack.enter_context(opened)
            REACHED[state](room)
            return room

        yield room_in


@pytest.fixture
def reached(rooms: Callable[[FeedbackState, Language], Room], state: FeedbackState, language: Language) -> Room:
    """A room in the state and language that the test is about."""
    return rooms(state, language)


def assert_no_older_opinion(room: Room, state: FeedbackState, reply: str) -> None:
    """Wherever nothing is open now, nothing of the review that came before is raised or sent."""
    old = WORDS[room.language]
    raised = [old.readme_step, old.notes_step, old.readme, old.notes, "notes.md", "README.md"]
    found = [words for words in raised if words in reply + room.block().text]
    assert state is S.CURRENT or not found


def test_the_table_speaks_of_all_seven_states() -> None:
    assert set(REACHED) == set(TABLE) == set(AFTER_A_CLAIM) == set(FeedbackState)


@pytest.mark.parametrize(("state", "language"), IN_EACH)
def test_the_tutor_does_what_the_table_says(reached: Room, state: FeedbackState, language: Language) -> None:
    turn = reached.ask(reached.open(), QUESTION[language])
    assert reached.block().state is state and turn.state is TurnState.DONE
    assert turn.reply is not None
    missing = [words for words in TABLE[state].of(language) if words not in turn.reply]
    assert not missing, turn.reply
    assert_no_older_opinion(reached, state, turn.reply)


@pytest.mark.parametrize(("state", "language"), IN_EACH)
def test_a_claim_to_have_fixed_it_settles_nothing(reached: Room, state: FeedbackState, language: Language) -> None:
    turn = reached.ask(reached.open(), CLAIM[language])
    assert turn.reply is not None
    assert all(words in turn.reply for words in AFTER_A_CLAIM[state].of(language)), turn.reply
    assert not [words for words in NEVER_SAID[language] if words in turn.reply.lower()], turn.reply
    assert reached.block().state is state
    assert_no_older_opinion(reached, state, turn.reply)


@pytest.mark.parametrize("language", Language)
def test_the_first_open_item_is_named_with_its_reason_and_next_step_in_this_order(
    tmp_path: Path, language: Language
) -> None:
    with opened_room(tmp_path, language=language) as room:
        _current(room)
        reply = room.ask(room.open(), {ZH: "你好", EN: "Hello"}[language]).reply or ""
        (first, *others) = room.space.tutor.current_feedback(LOCAL_VIEWER, room.key).items
    words = WORDS[language]
    places = [reply.index(text) for text in (words.notes, first.reason, words.notes_step)]
    assert first.rubric_id == "notes" and places == sorted(places)
    assert [item.rubric_id for item in others] == ["readme"] and words.readme not in reply
    assert ({ZH: "另外还有 1 条", EN: "One other criterion is open"}[language]) in reply
    assert reply.rstrip().endswith({ZH: "？", EN: "?"}[language])


@pytest.mark.parametrize(("state", "language"), IN_EACH)
def test_a_model_is_given_the_block_of_this_moment_and_the_receipt_says_so(
    reached: Room, state: FeedbackState, language: Language
) -> None:
    transport = ScriptedTransport(["one", "two"])
    beside = reached.beside(a_gateway(transport))
    conversation = beside.open()
    turns = [beside.ask(conversation, words) for words in (QUESTION[language], CLAIM[language])]
    assert [turn.reply for turn in turns] == ["one", "two"]
    expected = reached.block()
    assert [data_messages(sent, DataKind.FEEDBACK) for sent in transport.requests] == [[expected.text]] * 2
    assert_notes_only_of_a_judgement_in_force(transport.requests[0], state)
    for turn in turns:
        sent = beside.space.sessions.receipt(LOCAL_VIEWER, turn.turn_id).facts.feedback
        assert (sent.state, sent.total_items, sent.block_chars) == (state, expected.total_items, len(expected.text))


def assert_notes_only_of_a_judgement_in_force(sent: Sent, state: FeedbackState) -> None:
    """What the learning criterion says travels in a message of its own, and never in the block."""
    notes = data_messages(sent, DataKind.NOTES)
    assert len(notes) == (1 if state in (S.PASSED, S.CURRENT) else 0)
    assert all("lesson.md" in note and len(note) <= 600 for note in notes)
    assert not any("lesson.md" in text for text in data_messages(sent, DataKind.FEEDBACK))


@pytest.mark.parametrize("language", Language)
def test_the_block_follows_what_happens_between_two_turns_of_one_conversation(
    tmp_path: Path, language: Language
) -> None:
    transport = ScriptedTransport(["ok"] * 4)
    with opened_room(tmp_path, a_gateway(transport), language) as room:
        conversation = room.open()
        room.ask(conversation, QUESTION[language])
        submission = room.hand_in("other.md")
        room.ask(conversation, QUESTION[language])
        room.review(submission)
        room.ask(conversation, QUESTION[language])
        _reviewed(room, "README.md", "notes.md")
        room.ask(conversation, QUESTION[language])
    states = [data_messages(sent, DataKind.FEEDBACK)[-1] for sent in transport.requests]
    expected = ["none", "pending", "current", "passed"]
    assert [f'"state":"{state}"' in text for state, text in zip(expected, states, strict=True)] == [True] * 4
