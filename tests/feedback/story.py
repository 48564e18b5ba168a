"""A story of hand-ins and reviews, told in short steps through the real stores, and what the contract says at the end.

The clock stands still unless a step moves it, and ids have no order: neither can decide anything unnoticed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count

from engine.domain.course import Course, Criterion, Project, Task
from engine.domain.data_message import unwrap
from engine.domain.feedback import Feedback
from engine.domain.keys import FeedbackKey, Versions
from engine.domain.people import LOCAL_VIEWER
from engine.domain.review import Attempt, aggregate_verdict
from engine.domain.running import Lease
from engine.domain.states import CriterionKind, CriterionStatus, FeedbackState, Language, OutcomeKind, Source
from engine.domain.work import Snapshot, Submission
from engine.feedback.budgeter import BLOCK_LIMIT, budget_feedback
from engine.feedback.selector import select_feedback
from tests.stores.builders import NOON, Hands, Stores

V1 = Versions(rubric="rubric-1", prompt="prompt-1", engine="engine-1")
LEASE = Lease(holder="story", seconds=3600)
Json = dict[str, object]
_stories = count(1)


def criterion(rubric_id: str, kind: CriterionKind = CriterionKind.ACCEPTANCE, text: str | None = None) -> Criterion:
    words = text or f"what {rubric_id} asks for"
    return Criterion(rubric_id=rubric_id, kind=kind, text=words, decided_by=Source.TEACHER)


RUBRIC = (
    criterion("tests"),
    criterion("build"),
    criterion("reflection", CriterionKind.LEARNING),
    criterion("docs"),
)
"""In an author's order that no sorting gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the contract says at one moment, by the names of the story."""

    feedback: Feedback
    hand_in: str | None
    attempt: str | None
    text: str
    """The block."""

    @property
    def state(self) -> FeedbackState:
        return self.feedback.state

    @property
    def block(self) -> Json:
        """What a model reads in it."""
        data = unwrap(self.text)
        assert data is not None
        return data[1]

    @property
    def items(self) -> list[Json]:
        listed = self.block["items"]
        assert isinstance(listed, list)
        return listed

    @property
    def open(self) -> list[str]:
        """Rubric ids in the block's order."""
        return [str(item["rubric_id"]) for item in self.items]

    @property
    def says(self) -> tuple[str, list[str], str | None, str | None]:
        """State, open items, and the hand-in and attempt it speaks of."""
        return str(self.state), self.open, self.hand_in, self.attempt


