"""Two texts laid out for reading: rows, the list of changes, and what is told once instead of marked everywhere."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.revision.diff import compare
from engine.revision.script import Diff, Script
from engine.revision.showing.changes import Change, list_changes
from engine.revision.showing.pairing import LinedDiff
from engine.revision.showing.rows import Row, RowKind, make_rows
from engine.revision.showing.text_lines import BreakChange, count_break_changes, with_plain_breaks


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All that is shown of two texts. Made once for a pair and never changed."""

    diff: Diff
    """Of the two texts with plain line breaks."""
    rows: tuple[Row, ...]
    changes: tuple[Change, ...]
    moved: tuple[tuple[int, Diff], ...]
    """For each row that something moved to and was edited on the way: how it differs from what it was."""
    breaks: tuple[BreakChange, ...]
    """Line endings that changed, told once."""
    end_break: tuple[bool, bool]
    """Whether the last line of the old and of the new text ends with a break; of an empty text, yes."""
    spaces: int
    """Changed places that hold white space only."""

    @property
    def is_same(self) -> bool:
        """Whether both texts are the same to the last character, but perhaps for line endings."""
        return not self.diff.raw.hunks


def compare_for_reading(old: str, new: str) -> Comparison:
    """Lay out how `old` became `new`. Takes little more time than the diff itself."""
    return lay_out(compare(with_plain_breaks(old), with_plain_breaks(new)), old, new)


def lay_out(diff: Diff, old: str, new: str) -> Comparison:
    """Lay out a diff of texts with plain breaks; `old` and `new` are the texts with their own breaks."""
    rows = make_rows(LinedDiff(diff))
    moved = tuple(_moved(rows, diff.display))
    kept = [
        (row.old.line - 1, row.new.line - 1)
        for row in rows
        if row.old is not None and row.new is not None and not row.old.is_continued
    ]
    return Comparison(
        diff=diff,
        rows=rows,
        changes=list_changes(rows, frozenset(place for place, _ in moved)),
        moved=moved,
        breaks=count_break_changes(kept, old, new),
        end_break=(_ends(diff.display.old), _ends(diff.display.new)),
        spaces=_count_spaces(diff.display),
    )


def _moved(rows: Sequence[Row], script: Script) -> Iterator[tuple[int, Diff]]:
    for place, row in enumerate(rows):
        if row.kind is RowKind.MOVED_HERE and row.new is not None and row.other is not None:
            was = rows[row.other].old
            before = script.old[was.start : was.end].removesuffix("\n") if was else ""
            after = script.new[row.new.start : row.new.end].removesuffix("\n")
            if before != after:
                yield place, compare(before, after)


def _ends(text: str) -> bool:
    return not text or text.endswith("\n")


def _count_spaces(script: Script) -> int:
    both = (
        script.old[hunk.old_start : hunk.old_end] + script.new[hunk.new_start : hunk.new_end] for hunk in script.hunks
    )
    return sum(each.isspace() for each in both)
