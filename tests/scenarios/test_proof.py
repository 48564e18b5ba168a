"""Every row of both tables is as expected, and each of them can fail."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from openai.types.chat.completion_create_params import ResponseFormat

from engine.domain.clock import utc_now
from engine.domain.data_message import DataKind, unwrap
from engine.domain.feedback import FeedbackRecord
from engine.domain.keys import FeedbackKey, Versions
from engine.domain.people import Viewer
from engine.domain.session import ChatMessage
from engine.domain.states import Role
from engine.errors import ProviderDown
from engine.feedback.feedback_store import FeedbackStore
from engine.llm.gateway import Gateway, StreamedReply
from engine.llm.models import Models
from engine.llm.transport import BeforeSend
from engine.review.version import review_logic
from engine.scenarios.legacy_path import LegacyClient, LegacyReview, LegacyServer, cut_to_characters
from engine.scenarios.proof import MARKER, MARKER_NOT_SENT, MARKER_SENT, ProofRow
from engine.scenarios.proof_contract import CONTRACT, Stage, prove_contract
from engine.scenarios.proof_old_path import OLD_PATH, NewClient, NewServer, prove_old_path
from engine.tutoring.tutor import Tutor
from engine.wiring import Space, new_id, opened

_OUT, _IN = MARKER_NOT_SENT, MARKER_SENT
EXPECTED_OLD = (
    ("Review finished and stored", "detail in the stored result, conversation unchanged"),
    ("Conversation exists, learner goes on", _OUT),
    ("Conversation exists, page sends the full review in its history", _OUT),
    ("First conversation, history holds the full review", _IN),
    ("First conversation, history holds only the summary", f"status and score in the request, {_OUT}"),
    ("Same learner, new conversation", _OUT),
    ("Learner pastes the review into the message", _IN),
    ("Page restored after a reload", "detail on the card, status and score only in the text history"),
    ("Review older than the last 12 messages", f"first {_IN}, later {_OUT}"),
    ("Newer long message pushes the review out of 6,000 characters", f"first {_IN}, later {_OUT}"),
)
EXPECTED_CONTRACT = (
    ("Same stored review, old path", _OUT),
    ("Long conversation, its history cut", f"history cut, state current, {_IN}"),
    ("Another learner", f"state none, {_OUT}"),
    ("Newer hand-in, not reviewed yet", f"state pending, {_OUT}"),
    ("Newer attempt, review service down", f"state unavailable, {_OUT}"),
    ("Newer attempt, passed", f"state passed, {_OUT}"),
    ("Same learner, brand-new conversation", f"state current, {_IN}"),
    ("First turn after a reload", f"state current, {_IN}"),
    ("Another project", f"state none, {_OUT}"),
    ("Another task", f"state none, {_OUT}"),
)


@pytest.fixture(scope="module")
def old_path() -> dict[str, ProofRow]:
    return {row.name: row for row in prove_old_path()}


@pytest.fixture(scope="module")
def opens() -> list[Gateway]:
    """The gateway of each time that the stage was opened for the table below."""
    return []


@pytest.fixture(scope="module")
def contract(tmp_path_factory: pytest.TempPathFactory, opens: list[Gateway]) -> dict[str, ProofRow]:
    url = f"sqlite:///{tmp_path_factory.mktemp('proof') / 'proof.db'}"

    def opened_and_counted(gateway: Gateway) -> AbstractContextManager[Stage]:
        opens.append(gateway)
        return opened(url, gateway)

    return {row.name: row for row in prove_contract(opened_and_counted)}


def _ids(table: Sequence[tuple[str, str]]) -> list[str]:
    return [name for name, _ in table]


@pytest.mark.parametrize(("name", "expected"), EXPECTED_OLD, ids=_ids(EXPECTED_OLD))
def test_the_old_path_does_what_its_row_says(old_path: dict[str, ProofRow], name: str, expected: str) -> None:
    assert (old_path[name].expected, old_path[name].seen) == (expected, expected)


@pytest.mark.parametrize(("name", "expected"), EXPECTED_CONTRACT, ids=_ids(EXPECTED_CONTRACT))
def test_the_contract_does_what_its_row_says(contract: dict[str, ProofRow], name: str, expected: str) -> None:
    assert (contract[name].expected, contract[name].seen) == (expected, expected)


def test_the_reload_opens_everything_a_second_time(contract: dict[str, ProofRow], opens: list[Gateway]) -> None:
    reloaded = list(contract).index("First turn after a reload")

    again = [gateway for number, gateway in enumerate(opens) if gateway in opens[:number]]
    assert again == [opens[reloaded]]


def test_the_tables_have_these_rows_and_no_others() -> None:
    assert [case.name for case in OLD_PATH] == _ids(EXPECTED_OLD)
    assert [case.name for case in CONTRACT] == _ids(EXPECTED_CONTRACT)


def test_a_row_is_as_expected_only_to_the_letter() -> None:
    assert ProofRow(name="a row", expected="marker in the request", seen="marker in the request").as_expected
    assert not ProofRow(name="a row", expected="marker in the request", seen="marker in the request.").as_expected


# Other old systems: each breaks one step, and the rows about that step must say so.


class ReadsReviews(LegacyServer):
    def system_text(self, learner_id: str) -> str:
        review = self.stored_review(learner_id)
        return super().system_text(learner_id) + (review.full_text if review else "")


class ForgetsReviews(LegacyServer):
    def keep_review(self, learner_id: str, review: LegacyReview) -> None:
        pass


class TellsTheConversation(LegacyServer):
    def keep_review(self, learner_id: str, review: LegacyReview) -> None:
        super().keep_review(learner_id, review)
        self.conversation("first session", ()).append(ChatMessage(role=Role.USER, content=review.full_text))


class MergesHistory(LegacyServer):
    def conversation(self, session_id: str, history: Sequence[ChatMessage]) -> list[ChatMessage]:
        known = super().conversation(session_id, history)
        known += [message for message in history if message not in known]
        return known


class IgnoresHistory(LegacyServer):
    def conversation(self, session_id: str, history: Sequence[ChatMessage]) -> list[ChatMessage]:
        return super().conversation(session_id, history[:0])


class SendsWholeConversation(LegacyServer):
    def request(
        self, learner_id: str, conversation: Sequence[ChatMessage], asked: ChatMessage
    ) -> tuple[ChatMessage, ...]:
        system = super().request(learner_id, (), asked)[0]
        return self.cut((system, *conversation, asked))


class SendsAllCharacters(LegacyServer):
    def cut(self, messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
        return tuple(messages)


class DropsTheNewest(LegacyServer):
    def request(
        self, learner_id: str, conversation: Sequence[ChatMessage], asked: ChatMessage
    ) -> tuple[ChatMessage, ...]:
        return super().request(learner_id, conversation, replace(asked, content="(nothing)"))


class TellsTheDetail(LegacyClient):
    def texts_of_chat(self) -> list[ChatMessage]:
        cards = [message.review.full_text for message in self.chat if message.review is not None]
        return [*super().texts_of_chat(), *(ChatMessage(role=Role.USER, content=card) for card in cards)]


class LosesCards(LegacyClient):
    def restore(self) -> None:
        super().restore()
        self.chat = [message for message in self.chat if message.review is None]


_STORED, _GOES_ON, _FULL_SENT, _FIRST_FULL, _FIRST_SUMMARY, _NEW, _PASTED, _RESTORED, _COUNT, _CHARACTERS = _ids(
    EXPECTED_OLD
)
OTHER_SYSTEMS: dict[str, tuple[NewServer, NewClient, set[str]]] = {
    "reads reviews": (
        ReadsReviews,
        LegacyClient,
        {_GOES_ON, _FULL_SENT, _FIRST_SUMMARY, _NEW, _COUNT, _CHARACTERS},
    ),
    "forgets reviews": (ForgetsReviews, LegacyClient, {_STORED}),
    "tells the conversation": (TellsTheConversation, LegacyClient, {_STORED, _GOES_ON, _FULL_SENT, _FIRST_SUMMARY}),
    "merges histories": (MergesHistory, LegacyClient, {_FULL_SENT}),
    "ignores the history sent": (IgnoresHistory, LegacyClient, {_FIRST_FULL, _FIRST_SUMMARY, _COUNT, _CHARACTERS}),
    "sends the whole conversation": (SendsWholeConversation, LegacyClient, {_COUNT}),
    "sends all characters": (SendsAllCharacters, LegacyClient, {_CHARACTERS}),
    "drops the newest message": (DropsTheNewest, LegacyClient, {_PASTED}),
    "tells the detail": (LegacyServer, TellsTheDetail, {_FIRST_SUMMARY, _RESTORED}),
    "loses cards": (LegacyServer, LosesCards, {_RESTORED}),
}


@pytest.mark.parametrize(("new_server", "new_client", "wrong"), OTHER_SYSTEMS.values(), ids=OTHER_SYSTEMS.keys())
def test_another_old_system_turns_its_rows_wrong(new_server: NewServer, new_client: NewClient, wrong: set[str]) -> None:
    rows = prove_old_path(new_server, new_client)

    assert {row.name for row in rows if not row.as_expected} == wrong


def test_each_row_of_the_old_path_can_be_wrong() -> None:
    assert set().union(*(wrong for _, _, wrong in OTHER_SYSTEMS.values())) == set(_ids(EXPECTED_OLD))


# Other contracts: each breaks one promise on the real stores and the real tutor.


class Changing(Gateway):
    """Changes what is sent on its way through another gateway."""

    def __init__(self, inner: Gateway) -> None:
        self._inner = inner

    @property
    def model(self) -> str:
        return self._inner.model

    @property
    def is_offline(self) -> bool:
        return self._inner.is_offline

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        before_send: BeforeSend,
        response_format: ResponseFormat | None = None,
    ) -> StreamedReply:
        changed = self.changed(list(messages))
        return self._inner.stream(changed, before_send=before_send, response_format=response_format)

    def changed(self, messages: list[ChatMessage]) -> list[ChatMessage]:
        return messages


class DropsTheBlock(Changing):
    def changed(self, messages: list[ChatMessage]) -> list[ChatMessage]:
        return [message for message in messages if not _is_feedback(message)]


class WithholdsTheReason(Changing):
    """Sends the state, but not why: nothing can be said to have gone that never came."""

    def changed(self, messages: list[ChatMessage]) -> list[ChatMessage]:
        return [replace(message, content=message.content.replace(MARKER, "…")) for message in messages]


class PutsTheBlockIntoTheWindow(Changing):
    """The feedback is an old message like others, of which the last 6,000 characters are sent."""

    def changed(self, messages: list[ChatMessage]) -> list[ChatMessage]:
        block = [message for message in messages if _is_feedback(message)]
        others = [message for message in messages[1:] if not _is_feedback(message)]
        return list(cut_to_characters([messages[0], *block, *others]))


def _is_feedback(message: ChatMessage) -> bool:
    data = unwrap(message.content)
    return data is not None and data[0] is DataKind.FEEDBACK


class StaysWithTheFirst(FeedbackStore):
    """Answers with the first judged submission it ever saw, whoever asks and whatever came later."""

    first: FeedbackRecord | None = None

    def read_newest(self, viewer: Viewer, key: FeedbackKey, versions: Versions) -> FeedbackRecord:
        found = super().read_newest(viewer, key, versions)
        if self.first is None and found.outcome is not None:
            self.first = found
        return self.first or found


class IgnoresTheProject(FeedbackStore):
    """Answers for the project of the first who asked."""

    project_id: str | None = None

    def read_newest(self, viewer: Viewer, key: FeedbackKey, versions: Versions) -> FeedbackRecord:
        self.project_id = self.project_id or key.project_id
        return super().read_newest(viewer, replace(key, project_id=self.project_id), versions)


NewFeedback = Callable[..., FeedbackStore]
_OLD, _LONG, _LEARNER, _PENDING, _DOWN, _PASSED, _BRAND_NEW, _RELOAD, _PROJECT, _TASK = _ids(EXPECTED_CONTRACT)
_ALL = set(_ids(EXPECTED_CONTRACT))
OTHER_CONTRACTS: dict[str, tuple[Callable[[Gateway], Gateway], NewFeedback, NewServer, set[str]]] = {
    "the block dropped": (DropsTheBlock, FeedbackStore, LegacyServer, _ALL - {_OLD}),
    "the reason withheld": (WithholdsTheReason, FeedbackStore, LegacyServer, _ALL - {_OLD}),
    "the block in the window": (PutsTheBlockIntoTheWindow, FeedbackStore, LegacyServer, {_LONG}),
    "the first review for ever": (
        Changing,
        StaysWithTheFirst,
        LegacyServer,
        {_LEARNER, _PENDING, _DOWN, _PASSED, _PROJECT, _TASK},
    ),
    "the project ignored": (Changing, IgnoresTheProject, LegacyServer, {_PROJECT}),
    "an old path that reads reviews": (Changing, FeedbackStore, ReadsReviews, {_OLD}),
}


@pytest.mark.parametrize(
    ("new_gateway", "new_feedback", "new_server", "wrong"), OTHER_CONTRACTS.values(), ids=OTHER_CONTRACTS.keys()
)
def test_another_contract_turns_its_rows_wrong(
    tmp_path: Path,
    new_gateway: Callable[[Gateway], Gateway],
    new_feedback: NewFeedback,
    new_server: NewServer,
    wrong: set[str],
) -> None:
    @contextmanager
    def opened_otherwise(gateway: Gateway) -> Iterator[Stage]:
        with opened(f"sqlite:///{tmp_path / 'proof.db'}", gateway) as space:
            feedback = new_feedback(space.database, clock=utc_now, new_id=new_id)
            yield _with_tutor(space, new_gateway(gateway), feedback)

    rows = list(prove_contract(opened_otherwise, new_server))

    assert {row.name for row in rows if not row.as_expected} == wrong


def _with_tutor(space: Space, gateway: Gateway, feedback: FeedbackStore) -> Space:
    tutor = Tutor(
        courses=space.courses,
        feedback=feedback,
        sessions=space.sessions,
        leases=space.leases,
        models=Models.of(gateway),
        logic=review_logic(),
        clock=utc_now,
        summaries=space.summaries,
        calls=space.calls,
        teachers=space.teaching.chats,
    )
    return replace(space, tutor=tutor)


def test_each_row_of_the_contract_can_be_wrong() -> None:
    assert set().union(*(wrong for *_, wrong in OTHER_CONTRACTS.values())) == _ALL


def test_a_turn_that_fails_is_not_as_expected(tmp_path: Path) -> None:
    class Broken(Changing):
        def changed(self, messages: list[ChatMessage]) -> list[ChatMessage]:
            raise ProviderDown(f"nobody takes {len(messages)} messages")

    @contextmanager
    def opened_broken(gateway: Gateway) -> Iterator[Stage]:
        with opened(f"sqlite:///{tmp_path / 'proof.db'}", Broken(gateway)) as space:
            yield space

    rows = {row.name: row for row in prove_contract(opened_broken)}

    assert rows[_BRAND_NEW].seen == "turn failed"
    assert {row.name for row in rows.values() if row.as_expected} == {_OLD}
