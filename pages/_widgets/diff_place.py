"""Where a reader is in a comparison: which change, which part of the text, which folds are open."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import streamlit as st

from engine.revision.showing.changes import Change, ChangeKind
from engine.revision.showing.windows import REVEALED, Item, part_of

MOST_PARTS = 5
"""So many parts stand on the page at once, so that a browser is never asked to lay out a whole book."""


@dataclass(slots=True, kw_only=True)
class DiffPlace:
    """Kept in the session for one pair of texts."""

    pair: int
    """Tells pairs apart; another pair begins anew."""
    is_compared: bool = False
    """Whether the whole was compared once, so that no first look is needed."""
    at: int | None = None
    """Number of the change that was gone to; None at first."""
    row: int | None = None
    """The row to bring into view."""
    asked: int = 0
    """Counts what the reader asked for, so that the same row can be asked for twice."""
    first: int = 0
    parts: int = 1
    """Which parts are shown: the first one, and how many."""
    opened: dict[int, int] = field(default_factory=dict)
    """How many rows of a fold are shown, by its first row."""

    def go(self, change: Change) -> None:
        """Bring a change into view."""
        self.at = change.number
        self.show(change.rows.start)

    def show(self, row: int) -> None:
        """Bring a row into view."""
        self.row = row
        self.asked += 1

    def step(self, changes: Sequence[Change], by: int) -> None:
        """Go to the next change or the one before; at either end stay there."""
        if not changes:
            return
        numbers = [change.number for change in changes]
        if self.at not in numbers:
            self.go(changes[0] if by > 0 else changes[-1])
            return
        self.go(changes[min(max(numbers.index(self.at) + by, 0), len(changes) - 1)])

    def open_fold(self, start: int) -> None:
        """Show some more rows of the fold that begins at row `start`, from its top."""
        for first, shown in self.opened.items():
            if first + shown == start:
                self.opened[first] = shown + REVEALED
                return
        self.opened[start] = REVEALED

    def earlier(self) -> None:
        """Show the part before as well."""
        self.first = max(0, self.first - 1)
        self.parts = min(self.parts + 1, MOST_PARTS)

    def later(self, row: int) -> None:
        """Show the part after as well, which begins at `row`; once there are too many, go on with that one alone."""
        if self.parts < MOST_PARTS:
            self.parts += 1
            return
        self.first, self.parts = self.first + self.parts, 1
        self.show(row)

    def settle(self, parts: Sequence[Sequence[Item]]) -> range:
        """Which of `parts` to show: those that were shown, moved so that the row that was asked for is among them."""
        self.first = min(self.first, len(parts) - 1)
        if self.row is not None:
            wanted = part_of(parts, self.row)
            if wanted == self.first + self.parts < len(parts) and self.parts < MOST_PARTS:
                self.parts += 1
            elif not self.first <= wanted < self.first + self.parts:
                self.first, self.parts = wanted, 1
        return range(self.first, min(self.first + self.parts, len(parts)))


def place_of(key: str, pair: int) -> DiffPlace:
    """The reader's place, kept in the session under `key`."""
    kept = st.session_state.get(key)
    if not isinstance(kept, DiffPlace) or kept.pair != pair:
        kept = DiffPlace(pair=pair)
        st.session_state[key] = kept
    return kept


def shown_changes(changes: Sequence[Change], *, hides_spaces: bool) -> list[Change]:
    """Those that a reader steps through."""
    return [change for change in changes if not (hides_spaces and change.kind is ChangeKind.SPACES)]
