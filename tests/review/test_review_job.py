"""What a job does to one submission, after whatever happened to the one that was at it before."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from engine.domain.job import JobItem, JobState
from engine.domain.people import LOCAL_VIEWER
from engine.domain.running import Lease
from engine.domain.states import OutcomeKind, ReviewFault
from engine.domain.work import take_snapshot
from engine.jobs.run_store import ClaimState, Run
from engine.review.review_job import ReviewJob
from tests.review.desk import GOOD, README, Desk, course_with, opened_desk, work_of

DEAD = Lease(holder="dead", seconds=60)
OURS = Lease(holder="ours", seconds=60)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with opened_desk(tmp_path) as desk:
        yield desk


@pytest.fixture
def item(desk: Desk) -> JobItem:
    """The one submission of a job, not reviewed so far."""
    submission, _ = desk.space.work.hand_in(LOCAL_VIEWER, desk.key, take_snapshot(work_of(GOOD)))
    job_id = desk.space.jobs.ask_review(LOCAL_VIEWER, desk.key.project_id, [submission.submission_id])
    return JobItem(job_id=job_id, run=1, submission_id=submission.submission_id)


def job_at(desk: Desk, slept: list[float] | None = None) -> ReviewJob:
    def sleep(seconds: float) -> None:
        (slept if slept is not None else []).append(seconds)
        for _ in range(25):
            desk.clock()

    return ReviewJob(reviewer=desk.space.reviewer, runs=desk.space.runs, lease=OURS, sleep=sleep)


def free(_attempt_id: str) -> AbstractContextManager[None]:
    return nullcontext()


def ends(desk: Desk) -> list[tuple[OutcomeKind, str | None]]:
    """How every attempt ended, newest first."""
    outcomes = [row.outcome for row in desk.rows()]
    return [(outcome.kind, outcome.fault) for outcome in outcomes if outcome is not None]


def test_a_submission_is_reviewed_once_however_often_the_job_comes_back_to_it(desk: Desk, item: JobItem) -> None:
    held: list[str] = []

    def hold(attempt_id: str) -> AbstractContextManager[None]:
        held.append(attempt_id)
        return nullcontext()

    for _ in range(3):
        job_at(desk)(item, hold)
    assert ends(desk) == [(OutcomeKind.COMPLETED, None)]
    assert held == [row.attempt.attempt_id for row in desk.rows() if row.attempt]
    assert desk.space.runs.settle(Run(job_id=item.job_id, number=1))
    assert desk.space.jobs.progress(LOCAL_VIEWER, item.job_id).state is JobState.ENDED


def test_an_attempt_that_a_killed_worker_had_begun_is_judged_to_its_end(desk: Desk, item: JobItem) -> None:
    begun = desk.space.reviewer.begin(LOCAL_VIEWER, item.submission_id, DEAD, item)
    desk.space.leases.release(DEAD.holder)
    assert desk.space.worker.recover() == 1
    job_at(desk)(item, free)
    (row,) = desk.rows()
    assert row.attempt == begun.attempt
    assert ends(desk) == [(OutcomeKind.COMPLETED, None)]


def test_what_somebody_else_is_at_is_waited_for(desk: Desk, item: JobItem) -> None:
    desk.space.reviewer.begin(LOCAL_VIEWER, item.submission_id, DEAD, item)
    slept: list[float] = []
    job_at(desk, slept)(item, free)
    assert len(slept) > 1
    assert ends(desk) == [(OutcomeKind.COMPLETED, None)]


def test_what_was_begun_by_other_rules_is_ended_and_the_next_run_judges_by_todays(desk: Desk, item: JobItem) -> None:
    desk.space.reviewer.begin(LOCAL_VIEWER, item.submission_id, DEAD, item)
    desk.space.leases.release(DEAD.holder)
    desk.space.courses.keep_course(LOCAL_VIEWER, course_with((README,)))
    job_at(desk)(item, free)
    assert ends(desk) == [(OutcomeKind.UNAVAILABLE, ReviewFault.INTERRUPTED)]
    again = JobItem(job_id=item.job_id, run=2, submission_id=item.submission_id)
    job_at(desk)(again, free)
    assert ends(desk)[0] == (OutcomeKind.COMPLETED, None)


def test_a_step_of_a_cancelled_job_is_ended_like_any_orphan(desk: Desk, item: JobItem) -> None:
    desk.space.reviewer.begin(LOCAL_VIEWER, item.submission_id, DEAD, item)
    desk.space.jobs.cancel(LOCAL_VIEWER, item.job_id)
    desk.space.leases.release(DEAD.holder)
    desk.space.worker.recover()
    assert ends(desk) == [(OutcomeKind.UNAVAILABLE, ReviewFault.INTERRUPTED)]
    assert desk.space.jobs.progress(LOCAL_VIEWER, item.job_id).state is JobState.CANCELLED
    assert desk.space.jobs.resume(LOCAL_VIEWER, item.job_id)
    again = JobItem(job_id=item.job_id, run=2, submission_id=item.submission_id)
    assert desk.space.runs.claim(again, OURS).state is ClaimState.FREE
