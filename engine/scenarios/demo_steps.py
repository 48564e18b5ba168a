"""What can happen in a history of the demo, as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.domain.artifact import ArtifactKind, VersionAuthor, VersionReason
from engine.domain.course import Task
from engine.domain.states import CriterionStatus, FeedbackState, ReviewFault
from engine.domain.work import Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class HandIn:
    """The learner hands these files in, and nothing else: each hand-in is the whole work."""

    files: Mapping[str, str]
    """Text by path."""
    days_ago: float
    """Days before the moment the demo is made; falls from hand-in to hand-in of one history."""
    note: str = ""
    """What the student says of the environment."""
    provenance: Provenance | None = None
    """The repository that it came from, if it did."""
    version: tuple[str, int] | None = None
    """Path and number of the version of a text that is handed in by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """The newest hand-in is reviewed by the real checks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewUnavailable:
    """A review of the newest hand-in is begun and ends without a judgement."""

    fault: ReviewFault


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewBroken:
    """A review is stored as completed, with a record that breaks the contract: it does not name one criterion."""

    left_out: str
    """Rubric id of the criterion that is taken out of an otherwise real record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesChange:
    """The teacher changes the rubric; reviews before this step were made by the rubric `rules_before` gives."""

    earlier_texts: Mapping[str, str]
    """By rubric id, how a criterion read until then; the course file holds how it reads now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """The learner writes to the tutor, who answers then and there."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenOff:
    """The learner writes to the tutor, and a restart cuts the reply."""

    text: str
    arrived: str
    """The words that had arrived."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opens:
    """The tutor begins by itself after the newest review, which found something not met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The learner sees the verdict on a criterion of the newest review differently."""

    rubric_id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide:
    """A teacher decides a criterion of the newest review, and leaves a note on the card."""

    rubric_id: str
    status: CriterionStatus
    reason: str
    note: str
    by: str
    """The teacher's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepIn:
    """A teacher writes in the learner's conversation."""

    text: str
    by: str
    """The teacher's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """The next version of a text is written."""

    path: str
    kind: ArtifactKind
    title: str
    body: str
    base: int | None
    """Number of the version that it is made from; None for the first."""
    author: VersionAuthor
    reason: VersionReason
    note: str = ""
    is_handed_in: bool = False
    """Whether it is a file of the newest hand-in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteAgain:
    """An older version of a text is restored."""

    path: str
    number: int


TeacherStep = Report | Decide | StepIn
"""What leads to the teacher's desk, or comes from it."""
DemoStep = (
    HandIn
    | Review
    | ReviewUnavailable
    | ReviewBroken
    | RulesChange
    | Ask
    | BrokenOff
    | Opens
    | Write
    | WriteAgain
    | TeacherStep
)
"""One thing that happened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoHistory:
    """What one learner did in one task, in order. Its `Ask` and `Opens` steps make one conversation."""

    learner_id: str
    project_id: str
    task_id: str
    steps: tuple[DemoStep, ...]
    ends_in: FeedbackState
    """The state that the selector must give at the end, with no model connected."""


def rules_before(task: Task, change: RulesChange) -> Task:
    """`task` as it read before `change`."""
    criteria = tuple(replace(line, text=change.earlier_texts.get(line.rubric_id, line.text)) for line in task.criteria)
    return replace(task, criteria=criteria)
