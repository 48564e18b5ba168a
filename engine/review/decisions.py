"""A person decides a criterion: a new attempt that says so, with the machine's verdict beside it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.courses.course_store import CourseStore
from engine.domain.clock import Clock
from engine.domain.course import Criterion, TaskInForce
from engine.domain.feedback import RubricLine
from engine.domain.keys import ReviewLogic, Versions
from engine.domain.people import Viewer
from engine.domain.review import Attempt, CriterionResult, Decision, MachineVerdict
from engine.domain.states import CriterionStatus, Source
from engine.domain.text import is_blank
from engine.errors import DecisionRefused
from engine.review.checks.finding import Finding, FindingCode
from engine.review.judgement_store import JudgementStore, Standing
from engine.review.record import write_record
from engine.review.wording import word_next_step, word_reason
from engine.work.work_store import WorkStore

REASON_CHARACTERS = 10
"""A decision without a reason of at least so many characters helps nobody (research/ux.md 2.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a person decided of one criterion."""

    rubric_id: str
    status: CriterionStatus
    reason: str
    by: str
    """The name that stands on the card."""
    seen_attempt_seq: int
    """The newest attempt that was on the screen; 0 where there was none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undoing:
    """A decision that a person takes back."""

    rubric_id: str
    by: str
    """The name that stands on the card."""
    seen_attempt_seq: int
    """The newest attempt that was on the screen."""


class DecisionDesk:
    """Takes decisions. The rest of the review stands as it was; what was never judged stays open."""

    def __init__(
        self,
        *,
        courses: CourseStore,
        work: WorkStore,
        judgements: JudgementStore,
        logic: ReviewLogic,
        clock: Clock,
    ) -> None:
        self._courses = courses
        self._work = work
        self._judgements = judgements
        self._logic = logic
        self._clock = clock

    def decide(self, viewer: Viewer, submission_id: str, verdict: Verdict) -> Attempt:
        """Store the decision as a new attempt, which is in force at once.

        Raises:
            NotFound: there is no such submission.
            DecisionRefused: no reason, rules that changed since the review, a newer attempt, an unknown criterion.
        """
        if len(verdict.reason.strip()) < REASON_CHARACTERS or is_blank(verdict.reason):
            raise DecisionRefused("a decision needs a reason", reason="no_reason", characters=REASON_CHARACTERS)
        submission = self._work.submission(viewer, submission_id)
        given = self._courses.task(viewer, submission.key.project_id, submission.key.task_id)
        versions = self._logic.with_rubric(given.rubric_version)
        standing = self._judgements.standing(viewer, submission_id)
        base = next((one for one in standing if one.attempt.versions == versions), None)
        if base is None and standing:
            raise DecisionRefused("the rules changed after this review", reason="rules_changed")
        results = self._decided(verdict, given, self._before(viewer, submission_id, versions, base))
        return self._judgements.decide(
            viewer,
            submission_id,
            versions,
            based_on=base.attempt if base else None,
            record=write_record(results, given),
            seen_attempt_seq=verdict.seen_attempt_seq,
        )

    def take_back(self, viewer: Viewer, submission_id: str, undoing: Undoing) -> Attempt:
        """Undo the newest decision on a criterion by a new attempt, in which it stands as it did before.

        Both stay in the history.

        Raises:
            NotFound: there is no such submission.
            DecisionRefused: nobody has decided it, rules that changed since, a newer attempt.
        """
        submission = self._work.submission(viewer, submission_id)
        given = self._courses.task(viewer, submission.key.project_id, submission.key.task_id)
        versions = self._logic.with_rubric(given.rubric_version)
        standing = [one for one in self._judgements.standing(viewer, submission_id) if one.attempt.versions == versions]
        if not standing:
            raise DecisionRefused("the rules changed after this review", reason="rules_changed")
        record = write_record(_without(undoing.rubric_id, standing, given), given)
        record["taken_back"] = {"id": undoing.rubric_id, "by": undoing.by, "at": self._clock().isoformat()}
        return self._judgements.decide(
            viewer,
            submission_id,
            versions,
            based_on=standing[0].attempt,
            record=record,
            seen_attempt_seq=undoing.seen_attempt_seq,
        )

    def _before(
        self, viewer: Viewer, submission_id: str, versions: Versions, base: Standing | None
    ) -> Sequence[CriterionResult]:
        """What stood before: the sound review, or what an unfinished one had finished."""
        if base is not None:
            return base.record.criteria
        return self._judgements.finished(viewer, submission_id, versions)

    def _decided(
        self, verdict: Verdict, given: TaskInForce, before: Sequence[CriterionResult]
    ) -> tuple[CriterionResult, ...]:
        criteria = given.task.criteria
        if verdict.rubric_id not in {criterion.rubric_id for criterion in criteria}:
            raise DecisionRefused("the rubric has no such criterion", reason="not_in_rubric")
        known = {result.rubric_id: result for result in before}
        return tuple(self._result(criterion, known.get(criterion.rubric_id), verdict, given) for criterion in criteria)

    def _result(
        self, criterion: Criterion, before: CriterionResult | None, verdict: Verdict, given: TaskInForce
    ) -> CriterionResult:
        if criterion.rubric_id != verdict.rubric_id:
            return before or _not_judged(criterion, given)
        is_met = verdict.status is CriterionStatus.PASS
        earlier = before.next_step if before else None
        return CriterionResult(
            rubric_id=criterion.rubric_id,
            status=verdict.status,
            reason=verdict.reason.strip(),
            evidence=before.evidence if before else None,
            source=Source.TEACHER,
            next_step=None if is_met else criterion.next_step.strip() or earlier,
            decision=Decision(by=verdict.by, at=self._clock(), machine=_machine(before)),
        )


def _without(rubric_id: str, standing: Sequence[Standing], given: TaskInForce) -> tuple[CriterionResult, ...]:
    """The newest results, one of them as it stood before its decision. `standing` is newest first, and not empty."""
    decided = _of(rubric_id, standing[0])
    if decided is None or decided.decision is None:
        raise DecisionRefused("nobody has decided this criterion", reason="not_decided")
    older = (_of(rubric_id, one) for one in standing[1:])
    before = next((one for one in older if one is not None and one.decision != decided.decision), None)
    criterion = next(line for line in given.task.criteria if line.rubric_id == rubric_id)
    restored = before or _not_judged(criterion, given)
    return tuple(restored if one.rubric_id == rubric_id else one for one in standing[0].record.criteria)


def _of(rubric_id: str, standing: Standing) -> CriterionResult | None:
    return next((one for one in standing.record.criteria if one.rubric_id == rubric_id), None)


def carry_over(standing: Sequence[Standing], rubric: Sequence[RubricLine | Criterion]) -> dict[str, CriterionResult]:
    """The decisions that a later review of the same submission takes over, by rubric id.

    The newest sound review has them all, since each takes over those before it. One whose criterion has other
    words by now is not taken over.
    """
    if not standing:
        return {}
    newest = standing[0]
    words = {line.rubric_id: line.text for line in newest.rubric}
    now = {line.rubric_id: line.text for line in rubric}
    return {
        result.rubric_id: result
        for result in newest.record.criteria
        if result.decision is not None and now.get(result.rubric_id) == words.get(result.rubric_id)
    }


def _machine(before: CriterionResult | None) -> MachineVerdict | None:
    """The machine's verdict under the newest decision, however many decisions there were."""
    if before is None:
        return None
    if before.decision is not None:
        return before.decision.machine
    return MachineVerdict(status=before.status, reason=before.reason, evidence=before.evidence, source=before.source)


def _not_judged(criterion: Criterion, given: TaskInForce) -> CriterionResult:
    finding = Finding(status=CriterionStatus.NEED_REVIEW, code=FindingCode.NOT_JUDGED, values={})
    worded = CriterionResult(
        rubric_id=criterion.rubric_id,
        status=finding.status,
        reason=word_reason(finding, given.language),
        evidence=None,
        source=Source.CHECK,
        next_step=word_next_step(finding, given.language),
    )
    return replace(worded, next_step=criterion.next_step) if criterion.next_step.strip() else worded
