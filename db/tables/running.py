"""Working state of what is running, counters, and the audit trail."""

from datetime import datetime

from sqlalchemy import Column, Text
from sqlmodel import Field

from db.tables.base import Base, Utc


class CounterRow(Base, table=True):
    """The last number given out under a name."""

    __tablename__ = "counter"

    name: str = Field(primary_key=True)
    value: int


class LeaseRow(Base, table=True):
    """Who works on a turn or an attempt, and until when that may be believed."""

    __tablename__ = "lease"

    subject_id: str = Field(primary_key=True)
    subject_kind: str
    holder: str
    until: datetime = Field(sa_column=Column(Utc, nullable=False, index=True))


class ProgressRow(Base, table=True):
    """What has come of a running turn or attempt so far."""

    __tablename__ = "progress"

    subject_id: str = Field(primary_key=True)
    owner_id: str = Field(index=True)
    body: str = Field(sa_column=Column(Text, nullable=False))
    at: datetime = Field(sa_column=Column(Utc, nullable=False))


class AuditRow(Base, table=True):
    """What was done that is worth being able to prove. Insert-only."""

    __tablename__ = "audit"

    id: str = Field(primary_key=True)
    at: datetime = Field(sa_column=Column(Utc, nullable=False))
    actor: str
    action: str
    subject: str
    detail: str = Field(sa_column=Column(Text, nullable=False))
