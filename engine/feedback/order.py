"""The one order in which criteria are listed."""

from engine.domain.states import CriterionStatus

_URGENCY = {status: rank for rank, status in enumerate(CriterionStatus)}


def urgency(status: CriterionStatus, rubric_id: str) -> tuple[int, str]:
    """Sort key: FAIL, then NEED_REVIEW, then PASS; equal ones by rubric id, code point by code point."""
    return _URGENCY[status], rubric_id
