"""What the database holds about a class: who takes the course, its tasks, and one cell for each learner and task."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from engine.domain.course import Learner
from engine.domain.review import CriterionResult
from engine.domain.states import CriterionKind, CriterionStatus, FeedbackState


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTask:
    """One column of the board."""

    project_id: str
    task_id: str
    title: str
    project_title: str

    @property
    def address(self) -> str:
        """The task's id across projects, as addresses hold it."""
        return f"{self.project_id}/{self.task_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FailRun:
    """One acceptance criterion that the newest hand-in does not meet."""

    rubric_id: str
    criterion: str
    """Its text in the rubric in force."""
    hand_ins: int
    """In how many judged hand-ins in a row, the newest among them; those never judged neither count nor break it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellFacts:
    """One learner's work in one task. No fact here depends on a clock."""

    state: FeedbackState
    """As the selector says."""
    verdict: CriterionStatus | None = None
    """In `passed` and `current` only."""
    hand_ins: int = 0
    """Of known order."""
    handed_in_at: datetime | None = None
    """When the newest came in."""
    attempt_id: str | None = None
    """The attempt that counts, where there is one."""
    fails: tuple[FailRun, ...] = ()
    """The longest run first, then by rubric id; empty unless the verdict is FAIL."""
    turns: int = 0
    """Questions to the tutor whose request spoke of the newest hand-in, or of none while nothing is handed in."""


NOTHING = CellFacts(state=FeedbackState.NONE)
"""A cell with no hand-in and no question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFacts:
    """A whole class, as one read saw it."""

    learners: tuple[Learner, ...]
    """In the order of the class list."""
    tasks: tuple[BoardTask, ...]
    """In the course's order."""
    cells: Mapping[tuple[str, str], CellFacts]
    """By learner id and task address; what is missing is `NOTHING`."""
    last_seen: Mapping[str, datetime]
    """By learner id: the last hand-in or question; whoever has neither is missing."""

    def cell(self, learner_id: str, task: BoardTask) -> CellFacts:
        """What is known of one learner in one task."""
        return self.cells.get((learner_id, task.address), NOTHING)


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionLine:
    """One criterion of a judgement that counts now."""

    learner_id: str
    task: BoardTask
    submission_seq: int
    attempt_seq: int
    kind: CriterionKind
    criterion: str
    """Its text in the rubric in force."""
    result: CriterionResult
