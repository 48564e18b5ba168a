"""The words that a drawn diff needs, in one language; what draws it knows none."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.revision.showing.rows import Side

Counted = Callable[[int], str]
"""A sentence about a number."""
Placed = Callable[[Side], str]
"""A sentence about a place in a text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffWords:
    """Plain text, never markup."""

    language: str
    """Tag of the language, such as `en`."""
    region: str
    """What the whole is, for people who do not see it."""
    gone: str
    """Read aloud before what is gone; not seen and not copied. The same for the next three."""
    new: str
    moved: str
    unchanged_paragraphs: Counted
    unchanged_lines: Counted
    unchanged_characters: Counted
    show: str
    moved_from: Placed
    """Of what stood there."""
    moved_to: Placed
    turns_around: str
    """Warns of a line with characters that change the order in which others are shown."""
    looks_the_same: str
    """Of a change that nobody can see: other code points for the same characters."""
