"""The list of changes between two texts: what a reader steps through."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.revision.showing.rows import Row, RowKind, Side


class ChangeKind(StrEnum):
    """What happened to a paragraph or to several in a row."""

    WORDING = "wording"
    NEW = "new"
    GONE = "gone"
    MOVED = "moved"
    MOVED_AND_EDITED = "moved_and_edited"
    SPACES = "spaces"
    """White space only."""


_KINDS = {RowKind.CHANGED: ChangeKind.WORDING, RowKind.NEW: ChangeKind.NEW, RowKind.GONE: ChangeKind.GONE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One entry of the list."""

    number: int
    """From 1, in reading order."""
    kind: ChangeKind
    rows: range
    """Where it is shown; of a move, where it went."""
    old: Side | None
    """Where it begins in the old text; None for something new."""
    new: Side | None
    """Where it begins in the new text; None for something gone."""
    away: int | None = None
    """Of a move: the row that it left."""


def list_changes(rows: Sequence[Row], edited_moves: frozenset[int]) -> tuple[Change, ...]:
    """All changes. Rows of one kind in a row are one change, and blank lines go with what stands beside them.

    `edited_moves` are the rows of moves whose text changed on the way.
    """
    found: list[Change] = []
    for run in _runs(rows):
        telling = next((each for each in run if not rows[each].is_spaces_only), run[0])
        if rows[telling].kind is not RowKind.MOVED_AWAY:
            found.append(_change(len(found) + 1, rows, run, telling, edited_moves))
    return tuple(found)


def _runs(rows: Sequence[Row]) -> list[range]:
    """Rows that make one change together."""
    runs: list[range] = []
    for place, row in enumerate(rows):
        if row.kind is RowKind.SAME:
            continue
        joined = _join(rows, runs[-1], place) if runs and runs[-1].stop == place else None
        if joined is None:
            runs.append(range(place, place + 1))
        else:
            runs[-1] = joined
    return runs


def _join(rows: Sequence[Row], run: range, place: int) -> range | None:
    """`run` with the row after it, where both are one change."""
    kinds = {rows[each].kind for each in run if not rows[each].is_spaces_only} or {rows[run[0]].kind}
    row, last = rows[place], rows[run[-1]]
    if row.kind is RowKind.CHANGED or last.kind is RowKind.CHANGED:
        return None
    goes_along = row.is_spaces_only or all(rows[each].is_spaces_only for each in run)
    same_side = (row.old is None) == (last.old is None)
    is_more = row.kind in kinds and row.kind in {RowKind.NEW, RowKind.GONE}
    return range(run.start, place + 1) if same_side and (goes_along or is_more) else None


def _change(number: int, rows: Sequence[Row], run: range, telling: int, edited_moves: frozenset[int]) -> Change:
    row = rows[telling]
    if row.kind is RowKind.MOVED_HERE and row.other is not None:
        kind = ChangeKind.MOVED_AND_EDITED if telling in edited_moves else ChangeKind.MOVED
        return Change(number=number, kind=kind, rows=run, old=rows[row.other].old, new=row.new, away=row.other)
    kind = ChangeKind.SPACES if row.is_spaces_only else _KINDS[row.kind]
    return Change(number=number, kind=kind, rows=run, old=row.old, new=row.new)
