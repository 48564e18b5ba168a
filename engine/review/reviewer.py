"""Reviews one submission: evidence first, then criterion by criterion, then one outcome."""

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.courses.course_store import CourseStore
from engine.domain.course import Criterion, TaskInForce
from engine.domain.feedback import Feedback
from engine.domain.job import JobItem
from engine.domain.keys import FeedbackKey, ReviewLogic, Versions
from engine.domain.model_call import CallSubject, CallUse
from engine.domain.people import LOCAL_VIEWER, Viewer
from engine.domain.review import Attempt, CriterionResult
from engine.domain.running import Lease
from engine.domain.states import CriterionStatus, FeedbackState, OutcomeKind, ReviewFault, Source
from engine.domain.work import Submission
from engine.feedback.feedback_store import decode_record
from engine.jobs.lease_store import LeaseStore
from engine.jobs.worker import Worker
from engine.llm.models import Models
from engine.llm.structured import AfterCall
from engine.review.criteria import CriterionFault, cover, judge_criterion
from engine.review.decisions import carry_over
from engine.review.evidence import Evidence, gather_evidence
from engine.review.judgement_store import JudgementStore
from engine.review.record import write_record, write_result
from engine.review.review_store import ReviewStore
from engine.review.semantic import SemanticJudge
from engine.sessions.call_store import CallStore
from engine.settings import ModelUse
from engine.work.work_store import WorkStore

_log = logging.getLogger(__name__)


