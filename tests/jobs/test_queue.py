"""The durable queue and its traps: slow files, names, versions, two executors, polls, and old checkpoints."""

import asyncio
import re
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from dbos import DBOS, DBOSClient
from dbos._error import DBOSInitializationError
from sqlalchemy import Engine, text

from db.connection import BUSY_MS
from engine.domain.clock import utc_now
from engine.domain.job import JobItem, JobState
from engine.domain.people import LOCAL_VIEWER
from engine.errors import NotFound, StoreError
from engine.jobs.job_worker import ALIVE_SECONDS, BEAT_SECONDS, JobWorker
from engine.jobs.lanes import POLL_SECONDS, ROUNDS, launch, open_tables
from engine.jobs.queue import APPLICATION, QUEUE, VERSION, WORKFLOW, JobQueue, workflow_id
from engine.jobs.run_store import Run
from engine.jobs.runner import LANES, Hold, JobRunner, Work
from engine.jobs.worker import LEASE_SECONDS
from tests.jobs.class_of import Handed, handed_in

SOON = 20.0
LIVE, DEAD = "worker-live", "worker-dead"


@pytest.fixture(scope="session")
def made_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The queue engine's tables in a file, to be copied, because making them and seeing a new queue takes long."""
    path = tmp_path_factory.mktemp("queue") / "made.db"
    DBOS.migrate(f"sqlite:///{path}")
    client = DBOSClient(system_database_url=f"sqlite:///{path}", application_name=APPLICATION)
    client.register_queue(QUEUE, worker_concurrency=LANES, polling_interval_sec=POLL_SECONDS)
    client.destroy()
    return path


@pytest.fixture
def url(tmp_path: Path, migrated_file: Path, made_tables: Path) -> str:
    shutil.copy(migrated_file, tmp_path / "test.db")
    shutil.copy(made_tables, tmp_path / "test-jobs.db")
    return f"sqlite:///{tmp_path / 'test.db'}"


@pytest.fixture
def tables(url: str) -> Iterator[Engine]:
    engine = open_tables(url)
    yield engine
    engine.dispose()


@pytest.fixture
def queue(tables: Engine) -> JobQueue:
    return JobQueue(tables)


@pytest.fixture
def handed(url: str) -> Iterator[Handed]:
    with handed_in(url, 6) as handed:
        yield handed


class Diary:
    """Work that is written down and does nothing, unless a test says what else."""

    def __init__(self, handed: Handed) -> None:
        self.done: list[str] = []
        self._handed = handed
        self.also: Callable[[JobItem], None] = lambda _: None

    def __call__(self, item: JobItem, hold: Hold) -> None:
        self.also(item)
        with hold(item.submission_id):
            self.done.append(item.submission_id)
        self._handed.space.runs.give_up(item, "done")


@contextmanager
def working(tables: Engine, handed: Handed, work: Work, executor_id: str = LIVE) -> Iterator[JobWorker]:
    """The engine launched in this process, and a worker that does what is due when a test says so."""
    runner = JobRunner(handed.space.runs, work)
    try:
        launch(tables, executor_id, runner, pause_s=0.01, quiet_s=0.1)
        yield worker_of(tables, handed, runner, executor_id)
    finally:
        DBOS.destroy(destroy_registry=True)


def worker_of(tables: Engine, handed: Handed, runner: JobRunner, executor_id: str = LIVE) -> JobWorker:
    space = handed.space
    return JobWorker(
        executor_id=executor_id,
        queue=JobQueue(tables),
        runner=runner,
        runs=space.runs,
        beats=space.beats,
        leases=space.leases,
        clock=utc_now,
        refresh=lambda: None,
    )


def states(tables: Engine) -> set[str]:
    with tables.connect() as connection:
        return set(connection.execute(text("SELECT status FROM workflow_status")).scalars())


def run_by(tables: Engine, executor_id: str) -> None:
    """As if that worker were running everything that is queued."""
    with tables.begin() as connection:
        connection.execute(
            text("UPDATE workflow_status SET status = 'PENDING', executor_id = :id"), {"id": executor_id}
        )


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 1), ("busy_timeout", BUSY_MS), ("foreign_keys", 1)]
)
def test_the_queues_file_is_as_fast_and_as_safe_as_ours(tables: Engine, pragma: str, value: object) -> None:
    """Trap 1: by default its file has a rollback journal, nine times slower."""
    connection = tables.raw_connection()
    assert connection.cursor().execute(f"PRAGMA {pragma}").fetchone() == (value,)
    assert connection.dbapi_connection is not None
    assert connection.dbapi_connection.isolation_level == "IMMEDIATE"
    connection.close()


def test_the_queues_file_lies_beside_ours_and_only_its_owner_reads_it(url: str, tmp_path: Path) -> None:
    (tmp_path / "test-jobs.db").unlink()
    with open_tables(url).connect():
        assert (tmp_path / "test-jobs.db").stat().st_mode & 0o077 == 0


