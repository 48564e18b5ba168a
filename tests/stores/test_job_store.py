"""Jobs as people see them, and as workers do: what is wanted, what is left, and who may go on with what."""

from dataclasses import replace

import pytest
from sqlalchemy import Engine, event
from sqlalchemy.exc import IntegrityError

from engine.domain.job import JobItem, JobState
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.running import Lease
from engine.domain.states import OutcomeKind, ReviewFault
from engine.errors import InputError, NotFound
from engine.jobs.run_store import ClaimState, Run
from tests.stores.builders import LEASE, VERSIONS, Hands, Stores, at_once, build_stores, hand_in, record

OTHER = Lease(holder="elsewhere", seconds=20)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def stores(engine: Engine, hands: Hands) -> Stores:
    return build_stores(engine, hands)


@pytest.fixture
def submissions(stores: Stores, key: FeedbackKey) -> list[str]:
    return [hand_in(stores, key, f"print({number})\n").submission_id for number in range(6)]


@pytest.fixture
def job_id(stores: Stores, key: FeedbackKey, submissions: list[str]) -> str:
    return stores.jobs.ask_review(LOCAL_VIEWER, key.project_id, submissions)


def begin(stores: Stores, item: JobItem, lease: Lease = LEASE) -> str:
    attempt = stores.reviews.start_attempt(
        LOCAL_VIEWER, item.submission_id, VERSIONS, model=None, lease=lease, item=item
    )
    return attempt.attempt_id


def finish(stores: Stores, attempt_id: str, kind: OutcomeKind = OutcomeKind.COMPLETED) -> None:
    fault = None if kind is OutcomeKind.COMPLETED else ReviewFault.PROVIDER_DOWN
    stores.reviews.finish(LOCAL_VIEWER, attempt_id, kind, record=record(), fault=fault)


def review(stores: Stores, item: JobItem, kind: OutcomeKind = OutcomeKind.COMPLETED) -> None:
    finish(stores, begin(stores, item), kind)


def items(job_id: str, submissions: list[str], run: int = 1) -> list[JobItem]:
    return [JobItem(job_id=job_id, run=run, submission_id=each) for each in submissions]


def progress(stores: Stores, job_id: str) -> tuple[JobState, int, int, str | None]:
    found = stores.jobs.progress(LOCAL_VIEWER, job_id)
    return found.state, found.done, found.failed, found.current


def test_a_job_waits_in_the_order_that_was_asked_for_each_submission_once(
    stores: Stores, key: FeedbackKey, submissions: list[str]
) -> None:
    wanted = submissions[::-1]
    job_id = stores.jobs.ask_review(LOCAL_VIEWER, key.project_id, [*wanted, wanted[0]])
    found = stores.jobs.progress(LOCAL_VIEWER, job_id)
    assert (found.state, found.total, found.done, found.failed) == (JobState.WAITING, 6, 0, 0)
    assert stores.runs.unqueued() == (Run(job_id=job_id, number=1),)
    assert stores.runs.left(Run(job_id=job_id, number=1)) == tuple(wanted)


def test_a_job_about_nothing_or_about_another_projects_work_is_not_asked_for(
    stores: Stores, key: FeedbackKey, submissions: list[str]
) -> None:
    other = hand_in(stores, replace(key, project_id=stores.courses.courses(LOCAL_VIEWER)[0].projects[1].project_id))
    with pytest.raises(InputError):
        stores.jobs.ask_review(LOCAL_VIEWER, key.project_id, [])
    for foreign in (other.submission_id, "no such"):
        with pytest.raises(NotFound):
            stores.jobs.ask_review(LOCAL_VIEWER, key.project_id, [submissions[0], foreign])
    assert stores.jobs.recent(LOCAL_VIEWER, key.project_id, limit=9) == ()
    assert stores.ask("SELECT * FROM job_item") == []


def test_the_lanes_share_a_run_without_a_gap_and_without_an_overlap(
    stores: Stores, job_id: str, submissions: list[str]
) -> None:
    run = Run(job_id=job_id, number=1)
    lanes = [stores.runs.left(run, lane, 4) for lane in range(4)]
    assert lanes[0] == (submissions[0], submissions[4])
    assert sorted(each for lane in lanes for each in lane) == sorted(submissions)


def test_progress_tells_what_is_done_what_failed_and_what_is_being_done(
    stores: Stores, job_id: str, submissions: list[str]
) -> None:
    first, second, third, fourth, *_ = items(job_id, submissions)
    review(stores, first)
    review(stores, second, OutcomeKind.UNAVAILABLE)
    stores.runs.give_up(third, "not_found")
    assert progress(stores, job_id) == (JobState.RUNNING, 3, 2, None)
    begin(stores, fourth)
    assert progress(stores, job_id) == (JobState.RUNNING, 3, 2, fourth.submission_id)
    assert stores.runs.left(Run(job_id=job_id, number=1)) == tuple(submissions[3:])