AfterReview = Callable[[FeedbackKey, str, Worker], object]
"""Told whose review has ended, the attempt's id, and by which worker."""


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
        judgements: JudgementStore,
        calls: CallStore,
        after_review: AfterReview | None = None,
    ) -> None:
        """Put a reviewer together; without a model for reviews, what must be read for meaning waits for a person.

        `after_review` is told of each judgement of a worker that says something new of its submission.
        """
        self._courses = courses
        self._work = work
        self._reviews = reviews
        self._leases = leases
        self._logic = logic
        self._models = models
        self._judgements = judgements
        self._calls = calls
        self._after_review = after_review

    def review(self, viewer: Viewer, submission_id: str, worker: Worker) -> Attempt | None:
        """Take over an equal judgement if there is one, so that nothing is judged twice; else begin a review.

        Equal is: the same evidence and versions, for the same learner and task (DESIGN 7). None when a review by
        the rules in force has begun already.
        """
        reused = self._take_over(viewer, submission_id)
        return reused or self.start_next(viewer, submission_id, worker, after=0)

    def _take_over(self, viewer: Viewer, submission_id: str) -> Attempt | None:
        """Store an equal judgement as the first attempt of this submission; None where there is nothing to do so."""
        submission = self._work.submission(viewer, submission_id)
        given = self._courses.task(viewer, submission.key.project_id, submission.key.task_id)
        versions = self._logic.with_rubric(given.rubric_version)
        equal = self._judgements.equal(viewer, submission_id, versions)
        if equal is None or self._could_judge_more(equal.attempt, given):
            return None
        record = write_record(equal.record.criteria, given)
        return self._judgements.reuse(viewer, submission_id, versions, source=equal.attempt, record=record)

    def start(self, viewer: Viewer, submission_id: str, worker: Worker) -> Attempt:
        """Begin a review by the rules in force; the worker judges, the page follows."""
        begun = self.begin(viewer, submission_id, worker.lease)
        worker.submit(begun.attempt.attempt_id, lambda: self.judge(viewer, begun, worker))
        return begun.attempt

    def start_next(self, viewer: Viewer, submission_id: str, worker: Worker, *, after: int) -> Attempt | None:
        """As `start`, unless another review by the rules in force has begun after attempt `after`, 0 for none.

        So a second click, or the same form sent again, begins nothing.
        """
        submission, given, semantic = self._given(viewer, submission_id)
        attempt = self._reviews.start_next_attempt(
            viewer,
            submission_id,
            self._logic.with_rubric(given.rubric_version),
            model=semantic.model if semantic else None,
            lease=worker.lease,
            after=after,
        )
        if attempt is None:
            return None
        begun = BegunReview(submission=submission, attempt=attempt, given=given, semantic=semantic)
        worker.submit(attempt.attempt_id, lambda: self.judge(viewer, begun, worker))
        return attempt

    def begin(self, viewer: Viewer, submission_id: str, lease: Lease, item: JobItem | None = None) -> BegunReview:
        """Store that a review by the rules in force begins, as the step of a job if `item` names one."""
        submission, given, semantic = self._given(viewer, submission_id)
        versions = self._logic.with_rubric(given.rubric_version)
        model = semantic.model if semantic else None
        attempt = self._reviews.start_attempt(viewer, submission_id, versions, model=model, lease=lease, item=item)
        return BegunReview(submission=submission, attempt=attempt, given=given, semantic=semantic)

    def begin_again(self, viewer: Viewer, submission_id: str, attempt_id: str) -> BegunReview | None:
        """An open attempt whose worker is gone, to be judged now; None when today's rules or model are others.

        Raises:
            NotFound: there is no such attempt of this submission.
        """
        submission, given, semantic = self._given(viewer, submission_id)
        attempt = self._reviews.attempt(viewer, submission_id, attempt_id)
        is_same = attempt.versions == self._logic.with_rubric(given.rubric_version)
        if not is_same or attempt.model != (semantic.model if semantic else None):
            return None
        return BegunReview(submission=submission, attempt=attempt, given=given, semantic=semantic)

    def _given(self, viewer: Viewer, submission_id: str) -> tuple[Submission, TaskInForce, SemanticJudge | None]:
        submission = self._work.submission(viewer, submission_id)
        given = self._courses.task(viewer, submission.key.project_id, submission.key.task_id)
        return submission, given, self._semantic() if _by_meaning(given) else None

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
            self._keep_known(viewer, begun, results)
            evidence = gather_evidence(self._work.snapshot(viewer, begun.submission.submission_id))
            faults = self._judge_by_rules(begun, evidence, results)
            if not faults and begun.semantic is not None:
                faults = asyncio.run(self._judge_by_meaning(viewer, begun.semantic, begun, evidence, results, worker))
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
        is_first_end = self._reviews.finish(
            viewer,
            begun.attempt.attempt_id,
            OutcomeKind.INVALID if uncovered else OutcomeKind.COMPLETED,
            record=write_record(results, begun.given),
            snapshot_hash=begun.submission.snapshot_hash,
        )
        if is_first_end and not uncovered and worker is not None:
            self._tell(viewer, begun, worker)

    def _tell(self, viewer: Viewer, begun: BegunReview, worker: Worker) -> None:
        """Say that a judgement is there; what comes of that changes nothing about it."""
        if self._after_review is not None and self._is_news(viewer, begun):
            self._after_review(begun.submission.key, begun.attempt.attempt_id, worker)

    def _is_news(self, viewer: Viewer, begun: BegunReview) -> bool:
        """Whether no judgement before found the very same criteria of this submission not met."""
        failed = [
            {result.rubric_id for result in one.record.criteria if result.status is CriterionStatus.FAIL}
            for one in self._judgements.standing(viewer, begun.submission.submission_id)
        ]
        return len(failed) < 2 or failed[0] != failed[1]

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
        if attempt is None or feedback.state not in (FeedbackState.CURRENT, FeedbackState.PASSED):
            return False
        given = self._courses.task(viewer, feedback.key.project_id, feedback.key.task_id)
        return self._could_judge_more(attempt, given)

    def _could_judge_more(self, attempt: Attempt, given: TaskInForce) -> bool:
        return attempt.model is None and bool(_by_meaning(given)) and self._semantic() is not None

    def _keep_known(self, viewer: Viewer, begun: BegunReview, results: list[CriterionResult]) -> None:
        """What needs no judging: decisions of persons, and what a model had judged when a review broke off."""
        submission_id, rubric = begun.submission.submission_id, begun.given.task.criteria
        decided = carry_over(self._judgements.standing(viewer, submission_id), rubric)
        results += decided.values()
        if begun.semantic is None:
            return
        waiting = {criterion.rubric_id for criterion in _by_meaning(begun.given)} - decided.keys()
        finished = self._judgements.finished(viewer, submission_id, begun.attempt.versions, begun.attempt.attempt_seq)
        results += (one for one in finished if one.source is Source.MODEL and one.rubric_id in waiting)

    def _judge_by_rules(
        self, begun: BegunReview, evidence: Evidence, results: list[CriterionResult]
    ) -> list[CriterionFault]:
        """Put what is judged into `results` one by one, so that nothing of it is lost; give the faults."""
        faults: list[CriterionFault] = []
        waiting = _by_meaning(begun.given) if begun.semantic else ()
        known = {result.rubric_id for result in results}
        for criterion in begun.given.task.criteria:
            if criterion in waiting or criterion.rubric_id in known:
                continue
            judged = judge_criterion(criterion, evidence, begun.given.language)
            if isinstance(judged, CriterionFault):
                faults.append(judged)
            else:
                self._keep(begun, judged, results)
        return faults

    async def _judge_by_meaning(
        self,
        viewer: Viewer,
        semantic: SemanticJudge,
        begun: BegunReview,
        evidence: Evidence,
        results: list[CriterionResult],
        worker: Worker | None,
    ) -> list[CriterionFault]:
        """The same by a model; after a fault nothing more is asked, since no verdict can come of it."""
        if worker is not None:
            worker.cancel_on_stop(begun.attempt.attempt_id)
        known = {result.rubric_id for result in results}
        for criterion in _by_meaning(begun.given):
            if criterion.rubric_id in known:
                continue
            after_call = self._keeper(viewer, semantic, begun, criterion)
            judged = await semantic.judge(criterion, begun.given, evidence, after_call=after_call)
            if isinstance(judged, CriterionFault):
                _log.warning("a criterion could not be judged: %s", judged.detail)
                return [judged]
            self._keep(begun, judged, results)
        return []

    def _keeper(self, viewer: Viewer, semantic: SemanticJudge, begun: BegunReview, criterion: Criterion) -> AfterCall:
        """Keeps what the model is asked about this criterion; whether it can be kept changes no judgement."""
        subject = CallSubject(use=CallUse.JUDGEMENT, subject_id=begun.attempt.attempt_id, part=criterion.rubric_id)
        return lambda sent: self._calls.keep(viewer, subject, semantic.model, sent)

    def _keep(self, begun: BegunReview, judged: CriterionResult, results: list[CriterionResult]) -> None:
        results.append(judged)
        progress = json.dumps([write_result(result) for result in results], ensure_ascii=False)
        self._leases.keep_progress(begun.attempt.attempt_id, begun.submission.key.learner_id, progress)

    def _finish_unavailable(
        self, viewer: Viewer, begun: BegunReview, finished: Sequence[CriterionResult], fault: ReviewFault
    ) -> None:
        self._reviews.finish(
            viewer,
            begun.attempt.attempt_id,
            OutcomeKind.UNAVAILABLE,
            record={"criteria": [write_result(result) for result in finished]} if finished else None,
            snapshot_hash=begun.submission.snapshot_hash,
            fault=fault,
        )


def _by_meaning(given: TaskInForce) -> tuple[Criterion, ...]:
    """The criteria that a model decides."""
    return tuple(criterion for criterion in given.task.criteria if criterion.decided_by is Source.MODEL)
