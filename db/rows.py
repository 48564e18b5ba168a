"""Small steps that several stores take inside a transaction of their own."""

import hashlib
import re
from collections.abc import Callable
from datetime import datetime

from sqlalchemy import delete
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col

from db.tables import AuditRow, Base, CounterRow, DraftRow, LeaseRow, ProgressRow, SettingRow, TextRow

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def _upsert(session: Session) -> Callable[[type[Base]], sqlite.Insert | postgresql.Insert]:
    """The dialect's own INSERT, which knows ON CONFLICT."""
    return sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert


def next_number(session: Session, name: str, *, step: int = 1) -> int:
    """The next number under `name`, from 1; the last of `step` numbers that are taken at once.

    The counter row stays locked to the end of the transaction, so numbers become visible in their order
    and a rolled-back transaction leaves no gap (measured: research on sequences, counter rows).
    """
    statement = _upsert(session)(CounterRow).values(name=name, value=step)
    counted = statement.on_conflict_do_update(
        index_elements=["name"], set_={"value": col(CounterRow.value) + step}
    ).returning(col(CounterRow.value))
    return int(session.execute(counted).scalar_one())


def storable(body: str) -> str:
    """`body` with U+FFFD for NUL and lone surrogates, which not every database can hold."""
    return _UNSTORABLE.sub("\ufffd", body)


def put_text(session: Session, *, text_id: str, owner_id: str, body: str) -> str:
    """Keep a person's words, as far as they are `storable`, and give back their id."""
    kept = storable(body)
    digest = hashlib.sha256(kept.encode()).hexdigest()
    session.add(TextRow(id=text_id, owner_id=owner_id, sha256=digest, body=kept))
    session.flush()
    return text_id


def put_draft(session: Session, *, owner_id: str, subject: str, body: str, at: datetime) -> None:
    """Keep a draft over the one before; two that come at once both succeed, and the later one stays."""
    kept = {"body": storable(body), "saved_at": at}
    statement = _upsert(session)(DraftRow).values(owner_id=owner_id, subject=subject, **kept)
    session.execute(statement.on_conflict_do_update(index_elements=["owner_id", "subject"], set_=kept))


def drop_draft(session: Session, *, owner_id: str, subject: str) -> None:
    """Forget a draft, if there is one."""
    session.execute(delete(DraftRow).where(col(DraftRow.owner_id) == owner_id, col(DraftRow.subject) == subject))


def put_setting(session: Session, *, name: str, value: str, at: datetime) -> None:
    """Set `name` over what it was; of two that come at once both succeed, and the later one stays."""
    kept = {"value": storable(value), "changed_at": at}
    statement = _upsert(session)(SettingRow).values(name=name, **kept)
    session.execute(statement.on_conflict_do_update(index_elements=["name"], set_=kept))


def take_lease(session: Session, *, subject_id: str, kind: str, holder: str, until: datetime) -> None:
    """Say that `holder` works on the subject until then."""
    session.add(LeaseRow(subject_id=subject_id, subject_kind=kind, holder=holder, until=until))


def put_progress(session: Session, *, subject_id: str, owner_id: str, body: str, at: datetime) -> None:
    """Keep what has come so far of something that runs, over what was kept before."""
    session.merge(ProgressRow(subject_id=subject_id, owner_id=owner_id, body=storable(body), at=at))
    session.flush()


def drop_running(session: Session, subject_id: str) -> None:
    """Forget lease and progress of something that has ended."""
    session.execute(delete(LeaseRow).where(col(LeaseRow.subject_id) == subject_id))
    session.execute(delete(ProgressRow).where(col(ProgressRow.subject_id) == subject_id))


def add_audit(
    session: Session, *, audit_id: str, at: datetime, actor: str, action: str, subject: str, detail: str
) -> None:
    """Leave a line in the audit trail."""
    session.add(AuditRow(id=audit_id, at=at, actor=actor, action=action, subject=subject, detail=detail))
