"""The base of all tables, with a registry of its own.

Streamlit re-imports every watched module after any edit; on SQLModel's global registry that ends in
"Table is already defined".
"""

from datetime import UTC, datetime
from typing import ClassVar

from sqlalchemy import DateTime, Dialect, MetaData, TypeDecorator
from sqlalchemy.orm import registry
from sqlmodel import SQLModel

_NAMES = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(SQLModel, registry=registry(metadata=MetaData(naming_convention=_NAMES))):
    """Base of every table."""

    __abstract__: ClassVar[bool] = True


class Utc(TypeDecorator[datetime]):
    """An aware moment in UTC on every database; SQLite alone would give it back naive."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Store in UTC; a naive moment is refused."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a time zone cannot be stored")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - SQLAlchemy's signature
        """Give back aware."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
