"""What a worker does with a run of a job, without the queue: what is left, one submission, the end."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from engine.domain.job import JobItem
from engine.errors import StoreError, TutorloopError
from engine.jobs.run_store import Run, RunStore

_log = logging.getLogger(__name__)

LANES = 4
"""How many submissions of a job are worked on at one time; each of every fourth belongs to one lane."""
OUR_FAULT = "tool_broken"
"""What is kept of an error that is nobody's but ours."""

Hold = Callable[[str], AbstractContextManager[None]]
"""Keeps the lease of an attempt renewed while it is worked on."""
Work = Callable[[JobItem, Hold], None]
"""What is done to one submission. It may be asked again for the same item after a kill, and must then go on."""


class JobRunner:
    """Used by several threads at one time."""

    def __init__(self, runs: RunStore, work: Work) -> None:
        self._runs = runs
        self._work = work
        self._held: set[str] = set()
        self._lock = threading.Lock()

    @property
    def held(self) -> frozenset[str]:
        """Ids of the attempts that are being worked on here."""
        with self._lock:
            return frozenset(self._held)

    def plan(self, run: Run, lane: int) -> list[str]:
        """What the lane has left."""
        return list(self._runs.left(run, lane, LANES))

    def do(self, item: JobItem) -> bool:
        """Work on one submission; False, and nothing done, when the run is not wanted any more.

        Where the database cannot do it now, the submission stays for later. Any other error is kept as its fault.
        """
        try:
            if not self._runs.is_wanted(Run(job_id=item.job_id, number=item.run)):
                return False
            self._try(item)
        except StoreError:
            _log.warning("a submission of a job is left for later", exc_info=True)
        return True

    def settle(self, run: Run) -> bool:
        """End the job if nothing is left of it."""
        return self._runs.settle(run)

    def _try(self, item: JobItem) -> None:
        try:
            self._work(item, self._hold)
        except StoreError:
            raise
        except Exception as error:
            _log.exception("a submission of a job could not be worked on")
            self._runs.give_up(item, error.code if isinstance(error, TutorloopError) else OUR_FAULT)

    @contextmanager
    def _hold(self, attempt_id: str) -> Iterator[None]:
        with self._lock:
            self._held.add(attempt_id)
        try:
            yield
        finally:
            with self._lock:
                self._held.discard(attempt_id)
