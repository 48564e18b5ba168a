"""What students report and teachers write about reviews and in chats (insert-only), and who looks at what."""

from datetime import datetime

from sqlalchemy import Column, Index, UniqueConstraint
from sqlmodel import Field

from db.tables.base import Base, Utc


class DisputeRow(Base, table=True):
    """A learner sees a verdict differently. A later decision on the criterion answers it."""

    __tablename__ = "dispute"
    __table_args__ = (Index("ix_dispute_submission_id", "submission_id"),)

    id: str = Field(primary_key=True)
    submission_id: str = Field(foreign_key="submission.id")
    attempt_seq: int
    """The newest attempt that was on the screen."""
    rubric_id: str
    text_id: str = Field(foreign_key="text.id")
    made_at: datetime = Field(sa_column=Column(Utc, nullable=False))
    decided_at: datetime | None = Field(default=None, sa_column=Column(Utc))
    """Of the decision that is disputed; null where no person had decided."""


class CardNoteRow(Base, table=True):
    """What a teacher wrote to a learner about a submission."""

    __tablename__ = "card_note"
    __table_args__ = (Index("ix_card_note_submission_id", "submission_id"),)

    id: str = Field(primary_key=True)
    submission_id: str = Field(foreign_key="submission.id")
    author_id: str
    author_name: str
    text_id: str = Field(foreign_key="text.id")
    made_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class TeacherMessageRow(Base, table=True):
    """A line of a teacher in a conversation, numbered among its messages, or the place of a note there."""

    __tablename__ = "teacher_message"
    __table_args__ = (UniqueConstraint("conversation_id", "seq"),)

    id: str = Field(primary_key=True)
    conversation_id: str = Field(foreign_key="conversation.id")
    seq: int
    author_id: str
    author_name: str
    note_id: str | None = Field(default=None, foreign_key="card_note.id")
    """Of the card note that stands here, which is shown and never sent; None for what was said in the chat."""
    text_id: str = Field(foreign_key="text.id")
    written_at: datetime = Field(sa_column=Column(Utc, nullable=False))


class ReservationRow(Base, table=True):
    """Who has opened what is to be decided, and until when others are told. Working state."""

    __tablename__ = "reservation"

    submission_id: str = Field(primary_key=True, foreign_key="submission.id")
    rubric_id: str = Field(primary_key=True)
    """Empty for the record as a whole."""
    holder_id: str
    holder_name: str
    since: datetime = Field(sa_column=Column(Utc, nullable=False))
    until: datetime = Field(sa_column=Column(Utc, nullable=False))
