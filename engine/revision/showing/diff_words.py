"""The words that a drawn diff needs, in one language; what draws it knows none."""

from collections.abc import Callable
from dataclasses import dataclass

Counted = Callable[[int], str]
"""A sentence about a number."""


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
    moved_from: Counted
    """Of a paragraph or line that stood under that number."""
    moved_to: Counted
    turns_around: str
    """Warns of a line with characters that change the order in which others are shown."""
    looks_the_same: str
    """Of a change that nobody can see: other code points for the same characters."""
