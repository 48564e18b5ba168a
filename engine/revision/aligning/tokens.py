"""Cuts a text into the smallest pieces that a change may mark; joined again they are the text, byte for byte.

A token is a line end (CRLF is one), a run of one kind of space, a word, one Han, kana or Hangul character, or any
other single character, each with the marks that belong to it. No token ends inside a grapheme, so an emoji, a
flag, a keycap or a letter with its accents is marked whole or not at all. NUL and lone surrogates are tokens.

Which characters are marks is read from the Unicode tables of the running Python. Characters that those tables do
not know yet are taken as marks: a later mark then stays with its base, at the price of a larger token.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import accumulate

LINE_ENDS = ("\n", "\r\n", "\r")
"""The tokens that end a line; no other token holds one of their characters."""
_PREPENDED = (
    "\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd\U000111c2\U000111c3\U000113d1"
    "\U0001193f\U00011941\U00011a3a\U00011a84-\U00011a89\U00011d46\U00011f02"
)
"""Belong to what follows them."""
_OTHER_MARKS = (
    "\u0e33\u0eb3\u200c\u200d\uff9e\uff9f\U00016d63\U00016d67-\U00016d6a\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f"
    "\U000e0100-\U000e01ef"
)
"""Belong to what stands before them and are no marks by their category: vowels, joiners, skin tones, tags."""
_PICTURES = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u2500-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001fffd"
)
"""At least everything that a joiner can join to another picture."""
_FLAG_LETTERS = "\U0001f1e6-\U0001f1ff"
_LEADS, _SYLLABLES = "\u1100-\u115f\ua960-\ua97c", "\uac00-\ud7a3"
_VOWELS_AND_TAILS = "\u1160-\u11ff\ud7b0-\ud7fb"
"""With the leads: the letters that a Hangul syllable can be spelled with."""
_FAR = 0x10000
_FAR_MARKS = "\U00010000-\U0001ffff\U000e0000-\U000effff"
"""Where marks are beyond the first plane, and much else."""
_LINKER = 9
"""The combining class of what binds two consonants of an Indian script into one letter."""
_ALONE = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u303c\u3040-\u3098\u309b-\u312f\u31a0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U0001aff0-\U0001b16f\U00020000-\U0003fffd"
    "\u0e01-\u0e32\u0e40-\u0e46\u0e81-\u0eb2\u0ec0-\u0ec6"
)
"""Han and kana; and Thai and Lao, which are written without spaces too."""


def _ranges(codes: Iterable[int]) -> Iterator[str]:
    """The inside of a character class that holds `codes`, which rise."""
    first = last = -2
    for code in (*codes, -1):
        if code != last + 1:
            if first >= 0:
                yield f"{chr(first)}-{chr(last)}"
            first = code
        last = code


def _is_mark(code: int) -> bool:
    """A mark, or unknown to this Python where a later mark could be."""
    category = unicodedata.category(chr(code))
    if category == "Cn":
        return code < 0x1F000 and code != 0x2065 and not (0xFDD0 <= code <= 0xFDEF or 0xFFF0 <= code <= 0xFFFF)
    return category.startswith("M")


_W = f"[^\\W\u2139{_PREPENDED}{_OTHER_MARKS}{_LEADS}{_VOWELS_AND_TAILS}{_SYLLABLES}{_ALONE}]"
_SIGNS = (
    "[0-9#*]\ufe0f?\u20e3"
    f"|[{_PICTURES}](?:{{mark}}*(?<=\u200d)[{_PICTURES}])*"
    f"|[{_FLAG_LETTERS}]{{{{2}}}}"
    f"|(?:[{_LEADS}]+[{_SYLLABLES}]?|[{_SYLLABLES}{_VOWELS_AND_TAILS}])[{_VOWELS_AND_TAILS}]*"
)
"""One character to the eye, several to the computer: keycaps, joined pictures, flags, spelled syllables."""
_KEYCAP = "\ufe0f?\u20e3"
_NO_KEYCAP = f"(?!(?<=[0-9]){_KEYCAP})"


@cache
def _marks() -> tuple[int, ...]:
    """Code points of the marks; rising."""
    ahead = re.compile(f"[{_PREPENDED}]")
    return tuple(code for code in range(0x300, 0x20000) if _is_mark(code) and not ahead.match(chr(code)))


@cache
def _words() -> re.Pattern[str]:
    """Finds the next token by words; built at the first text, as it takes a moment."""
    word = f"{_W}+{_NO_KEYCAP}(?:{_mark()}+(?:{_W}+{_NO_KEYCAP})?)*"
    return _pattern(f"{_W}++| ++", word, " +|\t+|\u3000+")


@cache
def _letters() -> re.Pattern[str]:
    """Finds the next token by letters."""
    mark = _mark()
    linkers = "".join(_ranges(code for code in _marks() if unicodedata.combining(chr(code)) == _LINKER))
    return _pattern(f"{_W}| ", f"{_W}{_NO_KEYCAP}(?:{mark}*[{linkers}]{mark}*{_W}{_NO_KEYCAP})*", "[ \t\u3000]")


def _mark() -> str:
    return f"[{_OTHER_MARKS}{''.join(_ranges(_marks()))}]"


def _pattern(quick: str, word: str, space: str) -> re.Pattern[str]:
    """Tokens the quick way, where nothing follows that could belong to them; line ends; all others."""
    perhaps = "".join(_ranges(code for code in _marks() if code < _FAR)) + _OTHER_MARKS + _VOWELS_AND_TAILS + _FAR_MARKS
    sign = f"[^\\w\\s{perhaps}{_PREPENDED}{_PICTURES}{_LEADS}]"
    whole = f"(?:{word}|{space}|[{_ALONE}]|{_SIGNS.format(mark=_mark())}|[^\r\n{_PREPENDED}]){_mark()}*"
    return re.compile(f"(?:[{_ALONE}]|{quick}|{sign})(?![{perhaps}])|\r\n|\r|\n|[{_PREPENDED}]*{whole}|[{_PREPENDED}]+")


@dataclass(frozen=True)
class Tokens:
    """A text in tokens."""

    items: tuple[str, ...]
    """Joined they are the text; none is empty."""

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where each token begins, in characters, and at last the length of the text."""
        return tuple(accumulate(map(len, self.items), initial=0))


def tokens_of(text: str) -> Tokens:
    """The tokens of a text by words."""
    return Tokens(tuple(_words().findall(text)))


def letters_of(text: str) -> Tokens:
    """The tokens of a text where each letter of a word and each space is one of its own."""
    return Tokens(tuple(_letters().findall(text)))
