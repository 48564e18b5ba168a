"""The heaviest common subsequence of two token lists, exactly: a token weighs as many characters as it has.

A token of n characters is written as n symbols, and the longest common subsequence of the symbols is sought. Of it
only the pairs of first symbols are kept: taken by any fixed share of their tokens, the pairs are a common
subsequence of the tokens, and the length found is the mean weight of those, so each of them is as heavy as can be.

The table is built row by row as bits of one large integer, in operations that Python does in C (Hyyrö 2004), so
the time depends on the sizes and not on what changed. A zero says that the length grows in that column. Only some
rows are kept; those between are made anew on the way back, and only as wide as the way still is. That bounds
memory as Hirschberg's halving does, without its second pass and without recursion.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import isqrt

Pair = tuple[int, int]
"""An index in the old list and one in the new."""
_BITS_AT_ONCE = 10**8
"""So much of the table is held: 13 MB. Not less than the square root of its rows, however wide they are."""
_FEW = 6
"""So many places are set one by one."""
_NARROW = 4000
"""Columns up to which all places are set one by one."""


def heaviest_pairs(old: Sequence[int], new: Sequence[int], lengths: Sequence[int]) -> list[Pair]:
    """Which tokens stay, rising in both lists.

    Tokens are numbers; `lengths` says how many characters each number has, at least 1. Of several answers one is
    given, always the same.
    """
    common = {*old}.intersection(new)
    if not common:
        return []
    olds = [index for index, token in enumerate(old) if token in common]
    news = [index for index, token in enumerate(new) if token in common]
    rows, columns = [*map(old.__getitem__, olds)], [*map(new.__getitem__, news)]
    if sum(map(lengths.__getitem__, rows)) > sum(map(lengths.__getitem__, columns)):
        return [(olds[left], news[right]) for right, left in _Table(columns, rows, lengths).pairs()]
    return [(olds[left], news[right]) for left, right in _Table(rows, columns, lengths).pairs()]


class _Table:
    """The lengths of the longest common subsequences of all beginnings, of which few rows are kept."""

    def __init__(self, rows: Sequence[int], columns: Sequence[int], lengths: Sequence[int]) -> None:
        self._rows = rows
        self._lengths = lengths
        *starts, self._width = accumulate(map(lengths.__getitem__, columns), initial=0)
        self._token_at = dict(zip(starts, columns, strict=True))
        """By the character it begins at."""
        self._index_at = dict(zip(starts, range(len(columns)), strict=True))
        self._bits = _bits_by_token(self._token_at, self._width)
        symbols = sum(map(lengths.__getitem__, rows))
        self._step = max(16, isqrt(len(rows)), len(rows) * _BITS_AT_ONCE // (symbols * self._width))
        """Tokens from one kept row to the next."""

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
        row = everything = (1 << self._width) - 1
        kept = [row]
        for begin in range(0, len(self._rows) - self._step, self._step):
            row = self._row_after(row, self._rows[begin : begin + self._step]) & everything
            kept.append(row)
        return kept

    def _row_after(self, row: int, tokens: Sequence[int]) -> int:
        """The row after these tokens. What a sum carries over the edge is left in it."""
        for token in tokens:
            bits = self._bits[token]
            for _ in range(self._lengths[token]):
                grown = row & bits
                row = (row + grown) | (row ^ grown)
                bits <<= 1
        return row

    def _rows_after(self, row: int, tokens: Sequence[int]) -> list[int]:
        """The row given and one after each symbol, otherwise as `_row_after`."""
        rows = [row]
        keep, bits_of, lengths = rows.append, self._bits, self._lengths
        for token in tokens:
            bits = bits_of[token]
            grown = row & bits
            row = (row + grown) | (row ^ grown)
            keep(row)
            length = lengths[token]
            while length > 1:
                bits <<= 1
                grown = row & bits
                row = (row + grown) | (row ^ grown)
                keep(row)
                length -= 1
        return rows

    def _walk_back(self, begin: int, row: int, width: int, found: list[Pair]) -> int:
        """Go from the last row of a stretch to its first, from column `width` leftwards; gives the column left.

        Equal symbols always belong to a longest way, and with them the rest of their token.
        """
        tokens, lengths = self._rows[begin : begin + self._step], self._lengths
        rows = self._rows_after(row & ((1 << width) - 1), tokens)
        token_at, index_at = self._token_at, self._index_at
        here, owner = len(rows) - 1, len(tokens) - 1
        offset = lengths[tokens[owner]] - 1
        while here and width:
            start = width - 1 - offset
            up = 1
            if token_at.get(start) == tokens[owner]:
                found.append((begin + owner, index_at[start]))
                width, up = start, offset + 1
            elif rows[here] >> (width - 1) & 1:
                width = (~rows[here] & ((1 << width) - 1)).bit_length()
                continue
            here -= up
            offset -= up
            if offset < 0:
                owner -= 1
                offset = lengths[tokens[owner]] - 1
        return width


def _bits_by_token(token_at: Mapping[int, int], width: int) -> dict[int, int]:
    """For each token a number with a one at each of its first characters."""
    if width <= _NARROW:
        return _narrow_bits(token_at)
    places: dict[int, list[int]] = {token: [] for token in token_at.values()}
    for place, token in token_at.items():
        places[token].append(place)
    buffer = bytearray(width // 8 + 1)
    return {token: _bits(each, buffer) for token, each in places.items()}


def _narrow_bits(token_at: Mapping[int, int]) -> dict[int, int]:
    """As `_bits_by_token`, setting each place by itself: quick as long as the numbers are small."""
    bits = dict.fromkeys(token_at.values(), 0)
    for place, token in token_at.items():
        bits[token] |= 1 << place
    return bits


def _bits(places: Sequence[int], buffer: bytearray) -> int:
    """A number with ones at `places`, which rise; the buffer is all zero before and after."""
    if len(places) <= _FEW:
        bits = 0
        for place in places:
            bits |= 1 << place
        return bits
    for place in places:
        buffer[place >> 3] |= 1 << (place & 7)
    bits = int.from_bytes(buffer[: (places[-1] >> 3) + 1], "little")
    for place in places:
        buffer[place >> 3] = 0
    return bits
