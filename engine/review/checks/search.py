"""Searching files for a pattern, in bounded time."""

from collections.abc import Iterable
from dataclasses import dataclass
from time import monotonic

import regex

PATTERN_CHARACTERS = 500
"""A longer pattern is refused when a course is read."""
SECONDS = 5.0
"""For all files of one criterion together; a pattern that needs longer is broken, whatever they hold."""

LEAST_SECONDS = 0.05
"""For one file, however late it comes: enough for any pattern that is not broken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """The first place of one file where the pattern fits."""

    path: str
    line: int
    """1-based."""
    text: str
    """The whole line where the place begins."""


def compiled(pattern: str) -> "regex.Pattern[str]":
    """`^` and `$` fit at every line; everything else as the `regex` library has it.

    Raises:
        regex.error: it is not a pattern.
    """
    return regex.compile(pattern, regex.MULTILINE)


def hits(pattern: str, texts: Iterable[tuple[str, str]], *, seconds: float = SECONDS) -> list[Hit]:
    """The first hit of each file, in the order of the files; `seconds` bounds the whole search.

    Raises:
        TimeoutError: the pattern takes too long; that is a fault of the course, not of the work.
        regex.error: it is not a pattern.
    """
    expression = compiled(pattern)
    end = monotonic() + seconds
    found = (_first_hit(expression, path, body, end - monotonic()) for path, body in texts)
    return [hit for hit in found if hit is not None]


def _first_hit(expression: "regex.Pattern[str]", path: str, body: str, seconds: float) -> Hit | None:
    try:
        match = expression.search(body, timeout=max(seconds, LEAST_SECONDS))
    except TimeoutError:
        raise TimeoutError(f"the pattern {expression.pattern!r} takes too long; it was stopped at {path}") from None
    if match is None:
        return None
    start = body.rfind("\n", 0, match.start()) + 1
    end = body.find("\n", match.start())
    line = body.count("\n", 0, match.start()) + 1
    return Hit(path=path, line=line, text=body[start : end if end >= 0 else len(body)])
