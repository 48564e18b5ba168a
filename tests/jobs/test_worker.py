"""Jobs outlive their page, renew their leases, and what a dead process left is ended once."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from db.connection import open_database
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.running import Subject
from engine.domain.session import TurnEnd
from engine.domain.states import TurnState
from engine.errors import StoreError
from engine.jobs.lease_store import Orphan
from engine.jobs.worker import LEASE_SECONDS, Worker
from tests.stores.builders import Hands, Stores, build_stores, enrol, talk

SOON = 5.0
"""Seconds that no test needs unless it fails."""


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Engine]:
    engine = open_database(f"sqlite:///{tmp_path / 'test.db'}")
    yield engine
    engine.dispose()


@pytest.fixture
def stores(database: Engine, hands: Hands) -> Stores:
    return build_stores(database, hands)


@pytest.fixture
def key(stores: Stores) -> FeedbackKey:
    return enrol(stores)


Started = Callable[..., Worker]


@pytest.fixture
def started(stores: Stores) -> Iterator[Started]:
    """Gives workers that are closed after the test."""
    workers: list[Worker] = []

    def start(end_orphan: Callable[[Orphan], None] | None = None, *, beats: bool = False) -> Worker:
        ending = end_orphan or (lambda orphan: _interrupt(stores, orphan))
        worker = Worker(stores.leases, holder=f"worker {len(workers)}", end_orphan=ending, threads=2, beat_s=0.01)
        workers.append(worker)
        if beats:
            worker.start()
        return worker

    yield start
    for worker in workers:
        worker.close()


def _interrupt(stores: Stores, orphan: Orphan) -> None:
    end = TurnEnd(state=TurnState.INTERRUPTED, fault="interrupted")
    stores.sessions.end_turn(LOCAL_VIEWER, orphan.subject_id, end)


def _begin(stores: Stores, key: FeedbackKey, worker: Worker) -> str:
    conversation_id = talk(stores, key).conversation_id
    return stores.sessions.begin_turn(LOCAL_VIEWER, conversation_id, "why?", worker.lease).turn_id


def _state(stores: Stores, turn_id: str) -> TurnState:
    return stores.sessions.turn(LOCAL_VIEWER, turn_id).state


def _becomes(ask: Callable[[], bool]) -> bool:
    end = time.monotonic() + SOON
    while not (given := ask()) and time.monotonic() < end:
        time.sleep(0.005)
    return given


def test_a_job_runs_outside_the_thread_that_asked_for_it(started: Started) -> None:
    threads: list[str] = []
    worker = started()
    worker.submit("s", lambda: threads.append(threading.current_thread().name))
    worker.close()
    assert len(threads) == 1
    assert threads[0].startswith("tutorloop")


def test_a_new_process_ends_what_a_dead_one_left_and_does_so_once(
    stores: Stores, hands: Hands, key: FeedbackKey, started: Started
) -> None:
    turn_id = _begin(stores, key, started())
    hands.forward(LEASE_SECONDS + 1)
    worker = started(beats=True)
    assert _state(stores, turn_id) is TurnState.INTERRUPTED
    assert worker.recover() == 0
    assert stores.audits("late_turn_end_ignored") == []


def test_what_another_process_still_holds_is_left_alone(
    stores: Stores, hands: Hands, key: FeedbackKey, started: Started
) -> None:
    turn_id = _begin(stores, key, started())
    hands.forward(LEASE_SECONDS - 1)
    assert started().recover() == 0
    assert _state(stores, turn_id) is TurnState.OPEN


def test_every_orphan_is_handed_over_with_what_it_is(
    stores: Stores, hands: Hands, key: FeedbackKey, started: Started
) -> None:
    ended: list[Orphan] = []
    worker = started(ended.append)
    turn_ids = [_begin(stores, key, worker) for _ in range(2)]
    hands.forward(LEASE_SECONDS + 1)
    assert worker.recover() == 2
    assert sorted(orphan.subject_id for orphan in ended) == sorted(turn_ids)
    assert {orphan.kind for orphan in ended} == {Subject.TURN}


def test_an_orphan_that_cannot_be_ended_keeps_no_other(
    stores: Stores, hands: Hands, key: FeedbackKey, started: Started, caplog: pytest.LogCaptureFixture
) -> None:
    asked: list[str] = []

    def fail_first(orphan: Orphan) -> None:
        asked.append(orphan.subject_id)
        if len(asked) == 1:
            raise ValueError("broken")
        _interrupt(stores, orphan)

    worker = started(fail_first)
    first, second = (_begin(stores, key, worker) for _ in range(2))
    hands.forward(LEASE_SECONDS + 1)
    worker.recover()
    assert sorted(_state(stores, each) for each in (first, second)) == [TurnState.INTERRUPTED, TurnState.OPEN]
    assert "broken" in caplog.text


def test_what_runs_is_renewed_and_never_taken_for_an_orphan(
    stores: Stores, hands: Hands, key: FeedbackKey, started: Started
) -> None:
    worker, goes_on = started(beats=True), threading.Event()
    turn_id = _begin(stores, key, worker)
    worker.submit(turn_id, lambda: goes_on.wait(SOON))
    for _ in range(4):
        until = stores.ask("SELECT until FROM lease")
        hands.forward(LEASE_SECONDS - 5)
        assert _becomes(lambda before=until: stores.ask("SELECT until FROM lease") != before)  # type: ignore[misc] # a loop's value
    assert _state(stores, turn_id) is TurnState.OPEN
    goes_on.set()


def test_what_runs_is_renewed_while_the_worker_closes(
    stores: Stores, hands: Hands, key: FeedbackKey, started: Started
) -> None:
    worker, goes_on = started(beats=True), threading.Event()
    turn_id = _begin(stores, key, worker)
    worker.submit(turn_id, lambda: goes_on.wait(SOON))
    closing = threading.Thread(target=worker.close)
    closing.start()
    time.sleep(0.05)
    until = stores.ask("SELECT until FROM lease")
    hands.forward(LEASE_SECONDS - 5)
    assert _becomes(lambda: stores.ask("SELECT until FROM lease") != until)
    goes_on.set()
    closing.join(SOON)
    assert not closing.is_alive()


def test_what_ended_without_an_end_of_its_subject_is_renewed_no_more(
    stores: Stores, hands: Hands, key: FeedbackKey, started: Started
) -> None:
    worker = started(beats=True)
    turn_id = _begin(stores, key, worker)
    worker.submit(turn_id, lambda: None)
    worker.wait(turn_id, SOON)
    hands.forward(LEASE_SECONDS + 1)
    assert _becomes(lambda: _state(stores, turn_id) is TurnState.INTERRUPTED)


@pytest.mark.parametrize("error", [StoreError("busy"), ValueError("ours")], ids=["the database", "ours"])
def test_the_beat_goes_on_after_an_error(
    stores: Stores, hands: Hands, key: FeedbackKey, started: Started, error: Exception
) -> None:
    asked: list[Orphan] = []

    def fail_twice(orphan: Orphan) -> None:
        asked.append(orphan)
        if len(asked) < 3:
            raise error
        _interrupt(stores, orphan)

    worker = started(fail_twice, beats=True)
    turn_id = _begin(stores, key, worker)
    hands.forward(LEASE_SECONDS + 1)
    assert _becomes(lambda: _state(stores, turn_id) is TurnState.INTERRUPTED)


def test_a_job_that_raises_is_logged_and_forgotten(started: Started, caplog: pytest.LogCaptureFixture) -> None:
    worker, ran = started(), threading.Event()

    def broken() -> None:
        raise ValueError("a job of ours broke")

    with caplog.at_level(logging.ERROR):
        worker.submit("s", broken)
        worker.wait("s", SOON)
        assert _becomes(lambda: "a job of ours broke" in caplog.text)
    worker.submit("s", ran.set)
    assert ran.wait(SOON)


def test_a_subject_that_is_being_worked_on_is_not_begun_twice(started: Started) -> None:
    worker, goes_on, runs = started(), threading.Event(), []

    def run() -> None:
        runs.append(1)
        goes_on.wait(SOON)

    for _ in range(3):
        worker.submit("s", run)
    goes_on.set()
    worker.close()
    assert runs == [1]


def test_stopping_calls_what_the_job_left_for_it(started: Started) -> None:
    worker, stopped = started(), threading.Event()
    worker.submit("s", lambda: stopped.wait(SOON))
    worker.on_stop("s", stopped.set)
    assert worker.stop("s")
    assert stopped.is_set()
    worker.wait("s", SOON)
    assert _becomes(lambda: not worker.stop("s"))


def test_stopping_what_does_not_run_here_says_so(started: Started) -> None:
    worker, goes_on = started(), threading.Event()
    worker.submit("s", lambda: goes_on.wait(SOON))
    assert not worker.stop("s")
    assert not worker.stop("another")
    goes_on.set()


def test_waiting_ends_with_the_job_or_with_the_time(started: Started) -> None:
    worker, goes_on = started(), threading.Event()
    worker.submit("s", lambda: goes_on.wait(SOON))
    worker.wait("unknown", SOON)
    before = time.monotonic()
    worker.wait("s", 0.02)
    assert time.monotonic() - before < SOON / 2
    goes_on.set()
    worker.wait("s", SOON)
    assert time.monotonic() - before < SOON


def test_closing_waits_for_what_runs_and_takes_no_more(started: Started) -> None:
    worker, done = started(), []

    def run() -> None:
        time.sleep(0.05)
        done.append(1)

    worker.submit("s", run)
    worker.close()
    assert done == [1]
    with pytest.raises(RuntimeError):
        worker.submit("t", lambda: None)


@pytest.mark.parametrize("is_closed", [False, True], ids=["stopped later", "the process is already ending"])
def test_a_task_is_cancelled_when_its_subject_is_stopped(started: Started, is_closed: bool) -> None:
    worker = started()
    if is_closed:
        worker.close()

    async def job() -> None:
        worker.cancel_on_stop("review")
        assert is_closed or worker.stop("review")
        await asyncio.sleep(SOON)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(job())
    assert worker.stop("review")


def test_a_report_counts_what_runs_and_what_waits_and_names_the_last_error(stores: Stores) -> None:
    go_on = threading.Event()
    worker = Worker(stores.leases, holder="one", end_orphan=lambda _orphan: None, threads=1)
    worker.start()
    worker.submit("first", go_on.wait)
    worker.submit("second", _fails)
    report = worker.report()
    assert (report.is_alive, report.waiting, report.last_error) == (True, 1, None)
    go_on.set()
    worker.close()
    after = worker.report()
    assert (after.is_alive, after.running, after.waiting, after.last_error) == (False, 0, 0, "ValueError")
    assert after.last_error_at is not None


def _fails() -> None:
    raise ValueError("somebody's words")
