"""Two texts beside each other: rows of lines that belong together, in the order of both texts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.revision.blocks import BlockKind, heading_text, split_blocks
from engine.revision.showing.cutting import LONG, cut_span
from engine.revision.showing.pairing import LinedDiff, Pair, link_moves, pair_lines
from engine.revision.showing.runs import EqualRuns, Span
from engine.revision.showing.text_lines import Line, line_at


class RowKind(StrEnum):
    """What became of the lines of a row."""

    SAME = "same"
    CHANGED = "changed"
    """On both sides, and not the same."""
    GONE = "gone"
    """Only in the old text."""
    NEW = "new"
    """Only in the new text."""
    MOVED_AWAY = "moved_away"
    """Only in the old text here; it stands elsewhere in the new one, perhaps edited."""
    MOVED_HERE = "moved_here"
    """Only in the new text here; it stood elsewhere in the old one."""


ONE_SIDED = frozenset({RowKind.GONE, RowKind.NEW, RowKind.MOVED_AWAY, RowKind.MOVED_HERE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The lines of one text in a row."""

    start: int
    end: int
    """Positions in that text; its last line break is inside. The sides of all rows make up the text."""
    line: int
    """Number of its first line, from 1."""
    paragraph: int | None
    """Number of the paragraph that its first line belongs to, counted as an edit by conversation counts them
    (`Document.paragraphs`); None for a heading, a list, a blank line and whatever else is no paragraph."""
    kind: BlockKind | None = None
    """What its first line belongs to; None for a blank line between two blocks."""
    after: int = 0
    """Number of the last paragraph that begins at its first line or above; 0 where none does."""
    heading: str = ""
    """Words of the heading that its first line belongs to, without marks; empty of everything else."""
    is_inside: bool = False
    """Whether its first line is a further line of that paragraph."""
    is_continued: bool = False
    """Whether it goes on with a line of which an earlier row shows the beginning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What stands beside each other."""

    kind: RowKind
    old: Side | None
    new: Side | None
    """At least one of the two is there."""
    other: int | None = None
    """Of a moved row: which row is its other end."""
    is_spaces_only: bool = False
    """Whether nothing but white space changed."""


def make_rows(lines: LinedDiff) -> tuple[Row, ...]:
    """All rows, from the top of both texts to the end."""
    pairs = pair_lines(lines)
    paired_old = {i for pair in pairs for i in pair.old}
    paired_new = {j for pair in pairs for j in pair.new}
    gone = set(range(len(lines.old))) - paired_old
    fresh = set(range(len(lines.new))) - paired_new
    gone = {i for i in gone if _is_shown_whole(lines.old[i])}
    fresh = {j for j in fresh if _is_shown_whole(lines.new[j])}
    return _Builder(lines, link_moves(lines, gone, fresh)).build(pairs)


def _is_shown_whole(line: Line) -> bool:
    return line.stop - line.start <= LONG


