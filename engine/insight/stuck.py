"""Who may be stuck: three rules over facts. A pointer for the teacher, never a judgement; no student is shown it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from engine.domain.states import CriterionStatus, FeedbackState
from engine.insight.facts import CellFacts
from engine.settings import StuckLimits


class StuckRule(StrEnum):
    """The rules, in the order in which they are told."""

    SAME_FAIL = "same_fail"
    """One criterion is not met in so many judged hand-ins in a row, the newest among them."""
    NO_HAND_IN = "no_hand_in"
    """Something is to fix, and nothing was handed in for so many days."""
    MANY_TURNS = "many_turns"
    """So many questions to the tutor since the newest hand-in, or before the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StuckReason:
    """One rule that holds for a cell."""

    rule: StuckRule
    n: int
    """Hand-ins, whole days or questions, by the rule."""
    criterion: str | None = None
    """For `SAME_FAIL` the text of the criterion; of several the one with the longest run."""


def stuck_reasons(cell: CellFacts, limits: StuckLimits, now: datetime) -> tuple[StuckReason, ...]:
    """Every rule that holds, in their order; empty for a task that is passed."""
    if cell.state is FeedbackState.PASSED:
        return ()
    found = (_same_fail(cell, limits), _no_hand_in(cell, limits, now), _many_turns(cell, limits))
    return tuple(reason for reason in found if reason is not None)


def _same_fail(cell: CellFacts, limits: StuckLimits) -> StuckReason | None:
    if not cell.fails or cell.fails[0].hand_ins < limits.fails_in_a_row:
        return None
    longest = cell.fails[0]
    return StuckReason(rule=StuckRule.SAME_FAIL, n=longest.hand_ins, criterion=longest.criterion)


def _no_hand_in(cell: CellFacts, limits: StuckLimits, now: datetime) -> StuckReason | None:
    if cell.verdict is not CriterionStatus.FAIL or cell.handed_in_at is None:
        return None
    passed = now - cell.handed_in_at
    if passed < timedelta(days=limits.idle_days):
        return None
    return StuckReason(rule=StuckRule.NO_HAND_IN, n=passed.days)


def _many_turns(cell: CellFacts, limits: StuckLimits) -> StuckReason | None:
    if cell.turns < limits.turns:
        return None
    return StuckReason(rule=StuckRule.MANY_TURNS, n=cell.turns)
