"""Cleaning of untrusted text: what is invisible or turns direction goes, what people wrote stays."""

import re
import unicodedata

_JOINERS = frozenset("\u200c\u200d")
"""Needed by emoji sequences and by several scripts; the serialiser escapes them."""
_REMOVED_CATEGORIES = frozenset({"Cc", "Cf"})
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_HIDDEN_SELECTORS = re.compile("[\ufe00-\ufe0d\U000e0100-\U000e01ef]|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]+")


def clean(text: str) -> str:
    """Remove what a reader cannot see and trim the ends.

    Control, bidi, zero-width and tag characters and smuggling variation selectors are removed, lone
    surrogates become U+FFFD, every line end becomes a newline; tabs and joiners stay.
    """
    if text.isascii() and text.isprintable():  # most text is, and pages clean a lot of it
        return text.strip()
    lines = _LINE_ENDS.sub("\n", text)
    visible = "".join(_kept(character) for character in lines)
    return _HIDDEN_SELECTORS.sub("", visible).strip(" \t\n" + "".join(_JOINERS))


def _kept(character: str) -> str:
    if character in "\n\t" or character in _JOINERS:
        return character
    category = unicodedata.category(character)
    if category == "Cs":
        return "\ufffd"
    return "" if category in _REMOVED_CATEGORIES else character


def is_blank(text: str) -> bool:
    """Whether nothing of `text` can be seen."""
    return not clean(text).strip()
