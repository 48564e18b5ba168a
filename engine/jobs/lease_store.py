"""Leases and progress of what is running. The only rows here are working state."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import select, update
from sqlmodel import col

from db.rows import put_progress
from db.tables import LeaseRow, ProgressRow
from engine.base_store import Store, lease_until
from engine.domain.running import Lease, Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Orphan:
    """Something whose worker is gone."""

    kind: Subject
    subject_id: str


class LeaseStore(Store):
    """Asked by workers, never on a person's behalf: it knows ids only, except for the words of a stream."""

    def renew(self, lease: Lease, subject_ids: frozenset[str]) -> None:
        """Go on holding these subjects."""
        if not subject_ids:
            return
        with self._writing() as session:
            session.execute(
                update(LeaseRow)
                .where(col(LeaseRow.subject_id).in_(subject_ids), col(LeaseRow.holder) == lease.holder)
                .values(until=lease_until(self._clock(), lease))
            )

    def release(self, holder: str) -> None:
        """Let what this holder had be taken by others at once, because it is known to be dead."""
        with self._writing() as session:
            before_now = self._clock() - timedelta(seconds=1)
            session.execute(update(LeaseRow).where(col(LeaseRow.holder) == holder).values(until=before_now))

    def orphans(self) -> tuple[Orphan, ...]:
        """What is still open although its lease has run out, oldest lease first."""
        with self._reading() as session:
            rows = session.scalars(
                select(LeaseRow).where(col(LeaseRow.until) < self._clock()).order_by(col(LeaseRow.until))
            ).all()
        return tuple(Orphan(kind=Subject(row.subject_kind), subject_id=row.subject_id) for row in rows)

    def keep_progress(self, subject_id: str, owner_id: str, body: str) -> None:
        """Keep what has come so far; nothing is kept of a subject that has ended."""
        with self._writing() as session:
            if session.get(LeaseRow, subject_id, with_for_update=True) is None:
                return
            put_progress(session, subject_id=subject_id, owner_id=owner_id, body=body, at=self._clock())

    def progress(self, subject_id: str) -> str:
        """What has come so far; empty when nothing has."""
        with self._reading() as session:
            row = session.get(ProgressRow, subject_id)
            return row.body if row else ""
