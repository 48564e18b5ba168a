"""Moments as people say them, in their language and time zone. For display only: order is by number."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st
from babel.dates import format_datetime, format_timedelta

from pages._widgets.words import language

_RELATIVE = timedelta(hours=24)
_LOCALES = {"zh": "zh_CN", "en": "en_GB"}
_PATTERNS = {"zh": "M月d日 HH:mm", "en": "d MMM HH:mm"}
_PATTERNS_WITH_YEAR = {"zh": "y年M月d日", "en": "d MMM y"}


def moment(at: datetime, now: datetime | None = None) -> str:
    """Under a day ago as a distance, else as a date; the year only when it is another one."""
    present = now or datetime.now(UTC)
    locale = _LOCALES[language()]
    if timedelta(0) <= present - at < _RELATIVE:
        distance = format_timedelta(at - present, add_direction=True, locale=locale)
        return re.sub(r"(\d)(?=[^\d\s])", r"\1 ", distance)  # a space between digits and Han, as our sentences have
    patterns = _PATTERNS if at.year == present.year else _PATTERNS_WITH_YEAR
    return _dated(at, patterns[language()], zone(), locale)


@lru_cache(maxsize=4096)
def _dated(at: datetime, pattern: str, zone: ZoneInfo, locale: str) -> str:
    """Kept, since every run of a page says the same dates."""
    return format_datetime(at, pattern, tzinfo=zone, locale=locale)


def zone() -> ZoneInfo:
    """The reader's time zone, UTC where the browser tells none."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
