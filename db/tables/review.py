"""Review attempts and their outcomes. Insert-only."""

from datetime import datetime

from sqlalchemy import Column, Index, UniqueConstraint
from sqlmodel import Field

from db.tables.base import Base, Utc


class AttemptRow(Base, table=True):
    """One review try of a submission, stored when it starts."""

    __tablename__ = "attempt"
    __table_args__ = (
        UniqueConstraint("submission_id", "attempt_seq"),
        Index(
            "ix_attempt_compatible",
            "submission_id",
            "rubric_version",
            "prompt_version",
            "engine_version",
            "attempt_seq",
        ),
    )

    id: str = Field(primary_key=True)
    submission_id: str = Field(foreign_key="submission.id")
    attempt_seq: int
    rubric_version: str
    prompt_version: str
    engine_version: str
    model: str | None
    started_at: datetime = Field(sa_column=Column(Utc, nullable=False, index=True))
    origin: str = Field(default="judged", sa_column_kwargs={"server_default": "judged"})
    from_attempt_id: str | None = None
    """No foreign key, which SQLite could only add by making the table anew."""


class OutcomeRow(Base, table=True):
    """How an attempt ended: one for each, ever. The record itself is personal text."""

    __tablename__ = "outcome"

    attempt_id: str = Field(primary_key=True, foreign_key="attempt.id")
    kind: str
    verdict: str | None
    """Of a record that keeps the contract, to list and filter by; what counts stands in the record."""
    snapshot_hash: str | None
    record_text_id: str | None = Field(default=None, foreign_key="text.id")
    fault: str | None
    finished_at: datetime = Field(sa_column=Column(Utc, nullable=False))
