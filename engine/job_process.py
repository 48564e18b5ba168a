"""`tutorloop worker`: a process that runs jobs until it is told to end, or until the app that started it is gone.

What it may lose in its last moment is what it may lose in a kill, and is taken up by the next one; so it ends at once.
"""

import argparse
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence

from engine.domain.clock import utc_now
from engine.domain.people import LOCAL_VIEWER
from engine.errors import SettingsError, TutorloopError
from engine.jobs.child import EXIT_BUSY, FOR_APP
from engine.jobs.job_worker import JobWorker, lease_of
from engine.jobs.lanes import launch, open_tables
from engine.jobs.queue import JobQueue
from engine.jobs.runner import JobRunner
from engine.jobs.slot import WorkerSlot
from engine.llm.models import Models
from engine.llm.offline import offline_gateway
from engine.review.review_job import ReviewJob
from engine.settings import Settings
from engine.settings_store import SettingsStore, StoredSettings
from engine.wiring import build_gateways, build_space, new_id

SLOT_SECONDS = 1.0
"""How often a worker that may wait looks whether its place is free."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Work in a place until told to end; 0 then, 2 when the settings cannot be used, 3 when the place is taken."""
    chosen = add_arguments(argparse.ArgumentParser(prog="tutorloop worker")).parse_args(arguments)
    return work(chosen)


def add_arguments(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """What the command takes."""
    parser.add_argument("--slot", type=int, default=0, help="which place of this data folder to work in; default: 0")
    parser.add_argument(FOR_APP, action="store_true", help="wait for the place, and end when standard input ends")
    return parser


def work(chosen: argparse.Namespace) -> int:
    """As `main`, by arguments that were read."""
    leaving = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: leaving.set())
    if chosen.for_app:
        threading.Thread(target=_follow_parent, args=(leaving,), name="tutorloop-parent", daemon=True).start()
    try:
        settings = Settings.from_env(os.environ)
        slot = WorkerSlot(settings.data_dir, chosen.slot, new_id)
        name = _take(slot, leaving, may_wait=chosen.for_app)
        if name is None:
            return _tell_busy(chosen.slot)
        _work_in(settings, name, leaving)
    except (SettingsError, TutorloopError) as error:
        sys.stderr.write(f"tutorloop worker: {error}\n")
        return 2
    return 0


def _follow_parent(leaving: threading.Event) -> None:
    """The app writes nothing; its end of the pipe closes when it ends, killed or not."""
    sys.stdin.buffer.read()
    leaving.set()


def _take(slot: WorkerSlot, leaving: threading.Event, *, may_wait: bool) -> str | None:
    name = slot.take()
    while name is None and may_wait and not leaving.wait(SLOT_SECONDS):
        name = slot.take()
    return name


def _tell_busy(number: int) -> int:
    sys.stderr.write(f"tutorloop worker: another worker has place {number} of this data folder\n")
    return EXIT_BUSY


def _work_in(settings: Settings, name: str, leaving: threading.Event) -> None:
    """Run jobs on the own database until `leaving` is set; does not return."""
    models = Models.of(offline_gateway())
    space = build_space(settings.database_url, models)
    following = SettingsInForce(settings, SettingsStore(space.database, clock=utc_now, new_id=new_id), models)
    following.refresh()
    review = ReviewJob(reviewer=space.reviewer, runs=space.runs, lease=lease_of(name), sleep=time.sleep)
    runner = JobRunner(space.runs, review)
    tables = open_tables(settings.database_url)
    worker = JobWorker(
        executor_id=name,
        queue=JobQueue(tables),
        runner=runner,
        runs=space.runs,
        beats=space.beats,
        leases=space.leases,
        clock=utc_now,
        refresh=following.refresh,
    )
    worker.arrive()
    launch(tables, name, runner)
    worker.stay(leaving)
    worker.leave()
    logging.shutdown()
    os._exit(0)  # threads of the queue engine would keep the process for as long as a model answers


class SettingsInForce:
    """Takes up what a person sets on the Settings page of the app."""

    def __init__(self, settings: Settings, store: SettingsStore, models: Models) -> None:
        self._settings = settings
        self._store = store
        self._models = models
        self._stored: StoredSettings | None = None

    def refresh(self) -> None:
        """Ask the models that are set now, if they are others."""
        stored = self._store.read(LOCAL_VIEWER)
        if stored != self._stored:
            self._models.replace(build_gateways(self._settings, stored))
            self._stored = stored


if __name__ == "__main__":
    sys.exit(main())
