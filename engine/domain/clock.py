"""Time and identity are handed in, so that every decision can be replayed."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Gives the present moment, aware and in UTC."""
NewId = Callable[[], str]
"""Gives a fresh id as text. Ids are never an order."""


def utc_now() -> datetime:
    """The machine's own clock."""
    return datetime.now(UTC)
