"""What became of each criterion since the submission that was judged before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.domain.review import CriterionResult
from engine.domain.states import CriterionStatus, OutcomeKind
from engine.feedback.validity import ReviewRecord, read_record
from engine.review.review_store import ReviewRow


class Change(StrEnum):
    """How a criterion stands beside the judgement before."""

    FIXED = "fixed"
    STILL_OPEN = "still_open"
    REGRESSED = "regressed"
    NEW = "new"
    """It was no part of the review before, or its words were others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """A review beside the one before it."""

    since: int
    """Number of the submission judged before."""
    by_criterion: Mapping[str, Change]
    """What was met and still is, is not named."""

    def count(self, change: Change) -> int:
        """How many criteria changed in this way."""
        return sum(each is change for each in self.by_criterion.values())


def find_changes(row: ReviewRow, timeline: Sequence[ReviewRow]) -> Changes | None:
    """Compare a sound review with the newest sound review of an earlier submission; None where one is missing.

    Args:
        row: the review.
        timeline: every review of the same key, newest first, as `ReviewStore.timeline` gives it.
    """
    here, seq = _record(row), row.submission.submission_seq
    if here is None or seq is None:
        return None
    for earlier in timeline:
        number = earlier.submission.submission_seq
        if number is None or number >= seq:
            continue
        before = _record(earlier)
        if before is not None:
            return Changes(since=number, by_criterion=_compare(before, earlier, here, row))
    return None


def compare(before: CriterionResult | None, after: CriterionResult) -> Change | None:
    """What became of one criterion; None where it was met and still is."""
    is_met = after.status is CriterionStatus.PASS
    if before is None:
        return Change.NEW
    was_met = before.status is CriterionStatus.PASS
    if was_met:
        return None if is_met else Change.REGRESSED
    return Change.FIXED if is_met else Change.STILL_OPEN


def _record(row: ReviewRow) -> ReviewRecord | None:
    if row.outcome is None or row.outcome.kind is not OutcomeKind.COMPLETED:
        return None
    read = read_record(row.outcome, row.rubric, row.submission)
    return read if isinstance(read, ReviewRecord) else None


def _compare(before: ReviewRecord, earlier: ReviewRow, after: ReviewRecord, later: ReviewRow) -> Mapping[str, Change]:
    words_before = {line.rubric_id: line.text for line in earlier.rubric}
    words_after = {line.rubric_id: line.text for line in later.rubric}
    known = {
        result.rubric_id: result
        for result in before.criteria
        if words_before.get(result.rubric_id) == words_after.get(result.rubric_id)
    }
    pairs = ((result.rubric_id, compare(known.get(result.rubric_id), result)) for result in after.criteria)
    return {rubric_id: change for rubric_id, change in pairs if change is not None}
