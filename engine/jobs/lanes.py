"""The queue engine as it is launched in a worker: one workflow, whose steps are submissions.

A step is checkpointed when it has ended, so that after a kill a lane goes on where it was. What a step does is
safe to be asked for again (see `RunStore.claim`): the engine may repeat the one that was running.
"""

from dbos import DBOS, DBOSConfig, StepOptions
from sqlalchemy import Engine

from db.connection import connect_queue
from engine.domain.job import JobItem
from engine.jobs.queue import APPLICATION, QUEUE, VERSION, WORKFLOW
from engine.jobs.run_store import Run
from engine.jobs.runner import LANES, JobRunner

POLL_SECONDS = 0.15
"""How often a worker looks into the queue; what is short is bound by this."""
ROUNDS = 3
"""How often a lane comes back to what the database could not store."""
PAUSE_SECONDS = 5.0
QUIET_SECONDS = 5.0
"""How often the engine looks for messages and schedules, which we do not use."""


def open_tables(url: str) -> Engine:
    """The engine's own tables beside the database at `url`: on the same server, or in a file of their own."""
    return connect_queue(url)


def launch(
    system: Engine,
    executor_id: str,
    runner: JobRunner,
    *,
    pause_s: float = PAUSE_SECONDS,
    quiet_s: float = QUIET_SECONDS,
) -> None:
    """Make the engine's tables, take up what a worker of this name left behind, and begin to work.

    Only one worker of this name may be alive. A process launches once.
    """
    config: DBOSConfig = {
        "name": APPLICATION,
        "system_database_engine": system,
        "application_version": VERSION,
        "executor_id": executor_id,
        "use_listen_notify": False,
        "notification_listener_polling_interval_sec": quiet_s,
        "scheduler_polling_interval_sec": quiet_s,
        "log_level": "WARNING",
    }
    DBOS(config=config)
    _register(runner, pause_s)
    DBOS.listen_queues([QUEUE])
    DBOS.launch()
    DBOS.register_queue(QUEUE, worker_concurrency=LANES, polling_interval_sec=POLL_SECONDS)


def _register(runner: JobRunner, pause_s: float) -> None:
    @DBOS.workflow(name=WORKFLOW)
    def lane(job_id: str, number: int, lane: int) -> None:
        run_lane(runner, Run(job_id=job_id, number=number), lane, pause_s)


def run_lane(runner: JobRunner, run: Run, lane: int, pause_s: float) -> None:
    """The life of a lane: steps one after another, so that their order is the same when it is played again."""
    for round_number in range(ROUNDS):
        left = DBOS.run_step(_step("plan"), runner.plan, run, lane)
        if not left:
            break
        if round_number:
            DBOS.sleep(pause_s)
        for submission_id in left:
            item = JobItem(job_id=run.job_id, run=run.number, submission_id=submission_id)
            if not DBOS.run_step(_step("do"), runner.do, item):
                return
    DBOS.run_step(_step("settle"), runner.settle, run)


def _step(name: str) -> StepOptions:
    """The engine retries nothing: models are retried by the gateway, and what could not be stored by rounds."""
    return {"name": name, "retries_allowed": False}
