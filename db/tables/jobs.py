"""Durable jobs and the workers that carry them out. What was asked and tried is insert-only."""

from datetime import datetime

from sqlalchemy import Column, ForeignKeyConstraint, UniqueConstraint
from sqlmodel import Field

from db.tables.base import Base, Utc


class JobRow(Base, table=True):
    """What somebody asked for. Insert-only."""

    __tablename__ = "job"

    id: str = Field(primary_key=True)
    kind: str
    project_id: str = Field(foreign_key="project.id", index=True)
    asked_by: str
    asked_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class JobItemRow(Base, table=True):
    """One submission that a job is about. Insert-only."""

    __tablename__ = "job_item"
    __table_args__ = (UniqueConstraint("job_id", "position"),)

    job_id: str = Field(primary_key=True, foreign_key="job.id")
    submission_id: str = Field(primary_key=True, foreign_key="submission.id")
    position: int
    """From 0, in the order that was asked for."""


class JobStepRow(Base, table=True):
    """What one run of a job did with one submission, stored with the attempt that it began. Insert-only.

    The key keeps a run from doing anything twice, whoever works on it.
    """

    __tablename__ = "job_step"
    __table_args__ = (
        ForeignKeyConstraint(["job_id", "submission_id"], ["job_item.job_id", "job_item.submission_id"]),
        UniqueConstraint("attempt_id"),
    )

    job_id: str = Field(primary_key=True)
    run: int = Field(primary_key=True)
    submission_id: str = Field(primary_key=True)
    attempt_id: str | None = Field(default=None, foreign_key="attempt.id")
    fault: str | None
    """Why no attempt could even begin."""
    at: datetime = Field(sa_column=Column(Utc, nullable=False))


class JobStateRow(Base, table=True):
    """What is wanted of a job now, and which run of it the queue has. Working state."""

    __tablename__ = "job_state"

    job_id: str = Field(primary_key=True, foreign_key="job.id")
    state: str = Field(index=True)
    """`open`, `cancelled`, `stopped` or `ended`."""
    run: int
    """The run that is wanted, from 1."""
    queued_run: int
    """The last run that was put into the queue; 0: none yet."""


class WorkerBeatRow(Base, table=True):
    """A worker, and until when it may be believed to be alive. Working state."""

    __tablename__ = "worker_beat"

    executor_id: str = Field(primary_key=True)
    until: datetime = Field(sa_column=Column(Utc, nullable=False))
