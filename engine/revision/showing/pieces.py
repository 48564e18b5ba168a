"""What is marked inside a row: pieces that stayed, went, came, or moved."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from unicodedata import normalize

import regex

from engine.revision.diff import letter_script
from engine.revision.script import Diff, Hunk, Script
from engine.revision.showing.pairing import common_length
from engine.revision.showing.runs import EqualRuns, Span

_HAN = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]")
_WORD = regex.compile(r"[\w'’\-]")
ISLAND = 2
"""At word level so many equal Han characters between two changes are taken with them."""
REFINED = 80
"""Longer words are not compared by characters."""
SPELT_ALIKE = 0.5
"""Words are compared by characters from this share of common ones on."""


class PieceKind(StrEnum):
    """What became of a piece."""

    SAME = "same"
    GONE = "gone"
    NEW = "new"
    MOVED_AWAY = "moved_away"
    MOVED_HERE = "moved_here"


class Grain(StrEnum):
    """How finely changes are marked. Numbers never depend on it."""

    WORD = "word"
    """Whole words; of Chinese, changes that almost touch together."""
    CHARACTER = "character"
    """Single characters also inside a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch of one text."""

    kind: PieceKind
    text: str
    looks_the_same: bool = False
    """Whether it was written with other code points and looks as before."""


class Marker:
    """Finds the changes inside any part of a diff, in time that grows with that part only."""

    def __init__(self, diff: Diff, *, grain: Grain, hides_spaces: bool) -> None:
        self._diff, self._grain, self._hides_spaces = diff, grain, hides_spaces
        self._old, self._new = diff.display.old, diff.display.new
        self._runs = EqualRuns(diff.display)
        self._away = sorted((move.old_start, move.old_end) for move in diff.moves)
        self._here = sorted((move.new_start, move.new_end) for move in diff.moves)

    def hunks(self, span: Span) -> list[Hunk]:
        """The changes inside `span`, as coarse or fine as was asked for; what is hidden is not among them."""
        found = list(_between(self._runs.inside(span), span))
        shaped = _widen(found, self._old, self._new, span) if self._grain is Grain.WORD else self._refine(found)
        return [one for one in shaped if not (self._hides_spaces and self._is_spaces(one))]

    def old_pieces(self, span: Span) -> Iterator[Piece]:
        """The old text of `span`."""
        at = span.old_start
        for hunk in self.hunks(span):
            yield from _piece(PieceKind.SAME, self._old[at : hunk.old_start])
            yield from self._gone(hunk)
            at = hunk.old_end
        yield from _piece(PieceKind.SAME, self._old[at : span.old_end])

    def new_pieces(self, span: Span) -> Iterator[Piece]:
        """The new text of `span`."""
        at = span.new_start
        for hunk in self.hunks(span):
            yield from _piece(PieceKind.SAME, self._new[at : hunk.new_start])
            yield from self._came(hunk)
            at = hunk.new_end
        yield from _piece(PieceKind.SAME, self._new[at : span.new_end])

    def both_pieces(self, span: Span) -> Iterator[Piece]:
        """Old and new text of `span` in one; where spaces are hidden, those of the new text."""
        at = span.new_start
        for hunk in self.hunks(span):
            yield from _piece(PieceKind.SAME, self._new[at : hunk.new_start])
            yield from self._gone(hunk)
            yield from self._came(hunk)
            at = hunk.new_end
        yield from _piece(PieceKind.SAME, self._new[at : span.new_end])

    def all_gone(self, start: int, end: int) -> Iterator[Piece]:
        """A stretch of the old text that is gone as a whole, but for what moved out of it."""
        return _parted(self._old, start, end, self._away, (PieceKind.GONE, PieceKind.MOVED_AWAY))

    def all_new(self, start: int, end: int) -> Iterator[Piece]:
        """A stretch of the new text that is new as a whole, but for what moved into it."""
        return _parted(self._new, start, end, self._here, (PieceKind.NEW, PieceKind.MOVED_HERE))

    def _gone(self, hunk: Hunk) -> Iterator[Piece]:
        if self._looks_the_same(hunk):
            yield Piece(kind=PieceKind.GONE, text=self._old[hunk.old_start : hunk.old_end], looks_the_same=True)
            return
        yield from self.all_gone(hunk.old_start, hunk.old_end)

    def _came(self, hunk: Hunk) -> Iterator[Piece]:
        if self._looks_the_same(hunk):
            yield Piece(kind=PieceKind.NEW, text=self._new[hunk.new_start : hunk.new_end], looks_the_same=True)
            return
        yield from self.all_new(hunk.new_start, hunk.new_end)

    def _refine(self, hunks: Sequence[Hunk]) -> Iterator[Hunk]:
        for hunk in hunks:
            old, new = self._old[hunk.old_start : hunk.old_end], self._new[hunk.new_start : hunk.new_end]
            if _is_worth_refining(old, new):
                yield from (
                    Hunk(
                        hunk.old_start + one.old_start,
                        hunk.old_start + one.old_end,
                        hunk.new_start + one.new_start,
                        hunk.new_start + one.new_end,
                    )
                    for one in letter_script(old, new).hunks
                )
            else:
                yield hunk

    def _is_spaces(self, hunk: Hunk) -> bool:
        return not (self._old[hunk.old_start : hunk.old_end] + self._new[hunk.new_start : hunk.new_end]).strip()

    def _looks_the_same(self, hunk: Hunk) -> bool:
        old, new = self._old[hunk.old_start : hunk.old_end], self._new[hunk.new_start : hunk.new_end]
        return bool(old) and old != new and normalize("NFC", old) == normalize("NFC", new)


def _piece(kind: PieceKind, text: str) -> Iterator[Piece]:
    if text:
        yield Piece(kind=kind, text=text)


def _between(runs: Iterator[tuple[int, int, int]], span: Span) -> Iterator[Hunk]:
    """What is left between equal runs."""
    old, new = span.old_start, span.new_start
    for old_start, new_start, length in (*runs, (span.old_end, span.new_end, 0)):
        if old_start > old or new_start > new:
            yield Hunk(old, old_start, new, new_start)
        old, new = old_start + length, new_start + length


def _parted(
    text: str, start: int, end: int, moved: Sequence[tuple[int, int]], kinds: tuple[PieceKind, PieceKind]
) -> Iterator[Piece]:
    """A stretch cut where something moved begins or ends."""
    at = start
    for one, other in moved[max(0, bisect_right(moved, (start, start)) - 1) : bisect_left(moved, (end, end))]:
        begin, stop = max(at, one), min(end, other)
        if begin < stop:
            yield from _piece(kinds[0], text[at:begin])
            yield from _piece(kinds[1], text[begin:stop])
            at = stop
    yield from _piece(kinds[0], text[at:end])


def _widen(hunks: Sequence[Hunk], old: str, new: str, span: Span) -> list[Hunk]:
    """Changes as wide as the words that they are in, those that almost touch in Chinese as one."""
    wide: list[Hunk] = []
    for hunk in hunks:
        grown = _grow(hunk, old, new, span)
        if wide and _belong_together(wide[-1], grown, new):
            grown = Hunk(wide[-1].old_start, grown.old_end, wide[-1].new_start, grown.new_end)
            wide.pop()
        wide.append(grown)
    return wide


def _belong_together(one: Hunk, other: Hunk, new: str) -> bool:
    if other.old_start <= one.old_end or other.new_start <= one.new_end:
        return True
    replaces = any(each.old_start < each.old_end and each.new_start < each.new_end for each in (one, other))
    return replaces and _is_island(new[one.new_end : other.new_start])


def _grow(hunk: Hunk, old: str, new: str, span: Span) -> Hunk:
    back = ahead = 0
    parts = old[hunk.old_start : hunk.old_end], new[hunk.new_start : hunk.new_end]
    if any(_is_letter(part[:1]) for part in parts):
        room = min(hunk.old_start - span.old_start, hunk.new_start - span.new_start)
        while back < room and _is_letter(old[hunk.old_start - back - 1]):
            back += 1
    if any(_is_letter(part[-1:]) for part in parts):
        room = min(span.old_end - hunk.old_end, span.new_end - hunk.new_end)
        while ahead < room and _is_letter(old[hunk.old_end + ahead]):
            ahead += 1
    return Hunk(hunk.old_start - back, hunk.old_end + ahead, hunk.new_start - back, hunk.new_end + ahead)


def _is_letter(character: str) -> bool:
    """Whether it makes a word with its neighbours; a Han character is a word by itself."""
    return bool(character) and bool(_WORD.match(character)) and not _HAN.match(character)


def _is_island(between: str) -> bool:
    return len(between) <= ISLAND and all(_HAN.match(one) for one in between)


def _is_worth_refining(old: str, new: str) -> bool:
    if not old or not new or max(len(old), len(new)) > REFINED:
        return False
    return common_length(old, new) >= SPELT_ALIKE * max(len(old), len(new))


def whole(script: Script) -> Span:
    """Both texts from beginning to end."""
    return Span(old_start=0, old_end=len(script.old), new_start=0, new_end=len(script.new))
