"""When a failed request is sent again, and how long everything may take. Pure."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from engine.errors import ModelError, ProviderDown, RateLimited

WAITS_S = (4.0, 8.0, 16.0)
"""Seconds before the second, third and fourth try."""

_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLimits:
    """How long one call to a model may take."""

    first_character_s: float = 20.0
    """Seconds from sending to the first visible character, for each try."""
    whole_turn_s: float = 120.0
    """Seconds for all tries, the waits between them and the whole answer."""
    waits_s: tuple[float, ...] = WAITS_S
    """Seconds before each further try; as many tries follow the first."""


def next_wait(
    try_number: int, error: ModelError, time_left_s: float, waits_s: tuple[float, ...] = WAITS_S
) -> float | None:
    """Seconds to wait before the next try; None when there is to be none.

    A time that the service named replaces ours. There is no next try when the error is not of a passing
    kind, when `try_number` (1 for the first) was the last, or when the wait would use up the time left;
    the error then still says when to come back.
    """
    if not error.retryable or try_number > len(waits_s):
        return None
    wait = named_wait(error) or waits_s[try_number - 1]
    return wait if wait < time_left_s else None


def named_wait(error: ModelError) -> float | None:
    """In how many seconds the service said to come back; None where it did not say."""
    return error.retry_after_s if isinstance(error, RateLimited | ProviderDown) else None


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """Read a Retry-After header as seconds from `now`; 0 for a date that is past.

    None when there is no header or it is neither a number of seconds nor an HTTP date.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    moment = _http_date(text)
    return None if moment is None else max(0.0, (moment - now).total_seconds())


def _http_date(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
