"""The first changed place of two long texts, found before all of both is compared."""

from engine.revision.diff import compare
from engine.revision.script import Diff, Hunk, Move, Script

LONG = 20_000
"""Characters of both texts; below, everything is compared at once."""
LOOKED_AT = 8_000
"""Characters of each text that are compared."""


def is_long(old: str, new: str) -> bool:
    """Whether a first look is worth it."""
    return len(old) + len(new) > LONG


def first_look(old: str, new: str) -> Diff:
    """How the two texts differ up to a little after the first change; both end there.

    Breaks are plain in both. Near its end this is not what `compare` says of the whole.
    """
    equal = _equal_from_the_start(old, new)
    begin = old.rfind("\n", 0, equal) + 1
    begin = begin if equal - begin < LOOKED_AT // 4 else equal - LOOKED_AT // 4
    head = compare(old[begin : begin + LOOKED_AT], new[begin : begin + LOOKED_AT])
    before = old[:begin]
    return Diff(
        raw=_after(before, head.raw),
        display=_after(before, head.display),
        moves=tuple(
            Move(
                old_start=move.old_start + begin,
                old_end=move.old_end + begin,
                new_start=move.new_start + begin,
                new_end=move.new_end + begin,
            )
            for move in head.moves
        ),
    )


def _equal_from_the_start(old: str, new: str) -> int:
    """How many characters both begin with, by halving."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if old[low:middle] == new[low:middle] else (low, middle - 1)
    return low


def _after(before: str, script: Script) -> Script:
    """The script of the same two texts with `before` in front of both."""
    by = len(before)
    hunks = (Hunk(one.old_start + by, one.old_end + by, one.new_start + by, one.new_end + by) for one in script.hunks)
    return Script(old=before + script.old, new=before + script.new, hunks=tuple(hunks))
