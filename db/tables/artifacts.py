"""Texts that are improved many times: what they are, their versions, and which of those were handed in."""

from datetime import datetime

from sqlalchemy import Column, Index, Text, UniqueConstraint
from sqlmodel import Field

from db.tables.base import Base, Utc


class ArtifactRow(Base, table=True):
    """A text that has versions. It never changes; all that can be changed stands in them."""

    __tablename__ = "artifact"
    __table_args__ = (Index("ix_artifact_of_learner", "learner_id", "project_id"),)

    id: str = Field(primary_key=True)
    course_id: str = Field(foreign_key="course.id")
    project_id: str
    learner_id: str | None = Field(default=None, foreign_key="learner.id")
    """Null: it is the teachers'."""
    task_id: str | None = None
    kind: str
    file_name: str = Field(sa_column=Column(Text, nullable=False))
    persona_id: str | None = None
    begun_from_id: str | None = Field(default=None, foreign_key="submission.id")
    """The submission whose file was its first text; null where it came otherwise."""
    made_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class ArtifactVersionRow(Base, table=True):
    """One immutable text of an artifact, tied to its parent by hash."""

    __tablename__ = "artifact_version"
    __table_args__ = (UniqueConstraint("artifact_id", "number"),)

    id: str = Field(primary_key=True)
    artifact_id: str = Field(foreign_key="artifact.id")
    number: int
    parent_id: str | None = Field(default=None, foreign_key="artifact_version.id")
    parent_hash: str | None = None
    source_id: str | None = Field(default=None, foreign_key="artifact_version.id")
    version_hash: str
    title_text_id: str = Field(foreign_key="text.id")
    body_text_id: str = Field(foreign_key="text.id")
    note_text_id: str | None = Field(default=None, foreign_key="text.id")
    author: str
    reason: str
    characters: int
    word_count: int
    saved_by: str | None = None
    """What kind of person saved it; null: not known, from before this was kept."""
    made_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class ArtifactSubmissionRow(Base, table=True):
    """Which version was handed in as which submission."""

    __tablename__ = "artifact_submission"
    __table_args__ = (Index("ix_artifact_submission_version_id", "version_id"),)

    submission_id: str = Field(primary_key=True, foreign_key="submission.id")
    version_id: str = Field(foreign_key="artifact_version.id")
