"""Editing by conversation: conversations, suggestions, messages and revision records (insert-only), and their state."""

from datetime import datetime

from sqlalchemy import Column, Index, Text, UniqueConstraint
from sqlmodel import Field

from db.tables.base import Base, Utc


class EditConversationRow(Base, table=True):
    """The conversation of one artifact."""

    __tablename__ = "edit_conversation"

    id: str = Field(primary_key=True)
    artifact_id: str = Field(foreign_key="artifact.id", unique=True)
    persona_id: str | None = None
    """Whose style it teaches, as it was at the first suggestion."""
    opened_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class SuggestionRow(Base, table=True):
    """What a person asked for."""

    __tablename__ = "suggestion"
    __table_args__ = (UniqueConstraint("conversation_id", "number"),)

    id: str = Field(primary_key=True)
    conversation_id: str = Field(foreign_key="edit_conversation.id")
    number: int
    text_id: str = Field(foreign_key="text.id")
    asked_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class SuggestionStateRow(Base, table=True):
    """What became of a suggestion so far. Working state."""

    __tablename__ = "suggestion_state"
    __table_args__ = (Index("ix_suggestion_state_run_id", "run_id"),)

    suggestion_id: str = Field(primary_key=True, foreign_key="suggestion.id")
    state: str
    fault: str
    run_id: str | None = None
    changed_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class RevisionRecordRow(Base, table=True):
    """One applied edit; the texts before and after stand in the versions."""

    __tablename__ = "revision_record"

    id: str = Field(primary_key=True)
    conversation_id: str = Field(foreign_key="edit_conversation.id", index=True)
    run_id: str = Field(unique=True)
    from_version_id: str = Field(foreign_key="artifact_version.id")
    to_version_id: str = Field(foreign_key="artifact_version.id", unique=True)
    facts: str = Field(sa_column=Column(Text, nullable=False))
    """JSON: suggestions, operations, refusals and measures, without words of the text."""
    made_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class EditMessageRow(Base, table=True):
    """One message; of a text it holds the beginning only."""

    __tablename__ = "edit_message"
    __table_args__ = (UniqueConstraint("conversation_id", "seq"),)

    id: str = Field(primary_key=True)
    conversation_id: str = Field(foreign_key="edit_conversation.id")
    seq: int
    role: str
    kind: str
    text_id: str = Field(foreign_key="text.id")
    facts: str = Field(sa_column=Column(Text, nullable=False))
    suggestion_id: str | None = Field(default=None, foreign_key="suggestion.id")
    revision_id: str | None = Field(default=None, foreign_key="revision_record.id")
    written_at: datetime = Field(sa_column=Column(Utc, nullable=False))
