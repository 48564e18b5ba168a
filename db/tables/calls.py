"""What models were asked besides tutor replies. Insert-only; the bytes and the answer are personal text."""

from datetime import datetime

from sqlalchemy import Column, Text, UniqueConstraint
from sqlmodel import Field

from db.tables.base import Base, Utc


class ModelCallRow(Base, table=True):
    """One request to a model that has ended: for a judgement or a summary."""

    __tablename__ = "model_call"
    __table_args__ = (UniqueConstraint("subject_id", "number"),)

    id: str = Field(primary_key=True)
    learner_id: str = Field(foreign_key="learner.id", index=True)
    """Whose work or words were sent."""
    use: str
    subject_id: str
    """A review attempt or a conversation, by `use`."""
    part: str
    """The criterion's id, or the number of the last turn summarised."""
    number: int
    """1, 2 … inside the subject."""
    model: str
    request_text_id: str = Field(foreign_key="text.id")
    answer_text_id: str | None = Field(default=None, foreign_key="text.id")
    tries: str = Field(sa_column=Column(Text, nullable=False))
    input_tokens: int | None
    output_tokens: int | None
    ended_at: datetime = Field(sa_column=Column(Utc, nullable=False))
