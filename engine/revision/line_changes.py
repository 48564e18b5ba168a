"""What changed from one text to another, told inside lines: a line that was added is never part of a changed one.

The diff alone would tell a changed end of a paragraph and a paragraph behind it as one place, because that takes
fewer characters. Whoever takes only some of the changes needs them apart.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.revision.diff import compare
from engine.revision.showing.pairing import LinedDiff, Pair, pair_lines

_BREAK_AT_END = re.compile(r"(?:\r\n|\n)?\Z")


@dataclass(frozen=True, slots=True)
class LineChange:
    """One changed place of the old text, half open in characters, and what stands there now."""

    start: int
    end: int
    new: str


def line_changes(old: str, new: str) -> tuple[LineChange, ...]:
    """The changes in order; together they turn `old` into `new`. They may touch; no two are insertions at one place.

    No change ends inside a line end or a grapheme of either text.
    """
    done: list[LineChange] = []
    if old != new:
        for change in _found(old, new):
            if done and (done[-1].start, done[-1].end) == (change.start, change.start) == (change.end, change.end):
                change = LineChange(change.start, change.end, done.pop().new + change.new)
            done.append(change)
    return tuple(done)


def _found(old: str, new: str) -> Iterator[LineChange]:
    lines = LinedDiff(compare(old, new))
    olds, news = [*lines.old_starts, len(old)], [*lines.new_starts, len(new)]
    end = Pair(old=range(len(lines.old), len(lines.old)), new=range(len(lines.new), len(lines.new)))
    i = j = 0
    for pair in (*pair_lines(lines), end):
        start, stop = olds[i], olds[pair.old.start]
        alone = new[news[j] : news[pair.new.start]]
        if start < stop or alone:
            yield LineChange(start, stop, alone)
        i, j = pair.old.stop, pair.new.stop
        yield from _inside(old[stop : olds[i]], new[news[pair.new.start] : news[j]], stop)


def _inside(old: str, new: str, at: int) -> Iterator[LineChange]:
    """The changes of lines that belong together and begin at `at`; their break, where it changed, by itself."""
    if old == new:
        return
    before, after = (text[: _break_of(text)] for text in (old, new))
    for hunk in compare(before, after).display.hunks:
        yield LineChange(at + hunk.old_start, at + hunk.old_end, after[hunk.new_start : hunk.new_end])
    if old[len(before) :] != new[len(after) :]:
        yield LineChange(at + len(before), at + len(old), new[len(after) :])


def _break_of(text: str) -> int:
    """Where the break at the end begins; the length where there is none."""
    found = _BREAK_AT_END.search(text)
    return found.start() if found else len(text)
