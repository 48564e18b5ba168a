"""What models were asked besides tutor replies. Insert-only; the bytes and the answer are personal text."""

from datetime import datetime

from sqlalchemy import Column, Text, UniqueConstraint
from sqlmodel import Field

from db.tables.base import Base, Utc


class ModelCallRow(Base, table=True):
    """One request to a model that has ended: for a judgement, a summary, an edit, a draft or a lesson in style."""

    __tablename__ = "model_call"
    __table_args__ = (UniqueConstraint("subject_id", "number"),)

    id: str = Field(primary_key=True)
    learner_id: str | None = Field(default=None, foreign_key="learner.id", index=True)
    """Whose work or words were sent; null: a text of the teachers."""
    use: str
    subject_id: str
    """A review attempt, a conversation with the tutor or the editor, or a persona, by `use`."""
    part: str
    """The criterion's id, the number of the last turn summarised, the run that edited, the artifact that a draft was
    to become, or the version that was learned from."""
    number: int
    """1, 2 … inside the subject."""
    model: str
    request_text_id: str = Field(foreign_key="text.id")
    answer_text_id: str | None = Field(default=None, foreign_key="text.id")
    tries: str = Field(sa_column=Column(Text, nullable=False))
    input_tokens: int | None
    output_tokens: int | None
    ended_at: datetime = Field(sa_column=Column(Utc, nullable=False))
