"""A text as lines. Only the three real line breaks end one: LF, CRLF and CR, never U+2028 or a form feed."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_BREAK = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a text whose breaks are LF, as positions in it."""

    start: int
    end: int
    """Where its own characters end."""
    stop: int
    """Where its break ends; equals `end` on a last line that has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakChange:
    """Lines that stayed and are ended otherwise than before."""

    before: str
    after: str
    lines: int


def with_plain_breaks(text: str) -> str:
    """`text` with every line break written as LF."""
    return _BREAK.sub("\n", text) if "\r" in text else text


def line_breaks(text: str) -> list[str]:
    """The breaks of `text` in order: one for each line but a last one that has none."""
    return _BREAK.findall(text) if "\r" in text else ["\n"] * text.count("\n")


def split_lines(text: str) -> tuple[Line, ...]:
    """The lines of a text with plain breaks. An empty text has none, and nothing follows the last break."""
    lines = []
    start = 0
    while start < len(text):
        found = text.find("\n", start)
        end, stop = (len(text), len(text)) if found < 0 else (found, found + 1)
        lines.append(Line(start, end, stop))
        start = stop
    return tuple(lines)


def line_at(starts: Sequence[int], position: int) -> int:
    """Which line holds the character at `position`; `starts` are where the lines begin."""
    return bisect_right(starts, position) - 1


def count_break_changes(pairs: Sequence[tuple[int, int]], old: str, new: str) -> tuple[BreakChange, ...]:
    """How the breaks of lines that stand in both texts changed; `pairs` are their numbers, from 0."""
    before, after = line_breaks(old), line_breaks(new)
    found = Counter(
        (before[i], after[j]) for i, j in pairs if i < len(before) and j < len(after) and before[i] != after[j]
    )
    return tuple(BreakChange(before=one, after=other, lines=n) for (one, other), n in sorted(found.items()))


def ink(text: str) -> int:
    """Characters that are not white space."""
    return len("".join(text.split()))
