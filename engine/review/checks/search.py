"""Searching files for a pattern, in bounded time and memory.

A pattern comes from a course, a file from a stranger, and backtracking can take for ever on either's
account. So a search ends by the clock, lets other threads run meanwhile, looks at a long file
in windows (which bounds what backtracking remembers), and patterns that would unfold into millions of
steps before any search begins are refused when a course is read. When the clock runs out, a file with
lines that nobody writes by hand is what was too much: that is told of the file. Otherwise the pattern is.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod
from time import thread_time

import regex

PATTERN_CHARACTERS = 500
"""A longer pattern is refused when a course is read."""
PATTERN_REPEATS = 10_000
"""All counts `{n}` and `{n,m}` of a pattern multiplied; `(a{1000}){1000}` would be unfolded into a million parts."""
SECONDS = 3.0
"""Of processor time, for all files of one criterion together; a pattern that needs longer is broken."""
LONG_LINE_SECONDS = 1.0
"""For one file with lines that nobody writes; a plain pattern looks through 25 MB in half of it."""
LEAST_SECONDS = 0.05
"""For one file, however late it comes: enough for any pattern that is not broken."""
WINDOW = 1_000_000
"""Characters searched at once; a hit that is longer is not found."""
OVERLAP = 100_000
"""Characters that two windows share; a hit is always found if it is no longer than that."""
LONG_LINE = 10_000
"""Characters of a line that no person wrote."""

_COUNT = re.compile(r"\\.|\{(\d{1,12})(?:,(\d{0,12}))?\}", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """The first place of one file where the pattern fits."""

    path: str
    line: int
    """1-based."""
    text: str
    """The whole line where the place begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What a search found, and what it could not look through."""

    hits: tuple[Hit, ...]
    """The first of each file, in the order of the files."""
    too_big: tuple[str, ...]
    """Paths of files whose lines are too long for this pattern, in the same order."""


def repeats(pattern: str) -> int:
    """All counts of a pattern multiplied: an upper bound of how often a part of it is unfolded."""
    counts = (max(int(found[1]), int(found[2] or 0)) for found in _COUNT.finditer(pattern) if found[1])
    return prod(max(count, 1) for count in counts)


def compiled(pattern: str) -> "regex.Pattern[str]":
    """`^` and `$` fit at every line; everything else as the `regex` library has it.

    Raises:
        regex.error: it is not a pattern, or repeats more than it may.
    """
    if repeats(pattern) > PATTERN_REPEATS:
        raise regex.error(f"its counts multiply to more than {PATTERN_REPEATS}")
    return regex.compile(pattern, regex.MULTILINE)


def search(pattern: str, texts: Iterable[tuple[str, str]], *, seconds: float = SECONDS) -> Search:
    """Look for `pattern` in the texts, which are given by path; `seconds` bounds the whole search.

    Raises:
        TimeoutError: the pattern takes too long on a file as people write them; a fault of the course, not of the work.
        regex.error: it is not a pattern.
    """
    expression = compiled(pattern)
    end = thread_time() + seconds
    hits: list[Hit] = []
    too_big: list[str] = []
    for path, body in texts:
        is_strange = has_long_line(body)
        try:
            hit = _first_hit(expression, path, body, min(end, thread_time() + LONG_LINE_SECONDS) if is_strange else end)
        except (TimeoutError, MemoryError):
            if not is_strange:
                told = f"the pattern {pattern!r} takes too long; it was stopped at {path}"
                raise TimeoutError(told) from None
            too_big.append(path)
            continue
        hits += [hit] if hit else []
    return Search(hits=tuple(hits), too_big=tuple(too_big))


def has_long_line(body: str) -> bool:
    """Whether some line is longer than people write; looks at no character twice."""
    start = 0
    while (end := body.find("\n", start, start + LONG_LINE + 1)) >= 0:
        start = end + 1
    return len(body) - start > LONG_LINE


def _first_hit(expression: "regex.Pattern[str]", path: str, body: str, end: float) -> Hit | None:
    for first, last in _windows(body):
        seconds = max(end - thread_time(), LEAST_SECONDS)
        match = expression.search(body, first, last, timeout=seconds)
        if match is not None:
            return _hit(path, body, match.start())
        if last < len(body) and thread_time() > end:
            raise TimeoutError
    return None


def _windows(body: str) -> Iterator[tuple[int, int]]:
    """Beginnings and ends of what is searched at once; an end is the end of a line where there is one."""
    first = 0
    while len(body) - first > WINDOW:
        last = body.rfind("\n", first + WINDOW - OVERLAP // 2, first + WINDOW) + 1 or first + WINDOW
        yield first, last
        first = last - OVERLAP
    yield first, len(body)


def _hit(path: str, body: str, position: int) -> Hit:
    start = body.rfind("\n", 0, position) + 1
    end = body.find("\n", position)
    line = body.count("\n", 0, position) + 1
    return Hit(path=path, line=line, text=body[start : end if end >= 0 else len(body)])
