"""The fault table: every row as expected, and what would turn a row wrong does."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from inspect import signature
from pathlib import Path

import pytest

from engine import cli
from engine.domain.clock import utc_now
from engine.domain.keys import FeedbackKey
from engine.domain.people import Viewer
from engine.domain.running import Lease
from engine.domain.session import Message, Turn, TurnEnd
from engine.domain.states import FileState, TurnState
from engine.domain.work import Provenance, WorkFile
from engine.errors import StoreError
from engine.jobs.worker import Worker
from engine.llm.gateway import Gateway
from engine.llm.models import Models
from engine.review.hand_in import HandedIn, HandInDesk
from engine.review.version import review_logic
from engine.scenarios.faults import FAULT_CASES, FaultRow, play_faults
from engine.scenarios.faults_scene import GOOD_REPORT, FaultStage
from engine.sessions.session_store import SessionStore
from engine.tutoring.tutor import Tutor
from engine.wiring import Space, SqliteRig, new_id
from engine.work.unpack import read_hand_in
from pages._widgets.errors import SENTENCES
from tests.scenarios.rigs import NeverIll, NeverLater

pytestmark = [pytest.mark.enable_socket, pytest.mark.timeout(300)]

Exchange = Callable[[Space, Gateway], Space]

NAMES = [case.name for case in FAULT_CASES]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, FaultRow]:
    rig = SqliteRig(url=f"sqlite:///{tmp_path_factory.mktemp('faults') / 'faults.db'}")
    return {row.name: row for row in play_faults(rig)}


def test_every_row_has_a_name_of_its_own() -> None:
    assert len(set(NAMES)) == len(NAMES) >= 40


@pytest.mark.parametrize("name", NAMES)
def test_a_fault_ends_well(rows: dict[str, FaultRow], name: str) -> None:
    row = rows[name]
    case = next(case for case in FAULT_CASES if case.name == name)
    assert case.expected in row.told
    assert (row.kept, row.no_failure, row.no_score) == (True, not case.fails, not case.fails)
    assert row.as_expected


def test_the_command_plays_by_itself_the_rows_that_are_tested_here() -> None:
    assert signature(cli.show_faults).parameters["cases"].default is FAULT_CASES


def test_only_work_that_really_fails_is_told_as_failed() -> None:
    assert [case.name for case in FAULT_CASES if case.fails] == [
        "report with an error inside a test: failed, by the rule"
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_code_that_is_told_has_a_sentence_on_the_pages(name: str) -> None:
    expected = next(case.expected for case in FAULT_CASES if case.name == name)
    code, colon, _rest = expected.partition(": ")
    is_verdict = not code.replace(".", "_").isidentifier() or not code.islower() or code in {"taken", "interrupted"}
    assert not colon or is_verdict or code in SENTENCES


# ---- other systems, each with one fault of its own ----


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherRig:
    """Opens a space in which something is exchanged."""

    inner: SqliteRig
    exchange: Exchange

    @contextmanager
    def opened(
        self, gateway: Gateway, *, ahead: timedelta = timedelta(0), pragmas: Sequence[str] = ()
    ) -> Iterator[FaultStage]:
        with self.inner.opened(gateway, ahead=ahead, pragmas=pragmas) as space:
            yield self.exchange(space, gateway)

    @contextmanager
    def locked(self) -> Iterator[None]:
        with self.inner.locked():
            yield


class LosesTheQuestion(SessionStore):
    """Keeps three dots of every question but the first."""

    def begin_turn(self, viewer: Viewer, conversation_id: str, question: str, lease: Lease) -> Turn:
        said, _older = self.entries(viewer, conversation_id, last=1)
        return super().begin_turn(viewer, conversation_id, "…" if said else question, lease)


class TellsFaultsAsWords(SessionStore):
    """Puts a failure into the tutor's mouth."""

    def end_turn(self, viewer: Viewer, turn_id: str, end: TurnEnd) -> bool:
        told = end if end.state is TurnState.DONE else replace(end, reply=f"Sorry: {end.fault}")
        return super().end_turn(viewer, turn_id, told)


class ForgetsTheEarlier(SessionStore):
    """Remembers the newest turn only."""

    def entries(self, viewer: Viewer, conversation_id: str, *, last: int) -> tuple[tuple[Turn | Message, ...], int]:
        return super().entries(viewer, conversation_id, last=min(last, 1))


class OtherDesk(HandInDesk):
    """Hands in something else, or in another way."""

    def hand_in(
        self,
        viewer: Viewer,
        key: FeedbackKey,
        files: tuple[WorkFile, ...],
        *,
        token: str,
        worker: Worker,
        conversation_id: str | None = None,
        provenance: Provenance | None = None,
        after: int | None = None,
    ) -> HandedIn:
        return super().hand_in(
            viewer,
            key,
            self.changed(files),
            token=self.named(token),
            worker=worker,
            conversation_id=conversation_id,
            provenance=provenance,
            after=after,
        )

    def changed(self, files: tuple[WorkFile, ...]) -> tuple[WorkFile, ...]:
        return files

    def named(self, token: str) -> str:
        return token


class CountsEachClick(OtherDesk):
    def named(self, token: str) -> str:
        return f"{token} {new_id()}"


class TakesTheUnreadableForEmpty(OtherDesk):
    def changed(self, files: tuple[WorkFile, ...]) -> tuple[WorkFile, ...]:
        return tuple(replace(file, body=file.body or "", state=FileState.TEXT) for file in files)


class MakesUpAReport(OtherDesk):
    """Whatever report was handed in, the tests have passed."""

    def changed(self, files: tuple[WorkFile, ...]) -> tuple[WorkFile, ...]:
        good = read_hand_in((GOOD_REPORT,)).files[0]
        return (*(file for file in files if file.path != good.path), good)


