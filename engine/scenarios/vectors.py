"""Plays conformance vectors for the feedback contract through the real stores.

The format: cases of `versions` in force, a `rubric`, `events` in order, who is asked for, and what is
expected. Versions and snapshots are labels and reach the stores as they are.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.courses.course_store import CourseStore
from engine.domain.course import Course, Criterion, Project, Task
from engine.domain.data_message import unwrap
from engine.domain.keys import FeedbackKey, Versions
from engine.domain.people import LOCAL_VIEWER
from engine.domain.running import Lease
from engine.domain.states import CriterionKind, Language, OutcomeKind, Source
from engine.domain.work import Snapshot
from engine.errors import InputError
from engine.feedback.budgeter import budget_feedback
from engine.feedback.feedback_store import FeedbackStore
from engine.feedback.selector import select_feedback
from engine.review.review_store import ReviewStore
from engine.work.work_store import WorkStore

_LEASE = Lease(holder="vectors", seconds=3600)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Versions(_Strict):
    rubric: str
    prompt: str
    engine: str


class _RubricLine(_Strict):
    id: str
    kind: CriterionKind


class _Submit(_Strict):
    do: Literal["submit"]
    name: str = Field(alias="as")
    learner: str
    project: str
    task: str
    at: str
    snapshot: str
    order: Literal["known", "unknown"] = "known"


class _Start(_Strict):
    do: Literal["start"]
    name: str = Field(alias="as")
    submission: str
    rubric: str
    prompt: str
    engine: str
    model: str | None = None


class _Finish(_Strict):
    do: Literal["finish"]
    attempt: str
    outcome: Literal["completed", "unavailable"]
    reason: str | None = None
    verdict: object = None
    snapshot: str | None = None
    next_step: object = None
    criteria: object = None


class _Ask(_Strict):
    learner: str
    project: str
    task: str


class _Expect(_Strict):
    state: str
    items: list[str]
    submission: str | None = None
    attempt: str | None = None


class _Case(_Strict):
    name: str
    versions: _Versions
    rubric: list[_RubricLine]
    events: list[Annotated[_Submit | _Start | _Finish, Field(discriminator="do")]]
    ask: _Ask
    expect: _Expect


class _File(_Strict):
    format: Literal[1]
    cases: list[_Case]


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorResult:
    """What one case expects and what the stores and the selector said."""

    name: str
    expected: Mapping[str, object]
    seen: Mapping[str, object]

    @property
    def passed(self) -> bool:
        """Whether they agree in everything."""
        return self.expected == self.seen


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorStores:
    """The stores that a case is played through, all on one throw-away database."""

    courses: CourseStore
    work: WorkStore
    reviews: ReviewStore
    feedback: FeedbackStore


def play_vectors(text: str, stores: VectorStores) -> Iterator[VectorResult]:
    """Play every case of a vector file, each with learners, projects and tasks of its own.

    Raises:
        InputError: the text is not a vector file of format 1.
    """
    try:
        file = _File.model_validate_json(text)
    except ValidationError as error:
        raise InputError(f"this is not a vector file of format 1: {error.errors()[0]['msg']}") from error
    for number, case in enumerate(file.cases):
        yield _Player(stores, case, number).play()


@dataclass(kw_only=True)
class _Names:
    """Row ids by the names that a case uses, and back."""

    ids: dict[str, str] = field(default_factory=dict)

    def id_of(self, name: str) -> str:
        """The row id of a name.

        Raises:
            InputError: no earlier event has it.
        """
        if name not in self.ids:
            raise InputError(f"this is not a vector file of format 1: nothing earlier is called {name!r}")
        return self.ids[name]

    def name_of(self, row_id: str | None) -> str | None:
        return next((name for name, known in self.ids.items() if known == row_id), None)


class _Player:
    """Plays one case."""

    def __init__(self, stores: VectorStores, case: _Case, number: int) -> None:
        self._stores = stores
        self._case = case
        self._number = number
        self._learners, self._projects = _Names(), _Names()
        self._submissions, self._attempts = _Names(), _Names()

    def play(self) -> VectorResult:
        self._lay_out()
        for event in self._case.events:
            match event:
                case _Submit():
                    self._submit(event)
                case _Start():
                    self._start(event)
                case _Finish():
                    self._finish(event)
        expected = self._case.expect.model_dump(exclude_none=True)
        return VectorResult(name=self._case.name, expected=expected, seen=self._ask())

    def _lay_out(self) -> None:
        """Make every learner, project and task that the case names, with its rubric in force everywhere."""
        places = [event for event in self._case.events if isinstance(event, _Submit)] + [self._case.ask]
        tasks = {
            project: sorted({p.task for p in places if p.project == project})
            for project in sorted({place.project for place in places})
        }
        course = self._stores.courses.keep_course(LOCAL_VIEWER, self._course(tasks))
        for name, project in zip(tasks, course.projects, strict=True):
            self._projects.ids[name] = project.project_id
            for task in project.tasks:
                self._stores.courses.keep_rubric(
                    LOCAL_VIEWER, project.project_id, task.task_id, self._case.versions.rubric, task.criteria
                )
        for learner in sorted({place.learner for place in places}):
            made = self._stores.courses.add_learner(LOCAL_VIEWER, learner, course_id=course.course_id)
            self._learners.ids[learner] = made.learner_id

    def _course(self, tasks: Mapping[str, list[str]]) -> Course:
        criteria = tuple(
            Criterion(rubric_id=line.id, kind=line.kind, text=f"criterion {line.id}", decided_by=Source.TEACHER)
            for line in self._case.rubric
        )
        projects = tuple(
            Project(
                project_id=project,
                title=project,
                tasks=tuple(Task(task_id=task, title=task, goal=task, criteria=criteria) for task in names),
            )
            for project, names in tasks.items()
        )
        return Course(course_id=f"case-{self._number}", title=self._case.name, language=Language.EN, projects=projects)

    def _key(self, place: _Submit | _Ask) -> FeedbackKey:
        return FeedbackKey(
            learner_id=self._learners.ids[place.learner],
            project_id=self._projects.ids[place.project],
            task_id=place.task,
        )

    def _submit(self, event: _Submit) -> None:
        snapshot = Snapshot(snapshot_hash=event.snapshot, files=())
        made, _ = self._stores.work.hand_in(
            LOCAL_VIEWER, self._key(event), snapshot, order_known=event.order == "known"
        )
        self._submissions.ids[event.name] = made.submission_id

    def _start(self, event: _Start) -> None:
        versions = Versions(rubric=event.rubric, prompt=event.prompt, engine=event.engine)
        submission_id = self._submissions.id_of(event.submission)
        attempt = self._stores.reviews.start_attempt(
            LOCAL_VIEWER, submission_id, versions, model=event.model, lease=_LEASE
        )
        self._attempts.ids[event.name] = attempt.attempt_id

    def _finish(self, event: _Finish) -> None:
        record = {"verdict": event.verdict, "next_step": event.next_step, "criteria": event.criteria}
        completed = event.outcome == "completed"
        self._stores.reviews.finish(
            LOCAL_VIEWER,
            self._attempts.id_of(event.attempt),
            OutcomeKind(event.outcome),
            record=record if completed else None,
            snapshot_hash=event.snapshot,
            fault=event.reason,
        )

    def _ask(self) -> dict[str, object]:
        versions = Versions(**self._case.versions.model_dump())
        record = self._stores.feedback.read_newest(LOCAL_VIEWER, self._key(self._case.ask), versions)
        feedback = select_feedback(record)
        seen: dict[str, object] = {"state": str(feedback.state), "items": _shown_items(budget_feedback(feedback).text)}
        if feedback.submission is not None:
            seen["submission"] = self._submissions.name_of(feedback.submission.submission_id)
        if feedback.attempt is not None:
            seen["attempt"] = self._attempts.name_of(feedback.attempt.attempt_id)
        return seen


def _shown_items(block: str) -> list[object]:
    """Rubric ids in the order in which a model would read them."""
    data = unwrap(block)
    items = json.loads(json.dumps(data[1].get("items", []))) if data else []
    return [item["rubric_id"] for item in items]
