"""Which feedback holds now. Pure: the same record always gets the same answer."""

from dataclasses import replace

from engine.domain.feedback import Feedback, FeedbackItem, FeedbackRecord, TraceCode, TraceStep
from engine.domain.review import Attempt, CriterionResult, Outcome
from engine.domain.states import CriterionKind, CriterionStatus, FeedbackState, OutcomeKind
from engine.domain.work import Submission
from engine.feedback.order import urgency
from engine.feedback.validity import Problem, ReviewRecord, read_record


def select_feedback(record: FeedbackRecord) -> Feedback:
    """Say what the newest submission's newest compatible attempt means: the first state that fits.

    Nothing older is looked at, and no time stamp: `record` holds the one submission and the one attempt that
    count. A submission of unknown order counts as none. The trace says what was seen, in the order of looking.
    """
    submission, attempt, outcome = record.submission, record.attempt, record.outcome
    seen = Feedback(state=FeedbackState.NONE, key=record.key, versions=record.versions)
    if submission is None or submission.submission_seq is None:
        return _noting(seen, TraceCode.NO_SUBMISSION)
    seen = _with_submission(seen, submission, submission.submission_seq, record.attempts)
    if attempt is None and record.attempts > 0:
        return _ending(seen, FeedbackState.STALE_RULES, TraceCode.NO_COMPATIBLE_ATTEMPT, attempts=record.attempts)
    if attempt is None:
        return _ending(seen, FeedbackState.PENDING, TraceCode.NO_ATTEMPT)
    seen = _with_attempt(seen, attempt)
    if outcome is None:
        return _ending(seen, FeedbackState.PENDING, TraceCode.NO_OUTCOME, attempt_seq=attempt.attempt_seq)
    if outcome.kind is OutcomeKind.UNAVAILABLE:
        return _ending(seen, FeedbackState.UNAVAILABLE, TraceCode.NO_JUDGEMENT, fault=outcome.fault or "unknown")
    return _judged(seen, record, submission, outcome)


def _judged(seen: Feedback, record: FeedbackRecord, submission: Submission, outcome: Outcome) -> Feedback:
    """What a judgement means: a broken one nothing, a pass that nothing is left, any other its open items."""
    if outcome.kind is OutcomeKind.INVALID:
        problems = outcome.fault or "ended_invalid"
        return _ending(seen, FeedbackState.INVALID, TraceCode.BREAKS_CONTRACT, problems=problems)
    review = read_record(outcome, record.rubric, submission)
    if not isinstance(review, ReviewRecord):
        return _ending(seen, FeedbackState.INVALID, TraceCode.BREAKS_CONTRACT, **_told(review))
    seen = _noting(seen, TraceCode.KEEPS_CONTRACT, criteria=len(review.criteria))
    seen = replace(seen, verdict=review.verdict, learning_notes=_learning_notes(review, record))
    if review.verdict is CriterionStatus.PASS:
        return _ending(seen, FeedbackState.PASSED, TraceCode.ALL_MET)
    seen = replace(seen, items=_open_items(review, record), next_step=review.next_step)
    return _ending(seen, FeedbackState.CURRENT, TraceCode.OPEN_ITEMS, open_items=len(seen.items))


def _noting(seen: Feedback, code: TraceCode, **values: str | int) -> Feedback:
    return replace(seen, trace=(*seen.trace, TraceStep(code=code, values=values)))


def _ending(seen: Feedback, state: FeedbackState, code: TraceCode, **values: str | int) -> Feedback:
    return replace(_noting(seen, code, **values), state=state)


def _with_submission(seen: Feedback, submission: Submission, submission_seq: int, attempts: int) -> Feedback:
    noted = _noting(
        seen,
        TraceCode.NEWEST_SUBMISSION,
        submission_seq=submission_seq,
        version_number=submission.version_number,
        attempts=attempts,
    )
    return replace(noted, submission=submission)


def _with_attempt(seen: Feedback, attempt: Attempt) -> Feedback:
    noted = _noting(seen, TraceCode.NEWEST_ATTEMPT, attempt_seq=attempt.attempt_seq)
    return replace(noted, attempt=attempt)


def _told(problems: tuple[Problem, ...]) -> dict[str, str | int]:
    """Which rules were broken, each once, and where the first breach stands."""
    codes = dict.fromkeys(problem.code for problem in problems)
    return {"problems": ", ".join(codes), "where": problems[0].where}


def _unresolved(review: ReviewRecord, record: FeedbackRecord, kind: CriterionKind) -> list[CriterionResult]:
    """The criteria of one kind that were not met, most urgent first."""
    of_kind = {line.rubric_id for line in record.rubric if line.kind is kind}
    unmet = [
        result
        for result in review.criteria
        if result.rubric_id in of_kind and result.status is not CriterionStatus.PASS
    ]
    return sorted(unmet, key=lambda result: urgency(result.status, result.rubric_id))


def _open_items(review: ReviewRecord, record: FeedbackRecord) -> tuple[FeedbackItem, ...]:
    """The unresolved acceptance criteria, in the rubric's own words."""
    wording = {line.rubric_id: line.text for line in record.rubric}
    return tuple(
        FeedbackItem(
            rubric_id=result.rubric_id,
            status=result.status,
            criterion=wording[result.rubric_id],
            reason=result.reason,
            evidence=result.evidence,
            source=result.source,
        )
        for result in _unresolved(review, record, CriterionKind.ACCEPTANCE)
    )


def _learning_notes(review: ReviewRecord, record: FeedbackRecord) -> tuple[str, ...]:
    """Why learning criteria were not met: for teaching, never an item. What nobody has judged is no gap."""
    unmet = _unresolved(review, record, CriterionKind.LEARNING)
    return tuple(result.reason for result in unmet if result.status is CriterionStatus.FAIL)
