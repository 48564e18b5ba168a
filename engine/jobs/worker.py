"""A pool of threads that work on turns and reviews, renew their leases, and end what others orphaned.

A page's script may end at any moment; what runs here goes on. What a killed process leaves behind is
found by its lease and ended as interrupted, by whichever process looks first.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from engine.domain.clock import Clock, utc_now
from engine.domain.running import Lease
from engine.jobs.lease_store import LeaseStore, Orphan

_log = logging.getLogger(__name__)

LEASE_SECONDS = 20.0
"""How long a lease is believed; three beats may be missed."""
BEAT_SECONDS = 5.0
THREADS = 8
"""Replies and reviews at one time; they mostly wait for a model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerReport:
    """How a worker is at one moment. Holds nobody's words: of an error its kind and its time only."""

    is_alive: bool
    """Whether leases are renewed; False before it is started and after it is closed."""
    running: int
    """Replies and reviews that are being worked on."""
    waiting: int
    """Those that wait for a free thread."""
    last_error: str | None = None
    """Name of the kind of the last error of ours; None: there was none since the start."""
    last_error_at: datetime | None = None


class Worker:
    """Runs jobs by the id of their subject. One instance for each database."""

    def __init__(
        self,
        leases: LeaseStore,
        *,
        holder: str,
        end_orphan: Callable[[Orphan], None],
        threads: int = THREADS,
        beat_s: float = BEAT_SECONDS,
        clock: Clock = utc_now,
    ) -> None:
        self.lease = Lease(holder=holder, seconds=LEASE_SECONDS)
        self._leases = leases
        self._end_orphan = end_orphan
        self._beat_s = beat_s
        self._pool = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="tutorloop")
        self._running: dict[str, Future[object]] = {}
        self._stops: dict[str, Callable[[], None]] = {}
        self._lock = threading.Lock()
        self.is_closing = False
        """Whether this process is ending, so that what is stopped now was not stopped by a person."""
        self._clock = clock
        self._last_error: tuple[str, datetime] | None = None
        self._closing = threading.Event()
        self._beat = threading.Thread(target=self._keep_beating, name="tutorloop-beat", daemon=True)

    def start(self) -> None:
        """End what an earlier process left behind, then go on renewing and looking."""
        self.recover()
        self._beat.start()

    def report(self) -> WorkerReport:
        """How it is now."""
        with self._lock:
            futures = tuple(self._running.values())
        running = sum(future.running() for future in futures)
        kind, at = self._last_error or (None, None)
        return WorkerReport(
            is_alive=self._beat.is_alive(),
            running=running,
            waiting=sum(not future.running() and not future.done() for future in futures),
            last_error=kind,
            last_error_at=at,
        )

    def submit(self, subject_id: str, job: Callable[[], object]) -> None:
        """Run `job` outside the caller's thread. The job ends its subject itself, whatever happens.

        A subject that is being worked on here already is not begun twice.
        """
        with self._lock:
            if subject_id in self._running:
                return
            future = self._pool.submit(job)
            self._running[subject_id] = future
        future.add_done_callback(lambda _: self._forget(subject_id))

    def on_stop(self, subject_id: str, stop: Callable[[], None]) -> None:
        """Tell how the running job of this subject is stopped."""
        with self._lock:
            self._stops[subject_id] = stop

    def cancel_on_stop(self, subject_id: str) -> None:
        """Let the task that calls this be cancelled when its subject is stopped, at once if this process is ending."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()

        def stop() -> None:
            # A loop that has closed has nothing left to stop.
            with suppress(RuntimeError):
                if task is not None:
                    loop.call_soon_threadsafe(task.cancel)

        self.on_stop(subject_id, stop)
        if self.is_closing:
            stop()

    def stop(self, subject_id: str) -> bool:
        """Stop a job that runs here; False when none does."""
        with self._lock:
            stop = self._stops.get(subject_id)
        if stop is None:
            return False
        stop()
        return True

    def wait(self, subject_id: str, timeout_s: float) -> None:
        """Return when the job of this subject is over, or after `timeout_s`."""
        with self._lock:
            future = self._running.get(subject_id)
        if future is not None:
            wait([future], timeout=timeout_s)

    def recover(self) -> int:
        """End every orphan as interrupted; tells how many there were. One that cannot be ended keeps no other."""
        orphans = self._leases.orphans()
        for orphan in orphans:
            try:
                self._end_orphan(orphan)
            except Exception as error:
                self._note(error)
                _log.exception("an orphan could not be ended this time")
        return len(orphans)

    def close(self) -> None:
        """Take no more jobs, stop those that can be stopped, and wait for the rest; leases are renewed to the end."""
        self.is_closing = True
        with self._lock:
            stops = tuple(self._stops.values())
        for stop in stops:
            stop()
        self._pool.shutdown(wait=True)
        self._closing.set()
        if self._beat.is_alive():
            self._beat.join()

    def _forget(self, subject_id: str) -> None:
        with self._lock:
            future = self._running.pop(subject_id, None)
            self._stops.pop(subject_id, None)
        error = future.exception() if future is not None and not future.cancelled() else None
        if error is not None:
            self._note(error)
            _log.error("a job ended by an error of ours", exc_info=error)

    def _keep_beating(self) -> None:
        while not self._closing.wait(self._beat_s):
            try:
                with self._lock:
                    held = frozenset(self._running)
                self._leases.renew(self.lease, held)
                self.recover()
            except Exception as error:
                self._note(error)
                _log.warning("leases could not be renewed this time", exc_info=True)

    def _note(self, error: BaseException) -> None:
        self._last_error = type(error).__name__, self._clock()