def test_all_names_are_such_as_the_engine_takes(tables: Engine) -> None:
    """Trap 4: 3 to 256 of a few characters; a bad application name ends a launch."""
    for name in (APPLICATION, QUEUE, WORKFLOW):
        assert re.fullmatch(r"[a-z0-9_-]{3,256}", name)
    with pytest.raises(DBOSInitializationError):
        DBOS(config={"name": "Tutorloop!", "system_database_engine": tables})
    DBOS.destroy(destroy_registry=True)


def test_putting_a_run_in_twice_is_putting_it_in_once(queue: JobQueue, tables: Engine) -> None:
    run = Run(job_id="job", number=1)
    queue.put(run)
    queue.put(run)
    with tables.connect() as connection:
        rows = connection.execute(text("SELECT workflow_uuid, application_version, queue_name FROM workflow_status"))
        assert sorted(map(tuple, rows)) == [(workflow_id(run, lane), VERSION, QUEUE) for lane in range(LANES)]
    assert queue.is_at_work(run)
    assert not queue.is_at_work(Run(job_id="job", number=2))


def test_only_what_the_named_worker_was_running_is_queued_again(queue: JobQueue, tables: Engine) -> None:
    queue.put(Run(job_id="job", number=1))
    run_by(tables, LIVE)
    assert queue.recover(DEAD) == 0
    assert states(tables) == {"PENDING"}
    assert queue.recover(LIVE) == LANES
    assert states(tables) == {"ENQUEUED"}
    assert queue.recover(LIVE) == 0


def test_nothing_listens_but_a_worker(handed: Handed, queue: JobQueue, tables: Engine) -> None:
    """Trap 5: whoever only asks the queue must never take anything out of it."""
    job_id = handed.ask()
    queue.put(Run(job_id=job_id, number=1))
    time.sleep(4 * POLL_SECONDS)
    assert states(tables) == {"ENQUEUED"}
    assert handed.progress(job_id).state is JobState.WAITING


def test_a_job_goes_through_the_queue_each_submission_once(tables: Engine, handed: Handed) -> None:
    """And a step may run a loop of its own, as asking a model does."""
    diary = Diary(handed)
    diary.also = lambda _: asyncio.run(asyncio.sleep(0))
    with working(tables, handed, diary) as worker:
        job_id = handed.ask()
        worker.fill_queue()
        handed.wait(job_id, lambda progress: progress.state is JobState.ENDED, SOON)
    assert sorted(diary.done) == sorted(handed.submission_ids)


def test_a_job_is_taken_up_by_a_worker_of_another_source(tables: Engine, handed: Handed, queue: JobQueue) -> None:
    """Trap 3: the default version is a hash of the source, so that a new release never picks up what waits."""
    job_id = handed.ask()
    with working(tables, handed, Diary(handed), executor_id="worker-old"):
        assert DBOS.application_version == VERSION
        pinned = DBOS.application_version
    queue.put(Run(job_id=job_id, number=1))

    @DBOS.workflow(name="of-a-later-release")
    def later() -> None:
        """Changes the hash of the source."""

    with working(tables, handed, Diary(handed)):
        assert DBOS.application_version == pinned
        handed.wait(job_id, lambda progress: progress.state is JobState.ENDED, SOON)


def test_a_short_job_is_not_kept_waiting_by_the_poll(tables: Engine, handed: Handed) -> None:
    """Trap 6: the default poll of a second binds whatever is short."""
    assert 0.1 <= POLL_SECONDS <= 0.2
    DBOSClient(system_database_engine=tables).delete_queue(QUEUE)
    with working(tables, handed, Diary(handed)):
        found = DBOS.retrieve_queue(QUEUE)
        assert found is not None
        assert (found.polling_interval_sec, found.worker_concurrency) == (POLL_SECONDS, LANES)


def test_what_a_dead_worker_ran_is_taken_up_and_what_a_live_one_runs_is_not(tables: Engine, handed: Handed) -> None:
    """Trap 2: recovery goes by executor, so work of another that died waits for ever; a live one's would run twice."""
    diary, job_id = Diary(handed), handed.ask()
    beats = handed.space.beats
    JobQueue(tables).put(Run(job_id=job_id, number=1))
    run_by(tables, DEAD)
    beats.beat(DEAD, ALIVE_SECONDS)
    with working(tables, handed, diary) as worker:
        worker.arrive()
        worker.take_up_what_the_dead_left()
        time.sleep(4 * POLL_SECONDS)
        assert (states(tables), diary.done) == ({"PENDING"}, [])
        beats.end(DEAD)
        worker.take_up_what_the_dead_left()
        handed.wait(job_id, lambda progress: progress.state is JobState.ENDED, SOON)
        assert beats.dead() == ()
        assert beats.is_any_alive()
    assert sorted(diary.done) == sorted(handed.submission_ids)


