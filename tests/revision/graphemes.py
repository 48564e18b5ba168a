"""A reading of the grapheme rules of UAX 29 that shares nothing with the product's tokens.

It decides at each place whether a cut may be there, from the classes of single characters. What Unicode calls a
class is read from the running Python; the few sets that the standard library lacks are written out, as the rules
give them, for the characters that the tests use.
"""

import unicodedata
from collections.abc import Iterator

PREPENDED = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0xD4E, 0x110BD, 0x110CD, 0x111C2, 0x111C3}
LINKERS = {0x94D, 0x9CD, 0xACD, 0xB4D, 0xC4D, 0xD4D}
CONSONANTS = {*range(0x915, 0x93A), *range(0x995, 0x9A9), *range(0xC15, 0xC29), *range(0xD15, 0xD3B)}
PICTURES = {0xA9, 0x2139, 0x2764, 0x26F9, *range(0x1F300, 0x1F3FB), *range(0x1F400, 0x1F650), *range(0x1F680, 0x1F6FD)}


def cuts(text: str) -> set[int]:
    """The places where a grapheme ends, the end of the text included."""
    return {place for place in range(1, len(text)) if not _is_joined(text, place)} | {len(text)}


def _is_joined(text: str, place: int) -> bool:
    before, after = ord(text[place - 1]), ord(text[place])
    if (before, after) == (0x0D, 0x0A):
        return True
    if _is_control(before) or _is_control(after):
        return False
    joined = _is_mark(after) or before in PREPENDED or _is_hangul_joined(before, after)
    return joined or _is_picture_joined(text, place) or _is_flag_joined(text, place) or _is_letter_joined(text, place)


def _is_control(code: int) -> bool:
    if code in PREPENDED or code in (0x200C, 0x200D) or 0xE0020 <= code <= 0xE007F:
        return False
    return unicodedata.category(chr(code)) in ("Cc", "Cf", "Zl", "Zp", "Cs")


def _is_mark(code: int) -> bool:
    """Extend, ZWJ and SpacingMark."""
    extending = code in (0x200C, 0x200D, 0xE33, 0xEB3, 0xFF9E, 0xFF9F) or 0x1F3FB <= code <= 0x1F3FF
    return extending or 0xE0020 <= code <= 0xE007F or unicodedata.category(chr(code)).startswith("M")


def _is_hangul_joined(before: int, after: int) -> bool:
    return (_hangul(before), _hangul(after)) in {
        *(("L", kind) for kind in ("L", "V", "LV", "LVT")),
        *((kind, "V") for kind in ("V", "LV")),
        *((kind, "T") for kind in ("V", "LV", "T", "LVT")),
    }


def _hangul(code: int) -> str:
    if 0x1100 <= code <= 0x115F or 0xA960 <= code <= 0xA97C:
        return "L"
    if 0x1160 <= code <= 0x11A7 or 0xD7B0 <= code <= 0xD7C6:
        return "V"
    if 0x11A8 <= code <= 0x11FF or 0xD7CB <= code <= 0xD7FB:
        return "T"
    if 0xAC00 <= code <= 0xD7A3:
        return "LV" if (code - 0xAC00) % 28 == 0 else "LVT"
    return ""


def _is_picture_joined(text: str, place: int) -> bool:
    """A picture, marks, a joiner, and here another picture."""
    if ord(text[place]) not in PICTURES or text[place - 1] != "\u200d":
        return False
    bases = (ord(character) for character in reversed(text[: place - 1]) if not _is_extending(ord(character)))
    return next(bases, 0) in PICTURES


def _is_extending(code: int) -> bool:
    return _is_mark(code) and unicodedata.category(chr(code)) != "Mc" and code not in (0x200D, 0xE33, 0xEB3)


def _is_flag_joined(text: str, place: int) -> bool:
    """An odd number of flag letters stands before a flag letter."""
    return _is_flag(text[place]) and sum(1 for _ in _flags_before(text, place)) % 2 == 1


def _flags_before(text: str, place: int) -> Iterator[str]:
    for character in reversed(text[:place]):
        if not _is_flag(character):
            return
        yield character


def _is_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _is_letter_joined(text: str, place: int) -> bool:
    """A consonant, marks with a linker among them, and here another consonant."""
    if ord(text[place]) not in CONSONANTS:
        return False
    marks = ""
    for character in reversed(text[:place]):
        if not _is_extending(ord(character)) and character != "\u200d":
            return ord(character) in CONSONANTS and any(ord(mark) in LINKERS for mark in marks)
        marks += character
    return False
