"""What is set on the Settings page."""

from datetime import datetime

from sqlalchemy import Column, Text
from sqlmodel import Field

from db.tables.base import Base, Utc


class SettingRow(Base, table=True):
    """One setting as JSON. Working state: it is written over."""

    __tablename__ = "setting"

    name: str = Field(primary_key=True)
    value: str = Field(sa_column=Column(Text, nullable=False))
    changed_at: datetime = Field(sa_column=Column(Utc, nullable=False))