def test_progress_of_all_jobs_of_a_project_is_one_statement(
    stores: Stores, key: FeedbackKey, job_id: str, submissions: list[str], hands: Hands
) -> None:
    hands.forward(1)
    second = stores.jobs.ask_review(LOCAL_VIEWER, key.project_id, submissions[:2])
    review(stores, items(second, submissions)[0])
    statements: list[str] = []
    event.listen(stores.engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    found = stores.jobs.recent(LOCAL_VIEWER, key.project_id, limit=9)
    assert [(each.job_id, each.total, each.done) for each in found] == [(second, 2, 1), (job_id, 6, 0)]
    assert len([each for each in statements if "job" in each]) == 1
    assert len(stores.jobs.recent(LOCAL_VIEWER, key.project_id, limit=1)) == 1


def test_cancelling_stops_the_run_keeps_what_was_done_and_leaves_a_trace(
    stores: Stores, job_id: str, submissions: list[str]
) -> None:
    first, second, *_ = items(job_id, submissions)
    run = Run(job_id=job_id, number=1)
    review(stores, first)
    attempt_id = begin(stores, second)
    assert stores.jobs.cancel(LOCAL_VIEWER, job_id)
    assert not stores.runs.is_wanted(run)
    assert progress(stores, job_id) == (JobState.CANCELLING, 1, 0, second.submission_id)
    finish(stores, attempt_id)
    assert progress(stores, job_id) == (JobState.CANCELLED, 2, 0, None)
    assert not stores.jobs.cancel(LOCAL_VIEWER, job_id)
    assert not stores.runs.settle(run)
    assert stores.audits("job_cancelled") == [("local", job_id, {})]


def test_resuming_is_a_new_run_of_what_no_attempt_has_completed(
    stores: Stores, job_id: str, submissions: list[str]
) -> None:
    first, second, *_ = items(job_id, submissions)
    review(stores, first)
    review(stores, second, OutcomeKind.UNAVAILABLE)
    stores.runs.mark_queued(Run(job_id=job_id, number=1))
    assert not stores.jobs.resume(LOCAL_VIEWER, job_id)
    stores.jobs.cancel(LOCAL_VIEWER, job_id)
    assert stores.jobs.resume(LOCAL_VIEWER, job_id)
    assert stores.runs.unqueued() == (Run(job_id=job_id, number=2),)
    assert stores.runs.left(Run(job_id=job_id, number=2)) == tuple(submissions[1:])
    assert not stores.runs.is_wanted(Run(job_id=job_id, number=1))
    assert progress(stores, job_id) == (JobState.WAITING, 2, 1, None)


def test_a_job_ends_when_every_submission_had_its_turn_and_what_failed_can_be_tried_again(
    stores: Stores, job_id: str, submissions: list[str]
) -> None:
    *most, last = items(job_id, submissions)
    for item in most:
        review(stores, item)
    assert not stores.runs.settle(Run(job_id=job_id, number=1))
    stores.runs.give_up(last, "tool_broken")
    assert stores.runs.settle(Run(job_id=job_id, number=1))
    assert progress(stores, job_id) == (JobState.ENDED, 6, 1, None)
    assert stores.jobs.resume(LOCAL_VIEWER, job_id)
    review(stores, replace(last, run=2))
    assert stores.runs.settle(Run(job_id=job_id, number=2))
    assert progress(stores, job_id) == (JobState.ENDED, 6, 0, None)
    assert not stores.jobs.resume(LOCAL_VIEWER, job_id)


def test_a_job_that_nobody_works_on_is_stopped_and_can_be_resumed(stores: Stores, job_id: str) -> None:
    run = Run(job_id=job_id, number=1)
    stores.runs.mark_queued(run)
    assert stores.runs.queued() == (run,)
    stores.runs.stop(run)
    assert progress(stores, job_id)[0] is JobState.STOPPED
    assert stores.runs.queued() == ()
    assert stores.jobs.resume(LOCAL_VIEWER, job_id)


def test_what_comes_too_late_for_a_run_changes_nothing_of_the_next(stores: Stores, job_id: str) -> None:
    late = Run(job_id=job_id, number=1)
    stores.jobs.cancel(LOCAL_VIEWER, job_id)
    stores.jobs.resume(LOCAL_VIEWER, job_id)
    stores.runs.mark_queued(late)
    stores.runs.stop(late)
    assert stores.runs.unqueued() == (Run(job_id=job_id, number=2),)


def test_a_run_has_one_attempt_for_each_submission_whoever_tries(
    stores: Stores, job_id: str, submissions: list[str]
) -> None:
    item = items(job_id, submissions)[0]
    assert stores.runs.claim(item, LEASE).state is ClaimState.FREE
    begin(stores, item)
    with pytest.raises(IntegrityError):
        begin(stores, item)
    assert stores.ask("SELECT count(*) FROM attempt") == [(1,)]


def test_what_somebody_is_at_is_waited_for_and_what_a_dead_worker_began_is_gone_on_with(
    stores: Stores, hands: Hands, job_id: str, submissions: list[str]
) -> None:
    item = items(job_id, submissions)[0]
    attempt_id = begin(stores, item)
    hands.forward(LEASE.seconds)
    assert stores.runs.claim(item, OTHER).state is ClaimState.HELD
    hands.forward(1)
    claim = stores.runs.claim(item, OTHER)
    assert (claim.state, claim.attempt_id) == (ClaimState.OURS, attempt_id)
    assert stores.runs.claim(item, LEASE).state is ClaimState.HELD
    assert stores.ask("SELECT holder, subject_kind FROM lease") == [("elsewhere", "attempt")]
    finish(stores, attempt_id)
    assert stores.runs.claim(item, OTHER).state is ClaimState.ENDED


def test_of_many_that_want_what_a_dead_worker_began_one_gets_it(
    stores: Stores, hands: Hands, job_id: str, submissions: list[str]
) -> None:
    item = items(job_id, submissions)[0]
    begin(stores, item)
    hands.forward(LEASE.seconds + 1)
    states = at_once(4, lambda number: stores.runs.claim(item, Lease(holder=str(number), seconds=20)).state)
    assert sorted(states) == [ClaimState.HELD] * 3 + [ClaimState.OURS]


@pytest.mark.parametrize(
    ("kind", "in_this_run", "in_the_next"),
    [
        pytest.param(OutcomeKind.COMPLETED, ClaimState.ENDED, ClaimState.ENDED, id="completed"),
        pytest.param(OutcomeKind.UNAVAILABLE, ClaimState.ENDED, ClaimState.FREE, id="failed"),
    ],
)
def test_what_was_completed_is_never_tried_again_and_what_failed_once_in_each_run(
    stores: Stores,
    job_id: str,
    submissions: list[str],
    kind: OutcomeKind,
    in_this_run: ClaimState,
    in_the_next: ClaimState,
) -> None:
    item = items(job_id, submissions)[0]
    review(stores, item, kind)
    assert stores.runs.claim(item, LEASE).state is in_this_run
    assert stores.runs.claim(replace(item, run=2), LEASE).state is in_the_next


def test_an_attempt_that_an_earlier_run_left_open_is_gone_on_with(
    stores: Stores, hands: Hands, job_id: str, submissions: list[str]
) -> None:
    item = items(job_id, submissions)[0]
    attempt_id = begin(stores, item)
    hands.forward(LEASE.seconds + 1)
    assert stores.runs.claim(replace(item, run=2), LEASE).attempt_id == attempt_id


def test_giving_up_after_an_attempt_has_begun_says_nothing(stores: Stores, job_id: str, submissions: list[str]) -> None:
    item = items(job_id, submissions)[0]
    begin(stores, item)
    stores.runs.give_up(item, "tool_broken")
    assert stores.ask("SELECT fault FROM job_step") == [(None,)]


def test_an_attempt_will_be_gone_on_with_only_while_its_job_is_open(
    stores: Stores, key: FeedbackKey, job_id: str, submissions: list[str]
) -> None:
    of_the_job = begin(stores, items(job_id, submissions)[0])
    alone = stores.reviews.start_attempt(LOCAL_VIEWER, submissions[1], VERSIONS, model=None, lease=LEASE).attempt_id
    assert stores.runs.will_go_on(of_the_job)
    assert not stores.runs.will_go_on(alone)
    stores.jobs.cancel(LOCAL_VIEWER, job_id)
    assert not stores.runs.will_go_on(of_the_job)


def test_what_does_not_exist_is_not_found(stores: Stores, key: FeedbackKey) -> None:
    for ask in (stores.jobs.progress, stores.jobs.cancel, stores.jobs.resume):
        with pytest.raises(NotFound):
            ask(LOCAL_VIEWER, "no such job")


def test_an_attempt_is_read_with_its_own_submission_only(stores: Stores, submissions: list[str]) -> None:
    first, second, *_ = submissions
    begun = stores.reviews.start_attempt(LOCAL_VIEWER, first, VERSIONS, model=None, lease=LEASE)
    assert stores.reviews.attempt(LOCAL_VIEWER, first, begun.attempt_id) == begun
    with pytest.raises(NotFound):
        stores.reviews.attempt(LOCAL_VIEWER, second, begun.attempt_id)
