"""Searching files for a pattern, in bounded time."""

from collections.abc import Iterable
from dataclasses import dataclass

import regex

PATTERN_CHARACTERS = 500
"""A longer pattern is refused when a course is read."""
SECONDS = 2.0
"""For one file; a pattern that needs longer is broken, whatever the file holds."""


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
    """The first hit of each file, in the order of the files; `seconds` bounds the search of each.

    Raises:
        TimeoutError: the pattern takes too long; that is a fault of the course, not of the work.
        regex.error: it is not a pattern.
    """
    expression = compiled(pattern)
    found = (_first_hit(expression, path, body, seconds) for path, body in texts)
    return [hit for hit in found if hit is not None]


def _first_hit(expression: "regex.Pattern[str]", path: str, body: str, seconds: float) -> Hit | None:
    try:
        match = expression.search(body, timeout=seconds)
    except TimeoutError:
        raise TimeoutError(f"the pattern {expression.pattern!r} took over {seconds:g} s on {path}") from None
    if match is None:
        return None
    start = body.rfind("\n", 0, match.start()) + 1
    end = body.find("\n", match.start())
    line = body.count("\n", 0, match.start()) + 1
    return Hit(path=path, line=line, text=body[start : end if end >= 0 else len(body)])
