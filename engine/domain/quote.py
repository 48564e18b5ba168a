"""Whether a quote stands in a text: exactly, once the ways of typing are made equal, and never nearly.

The rule was measured (research/methods.md B4, row 3): it takes every quote that differs in typography alone and
none in which a number, a negation or the order of words was changed, which every rule by likeness does. Prose and
program text have a rule each: in a program, case and inner space carry meaning.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

HAN_CHARACTERS = 6
LATIN_WORDS = 4
"""A quote has at least so many of either, or it is a whole line: shorter ones stand anywhere by chance."""

_TYPED = str.maketrans(
    {"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‟": '"', "「": '"', "」": '"', "『": '"'}
    | {"』": '"', "«": '"', "»": '"', "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-"}
    | {"。": ".", "、": ","}
)
_EDGE = " \t\n.,;:!?\"'`()[]{}<>*_-"
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]")
_WORD = re.compile(r"[^\W_\u3400-\u4dbf\u4e00-\u9fff]+")
_NUMBER_BEFORE = re.compile(r"(?:[0-9][.,]|[-+])$")
_NUMBER_AFTER = re.compile(r"[.,][0-9]|%")


class QuoteFault(StrEnum):
    """Why a quote is none."""

    TOO_SHORT = "too_short"
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Where a quote stands, in the text as it is."""

    start: int
    end: int
    """Code points, the end excluded."""
    line: int
    """Of the start, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Even:
    """A text made even, and from where in the original each character of it comes."""

    text: str
    origins: tuple[int, ...]


def find_quote(quote: str, text: str, *, is_code: bool, near_line: int | None = None) -> Found | QuoteFault:
    """Find `quote` in `text`.

    Args:
        quote: as somebody gave it; several lines are allowed, an omission is not.
        text: where it should stand.
        is_code: whether case and inner space count.
        near_line: of several places the one nearest to this line is taken, of equally near ones the first;
            None: the first.
    """
    wanted = _even(quote, is_code).text.strip() if is_code else _strip(_even(quote, is_code).text)
    if not wanted:
        return QuoteFault.TOO_SHORT
    even = _even(text, is_code)
    places = [start for start in _places(wanted, even.text) if is_code or _is_whole(wanted, even.text, start)]
    found = [_found(even, text, start, start + len(wanted)) for start in places]
    if not _is_long(wanted):
        found = [one for one in found if _is_line(wanted, text, one, is_code)]
    if not found:
        return QuoteFault.TOO_SHORT if places else QuoteFault.NOT_FOUND
    return min(found, key=lambda one: (0 if near_line is None else abs(one.line - near_line), one.start))


def _even(text: str, is_code: bool) -> _Even:
    """Line ends alone for a program; width, quotes, dashes, case and runs of space, line ends too, for prose."""
    pairs: list[tuple[str, int]] = []
    for place, cluster in _clusters(text):
        for character in cluster if is_code else _same(cluster):
            if is_code and character == "\n":
                while pairs and pairs[-1][0] in " \t":
                    pairs.pop()
            if is_code or character != " " or not pairs or pairs[-1][0] != " ":
                pairs.append((character, place))
    return _Even(text="".join(one for one, _ in pairs), origins=tuple(place for _, place in pairs))


def _clusters(text: str) -> Iterator[tuple[int, str]]:
    """Each character with the marks that combine with it; a line end is one newline, however it is written."""
    place = 0
    while place < len(text):
        end = place + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        cluster = text[place:end]
        if cluster == "\r":
            yield place, "\n"
            end += text[end : end + 1] == "\n"
        else:
            yield place, cluster
        place = end


def _same(cluster: str) -> str:
    wide = unicodedata.normalize("NFKC", cluster.translate(_TYPED)).translate(_TYPED).casefold()
    return " " if wide.isspace() else wide


def _strip(wanted: str) -> str:
    """Without punctuation at its edges, but for what belongs to a number."""
    stripped = wanted.strip(_EDGE)
    start = wanted.find(stripped)
    sign = wanted[start - 1 : start] if start else ""
    return f"{sign}{stripped}" if sign and sign in "-." and stripped[:1].isdecimal() else stripped


def _places(wanted: str, text: str) -> Iterator[int]:
    start = text.find(wanted)
    while start >= 0:
        yield start
        start = text.find(wanted, start + 1)


def _is_whole(wanted: str, text: str, start: int) -> bool:
    """Whether neither edge cuts a word or a number in two, which would make another of it."""
    before, after = text[max(0, start - 2) : start], text[start + len(wanted) : start + len(wanted) + 2]
    if _is_latin(wanted[0]) and before and _is_latin(before[-1]):
        return False
    if _is_latin(wanted[-1]) and after and _is_latin(after[0]):
        return False
    if wanted[0].isdecimal() and _NUMBER_BEFORE.search(before):
        return False
    return not (wanted[-1].isdecimal() and _NUMBER_AFTER.match(after))


def _is_latin(character: str) -> bool:
    return character.isalnum() and not _HAN.match(character)


def _is_long(wanted: str) -> bool:
    return len(_HAN.findall(wanted)) >= HAN_CHARACTERS or len(_WORD.findall(wanted)) >= LATIN_WORDS


def _is_line(wanted: str, text: str, found: Found, is_code: bool) -> bool:
    """Whether the quote is all that stands on its line."""
    after = text.find("\n", found.end)
    line = _even(text[text.rfind("\n", 0, found.start) + 1 : after if after >= 0 else len(text)], is_code).text
    return (line.strip() if is_code else _strip(line)) == wanted


def _found(even: _Even, text: str, start: int, end: int) -> Found:
    first, last = even.origins[start], even.origins[end - 1] + 1
    return Found(start=first, end=last, line=text.count("\n", 0, first) + 1)
