"""Finds what was taken from one place and put, word for word, into another."""

from collections.abc import Sequence

from engine.revision.anchors import Sides
from engine.revision.script import Hunk, Move


def find_moves(sides: Sides, hunks: Sequence[Hunk]) -> tuple[Move, ...]:
    """Moves within `hunks`."""
    return ()
