"""The class board: facts and the stuck rule put together, counted, filtered and sorted. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache

from engine.domain.states import CriterionStatus, FeedbackState
from engine.insight.facts import BoardFacts, BoardTask, CellFacts
from engine.insight.stuck import StuckReason, stuck_reasons
from engine.settings import StuckLimits


class Group(StrEnum):
    """Whom a teacher may want to see, most urgent first. The last two exclude each other and all others."""

    STUCK = "stuck"
    WAITS = "waits"
    """Something is for a person to decide, or was judged by older rules."""
    NOT_RUN = "not_run"
    """A review could not run, or its record is faulty: our fault or a provider's."""
    ON_THE_WAY = "on_the_way"
    """Has begun, and none of the above."""
    NOT_BEGUN = "not_begun"
    """Nothing handed in at all."""


class CellLook(StrEnum):
    """The six fills of the board."""

    PASSED = "passed"
    TO_FIX = "to_fix"
    WITH_PERSON = "with_person"
    OUR_FAULT = "our_fault"
    REVIEWING = "reviewing"
    NOTHING = "nothing"


class Order(StrEnum):
    """How the rows are sorted; ties keep the order of the class list."""

    URGENCY = "urgency"
    CLASS_LIST = "class_list"
    UNSEEN = "unseen"
    """Whoever was not seen for longest first; never seen before all others."""
    PASSED = "passed"
    """Fewest tasks passed first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCell:
    """One learner in one task."""

    task: BoardTask
    facts: CellFacts
    look: CellLook
    stuck: tuple[StuckReason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRow:
    """One learner across the course."""

    learner_id: str
    name: str
    number: int
    """Place in the class list, from 1."""
    cells: tuple[BoardCell, ...]
    """In the order of the tasks."""
    last_seen: datetime | None
    groups: frozenset[Group]
    first: BoardCell | None
    """The cell to look at first: stuck, else waiting for a person, else one that could not run; of several stuck ones
    the one with most rules, then the longest; of the others the one handed in first. None where nothing calls."""

    @property
    def passed(self) -> int:
        """How many tasks are passed."""
        return sum(cell.look is CellLook.PASSED for cell in self.cells)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassBoard:
    """A whole class as it stands at one moment. Equal to itself alone, so that what is made from it can be kept."""

    tasks: tuple[BoardTask, ...]
    rows: tuple[BoardRow, ...]
    """In the order of the class list."""
    reviewing: int
    """How many cells wait for a review to end."""

    def count(self, group: Group) -> int:
        """How many learners belong to a group; one may belong to several of the first three."""
        return _counts(self)[group]

    def passed(self, position: int) -> int:
        """How many learners passed the task at this position."""
        return _passed(self)[position]

    def sorted_rows(self, order: Order, group: Group | None = None) -> tuple[BoardRow, ...]:
        """The rows of one group, or all of them."""
        return _sorted_rows(self, order, group)


@lru_cache(maxsize=32)
def _counts(board: ClassBoard) -> Mapping[Group, int]:
    return {group: sum(group in row.groups for row in board.rows) for group in Group}


@lru_cache(maxsize=32)
def _passed(board: ClassBoard) -> tuple[int, ...]:
    columns = range(len(board.tasks))
    return tuple(sum(row.cells[column].look is CellLook.PASSED for row in board.rows) for column in columns)


@lru_cache(maxsize=32)
def _sorted_rows(board: ClassBoard, order: Order, group: Group | None) -> tuple[BoardRow, ...]:
    chosen = [row for row in board.rows if group is None or group in row.groups]
    return tuple(sorted(chosen, key=_ORDERS[order]))


def build_board(facts: BoardFacts, limits: StuckLimits, now: datetime) -> ClassBoard:
    """Put together what pages and exports show."""
    rows = []
    for number, learner in enumerate(facts.learners, start=1):
        cells = tuple(_cell(task, facts.cell(learner.learner_id, task), limits, now) for task in facts.tasks)
        rows.append(
            BoardRow(
                learner_id=learner.learner_id,
                name=learner.name,
                number=number,
                cells=cells,
                last_seen=facts.last_seen.get(learner.learner_id),
                groups=_groups(cells),
                first=_first(cells),
            )
        )
    reviewing = sum(cell.look is CellLook.REVIEWING for row in rows for cell in row.cells)
    return ClassBoard(tasks=facts.tasks, rows=tuple(rows), reviewing=reviewing)


def look_of(facts: CellFacts) -> CellLook:
    """Whose move it is, as one of the six fills."""
    if facts.state is FeedbackState.CURRENT:
        return CellLook.TO_FIX if facts.verdict is CriterionStatus.FAIL else CellLook.WITH_PERSON
    return _LOOKS[facts.state]


_LOOKS: Mapping[FeedbackState, CellLook] = {
    FeedbackState.NONE: CellLook.NOTHING,
    FeedbackState.STALE_RULES: CellLook.WITH_PERSON,
    FeedbackState.PENDING: CellLook.REVIEWING,
    FeedbackState.UNAVAILABLE: CellLook.OUR_FAULT,
    FeedbackState.INVALID: CellLook.OUR_FAULT,
    FeedbackState.PASSED: CellLook.PASSED,
}


def _cell(task: BoardTask, facts: CellFacts, limits: StuckLimits, now: datetime) -> BoardCell:
    return BoardCell(task=task, facts=facts, look=look_of(facts), stuck=stuck_reasons(facts, limits, now))


def _groups(cells: Sequence[BoardCell]) -> frozenset[Group]:
    looks = {cell.look for cell in cells}
    groups = {
        Group.STUCK: any(cell.stuck for cell in cells),
        Group.WAITS: CellLook.WITH_PERSON in looks,
        Group.NOT_RUN: CellLook.OUR_FAULT in looks,
    }
    urgent = frozenset(group for group, belongs in groups.items() if belongs)
    if urgent:
        return urgent
    return frozenset({Group.NOT_BEGUN if looks <= {CellLook.NOTHING} else Group.ON_THE_WAY})


def _first(cells: Sequence[BoardCell]) -> BoardCell | None:
    stuck = [cell for cell in cells if cell.stuck]
    if stuck:
        return max(stuck, key=lambda cell: (len(cell.stuck), max(reason.n for reason in cell.stuck)))
    for look in (CellLook.WITH_PERSON, CellLook.OUR_FAULT):
        waiting = [cell for cell in cells if cell.look is look]
        if waiting:
            return min(waiting, key=lambda cell: cell.facts.handed_in_at or _LONG_AGO)
    return None


_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_URGENCY = {group: place for place, group in enumerate(Group)}


def _urgency(row: BoardRow) -> tuple[float, float]:
    """The most urgent group, and inside it the rows with more stuck tasks first."""
    return min(_URGENCY[group] for group in row.groups), -sum(bool(cell.stuck) for cell in row.cells)


_ORDERS: Mapping[Order, Callable[[BoardRow], tuple[float, float]]] = {
    Order.URGENCY: _urgency,
    Order.CLASS_LIST: lambda row: (row.number, 0),
    Order.UNSEEN: lambda row: (row.last_seen.timestamp() if row.last_seen else 0, 0),
    Order.PASSED: lambda row: (row.passed, 0),
}
