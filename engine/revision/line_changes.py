"""What changed from one text to another, told inside lines: a line that was added is never part of a changed one.

The diff alone would tell a changed end of a paragraph and a paragraph behind it as one place, because that takes
fewer characters. Whoever takes only some of the changes needs them apart.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from engine.revision.diff import compare
from engine.revision.showing.pairing import LinedDiff, Pair, pair_lines

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_BREAKS = ("\r", "\n")
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
    return _put_in_once(_found(old, new)) if old != new else ()


def whole_line_changes(old: str, new: str) -> tuple[LineChange, ...]:
    """As `line_changes`, but each takes whole lines of `old` and puts whole lines of `new` there, and is apart.

    Only at the end of a text may the break of a line be missing.
    """
    cuts = [(0, 0), *_common_borders(old, new), (len(old), len(new))]
    pieces = ((i, old[i:k], new[j:m]) for (i, j), (k, m) in pairwise(cuts))
    return _put_in_once(
        _without_alike(at, split(before), split(after)) for at, before, after in pieces if before != after
    )


def split(text: str) -> list[str]:
    """The lines of a text, each with its break; an empty text has none."""
    return _LINE.findall(text)


def common_ends(one: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """How many items both begin with, and how many of the rest both end with."""
    most = min(len(one), len(other))
    head = next((at for at in range(most) if one[at] != other[at]), most)
    tail = next((at for at in range(most - head) if one[-1 - at] != other[-1 - at]), most - head)
    return head, tail


def _put_in_once(changes: Iterable[LineChange]) -> tuple[LineChange, ...]:
    """The changes, with insertions at one place as one."""
    done: list[LineChange] = []
    for change in changes:
        if done and (done[-1].start, done[-1].end) == (change.start, change.start) == (change.end, change.end):
            change = LineChange(change.start, change.end, done.pop().new + change.new)
        done.append(change)
    return tuple(done)


def _common_borders(old: str, new: str) -> Iterator[tuple[int, int]]:
    """Where a line ends in both texts at once, as places in them; in order."""
    olds, news = _borders(old), _borders(new)
    known, by, at = {*news}, 0, 0
    for change in (*line_changes(old, new), LineChange(len(old), len(old), "")):
        kept = olds[bisect_left(olds, at) : bisect_right(olds, change.start)]
        yield from ((each, each + by) for each in kept if each + by in known)
        by += len(change.new) - (change.end - change.start)
        at = change.end


def _borders(text: str) -> list[int]:
    """Where each line ends that has a break."""
    lines = split(text)
    ends = accumulate(map(len, lines))
    return [end for end, line in zip(ends, lines, strict=True) if line.endswith(_BREAKS)]


def _without_alike(at: int, old: Sequence[str], new: Sequence[str]) -> LineChange:
    """A change that begins at `at`, without the lines at its ends that stayed."""
    head, tail = common_ends(old, new)
    start, end = at + len("".join(old[:head])), at + len("".join(old[: len(old) - tail]))
    return LineChange(start, end, "".join(new[head : len(new) - tail]))


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
