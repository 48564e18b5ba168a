"""The heaviest common subsequence of two token lists, exactly: a token weighs as many characters as it has.

A token of n characters is written as n symbols, and the longest common subsequence of the symbols is sought. Of it
only the pairs of first symbols are kept: taken by any fixed share of their tokens, the pairs are a common
subsequence of the tokens, and the length found is the mean weight of those, so each of them is as heavy as can be.

The table is built row by row as bits of one large integer, in operations that Python does in C (Hyyrö 2004), so
the time depends on the sizes and not on what changed. A zero says that the length grows in that column. Only some
rows are kept; those between are made anew on the way back, and only as wide as the way still is. That bounds
memory as Hirschberg's halving does, without its second pass and without recursion.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import isqrt

Pair = tuple[int, int]
"""An index in the old list and one in the new."""
_BITS_AT_ONCE = 10**8
"""So much of the table is held: 13 MB. Not less than the square root of its rows, however wide they are."""


def heaviest_pairs(old: Sequence[int], new: Sequence[int], lengths: Sequence[int]) -> list[Pair]:
    """Which tokens stay, rising in both lists.

    Tokens are numbers; `lengths` says how many characters each number has, at least 1. Of several answers one is
    given, always the same.
    """
    common = {*old} & {*new}
    if not common:
        return []
    olds = [index for index, token in enumerate(old) if token in common]
    news = [index for index, token in enumerate(new) if token in common]
    rows, columns = [old[index] for index in olds], [new[index] for index in news]
    if sum(lengths[token] for token in rows) > sum(lengths[token] for token in columns):
        return [(olds[left], news[right]) for right, left in _Table(columns, rows, lengths).pairs()]
    return [(olds[left], news[right]) for left, right in _Table(rows, columns, lengths).pairs()]


class _Table:
    """The lengths of the longest common subsequences of all beginnings, of which few rows are kept."""

    def __init__(self, rows: Sequence[int], columns: Sequence[int], lengths: Sequence[int]) -> None:
        self._rows = rows
        self._lengths = lengths
        self._column_of = _starts(columns, lengths)
        self._width = sum(lengths[token] for token in columns)
        self._bits = _bits_by_token(self._column_of, columns, self._width)
        symbols = sum(lengths[token] for token in rows)
        self._step = max(16, isqrt(len(rows)), len(rows) * _BITS_AT_ONCE // (symbols * self._width))
        """Rows of tokens from one kept row to the next."""

    def pairs(self) -> list[Pair]:
        """Rows and columns that belong to one another, as token indexes, rising."""
        kept = self._kept_rows()
        found: list[Pair] = []
        width = self._width
        for number in reversed(range(len(kept))):
            width = self._walk_back(number * self._step, kept.pop(), width, found)
        found.reverse()
        return found

    def _kept_rows(self) -> list[int]:
        """Each row that stands before a stretch of `_step` tokens."""
        everything = (1 << self._width) - 1
        row = everything
        kept = [row]
        for begin in range(0, len(self._rows) - self._step, self._step):
            for row in self._rows_after(row, begin):
                pass
            row &= everything
            kept.append(row)
        return kept

    def _rows_after(self, row: int, begin: int) -> Iterator[int]:
        """The rows of one stretch, one for each symbol. What a sum carries over the edge is left in them."""
        for token in self._rows[begin : begin + self._step]:
            bits = self._bits[token]
            for _ in range(self._lengths[token]):
                grown = row & bits
                row = (row + grown) | (row ^ grown)
                yield row
                bits <<= 1

    def _walk_back(self, begin: int, row: int, width: int, found: list[Pair]) -> int:
        """Go from the last row of a stretch to its first, from column `width` leftwards; gives the column left."""
        if width == 0:
            return 0
        edge = (1 << width) - 1
        rows = [row & edge, *self._rows_after(row & edge, begin)]
        starts = self._symbol_starts(begin)
        here = len(rows) - 1
        while here and width:
            if rows[here] >> (width - 1) & 1:
                width = (~rows[here] & ((1 << width) - 1)).bit_length()
                continue
            here -= 1
            if rows[here] >> (width - 1) & 1:
                width -= 1
                if starts[here] >= 0:
                    found.append((starts[here], self._column_of[width]))
        return width

    def _symbol_starts(self, begin: int) -> list[int]:
        """For each symbol of a stretch: the token it is the first of, else -1."""
        starts = []
        for index in range(begin, min(begin + self._step, len(self._rows))):
            starts.append(index)
            starts.extend([-1] * (self._lengths[self._rows[index]] - 1))
        return starts


def _starts(tokens: Sequence[int], lengths: Sequence[int]) -> dict[int, int]:
    """Which token begins at a character."""
    starts = {}
    place = 0
    for index, token in enumerate(tokens):
        starts[place] = index
        place += lengths[token]
    return starts


def _bits_by_token(column_of: Mapping[int, int], columns: Sequence[int], width: int) -> dict[int, int]:
    """For each token a number with a one at each of its first characters."""
    places: dict[int, list[int]] = {}
    for place, index in column_of.items():
        places.setdefault(columns[index], []).append(place)
    buffer = bytearray(width // 8 + 1)
    return {token: _bits(each, buffer) for token, each in places.items()}


def _bits(places: Sequence[int], buffer: bytearray) -> int:
    """A number with ones at `places`, which rise; the buffer is all zero before and after."""
    if len(places) <= 2:
        return sum(1 << place for place in places)
    for place in places:
        buffer[place >> 3] |= 1 << (place & 7)
    bits = int.from_bytes(buffer[: (places[-1] >> 3) + 1], "little")
    for place in places:
        buffer[place >> 3] = 0
    return bits
