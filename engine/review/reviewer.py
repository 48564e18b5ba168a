"""Reviews one submission: evidence first, then criterion by criterion, then one outcome."""

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from engine.courses.course_store import CourseStore
from engine.domain.course import Criterion, TaskInForce
from engine.domain.feedback import Feedback
from engine.domain.job import JobItem
from engine.domain.keys import ReviewLogic, Versions
from engine.domain.people import LOCAL_VIEWER, Viewer
from engine.domain.review import Attempt, CriterionResult, aggregate_verdict
from engine.domain.running import Lease
from engine.domain.states import CriterionKind, CriterionStatus, FeedbackState, OutcomeKind, ReviewFault, Source
from engine.domain.work import Submission
from engine.feedback.feedback_store import decode_record
from engine.jobs.lease_store import LeaseStore
from engine.jobs.worker import Worker
from engine.llm.models import Models
from engine.review.criteria import CriterionFault, cover, judge_criterion
from engine.review.evidence import Evidence, gather_evidence
from engine.review.review_store import ReviewStore
from engine.review.semantic import SemanticJudge
from engine.settings import ModelUse
from engine.work.work_store import WorkStore

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunReview:
    """A review that has begun: what is judged, and by which criteria."""

    submission: Submission
    attempt: Attempt
    given: TaskInForce
    semantic: SemanticJudge | None
    """Judges what must be read for its meaning; settled when the review begins. None: that waits for a person."""


class Reviewer:
    """Starts attempts and brings each to its one end."""

    def __init__(
        self,
        *,
        courses: CourseStore,
        work: WorkStore,
        reviews: ReviewStore,
        leases: LeaseStore,
        logic: ReviewLogic,
        models: Models,
    ) -> None:
        """Put a reviewer together; without a model for reviews, what must be read for meaning waits for a person."""
        self._courses = courses
        self._work = work
        self._reviews = reviews
        self._leases = leases
        self._logic = logic
        self._models = models

    def start(self, viewer: Viewer, submission_id: str, worker: Worker) -> Attempt:
        """Begin a review by the rules in force; the worker judges, the page follows."""
        begun = self.begin(viewer, submission_id, worker.lease)
        worker.submit(begun.attempt.attempt_id, lambda: self.judge(viewer, begun, worker))
        return begun.attempt

    def begin(self, viewer: Viewer, submission_id: str, lease: Lease, item: JobItem | None = None) -> BegunReview:
        """Store that a review by the rules in force begins, as the step of a job if `item` names one."""
        submission = self._work.submission(viewer, submission_id)
        given = self._courses.task(viewer, submission.key.project_id, submission.key.task_id)
        versions = self._logic.with_rubric(given.rubric_version)
        semantic = self._semantic() if _by_meaning(given) else None
        model = semantic.model if semantic else None
        attempt = self._reviews.start_attempt(viewer, submission_id, versions, model=model, lease=lease, item=item)
        return BegunReview(submission=submission, attempt=attempt, given=given, semantic=semantic)

    def begin_again(self, viewer: Viewer, submission_id: str, attempt_id: str) -> BegunReview | None:
        """An open attempt whose worker is gone, to be judged now; None when today's rules or model are others.

        Raises:
            NotFound: there is no such attempt of this submission.
        """
        submission = self._work.submission(viewer, submission_id)
        given = self._courses.task(viewer, submission.key.project_id, submission.key.task_id)
        attempt = self._reviews.attempt(viewer, submission_id, attempt_id)
        semantic = self._semantic() if _by_meaning(given) else None
        is_same = attempt.versions == self._logic.with_rubric(given.rubric_version)
        if not is_same or attempt.model != (semantic.model if semantic else None):
            return None
        return BegunReview(submission=submission, attempt=attempt, given=given, semantic=semantic)

    def _semantic(self) -> SemanticJudge | None:
        """The judge by meaning, if a model is configured at this moment; the offline tutor judges nothing."""
        gateway = self._models.gateway(ModelUse.REVIEW)
        return None if gateway.is_offline else SemanticJudge(gateway)

    def judge(self, viewer: Viewer, begun: BegunReview, worker: Worker | None = None) -> None:
        """Judge every criterion and store the outcome. A fault of ours is never a verdict.

        What rules decide goes first, so that a model that fails takes none of it. `worker` may stop the
        asking when its process ends.
        """
        results: list[CriterionResult] = []
        try:
            evidence = gather_evidence(self._work.snapshot(viewer, begun.submission.submission_id))
            faults = self._judge_by_rules(begun, evidence, results)
            if not faults and begun.semantic is not None:
                faults = asyncio.run(self._judge_by_meaning(begun.semantic, begun, evidence, results, worker))
        except asyncio.CancelledError:
            self._finish_unavailable(viewer, begun, results, ReviewFault.INTERRUPTED)
            return
        except Exception:
            _log.exception("a review could not be carried out")
            self._finish_unavailable(viewer, begun, results, ReviewFault.TOOL_BROKEN)
            return
        if faults:
            self._finish_unavailable(viewer, begun, results, faults[0].fault)
            return
        uncovered = cover(results, begun.given.task.criteria)
        self._reviews.finish(
            viewer,
            begun.attempt.attempt_id,
            OutcomeKind.INVALID if uncovered else OutcomeKind.COMPLETED,
            record=write_record(results, begun.given),
            snapshot_hash=begun.submission.snapshot_hash,
        )

    def versions_in_force(self, viewer: Viewer, project_id: str, task_id: str) -> Versions:
        """What a review of this task would be made by now."""
        return self._logic.with_rubric(self._courses.task(viewer, project_id, task_id).rubric_version)

    def interrupt(self, attempt_id: str) -> None:
        """End an attempt whose worker is gone; what it had finished is kept."""
        finished = decode_record(self._leases.progress(attempt_id))
        self._reviews.finish(
            LOCAL_VIEWER,
            attempt_id,
            OutcomeKind.UNAVAILABLE,
            record={"criteria": finished} if finished else None,
            fault=ReviewFault.INTERRUPTED,
        )

    def can_judge_more(self, viewer: Viewer, feedback: Feedback) -> bool:
        """Whether a finished review left open, for want of a model, what one could judge now."""
        attempt = feedback.attempt
        if self._semantic() is None or attempt is None or attempt.model is not None:
            return False
        if feedback.state not in (FeedbackState.CURRENT, FeedbackState.PASSED):
            return False
        return bool(_by_meaning(self._courses.task(viewer, feedback.key.project_id, feedback.key.task_id)))

    def _judge_by_rules(
        self, begun: BegunReview, evidence: Evidence, results: list[CriterionResult]
    ) -> list[CriterionFault]:
        """Put what is judged into `results` one by one, so that nothing of it is lost; give the faults."""
        faults: list[CriterionFault] = []
        waiting = _by_meaning(begun.given) if begun.semantic else ()
        for criterion in begun.given.task.criteria:
            if criterion in waiting:
                continue
            judged = judge_criterion(criterion, evidence, begun.given.language)
            if isinstance(judged, CriterionFault):
                faults.append(judged)
            else:
                self._keep(begun, judged, results)
        return faults

    async def _judge_by_meaning(
        self,
        semantic: SemanticJudge,
        begun: BegunReview,
        evidence: Evidence,
        results: list[CriterionResult],
        worker: Worker | None,
    ) -> list[CriterionFault]:
        """The same by a model; after a fault nothing more is asked, since no verdict can come of it."""
        if worker is not None:
            worker.cancel_on_stop(begun.attempt.attempt_id)
        for criterion in _by_meaning(begun.given):
            judged = await semantic.judge(criterion, begun.given, evidence)
            if isinstance(judged, CriterionFault):
                _log.warning("a criterion could not be judged: %s", judged.detail)
                return [judged]
            self._keep(begun, judged, results)
        return []

    def _keep(self, begun: BegunReview, judged: CriterionResult, results: list[CriterionResult]) -> None:
        results.append(judged)
        progress = json.dumps([_written(result) for result in results], ensure_ascii=False)
        self._leases.keep_progress(begun.attempt.attempt_id, begun.submission.key.learner_id, progress)

    def _finish_unavailable(
        self, viewer: Viewer, begun: BegunReview, finished: Sequence[CriterionResult], fault: ReviewFault
    ) -> None:
        self._reviews.finish(
            viewer,
            begun.attempt.attempt_id,
            OutcomeKind.UNAVAILABLE,
            record={"criteria": [_written(result) for result in finished]} if finished else None,
            snapshot_hash=begun.submission.snapshot_hash,
            fault=fault,
        )


