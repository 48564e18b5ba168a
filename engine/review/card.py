"""A review as people read it: one attempt with every criterion, whatever became of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from engine.domain.feedback import Feedback, FeedbackRecord
from engine.domain.keys import Versions
from engine.domain.review import CriterionResult, Decision
from engine.domain.states import CriterionKind, CriterionStatus, FeedbackState, OutcomeKind, Source
from engine.feedback.order import urgency
from engine.feedback.selector import select_feedback
from engine.feedback.validity import ReviewRecord, read_record, read_result
from engine.review.changes import Change, Changes, find_changes
from engine.review.review_store import ReviewRow


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLine:
    """One criterion on a card."""

    rubric_id: str
    kind: CriterionKind
    criterion: str
    status: CriterionStatus
    reason: str
    evidence: str | None
    source: Source
    next_step: str | None
    kept_from: int | None = None
    """Number of the attempt that judged it, where an unfinished review left it to this one."""
    decision: Decision | None = None
    """Set where a person decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """That a person undid a decision by this attempt."""

    rubric_id: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCard:
    """One attempt, or a submission that has none."""

    row: ReviewRow
    feedback: Feedback
    """What this attempt said, seen by the rules it was made by; whether it counts now is the selector's to say."""
    by_older_rules: bool
    """Whether the rules in force are other ones."""
    lines: tuple[CardLine, ...]
    """Acceptance criteria by urgency, then learning criteria; of a review that did not finish, what was done."""
    in_force: bool
    """Whether the lines are a verdict; those of an unfinished review are not."""
    fault: str | None
    changes: Changes | None = None
    """Beside the submission judged before; None where either has no sound judgement, or nobody looked."""
    reused_from: int | None = None
    """Number of the submission whose judgement this is; None where it is its own."""
    taken_back: TakenBack | None = None
    """Set where this attempt undid a decision."""

    @property
    def unjudged(self) -> int:
        """How many criteria an unfinished review left unjudged; 0 of any other."""
        return len(self.row.rubric) - len(self.lines) if self.state is FeedbackState.UNAVAILABLE else 0

    def change(self, line: CardLine) -> Change | None:
        """What became of an acceptance criterion since then; None where it was met and is, or is new and met."""
        change = self.changes.by_criterion.get(line.rubric_id) if self.changes else None
        is_met = line.status is CriterionStatus.PASS
        if line.kind is not CriterionKind.ACCEPTANCE or (change is Change.NEW and is_met):
            return None
        return change

    def count(self, change: Change) -> int:
        """How many lines changed in this way."""
        return sum(self.change(line) is change for line in self.lines)

    @property
    def state(self) -> FeedbackState:
        """The state of this attempt by itself."""
        return self.feedback.state

    @property
    def open_lines(self) -> tuple[CardLine, ...]:
        """Acceptance criteria that were not met."""
        return tuple(
            line
            for line in self.lines
            if line.kind is CriterionKind.ACCEPTANCE and line.status is not CriterionStatus.PASS
        )


def read_card(
    row: ReviewRow, in_force: Versions, timeline: Sequence[ReviewRow] = (), reused_from: int | None = None
) -> ReviewCard:
    """Read one stored attempt for people, by the rules it was made by.

    With the `timeline` of its key, newest first, the card says what changed and what was kept from which attempt;
    `reused_from` is the number of the submission whose judgement it is.
    """
    made_by = row.attempt.versions if row.attempt else in_force
    record = FeedbackRecord(
        key=row.submission.key,
        versions=made_by,
        submission=row.submission,
        attempts=1 if row.attempt else 0,
        attempt=row.attempt,
        outcome=row.outcome,
        rubric=row.rubric,
    )
    feedback = select_feedback(record)
    results = _results(row)
    return ReviewCard(
        row=row,
        feedback=feedback,
        by_older_rules=row.attempt is not None and made_by != in_force,
        lines=_lines(row, results, _numbers(timeline)),
        in_force=feedback.state in (FeedbackState.PASSED, FeedbackState.CURRENT),
        fault=row.outcome.fault if row.outcome else None,
        changes=find_changes(row, timeline),
        reused_from=reused_from,
        taken_back=_taken_back(row.outcome.record if row.outcome else None),
    )


def _numbers(timeline: Sequence[ReviewRow]) -> Mapping[str, int]:
    """Number of each attempt by its id."""
    return {row.attempt.attempt_id: row.attempt.attempt_seq for row in timeline if row.attempt}


def _taken_back(record: object) -> TakenBack | None:
    written = record.get("taken_back") if isinstance(record, dict) else None
    if not isinstance(written, Mapping):
        return None
    try:
        at = datetime.fromisoformat(str(written["at"]))
        return TakenBack(rubric_id=str(written["id"]), by=str(written["by"]), at=at)
    except (KeyError, ValueError):
        return None


def _results(row: ReviewRow) -> tuple[CriterionResult, ...]:
    """What the record holds and can be believed: all of a completed one, the finished part of an unfinished one."""
    if row.outcome is None:
        return ()
    if row.outcome.kind is OutcomeKind.UNAVAILABLE:
        return _finished(row.outcome.record)
    read = read_record(row.outcome, row.rubric, row.submission)
    return read.criteria if isinstance(read, ReviewRecord) else ()


def _finished(record: object) -> tuple[CriterionResult, ...]:
    listed = record.get("criteria") if isinstance(record, dict) else None
    entries = listed if isinstance(listed, list) else []
    return tuple(result for entry in entries if (result := read_finished(entry)) is not None)


def read_finished(entry: object) -> CriterionResult | None:
    """One finished criterion of a review under way or broken off; None where it cannot be read."""
    if not isinstance(entry, Mapping):
        return None
    try:
        return read_result(entry)
    except (KeyError, ValueError):
        return None


def _lines(row: ReviewRow, results: tuple[CriterionResult, ...], numbers: Mapping[str, int]) -> tuple[CardLine, ...]:
    rubric = {line.rubric_id: line for line in row.rubric}
    lines = [
        CardLine(
            rubric_id=result.rubric_id,
            kind=rubric[result.rubric_id].kind,
            criterion=rubric[result.rubric_id].text,
            status=result.status,
            reason=result.reason,
            evidence=result.evidence,
            source=result.source,
            next_step=result.next_step,
            kept_from=numbers.get(result.kept_from or ""),
            decision=result.decision,
        )
        for result in results
        if result.rubric_id in rubric
    ]
    return tuple(sorted(lines, key=_card_order))


def _card_order(line: CardLine) -> tuple[bool, tuple[int, str]]:
    return line.kind is CriterionKind.LEARNING, urgency(line.status, line.rubric_id)
