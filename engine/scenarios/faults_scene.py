"""What every row of the fault table shares: a learner with work, a review and a conversation, and what is kept of it.

The work was judged as passed and a question was answered before anything goes wrong, so that a fault that
costs either of them, or that turns into a verdict, is seen.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from engine.courses.course_store import CourseStore
from engine.domain.course import CheckSpec, Course, Criterion, Project, Task
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import Message, Turn
from engine.domain.states import CriterionKind, CriterionStatus, Language, OutcomeKind, Source, TurnState
from engine.errors import HandInError, TutorloopError
from engine.feedback.validity import ReviewRecord, read_record
from engine.jobs.lease_store import LeaseStore
from engine.jobs.worker import Worker
from engine.llm.gateway import Gateway
from engine.review.hand_in import HandedIn, HandInDesk
from engine.review.review_store import ReviewRow, ReviewStore
from engine.sessions.session_store import SessionStore
from engine.tutoring.tutor import Tutor
from engine.work.unpack import Upload, read_hand_in
from engine.work.work_store import WorkStore

QUESTION = "Why does my test fail?"
"""What is asked while something goes wrong."""
END_SECONDS = 30.0
"""How long a turn, a review or a process may take before its row says that it has not ended."""
GOOD_WORK = Upload(name="main.py", content=b"print('hello')\n")
GOOD_REPORT = Upload(
    name="report.xml", content=b'<testsuite name="all"><testcase classname="app" name="test_main"/></testsuite>'
)
SLOW_WORK = Upload(name="main.py", content=b"print('" + b"a" * 60 + b"?')\n")
"""Its last criterion takes seconds to judge."""
_EARLIER = "What is a function?"
_NEVER = 1000
"""More entries than any row makes."""

Facts = frozenset[tuple[str, ...]]
"""Everything of one learner that is stored for good, a line each."""


class FaultStage(Protocol):
    """Everything that works on one database, the worker started."""

    @property
    def courses(self) -> CourseStore:
        """Courses and learners."""

    @property
    def work(self) -> WorkStore:
        """Submissions."""

    @property
    def sessions(self) -> SessionStore:
        """Conversations and turns."""

    @property
    def reviews(self) -> ReviewStore:
        """Attempts and outcomes."""

    @property
    def tutor(self) -> Tutor:
        """Answers."""

    @property
    def desk(self) -> HandInDesk:
        """Takes work."""

    @property
    def leases(self) -> LeaseStore:
        """What is running, and how far it is."""

    @property
    def worker(self) -> Worker:
        """Runs turns and reviews."""


class FaultRig(Protocol):
    """One database that can be opened again and again, and made ill. Can be sent to another process."""

    def opened(
        self, gateway: Gateway, *, ahead: timedelta = ..., pragmas: Sequence[str] = ...
    ) -> AbstractContextManager[FaultStage]:
        """A stage whose clock is `ahead`, each of whose connections has run `pragmas` once it is open."""

    def locked(self) -> AbstractContextManager[None]:
        """Another connection holds the write lock for a while."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a row saw of its own fault."""

    told: str
    """The code and the words by which a person learns of it."""
    kept: bool = True
    """Whether what was given while it went wrong is there as it should be."""


