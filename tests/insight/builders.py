"""Facts of small classes, as the board is made from them."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from engine.domain.course import Learner
from engine.domain.states import CriterionStatus, FeedbackState
from engine.insight.class_board import ClassBoard, build_board
from engine.insight.facts import BoardFacts, BoardTask, CellFacts, FailRun
from engine.settings import DEFAULT_STUCK, StuckLimits

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
RECENT = NOW - timedelta(hours=1)


def task(number: int, title: str | None = None, project: str = "One") -> BoardTask:
    return BoardTask(project_id="p", task_id=f"t{number}", title=title or f"Task {number}", project_title=project)


PASSED = CellFacts(state=FeedbackState.PASSED, verdict=CriterionStatus.PASS, hand_ins=1, handed_in_at=RECENT)
FAILED = CellFacts(state=FeedbackState.CURRENT, verdict=CriterionStatus.FAIL, hand_ins=1, handed_in_at=RECENT)
WAITING = CellFacts(state=FeedbackState.CURRENT, verdict=CriterionStatus.NEED_REVIEW, hand_ins=1, handed_in_at=RECENT)
PENDING = CellFacts(state=FeedbackState.PENDING, hand_ins=1, handed_in_at=RECENT)
DOWN = CellFacts(state=FeedbackState.UNAVAILABLE, hand_ins=1, handed_in_at=RECENT)
STALE = CellFacts(state=FeedbackState.STALE_RULES, hand_ins=1, handed_in_at=RECENT)
BROKEN = CellFacts(state=FeedbackState.INVALID, hand_ins=1, handed_in_at=RECENT)


def run(hand_ins: int, rubric_id: str = "docs") -> FailRun:
    return FailRun(rubric_id=rubric_id, criterion=f"what {rubric_id} asks for", hand_ins=hand_ins)


def facts(rows: Mapping[str, tuple[CellFacts, ...]], tasks: tuple[BoardTask, ...] | None = None) -> BoardFacts:
    """A class of these names, each with cells from the first task on; whoever has a hand-in was seen then."""
    columns = tasks or tuple(task(number) for number in range(1, 1 + max(map(len, rows.values()), default=0)))
    learners = tuple(Learner(learner_id=f"id of {name}", name=name) for name in rows)
    cells = {
        (learner.learner_id, columns[place].address): cell
        for learner, name in zip(learners, rows, strict=True)
        for place, cell in enumerate(rows[name])
    }
    seen = {
        learner_id: max(
            cell.handed_in_at for (one, _), cell in cells.items() if one == learner_id and cell.handed_in_at
        )
        for learner_id in {one for (one, _), cell in cells.items() if cell.handed_in_at}
    }
    return BoardFacts(learners=learners, tasks=columns, cells=cells, last_seen=seen)


def board(
    rows: Mapping[str, tuple[CellFacts, ...]],
    tasks: tuple[BoardTask, ...] | None = None,
    limits: StuckLimits = DEFAULT_STUCK,
) -> ClassBoard:
    return build_board(facts(rows, tasks), limits, NOW)
