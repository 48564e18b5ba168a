"""The durable queue, from outside: putting runs in, asking after them, recovering those of the dead.

Nothing here listens to the queue or runs what is in it; that is done by what `lanes` launches.
"""

from datetime import datetime

from dbos import DBOSClient, EnqueueOptions
from sqlalchemy import Engine

from engine.jobs.run_store import Run
from engine.jobs.runner import LANES

APPLICATION = "tutorloop"
QUEUE = "lanes"
WORKFLOW = "lane"
"""Names of the queue engine: 3 to 256 lowercase letters, digits, `-` and `_`."""
VERSION = "1"
"""Pinned, because the default is a hash of the source and work that another hash queued is never picked up.

Raised only when what is in the queue cannot be gone on with; a job that waits there must then be resumed.
"""
_AT_WORK = ("ENQUEUED", "DELAYED", "PENDING")
_OVER = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
_AT_ONCE = 500
"""Workflows that are recovered or deleted in one go."""


class JobQueue:
    """Asks the queue on the tables of `system`, which a worker has made before."""

    def __init__(self, system: Engine) -> None:
        self._client = DBOSClient(system_database_engine=system, application_name=APPLICATION, lazy=True)

    def put(self, run: Run) -> None:
        """Put the lanes of a run into the queue; those that are there already stay as they are."""
        for lane in range(LANES):
            options: EnqueueOptions = {
                "workflow_name": WORKFLOW,
                "queue_name": QUEUE,
                "workflow_id": workflow_id(run, lane),
                "app_version": VERSION,
            }
            self._client.enqueue(options, run.job_id, run.number, lane)

    def is_at_work(self, run: Run) -> bool:
        """Whether at least one lane of the run is waiting or running."""
        ids = [workflow_id(run, lane) for lane in range(LANES)]
        return bool(self._client.list_workflows(workflow_ids=ids, status=list(_AT_WORK), load_input=False))

    def recover(self, executor_id: str) -> int:
        """Queue again what a dead worker was running; tells how many lanes. Never call it for one that may live."""
        found = self._client.list_workflows(
            status="PENDING", executor_id=executor_id, load_input=False, load_output=False
        )
        ids = [each.workflow_id for each in found]
        if ids:
            self._client.resume_workflows(ids, queue_name=QUEUE)
        return len(ids)

    def delete_ended(self, before: datetime) -> int:
        """Delete the lanes that ended before then, with their checkpoints; tells how many, 500 at most."""
        found = self._client.list_workflows(
            status=list(_OVER),
            completed_before=before.isoformat(),
            load_input=False,
            load_output=False,
            limit=_AT_ONCE,
        )
        ids = [each.workflow_id for each in found]
        if ids:
            self._client.delete_workflows(ids)
        return len(ids)

    def close(self) -> None:
        """Let go of the tables."""
        self._client.destroy()


def workflow_id(run: Run, lane: int) -> str:
    """The one name of a lane, so that putting it in twice is putting it in once."""
    return f"{run.job_id}-{run.number}-{lane}"