@dataclass(kw_only=True)
class Story:
    """One course of its own on a shared database: two projects that both have the tasks `first` and `second`."""

    stores: Stores
    clock: Hands
    versions: Versions = V1
    """In force."""
    rubric: tuple[Criterion, ...] = RUBRIC
    _projects: dict[str, str] = field(default_factory=dict)
    _learners: dict[str, str] = field(default_factory=dict)
    hand_ins: dict[str, Submission] = field(default_factory=dict)
    attempts: dict[str, Attempt] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.clock.now = NOON
        tasks = tuple(Task(task_id=name, title=name, goal=name, criteria=RUBRIC) for name in ("first", "second"))
        projects = tuple(Project(project_id=name, title=name, tasks=tasks) for name in ("one", "two"))
        course = Course(course_id=f"story-{next(_stories)}", title="A", language=Language.EN, projects=projects)
        kept = self.stores.courses.keep_course(LOCAL_VIEWER, course)
        self._projects = {name: row.project_id for name, row in zip(("one", "two"), kept.projects, strict=True)}
        self.rules(self.versions, self.rubric)

    def rules(self, versions: Versions, rubric: tuple[Criterion, ...] = RUBRIC) -> None:
        """From here on these versions are in force."""
        self.versions, self.rubric = versions, rubric
        for project_id in self._projects.values():
            for task in ("first", "second"):
                self.stores.courses.keep_rubric(LOCAL_VIEWER, project_id, task, versions.rubric, rubric)

    def at(self, hours: float) -> None:
        """So many hours after noon, or before it."""
        self.clock.now = NOON + timedelta(hours=hours)

    @property
    def now(self) -> datetime:
        return self.clock.now

    def key(self, learner: str = "Ada", project: str = "one", task: str = "first") -> FeedbackKey:
        if learner not in self._learners:
            self._learners[learner] = self.stores.courses.add_learner(LOCAL_VIEWER, learner).learner_id
        return FeedbackKey(learner_id=self._learners[learner], project_id=self._projects[project], task_id=task)

    def submit(self, name: str, *, order_known: bool = True, **place: str) -> None:
        snapshot = Snapshot(snapshot_hash=f"snapshot of {name}", files=())
        self.hand_ins[name], _ = self.stores.work.hand_in(
            LOCAL_VIEWER, self.key(**place), snapshot, order_known=order_known
        )

    def start(self, name: str, hand_in: str, versions: Versions | None = None, model: str | None = None) -> None:
        submission_id = self.hand_ins[hand_in].submission_id
        self.attempts[name] = self.stores.reviews.start_attempt(
            LOCAL_VIEWER, submission_id, versions or self.versions, model=model, lease=LEASE
        )

    def finish(self, name: str, record: object = None, *, snapshot: str | None = None, **statuses: str) -> bool:
        """The attempt ends with a judgement: PASS for every criterion that is not named; or with `record` as it is."""
        attempt = self.attempts[name]
        judged = next(one for one in self.hand_ins.values() if one.submission_id == attempt.submission_id)
        return self.stores.reviews.finish(
            LOCAL_VIEWER,
            attempt.attempt_id,
            OutcomeKind.COMPLETED,
            record=self.record(name, **statuses) if record is None else record,
            snapshot_hash=snapshot or judged.snapshot_hash,
        )

    def break_off(self, name: str, kind: OutcomeKind = OutcomeKind.UNAVAILABLE, fault: str = "provider_down") -> bool:
        """The attempt ends without a judgement."""
        return self.stores.reviews.finish(LOCAL_VIEWER, self.attempts[name].attempt_id, kind, fault=fault)

    def review(self, name: str, hand_in: str, versions: Versions | None = None, /, **statuses: str) -> None:
        """A whole review, begun and ended."""
        self.start(name, hand_in, versions)
        self.finish(name, **statuses)

    def record(self, said_by: str = "nobody", **statuses: str) -> Json:
        """A record that keeps the contract; each reason says which attempt wrote it."""
        full = {line.rubric_id: CriterionStatus(statuses.get(line.rubric_id, "PASS")) for line in self.rubric}
        verdict = aggregate_verdict(full, {line.rubric_id: line.kind for line in self.rubric})
        criteria = [entry(rubric_id, str(status), said_by) for rubric_id, status in full.items()]
        next_step = None if verdict is CriterionStatus.PASS else f"next, says {said_by}"
        return {"verdict": str(verdict), "next_step": next_step, "criteria": criteria}

    def see(self, limit: int = BLOCK_LIMIT, **place: str) -> Seen:
        """What a tutor turn would be given now."""
        record = self.stores.feedback.read_newest(LOCAL_VIEWER, self.key(**place), self.versions)
        feedback = select_feedback(record)
        return Seen(
            feedback=feedback,
            hand_in=_name({name: one.submission_id for name, one in self.hand_ins.items()}, feedback.submission),
            attempt=_name({name: one.attempt_id for name, one in self.attempts.items()}, feedback.attempt),
            text=budget_feedback(feedback, limit).text,
        )


def entry(rubric_id: str, status: str = "PASS", said_by: str = "nobody", **other: object) -> Json:
    """One criterion of a record."""
    plain = {"id": rubric_id, "status": status, "reason": f"{said_by} on {rubric_id}", "evidence": None}
    return {**plain, "source": "model", **other}


def _name(names: Mapping[str, str], value: Submission | Attempt | None) -> str | None:
    match value:
        case Attempt(attempt_id=row_id) | Submission(submission_id=row_id):
            return next(name for name, known in names.items() if known == row_id)
        case None:
            return None
