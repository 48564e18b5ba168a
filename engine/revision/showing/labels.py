"""Characters that hide, or turn their surroundings around: which they are, and what to call them."""

import re
from collections.abc import Iterator
from itertools import accumulate
from unicodedata import bidirectional, category, east_asian_width

from engine.revision.aligning.tokens import letters_of

_NAMES = {
    0x00A0: "NBSP",
    0x00AD: "SHY",
    0x034F: "CGJ",
    0x061C: "ALM",
    0x115F: "HCF",
    0x1160: "HJF",
    0x180E: "MVS",
    0x200B: "ZWSP",
    0x200C: "ZWNJ",
    0x200D: "ZWJ",
    0x200E: "LRM",
    0x200F: "RLM",
    0x2028: "LSEP",
    0x2029: "PSEP",
    0x202A: "LRE",
    0x202B: "RLE",
    0x202C: "PDF",
    0x202D: "LRO",
    0x202E: "RLO",
    0x202F: "NNBSP",
    0x2060: "WJ",
    0x2066: "LRI",
    0x2067: "RLI",
    0x2068: "FSI",
    0x2069: "PDI",
    0x3000: "U+3000",
    0x3164: "HF",
    0xFEFF: "BOM",
    0xFFA0: "HHF",
}
_BIDI = frozenset(map(chr, (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u3000\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""What is looked at closely; of these a joiner inside an emoji or a word is left alone."""
_JOINERS = frozenset("\u200c\u200d")
_UNSHOWABLE = re.compile("[\x00\ud800-\udfff]")
_REPLACEMENT = "\ufffd"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"


def turns_text_around(text: str) -> bool:
    """Whether a character in it changes the order in which others are shown."""
    return not _BIDI.isdisjoint(text)


def label_of(character: str) -> str:
    """A short name: the usual one where there is one, else the code point."""
    code = ord(character)
    return _NAMES.get(code) or f"U+{code:04X}"


def find_hidden(text: str) -> Iterator[int]:
    """Where in `text` a character stands that nobody could see, in order."""
    for match in _HIDDEN.finditer(text):
        if not (match[0] in _JOINERS and _joins(text, match.start())):
            yield match.start()


def _joins(text: str, place: int) -> bool:
    """Whether a joiner does what it is for: it stands between two characters that are shown as one or touch."""
    if not 0 < place < len(text) - 1:
        return False
    before, after = category(text[place - 1]), category(text[place + 1])
    pictures = before in {"So", "Sk", "Mn"} and after == "So"
    return pictures or (before in {"Lo", "Mn", "Mc"} and after in {"Lo", "Mn", "Mc"})


def for_a_page(character: str) -> str:
    """The character, or U+FFFD for one that cannot stand in a web page: NUL and halves of a pair."""
    return _UNSHOWABLE.sub(_REPLACEMENT, character)


def short_quote(text: str, columns: int) -> str:
    """`text` in one line of at most `columns` columns, Han being two wide; "…" at its end where it was cut.

    No letter is cut in two. What nobody could see is left out, and words from right to left turn nothing around.
    """
    line = " ".join(text.split())
    hidden = {*find_hidden(line)}
    seen = letters_of("".join(each for at, each in enumerate(line) if at not in hidden)).items
    ends = list(accumulate(map(_columns, seen)))
    fits = sum(end <= columns - 1 for end in ends)
    quote = "".join(seen) if not ends or ends[-1] <= columns else "".join(seen[:fits]).rstrip() + "…"
    turns = any(bidirectional(each) in _RIGHT_TO_LEFT for each in quote)
    return f"{_ISOLATE}{quote}{_END_OF_ISOLATE}" if turns else quote


def _columns(letter: str) -> int:
    """How wide a letter is, with the marks that belong to it."""
    return 2 if east_asian_width(letter[0]) in "WF" else 1
