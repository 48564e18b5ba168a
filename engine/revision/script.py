"""What turns one text into another: the changed places, as positions in both."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Hunk:
    """One changed place. Half-open ranges of characters (code points); at least one of the two is not empty."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int

    def shifted(self, by: int) -> "Hunk":
        """The same hunk so many places further to the right in both texts; to the left when negative."""
        return Hunk(self.old_start + by, self.old_end + by, self.new_start + by, self.new_end + by)


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """Both texts and every place where they differ; what stands between two hunks is equal."""

    old: str
    new: str
    hunks: tuple[Hunk, ...]
    """In order; they neither overlap nor touch in both texts."""

    @property
    def deleted(self) -> int:
        """Characters of the old text that are gone."""
        return sum(hunk.old_end - hunk.old_start for hunk in self.hunks)

    @property
    def inserted(self) -> int:
        """Characters of the new text that are new."""
        return sum(hunk.new_end - hunk.new_start for hunk in self.hunks)

    def equal_runs(self) -> Iterator[tuple[int, int, int]]:
        """What stayed: start in the old text, start in the new one, length; never empty, in order."""
        old = new = 0
        for hunk in (*self.hunks, Hunk(len(self.old), len(self.old), len(self.new), len(self.new))):
            if hunk.old_start > old:
                yield old, new, hunk.old_start - old
            old, new = hunk.old_end, hunk.new_end


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A stretch that was deleted in one place and inserted, word for word, in another."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """How two texts differ: once for numbers, once for eyes."""

    raw: Script
    """The fewest characters possible, up to the size stated in `compare`; all numbers come from here."""
    display: Script
    """The same change, told so that it can be read: slid to word and line borders, tiny islands dissolved."""
    moves: tuple[Move, ...]
    """Inside what the display script deletes and inserts; each stretch once, ordered by place in the new text."""
