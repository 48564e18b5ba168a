"""Shortening of text so that nobody mistakes a part for the whole."""

import regex

from engine.domain.text import clean

OMISSION = "…"
"""Stands at the end of every text that was cut, inside its cap."""
_GRAPHEME = regex.compile(r"\X")


def cut(text: str, cap: int) -> tuple[str, bool]:
    """Give `text` in at most `cap` code points, and whether it had to be cut.

    A cut text is a beginning of `text` that ends between two graphemes, and the omission mark.
    It may be the mark alone, where the first grapheme is too long.

    Raises:
        ValueError: `cap` has no room for the mark.
    """
    if cap < len(OMISSION):
        raise ValueError(f"a cap of {cap} has no room for the omission mark")
    if len(text) <= cap:
        return text, False
    return text[: _boundary(text, cap - len(OMISSION))] + OMISSION, True


def _boundary(text: str, most: int) -> int:
    """The last end of a grapheme within `most` code points; one more is read, which decides whether it ends there."""
    boundary = 0
    for grapheme in _GRAPHEME.finditer(text[: most + 1]):
        if grapheme.end() > most:
            break
        boundary = grapheme.end()
    return boundary


def clean_and_cut(text: str, cap: int) -> tuple[str, bool]:
    """The same as cutting the cleaned text, without cleaning much more of it than is shown.

    The cleaned beginning of a text is a beginning of the cleaned text. So it is enough to clean longer and
    longer beginnings until one has more than `cap` characters left.
    """
    taken = 4 * cap
    while taken < len(text):
        beginning = clean(text[:taken])
        if len(beginning) > cap:
            return cut(beginning, cap)
        taken *= 4
    return cut(clean(text), cap)
