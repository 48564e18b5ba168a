"""Keys by which a build server hands in test reports."""

from datetime import datetime

from sqlalchemy import Column
from sqlmodel import Field

from db.tables.base import Base, Utc


class CiTokenRow(Base, table=True):
    """One key of one course. Only its hash is kept; revoking is the one change."""

    __tablename__ = "ci_token"

    id: str = Field(primary_key=True)
    course_id: str = Field(foreign_key="course.id", index=True)
    name: str
    token_hash: str = Field(unique=True)
    ends_with: str
    """The last characters, by which a person knows it again."""
    made_at: datetime = Field(sa_column=Column(Utc, nullable=False))
    revoked_at: datetime | None = Field(default=None, sa_column=Column(Utc))
