"""Which rows are on the screen: unchanged ones folded, and never more than a screen can take at once."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.revision.showing.comparison import Comparison
from engine.revision.showing.rows import Row, RowKind, span_of

AROUND_PROSE, AROUND_CODE = 1, 3
"""So many unchanged rows stay in sight before and after a change."""
SMALLEST_FOLD, SHORT_FOLD = 4, 400
"""Rows and characters; where there are fewer of both they are shown."""
REVEALED = 30
"""So many rows of a fold are shown by opening it once."""
FIRST_PART, PART = 5_000, 8_000
"""Cost of a part; the first one is on the screen before the rest is asked for."""
_ROW_COST, _HUNK_COST = 150, 40
"""Beside its characters, as what a browser has to lay out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """Unchanged rows of which only the number is shown."""

    rows: range
    paragraphs: int
    """Whole ones of one line each; 0 where a paragraph has several lines, or where none is in it."""
    lines: int
    characters: int
    """Of the new text."""


Item = Fold | int
"""What is shown in one place: a fold, or the row of that number."""


def fold_rows(
    comparison: Comparison, *, around: int, hides_spaces: bool, opened: Mapping[int, int]
) -> tuple[Item, ...]:
    """All rows in order, those far from any change folded.

    `opened` says of a fold, by its first row, how many of its rows are shown.
    """
    rows = comparison.rows
    near = [False] * len(rows)
    for place, row in enumerate(rows):
        if is_changed(row, hides_spaces=hides_spaces):
            for each in range(max(0, place - around), min(len(rows), place + around + 1)):
                near[each] = True
    items: list[Item] = []
    place = 0
    while place < len(rows):
        stop = place
        while stop < len(rows) and not near[stop]:
            stop += 1
        items += _folded(rows, range(place, stop), opened.get(place, 0))
        if stop < len(rows):
            items.append(stop)
        place = stop + 1
    return tuple(items)


def is_changed(row: Row, *, hides_spaces: bool) -> bool:
    """Whether anything is marked in it."""
    return row.kind is not RowKind.SAME and not (hides_spaces and row.is_spaces_only)


def _folded(rows: Sequence[Row], span: range, shown: int) -> Iterator[Item]:
    """A stretch of unchanged rows: the first `shown` ones, then the rest as a fold, if that is worth one."""
    yield from span[:shown]
    rest = span[shown:]
    sides = [side for side in (rows[each].new or rows[each].old for each in rest) if side is not None]
    characters = sum(side.end - side.start for side in sides)
    if len(rest) < SMALLEST_FOLD and characters < SHORT_FOLD:
        yield from rest
        return
    whole = [side for side in sides if not side.is_continued]
    yield Fold(
        rows=rest,
        paragraphs=0 if any(side.is_inside for side in whole) else sum(side.paragraph is not None for side in whole),
        lines=len(whole),
        characters=characters,
    )


def cut_parts(comparison: Comparison, items: Sequence[Item]) -> tuple[tuple[Item, ...], ...]:
    """The items in parts that cost about the same to show; at least one part, which may be empty."""
    starts = [hunk.old_start for hunk in comparison.diff.display.hunks]
    parts: list[list[Item]] = [[]]
    spent = 0
    for item in items:
        cost = _ROW_COST if isinstance(item, Fold) else _cost(comparison.rows[item], starts)
        if parts[-1] and spent + cost > (PART if len(parts) > 1 else FIRST_PART):
            parts.append([])
            spent = 0
        parts[-1].append(item)
        spent += cost
    return tuple(map(tuple, parts))


def _cost(row: Row, hunk_starts: Sequence[int]) -> int:
    span = span_of(row)
    hunks = 0
    if row.old is not None and row.new is not None:
        hunks = bisect_left(hunk_starts, span.old_end) - bisect_left(hunk_starts, span.old_start)
    return _ROW_COST + _HUNK_COST * hunks + (span.old_end - span.old_start) + (span.new_end - span.new_start)


def first_row(part: Sequence[Item]) -> int:
    """The row with which a part begins; 0 for an empty one."""
    item = part[0] if part else 0
    return item.rows.start if isinstance(item, Fold) else item


def part_of(parts: Sequence[Sequence[Item]], row: int) -> int:
    """Which part shows this row, or the fold that it is in; the last one where none does."""
    for number, part in enumerate(parts):
        for item in part:
            if row in item.rows if isinstance(item, Fold) else row == item:
                return number
    return len(parts) - 1
