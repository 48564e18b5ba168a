"""The life of a worker that runs jobs: it says that it lives, fills the queue, and takes up what the dead left."""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta

from engine.domain.clock import Clock
from engine.domain.running import Lease
from engine.jobs.beat_store import BeatStore
from engine.jobs.lease_store import LeaseStore
from engine.jobs.queue import JobQueue
from engine.jobs.run_store import RunStore
from engine.jobs.runner import JobRunner
from engine.jobs.worker import LEASE_SECONDS

_log = logging.getLogger(__name__)

ALIVE_SECONDS = 30.0
"""How long a worker is believed to be alive. Longer than a lease and a beat together, so that when a worker is
dead, so is every lease that it took."""
BEAT_SECONDS = 5.0
LOOK_SECONDS = 0.5
"""How soon a job that was asked for is seen."""
KEEP = timedelta(days=7)
"""How long checkpoints are kept after their lane has ended; what was asked and done stands in our own tables."""
TIDY_SECONDS = 3600.0


class JobWorker:
    """One for each process that works on jobs; `lanes.launch` is what works, in threads of its own."""

    def __init__(
        self,
        *,
        executor_id: str,
        queue: JobQueue,
        runner: JobRunner,
        runs: RunStore,
        beats: BeatStore,
        leases: LeaseStore,
        clock: Clock,
        refresh: Callable[[], None],
    ) -> None:
        """`refresh` is called with every beat, to take up what a person has set meanwhile."""
        self._executor_id = executor_id
        self._queue = queue
        self._runner = runner
        self._runs = runs
        self._beats = beats
        self._leases = leases
        self._clock = clock
        self._refresh = refresh

    def arrive(self) -> None:
        """Say that this worker lives, before it takes up anything. An earlier one of its name is dead, and no other."""
        self._leases.release(self._executor_id)
        self._beats.beat(self._executor_id, ALIVE_SECONDS)

    def stay(self, leaving: threading.Event) -> None:
        """Do what is due again and again, until `leaving` is set. An error is logged and ends nothing."""
        waited, tidied = BEAT_SECONDS, TIDY_SECONDS
        while not leaving.wait(LOOK_SECONDS):
            waited, tidied = waited + LOOK_SECONDS, tidied + LOOK_SECONDS
            self._guarded(self.fill_queue)
            if waited >= BEAT_SECONDS:
                waited = 0.0
                for due in (self.beat, self.take_up_what_the_dead_left, self.give_up_what_nobody_does, self._refresh):
                    self._guarded(due)
            if tidied >= TIDY_SECONDS:
                tidied = 0.0
                self._guarded(self.tidy)

    def leave(self) -> None:
        """Say that this worker is dead from now on, so that others need not wait."""
        self._guarded(lambda: self._beats.end(self._executor_id))

    def fill_queue(self) -> None:
        """Put into the queue what was asked for. A kill in between puts it in again, which changes nothing."""
        for run in self._runs.unqueued():
            self._queue.put(run)
            self._runs.mark_queued(run)

    def beat(self) -> None:
        """Go on living, and go on holding what is worked on."""
        self._beats.beat(self._executor_id, ALIVE_SECONDS)
        self._leases.renew(self.lease, self._runner.held)

    @property
    def lease(self) -> Lease:
        """What this worker holds attempts by."""
        return lease_of(self._executor_id)

    def take_up_what_the_dead_left(self) -> None:
        """Queue again what the provably dead were running. One that is alive is never touched: it would run twice."""
        for dead in self._beats.dead():
            if self._beats.take_over(dead, ALIVE_SECONDS):
                self._queue.recover(dead)
                self._beats.forget(dead)

    def give_up_what_nobody_does(self) -> None:
        """Stop every job whose lanes are all over although something is left, so that a person may resume it."""
        for run in self._runs.queued():
            if not self._queue.is_at_work(run):
                self._runs.stop(run)

    def tidy(self) -> None:
        """Delete old checkpoints."""
        before = self._clock() - KEEP
        while self._queue.delete_ended(before):
            pass

    def _guarded(self, due: Callable[[], None]) -> None:
        try:
            due()
        except Exception:
            _log.warning("a worker could not do this now and tries again", exc_info=True)


def lease_of(executor_id: str) -> Lease:
    """What a worker of this name holds attempts by."""
    return Lease(holder=executor_id, seconds=LEASE_SECONDS)
