"""Personal text, versions of work, and submissions. All insert-only; a text row can only be erased."""

from datetime import datetime

from sqlalchemy import Column, Index, Text, UniqueConstraint
from sqlmodel import Field

from db.tables.base import Base, Utc


class TextRow(Base, table=True):
    """Words of a person, apart from the facts about them. Erasing empties the body and says when."""

    __tablename__ = "text"

    id: str = Field(primary_key=True)
    owner_id: str = Field(index=True)
    sha256: str
    body: str = Field(sa_column=Column(Text, nullable=False))
    erased_at: datetime | None = Field(default=None, sa_column=Column(Utc))


class VersionRow(Base, table=True):
    """One immutable state of a piece of work."""

    __tablename__ = "version"
    __table_args__ = (UniqueConstraint("learner_id", "project_id", "task_id", "number"),)

    id: str = Field(primary_key=True)
    learner_id: str = Field(foreign_key="learner.id")
    project_id: str
    task_id: str
    number: int
    parent_id: str | None = Field(default=None, foreign_key="version.id")
    author_kind: str
    reason: str
    snapshot_hash: str
    made_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class VersionFileRow(Base, table=True):
    """One file of a version; its words stand in a text row, if it could be read."""

    __tablename__ = "version_file"

    version_id: str = Field(primary_key=True, foreign_key="version.id")
    position: int = Field(primary_key=True)
    path: str = Field(sa_column=Column(Text, nullable=False))
    sha256: str
    size_bytes: int
    kind: str
    state: str
    text_id: str | None = Field(default=None, foreign_key="text.id")


class SubmissionRow(Base, table=True):
    """A version handed in. `submission_seq` is null for imported history of unknown order."""

    __tablename__ = "submission"
    __table_args__ = (
        UniqueConstraint("learner_id", "project_id", "task_id", "submission_seq"),
        Index("ix_submission_token", "learner_id", "token", unique=True),
    )

    id: str = Field(primary_key=True)
    learner_id: str = Field(foreign_key="learner.id")
    project_id: str
    task_id: str
    submission_seq: int | None
    version_id: str = Field(foreign_key="version.id")
    snapshot_hash: str
    token: str | None = None
    """Of the form that handed it in: the same form twice is one submission."""
    handed_in_at: datetime = Field(sa_column=Column(Utc, nullable=False, index=True))


class ProvenanceRow(Base, table=True):
    """The repository and commit that the files of a submission came from; address and name stand in a text row."""

    __tablename__ = "provenance"

    submission_id: str = Field(primary_key=True, foreign_key="submission.id")
    commit_id: str
    text_id: str = Field(foreign_key="text.id")
