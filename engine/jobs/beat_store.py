"""Which workers are alive: each says so again and again, and whoever is silent too long is dead."""

from datetime import timedelta

from sqlalchemy import delete, exists, select, update
from sqlmodel import col

from db.tables import WorkerBeatRow
from engine.base_store import Store


class BeatStore(Store):
    """Asked by workers and for health, never on a person's behalf: it knows names of workers only."""

    def beat(self, executor_id: str, seconds: float) -> None:
        """Say that this worker is alive, and may be believed so for that long."""
        until = self._clock() + timedelta(seconds=seconds)
        with self._writing() as session:
            session.merge(WorkerBeatRow(executor_id=executor_id, until=until))

    def end(self, executor_id: str) -> None:
        """Say that this worker is dead from now on; what it leaves unfinished may be taken at once."""
        with self._writing() as session:
            before_now = self._clock() - timedelta(seconds=1)
            session.execute(
                update(WorkerBeatRow).where(col(WorkerBeatRow.executor_id) == executor_id).values(until=before_now)
            )

    def is_any_alive(self) -> bool:
        """Whether at least one worker may be believed to be alive."""
        with self._reading() as session:
            return bool(session.scalar(select(exists().where(col(WorkerBeatRow.until) >= self._clock()))))

    def dead(self) -> tuple[str, ...]:
        """The workers that are provably dead, silent longest first."""
        statement = (
            select(col(WorkerBeatRow.executor_id))
            .where(col(WorkerBeatRow.until) < self._clock())
            .order_by(col(WorkerBeatRow.until))
        )
        with self._reading() as session:
            return tuple(session.scalars(statement))

    def take_over(self, executor_id: str, seconds: float) -> bool:
        """Take charge of a dead worker's work, for that long; of several that try, one may."""
        now = self._clock()
        with self._writing() as session:
            taken = (
                update(WorkerBeatRow)
                .where(col(WorkerBeatRow.executor_id) == executor_id, col(WorkerBeatRow.until) < now)
                .values(until=now + timedelta(seconds=seconds))
                .returning(col(WorkerBeatRow.executor_id))
            )
            return session.scalar(taken) is not None

    def forget(self, executor_id: str) -> None:
        """Forget a worker that has nothing left."""
        with self._writing() as session:
            session.execute(delete(WorkerBeatRow).where(col(WorkerBeatRow.executor_id) == executor_id))