class FaultScene:
    """A learner of one's own for each row; `healthy` is a stage that nothing is ever wrong with."""

    def __init__(self, rig: FaultRig, healthy: FaultStage, number: int) -> None:
        self.rig = rig
        self.healthy = healthy
        self._lay_out(healthy, number)
        self.before = self.facts()
        self._judged_before = self._attempts()

    def ask(self, stage: FaultStage, question: str = QUESTION) -> Turn:
        """Send a question and wait for its end."""
        turn = stage.tutor.send(LOCAL_VIEWER, self.conversation_id, question, stage.worker)
        stage.worker.wait(turn.turn_id, END_SECONDS)
        return stage.sessions.turn(LOCAL_VIEWER, turn.turn_id)

    def hand_in(self, stage: FaultStage, uploads: Sequence[Upload], token: str) -> HandedIn:
        """Read the uploads, hand them in, and wait for the end of their review."""
        read = read_hand_in(uploads)
        handed_in = stage.desk.hand_in(LOCAL_VIEWER, self.key, read.files, token=token, worker=stage.worker)
        if handed_in.attempt is not None:
            stage.worker.wait(handed_in.attempt.attempt_id, END_SECONDS)
        return handed_in

    def _turns(self) -> list[Turn]:
        entries, _older = self.healthy.sessions.entries(LOCAL_VIEWER, self.conversation_id, last=_NEVER)
        return [entry for entry in entries if isinstance(entry, Turn)]

    def new_turns(self) -> list[Turn]:
        """The turns that were begun since the fault, oldest first."""
        known = {fact[1] for fact in self.before}
        return [turn for turn in self._turns() if turn.turn_id not in known]

    def reviews(self) -> tuple[ReviewRow, ...]:
        """The timeline, newest first."""
        return self.healthy.reviews.timeline(LOCAL_VIEWER, self.key)

    def _attempts(self) -> frozenset[str]:
        return frozenset(row.attempt.attempt_id for row in self.reviews() if row.attempt is not None)

    def new_records(self) -> list[ReviewRecord]:
        """What was judged since the fault."""
        new = [row for row in self.reviews() if row.attempt and row.attempt.attempt_id not in self._judged_before]
        read = [
            read_record(row.outcome, row.rubric, row.submission)
            for row in new
            if row.outcome is not None and row.outcome.kind is OutcomeKind.COMPLETED
        ]
        return [record for record in read if isinstance(record, ReviewRecord)]

    def facts(self) -> Facts:
        """What may never go away: the course's rules, what was said, and what was handed in and judged."""
        rules = self.healthy.courses.task(LOCAL_VIEWER, self.key.project_id, self.key.task_id).rubric_version
        entries, _older = self.healthy.sessions.entries(LOCAL_VIEWER, self.conversation_id, last=_NEVER)
        said = [_said(entry) for entry in entries]
        return frozenset([("rules", rules), *said, *map(_judged, self.reviews())])

    def _lay_out(self, stage: FaultStage, number: int) -> None:
        project = Project(project_id="app", title="App", tasks=(_TASK,))
        course = stage.courses.keep_course(
            LOCAL_VIEWER,
            Course(course_id=f"faults-{number}", title="Faults", language=Language.EN, projects=(project,)),
        )
        learner = stage.courses.add_learner(LOCAL_VIEWER, "learner", course_id=course.course_id)
        self.key = FeedbackKey(
            learner_id=learner.learner_id, project_id=course.projects[0].project_id, task_id=_TASK.task_id
        )
        self.conversation_id = stage.sessions.open_conversation(LOCAL_VIEWER, self.key).conversation_id
        if self.ask(stage, _EARLIER).state is not TurnState.DONE:
            raise RuntimeError("the turn before the fault did not end well")
        self.hand_in(stage, (GOOD_WORK, GOOD_REPORT), f"earlier-{number}")


def problem(error: TutorloopError) -> str:
    """How an error is told: its code, by which a page finds its sentence, and its message."""
    code = f"{error.code}.{error.reason}" if isinstance(error, HandInError) else error.code
    return f"{code}: {error}"


def is_failure(record: ReviewRecord) -> bool:
    """Whether anything in a record says that the student failed."""
    return CriterionStatus.FAIL in {record.verdict, *(result.status for result in record.criteria)}


def _said(entry: Turn | Message) -> tuple[str, ...]:
    if isinstance(entry, Message):
        return "note", entry.message_id, entry.text
    return "turn", entry.turn_id, entry.question, entry.state, entry.reply or ""


def _judged(row: ReviewRow) -> tuple[str, ...]:
    attempt = row.attempt.attempt_id if row.attempt else ""
    outcome = repr(row.outcome.record) if row.outcome else ""
    return "review", row.submission.submission_id, row.submission.snapshot_hash, attempt, outcome


def _criterion(rubric_id: str, text: str, source: Source, check: CheckSpec) -> Criterion:
    return Criterion(rubric_id=rubric_id, kind=CriterionKind.ACCEPTANCE, text=text, decided_by=source, check=check)


_TASK = Task(
    task_id="task",
    title="Print",
    goal="Print something",
    criteria=(
        _criterion("tests", "The tests pass", Source.CI, CheckSpec(name="ci_tests", params={"tests": "test_*"})),
        _criterion(
            "prints",
            "It prints",
            Source.CHECK,
            CheckSpec(name="pattern_present", params={"pattern": "print", "files": "*.py"}),
        ),
        _criterion(
            "tidy",
            "It has no endless row of letters",
            Source.CHECK,
            CheckSpec(name="pattern_absent", params={"pattern": "(?:a|aa)+!$", "files": "*.py"}),
        ),
    ),
)