class _Builder:
    """Makes rows one after another, and ties the two ends of what moved when all are there."""

    def __init__(self, lines: LinedDiff, links: dict[int, int]) -> None:
        self.lines, self.links, self.script = lines, links, lines.diff.display
        self.runs = EqualRuns(lines.diff.display)
        self.linked_new = set(links.values())
        self.old_places = _places(self.script.old, lines.old)
        self.new_places = _places(self.script.new, lines.new)
        self.rows: list[Row] = []
        self.ends: dict[tuple[RowKind, int], int] = {}

    def build(self, pairs: Sequence[Pair]) -> tuple[Row, ...]:
        old = new = 0
        for pair in pairs:
            self._alone(range(old, pair.old.start), range(new, pair.new.start))
            self._add(self._pair(self._old(pair.old), self._new(pair.new)))
            old, new = pair.old.stop, pair.new.stop
        self._alone(range(old, len(self.lines.old)), range(new, len(self.lines.new)))
        for i, j in self.links.items():
            away, here = self.ends[RowKind.MOVED_AWAY, i], self.ends[RowKind.MOVED_HERE, j]
            self.rows[away] = replace(self.rows[away], other=here)
            self.rows[here] = replace(self.rows[here], other=away)
        return tuple(self.rows)

    def _alone(self, olds: range, news: range) -> None:
        for i in olds:
            kind = RowKind.MOVED_AWAY if i in self.links else RowKind.GONE
            self.ends[kind, i] = len(self.rows)
            side = self._old(range(i, i + 1))
            self._add(Row(kind=kind, old=side, new=None, is_spaces_only=not self.lines.old_ink[i]))
        for j in news:
            kind = RowKind.MOVED_HERE if j in self.linked_new else RowKind.NEW
            self.ends[kind, j] = len(self.rows)
            side = self._new(range(j, j + 1))
            self._add(Row(kind=kind, old=None, new=side, is_spaces_only=not self.lines.new_ink[j]))

    def _pair(self, old: Side, new: Side) -> Row:
        before = self.script.old[old.start : old.end]
        after = self.script.new[new.start : new.end]
        is_same = before.removesuffix("\n") == after.removesuffix("\n")
        spaces = not is_same and "".join(before.split()) == "".join(after.split())
        return Row(kind=RowKind.SAME if is_same else RowKind.CHANGED, old=old, new=new, is_spaces_only=spaces)

    def _add(self, row: Row) -> None:
        """The row, or the rows that a very long one is shown as."""
        span = span_of(row)
        if span.longer <= LONG:
            self.rows.append(row)
            return
        for number, part in enumerate(cut_span(span, self.runs.inside(span), self.script.old, self.script.new)):
            old = _cut(row.old, part.old_start, part.old_end, is_continued=number > 0)
            new = _cut(row.new, part.new_start, part.new_end, is_continued=number > 0)
            if old is not None and new is not None:
                self.rows.append(self._pair(old, new))
            elif old is not None or new is not None:
                self.rows.append(replace(row, kind=RowKind.NEW if old is None else RowKind.GONE, old=old, new=new))

    def _old(self, numbers: range) -> Side:
        return _side(self.lines.old, numbers, self.old_places)

    def _new(self, numbers: range) -> Side:
        return _side(self.lines.new, numbers, self.new_places)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a line stands in the blocks of its text; see `Side`."""

    paragraph: int | None
    kind: BlockKind | None
    after: int
    heading: str = ""


def _side(lines: Sequence[Line], numbers: range, places: Sequence[_Place]) -> Side:
    first = numbers.start
    place = places[first]
    return Side(
        start=lines[first].start,
        end=lines[numbers.stop - 1].stop,
        line=first + 1,
        paragraph=place.paragraph,
        kind=place.kind,
        after=place.after,
        heading=place.heading,
        is_inside=first > 0 and place.paragraph is not None and places[first - 1].paragraph == place.paragraph,
    )


def _places(text: str, lines: Sequence[Line]) -> Sequence[_Place]:
    """Where each line stands, in their order."""
    document = split_blocks(text, is_code=False)
    counted = {block.number: number for number, block in enumerate(document.paragraphs, start=1)}
    starts = [line.start for line in lines]
    found: list[_Place] = []
    position = len(document.lead)
    after = 0
    for block in document.blocks:
        end = position + len(block.text)
        first, stop = line_at(starts, position), line_at(starts, max(end - 1, position)) + 1
        found += [_Place(None, None, after)] * (first - len(found))
        after = counted.get(block.number, after)
        heading = heading_text(block) if block.kind is BlockKind.HEADING else ""
        found += [_Place(counted.get(block.number), block.kind, after, heading)] * (stop - len(found))
        position = end + len(block.gap)
    return [*found, *[_Place(None, None, after)] * (len(lines) - len(found))]


def _cut(side: Side | None, start: int, end: int, *, is_continued: bool) -> Side | None:
    return None if side is None or start == end else replace(side, start=start, end=end, is_continued=is_continued)


def span_of(row: Row) -> Span:
    """The stretch of both texts in a row; a side that is not there is empty."""
    old, new = row.old, row.new
    return Span(
        old_start=old.start if old else 0,
        old_end=old.end if old else 0,
        new_start=new.start if new else 0,
        new_end=new.end if new else 0,
    )


def old_sides(rows: Sequence[Row]) -> Iterator[Side]:
    """What stands at the left, in order."""
    return (row.old for row in rows if row.old is not None)


def new_sides(rows: Sequence[Row]) -> Iterator[Side]:
    """What stands at the right, in order."""
    return (row.new for row in rows if row.new is not None)