def _by_meaning(given: TaskInForce) -> tuple[Criterion, ...]:
    """The criteria that a model decides."""
    return tuple(criterion for criterion in given.task.criteria if criterion.decided_by is Source.MODEL)


def write_record(results: Sequence[CriterionResult], given: TaskInForce) -> dict[str, object]:
    """The record of a completed review: verdict by the aggregate, next step of the first open criterion."""
    kinds = {line.rubric_id: line.kind for line in given.task.criteria}
    verdict = aggregate_verdict({result.rubric_id: result.status for result in results}, kinds)
    return {
        "verdict": verdict,
        "next_step": _first_next_step(results, given),
        "criteria": [_written(result) for result in results],
    }


def _first_next_step(results: Sequence[CriterionResult], given: TaskInForce) -> str | None:
    acceptance = {line.rubric_id for line in given.task.criteria if line.kind is CriterionKind.ACCEPTANCE}
    open_results = [r for r in results if r.rubric_id in acceptance and r.status is not CriterionStatus.PASS]
    urgency = list(CriterionStatus)
    ordered = sorted(open_results, key=lambda result: (urgency.index(result.status), result.rubric_id))
    return ordered[0].next_step if ordered else None


def _written(result: CriterionResult) -> dict[str, object]:
    return {
        "id": result.rubric_id,
        "status": result.status,
        "reason": result.reason,
        "evidence": result.evidence,
        "source": result.source,
        "next_step": result.next_step,
    }