def _sessions(kind: type[SessionStore]) -> Exchange:
    def exchange(space: Space, gateway: Gateway) -> Space:
        sessions = kind(space.database, clock=utc_now, new_id=new_id)
        tutor = Tutor(
            courses=space.courses,
            feedback=space.feedback,
            sessions=sessions,
            leases=space.leases,
            models=Models.of(gateway),
            logic=review_logic(),
            clock=utc_now,
            summaries=space.summaries,
            calls=space.calls,
            teachers=space.teaching.chats,
        )
        return replace(space, sessions=sessions, tutor=tutor)

    return exchange


def _desk(kind: type[HandInDesk]) -> Exchange:
    def exchange(space: Space, _gateway: Gateway) -> Space:
        desk = kind(courses=space.courses, work=space.work, sessions=space.sessions, reviewer=space.reviewer)
        return replace(space, desk=desk)

    return exchange


OTHERS: dict[str, tuple[Exchange, str, tuple[bool, bool, bool]]] = {
    "the question lost": (_sessions(LosesTheQuestion), "the model service answers 401", (False, True, True)),
    "a tab's question lost": (_sessions(LosesTheQuestion), "two tabs send at once", (False, True, True)),
    "a fault told as words": (_sessions(TellsFaultsAsWords), "the model service answers 404", (False, True, True)),
    "the earlier turn lost": (_sessions(ForgetsTheEarlier), "the model service sends a link", (False, True, True)),
    "each click counted": (_desk(CountsEachClick), "two clicks on one hand-in", (False, True, True)),
    "the unreadable failed": (_desk(TakesTheUnreadableForEmpty), "binary renamed .py", (True, False, False)),
    "a report made up": (_desk(MakesUpAReport), "report that breaks off", (True, True, False)),
}


@pytest.mark.parametrize(("exchange", "name", "seen"), OTHERS.values(), ids=OTHERS.keys())
def test_another_system_turns_its_row_wrong(
    tmp_path: Path, exchange: Exchange, name: str, seen: tuple[bool, bool, bool]
) -> None:
    rig = OtherRig(inner=SqliteRig(url=f"sqlite:///{tmp_path / 'faults.db'}"), exchange=exchange)

    (row,) = play_faults(rig, [case for case in FAULT_CASES if case.name == name])

    assert (row.kept, row.no_failure, row.no_score) == seen
    assert not row.as_expected


class HidesWhatFailed(SessionStore):
    """Says that a question is stored although the database refused it."""

    def begin_turn(self, viewer: Viewer, conversation_id: str, question: str, lease: Lease) -> Turn:
        try:
            return super().begin_turn(viewer, conversation_id, question, lease)
        except StoreError:
            said, _older = self.entries(viewer, conversation_id, last=9)
            return next(entry for entry in said if isinstance(entry, Turn))


@pytest.mark.parametrize("name", ["the server is killed in a reply", "the server is killed in a review"])
def test_a_server_that_does_not_recover_turns_its_row_wrong(tmp_path: Path, name: str) -> None:
    rig = NeverLater(url=f"sqlite:///{tmp_path / 'faults.db'}")
    (row,) = play_faults(rig, [case for case in FAULT_CASES if case.name == name])
    assert not row.as_expected


@pytest.mark.parametrize(
    "name",
    [
        "the database is locked",
        "the database is locked while a reply arrives",
        "the database is read-only",
        "the database is full",
    ],
)
def test_a_row_of_an_ill_database_is_wrong_where_nothing_is_ill(tmp_path: Path, name: str) -> None:
    rig = NeverIll(url=f"sqlite:///{tmp_path / 'faults.db'}")
    (row,) = play_faults(rig, [case for case in FAULT_CASES if case.name == name])
    assert not row.as_expected


@pytest.mark.parametrize("name", ["the database is locked", "the database is read-only", "the database is full"])
def test_a_question_that_only_seems_to_be_stored_turns_its_row_wrong(tmp_path: Path, name: str) -> None:
    inner = SqliteRig(url=f"sqlite:///{tmp_path / 'faults.db'}")
    rig = OtherRig(inner=inner, exchange=_sessions(HidesWhatFailed))
    (row,) = play_faults(rig, [case for case in FAULT_CASES if case.name == name])
    assert (row.kept, row.as_expected) == (False, False)


def test_a_row_that_is_told_otherwise_is_not_as_expected(tmp_path: Path) -> None:
    case = replace(FAULT_CASES[0], expected="hand_in.bomb: ")

    (row,) = play_faults(SqliteRig(url=f"sqlite:///{tmp_path / 'faults.db'}"), [case])

    assert (row.kept, row.no_failure, row.no_score, row.as_expected) == (True, True, True, False)


def test_the_command_prints_a_row_for_each_and_counts_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # a narrow terminal has a row on several lines
    wrong = replace(FAULT_CASES[0], name="told otherwise", expected="nothing at all")

    results = cli.show_faults([*FAULT_CASES[:2], wrong])

    printed = [re.split(r" {2,}", line) for line in capsys.readouterr().out.splitlines() if line]
    assert results == [True, True, False]
    assert printed[0] == ["Faults"]
    assert printed[1] == ["what was done", "what the person is told", "kept", "no failure", "no score"]
    assert [(cells[0], *cells[2:]) for cells in printed[3:]] == [
        (FAULT_CASES[0].name, "yes", "yes", "yes", "✓"),
        (FAULT_CASES[1].name, "yes", "yes", "yes", "✓"),
        ("told otherwise", "yes", "yes", "yes", "✗"),
    ]
