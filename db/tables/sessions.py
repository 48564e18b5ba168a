"""Conversations, turns, messages, plans, receipts and summaries (insert-only), and drafts (working state)."""

from datetime import datetime

from sqlalchemy import Column, Index, Text, UniqueConstraint
from sqlmodel import Field

from db.tables.base import Base, Utc


class ConversationRow(Base, table=True):
    """A dialogue of one learner about one task."""

    __tablename__ = "conversation"
    __table_args__ = (Index("ix_conversation_key", "learner_id", "project_id", "task_id"),)

    id: str = Field(primary_key=True)
    learner_id: str = Field(foreign_key="learner.id")
    project_id: str
    task_id: str
    number: int
    """1, 2 … inside the key."""
    opened_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class TurnRow(Base, table=True):
    """The beginning of a turn."""

    __tablename__ = "turn"
    __table_args__ = (UniqueConstraint("conversation_id", "number"),)

    id: str = Field(primary_key=True)
    conversation_id: str = Field(foreign_key="conversation.id")
    number: int
    root_id: str = Field(index=True)
    """The turn that first asked this question; its own id unless it is a retry. Only the newest of a root counts."""
    started_at: datetime = Field(sa_column=Column(Utc, nullable=False))
    continues_id: str | None = Field(default=None, foreign_key="turn.id")
    """The turn of the same root whose broken reply this one goes on with; None where it begins anew."""


class OpeningRow(Base, table=True):
    """A turn that the tutor begins by itself after a review: one for an attempt, ever."""

    __tablename__ = "opening"

    attempt_id: str = Field(primary_key=True, foreign_key="attempt.id")
    turn_id: str = Field(foreign_key="turn.id", unique=True)
    """The first turn of its root; a retry belongs to the same opening."""
    level: str


class TurnEndRow(Base, table=True):
    """The end of a turn: one for each, ever."""

    __tablename__ = "turn_end"

    turn_id: str = Field(primary_key=True, foreign_key="turn.id")
    state: str
    kind: str
    fault: str | None
    partial_text_id: str | None = Field(default=None, foreign_key="text.id")
    tries: str = Field(sa_column=Column(Text, nullable=False))
    input_tokens: int | None
    output_tokens: int | None
    ended_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class MessageRow(Base, table=True):
    """One line of a conversation."""

    __tablename__ = "message"
    __table_args__ = (UniqueConstraint("conversation_id", "seq"), Index("ix_message_turn_id", "turn_id"))

    id: str = Field(primary_key=True)
    conversation_id: str = Field(foreign_key="conversation.id")
    seq: int
    turn_id: str | None = Field(default=None, foreign_key="turn.id")
    role: str
    text_id: str = Field(foreign_key="text.id")
    written_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class ReceiptRow(Base, table=True):
    """What a turn sent. The bytes are personal text, the facts about them are not."""

    __tablename__ = "receipt"

    turn_id: str = Field(primary_key=True, foreign_key="turn.id")
    request_text_id: str = Field(foreign_key="text.id")
    model: str
    submission_seq: int | None
    attempt_seq: int | None
    facts: str = Field(sa_column=Column(Text, nullable=False))
    """JSON: parts, feedback, cuts and trace."""
    sent_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class PlanRow(Base, table=True):
    """A plan that came with a reply: one for a turn, V1, V2 … inside the conversation."""

    __tablename__ = "plan"
    __table_args__ = (UniqueConstraint("conversation_id", "number"),)

    id: str = Field(primary_key=True)
    turn_id: str = Field(foreign_key="turn.id", unique=True)
    conversation_id: str = Field(foreign_key="conversation.id")
    number: int
    text_id: str = Field(foreign_key="text.id")


class SummaryRow(Base, table=True):
    """A summary of the first turns of a conversation, and so the mark up to which they are summarised."""

    __tablename__ = "summary"
    __table_args__ = (UniqueConstraint("conversation_id", "up_to_seq"),)

    id: str = Field(primary_key=True)
    conversation_id: str = Field(foreign_key="conversation.id")
    up_to_seq: int
    """Place of the last question that it covers."""
    up_to_number: int
    turns: int
    text_id: str = Field(foreign_key="text.id")
    tokens: int
    model: str
    made_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class DraftRow(Base, table=True):
    """What somebody is typing. Working state: written over, and removed when it is sent."""

    __tablename__ = "draft"

    owner_id: str = Field(primary_key=True)
    subject: str = Field(primary_key=True)
    body: str = Field(sa_column=Column(Text, nullable=False))
    saved_at: datetime = Field(sa_column=Column(Utc, nullable=False))