def test_a_worker_takes_up_at_its_start_what_the_one_before_it_left(tables: Engine, handed: Handed) -> None:
    job_id = handed.ask()
    handed.space.runs.mark_queued(Run(job_id=job_id, number=1))
    JobQueue(tables).put(Run(job_id=job_id, number=1))
    run_by(tables, LIVE)
    with working(tables, handed, Diary(handed)):
        handed.wait(job_id, lambda progress: progress.state is JobState.ENDED, SOON)


def test_a_dead_worker_holds_nothing_for_longer_than_it_is_believed_to_be_alive() -> None:
    assert ALIVE_SECONDS > LEASE_SECONDS + BEAT_SECONDS


def test_a_cancelled_run_does_nothing_more_and_its_job_can_be_resumed(tables: Engine, handed: Handed) -> None:
    diary = Diary(handed)
    job_id = handed.ask()

    def cancel(_item: JobItem) -> None:
        handed.space.jobs.cancel(LOCAL_VIEWER, job_id)

    diary.also = cancel
    with working(tables, handed, diary) as worker:
        worker.fill_queue()
        handed.wait(job_id, lambda progress: progress.state is JobState.CANCELLED, SOON)
        time.sleep(4 * POLL_SECONDS)
        done = len(diary.done)
        assert 1 <= done <= LANES
        diary.also = lambda _: None
        handed.space.jobs.resume(LOCAL_VIEWER, job_id)
        worker.fill_queue()
        handed.wait(job_id, lambda progress: progress.state is JobState.ENDED, SOON)
    assert set(diary.done) == set(handed.submission_ids)


def test_a_job_whose_lanes_are_over_with_something_left_is_stopped(tables: Engine, handed: Handed) -> None:
    """And there is one layer of retries: each round of a lane tries each submission once."""
    diary, tries = Diary(handed), list[str]()

    def ill(item: JobItem) -> None:
        tries.append(item.submission_id)
        raise StoreError("busy")

    diary.also = ill
    with working(tables, handed, diary) as worker:
        job_id = handed.ask()
        worker.fill_queue()
        worker.give_up_what_nobody_does()
        assert handed.progress(job_id).state is JobState.WAITING
        end = time.monotonic() + SOON
        while "SUCCESS" not in (found := states(tables)) or len(found) > 1:
            assert time.monotonic() < end
            time.sleep(0.05)
        worker.give_up_what_nobody_does()
    assert handed.progress(job_id).state is JobState.STOPPED
    assert Counter(tries) == dict.fromkeys(handed.submission_ids, ROUNDS)


def test_old_checkpoints_are_deleted_and_young_ones_kept(tables: Engine, handed: Handed) -> None:
    """Trap 8: what a step gave is kept for ever by default."""
    with working(tables, handed, Diary(handed)) as worker:
        job_id = handed.ask()
        worker.fill_queue()
        handed.wait(job_id, lambda progress: progress.state is JobState.ENDED, SOON)
        queue = JobQueue(tables)
        worker.tidy()
        assert states(tables) != set()
        while "PENDING" in states(tables):
            time.sleep(0.05)
        assert queue.delete_ended(utc_now() + timedelta(minutes=1)) == LANES
    with tables.connect() as connection:
        for table in ("workflow_status", "operation_outputs"):
            assert connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one() == 0


@pytest.mark.parametrize(
    ("error", "fault"),
    [(NotFound("gone"), "not_found"), (ValueError("ours"), "tool_broken"), (StoreError("busy"), None)],
    ids=["known", "ours", "the database"],
)
def test_an_error_of_one_submission_is_its_fault_and_ends_no_job(
    handed: Handed, error: Exception, fault: str | None
) -> None:
    def broken(_item: JobItem, _hold: Hold) -> None:
        raise error

    runner = JobRunner(handed.space.runs, broken)
    job_id = handed.ask()
    item = JobItem(job_id=job_id, run=1, submission_id=handed.submission_ids[0])
    assert runner.do(item)
    faults = handed.count(f"SELECT count(*) FROM job_step WHERE fault = '{fault}'")
    assert faults == (0 if fault is None else 1)
    assert len(runner.plan(Run(job_id=job_id, number=1), 0)) == (2 if fault is None else 1)


def test_what_is_worked_on_stays_held_while_the_worker_beats(tables: Engine, handed: Handed) -> None:
    seen: list[frozenset[str]] = []

    def look(item: JobItem, hold: Hold) -> None:
        with hold(item.submission_id):
            seen.append(runner.held)

    runner = JobRunner(handed.space.runs, look)
    item = JobItem(job_id=handed.ask(), run=1, submission_id=handed.submission_ids[0])
    runner.do(item)
    assert seen == [frozenset({item.submission_id})]
    assert runner.held == frozenset()


def test_an_error_of_the_database_ends_no_worker(handed: Handed, tables: Engine) -> None:
    worker = worker_of(tables, handed, JobRunner(handed.space.runs, Diary(handed)))
    client = DBOSClient(system_database_engine=tables)
    assert client.list_workflows() == []
    handed.space.close()
    worker.leave()
