"""Parts of a text that people name by counting, in Chinese and English: “paragraphs 2 to 4”, “第三段”."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

EN_PARAGRAPH = r"(?:paragraphs?|paras?\b\.?|¶¶?)"
ZH_PARAGRAPH = r"(?:个)?(?:自然)?段(?!子)"
"""How paragraphs are called, as patterns."""

_EN_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_EN_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
)
_EN_NUMBERS: Mapping[str, int] = {
    word: number for words in (_EN_UNITS, _EN_ORDINALS) for number, word in enumerate(words, start=1)
} | {"last": -1, "final": -1, "closing": -1, "opening": 1, "penultimate": -2}
_ZH_DIGITS = {digit: number for number, digit in enumerate("一二三四五六七八九", start=1)} | {
    "两": 2,
    "首": 1,
    "末": -1,
}

_EN_NUMBER = rf"(?:\d{{1,3}}|{'|'.join(_EN_UNITS)})\b"
_EN_BACKWARD = r"(?:second|third|fourth|2nd|3rd|4th)[ -](?:to|from)[ -](?:the[ -])?last"
_EN_ORDINAL = (
    rf"(?:{_EN_BACKWARD}|next[ -]to[ -]last|\d{{1,3}}(?:st|nd|rd|th)\b|"
    rf"(?:{'|'.join(_EN_ORDINALS)}|last|final|closing|opening|penultimate)\b)"
)
_ZH_NUMBER = r"(?:\d{1,3}|[一二三四五六七八九十两]{1,3})"
_TO = r"(?:to|through|until|till|[-–—~])"
_AND = r"(?:,\s*and|,|and|&|or)"
_ZH_TO = r"(?:到|至|[-–—~])"
_ZH_AND = r"(?:、|,|和|与|及|跟|以及)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Parts that are counted, as somebody named them."""

    start: int
    """Where the words stand in the suggestion; the end is excluded."""
    end: int
    numbers: tuple[int, ...]
    """From 1; negative ones count from the end."""


def counted(words: str, *, english: str, chinese: str) -> Iterator[Named]:
    """Every counted part that `words` name, such as “paragraphs 2 to 4” or “第三段”, in order.

    Args:
        words: in lower case.
        english: pattern of the noun; a plural ends in s.
        chinese: pattern of the measure word.
    """
    found = sorted(
        (named for read in (_en_ends, _en_before, _en_behind) for named in read(words, english)),
        key=lambda named: (named.start, -named.end),
    )
    found += sorted(
        (named for read in (_zh_ends, _zh_counted) for named in read(words, chinese)),
        key=lambda named: (named.start, -named.end),
    )
    yield from _joined(words, _without_overlaps(found))


def _en_ends(words: str, noun: str) -> Iterator[Named]:
    """The first two, the last three."""
    for match in re.finditer(rf"\b(first|last|final)\s+({_EN_NUMBER})\s+{noun}", words):
        count = _en_value(match.group(2))
        yield _named(match, _from_end(count, is_last=match.group(1) != "first"))


def _en_before(words: str, noun: str) -> Iterator[Named]:
    """The third; the first and third; the second to fourth."""
    more = rf"(?:\s*(?:{_AND}|{_TO})\s*(?:the\s+)?{_EN_ORDINAL})*"
    for match in re.finditer(rf"\b({_EN_ORDINAL}{more})\s+{noun}", words):
        yield _named(match, _numbers(match.group(1), _EN_ORDINAL, _TO, _en_value))


def _en_behind(words: str, noun: str) -> Iterator[Named]:
    """Paragraph 3; paragraphs 2 to 4. “To” makes a range of several only: one may be cut to two sentences."""
    pattern = rf"(?<!\w)(?:{noun})\s*(?:no\.?\s*|number\s+|#\s*)?({_EN_NUMBER}(?:\s*(?:{_AND}|{_TO})\s*{_EN_NUMBER})*)"
    for match in re.finditer(pattern, words):
        is_several = re.match(r"[a-z]+s\b|¶¶", match.group()) is not None
        said = match.group(1) if is_several else re.split(r"\s*\b(?:to|through|until|till)\b", match.group(1))[0]
        yield _named(match, _numbers(said, _EN_NUMBER, _TO, _en_value))


def _zh_ends(words: str, noun: str) -> Iterator[Named]:
    """前两段、最后三段."""
    for match in re.finditer(rf"(前|头|开头|最前面|最后|后|末尾|倒数)\s*({_ZH_NUMBER})\s*{noun}", words):
        count = _zh_value(match.group(2))
        if count > 1 or match.group(1) not in ("前", "后"):  # 前一段 is the one before another
            is_last = match.group(1) in ("最后", "后", "末尾", "倒数")
            yield _named(match, _from_end(count, is_last=is_last))


def _zh_counted(words: str, noun: str) -> Iterator[Named]:
    """第三段、第二到四段、第 1、3 段、倒数第二段、2-4 段、首段、末段."""
    more = rf"(?:\s*(?:{_ZH_AND}|{_ZH_TO})\s*第?\s*{_ZH_NUMBER})*"
    for match in re.finditer(rf"(倒数)?第\s*({_ZH_NUMBER}{more})\s*{noun}", words):
        numbers = _numbers(match.group(2), _ZH_NUMBER, _ZH_TO, _zh_value)
        yield _named(match, tuple(-number for number in numbers) if match.group(1) else numbers)
    for match in re.finditer(
        rf"(?<!第)(?<![\d一二三四五六七八九十])({_ZH_NUMBER}\s*{_ZH_TO}\s*{_ZH_NUMBER})\s*{noun}", words
    ):
        yield _named(match, _numbers(match.group(1), _ZH_NUMBER, _ZH_TO, _zh_value))
    for match in re.finditer(rf"([首末尾]|最后[那这]?)\s*{noun}", words):
        yield _named(match, (1 if match.group(1) == "首" else -1,))
    for match in re.finditer(rf"{noun}落\s*({_ZH_NUMBER})(?![个句条点字些下处遍次])", words):
        yield _named(match, (_zh_value(match.group(1)),))


def _numbers(said: str, number: str, to: str, value: Callable[[str], int]) -> tuple[int, ...]:
    """Every number that is said, ranges filled in."""
    found = list(re.finditer(number, said))
    numbers: list[int] = []
    for at, match in enumerate(found):
        given = value(match.group())
        between = said[found[at - 1].end() : match.start()] if at else ""
        is_range = re.search(to, between) is not None and numbers and 0 < numbers[-1] < given
        numbers += range(numbers[-1] + 1, given + 1) if is_range else [given]
    return tuple(numbers)


def _en_value(said: str) -> int:
    if re.fullmatch(_EN_BACKWARD, said) or said.startswith("next"):
        first = re.split("[ -]", said)[0]
        return -2 if first == "next" else -(_EN_NUMBERS.get(first) or int(first[:-2]))
    digits = re.match(r"\d+", said)
    return int(digits.group()) if digits else _EN_NUMBERS[said.strip()]


def _zh_value(said: str) -> int:
    """Numbers to 99, such as 十二 and 二十."""
    if said.isdecimal():
        return int(said)
    tens, ten, ones = said.rpartition("十")
    value = 10 * (_ZH_DIGITS.get(tens, 1) if tens else 1) if ten else 0
    return value + _ZH_DIGITS.get(ones, 0)


def _from_end(count: int, *, is_last: bool) -> tuple[int, ...]:
    return tuple(range(-count, 0)) if is_last else tuple(range(1, count + 1))


def _named(match: re.Match[str], numbers: tuple[int, ...]) -> Named:
    return Named(start=match.start(), end=match.end(), numbers=numbers)


def _without_overlaps(found: Sequence[Named]) -> list[Named]:
    """Of overlapping names the one that begins first, of those the longest."""
    kept: list[Named] = []
    for named in sorted(found, key=lambda each: (each.start, -each.end)):
        if not kept or named.start >= kept[-1].end:
            kept.append(named)
    return kept


def _joined(words: str, found: Sequence[Named]) -> Iterator[Named]:
    """Two names with “to” between them, after “from”, are one range."""
    rest = list(found)
    while rest:
        named = rest.pop(0)
        while rest and _is_range(words, named, rest[0]):
            after = rest.pop(0)
            numbers = (*named.numbers, *range(named.numbers[-1] + 1, after.numbers[0] + 1))
            named = Named(start=named.start, end=after.end, numbers=numbers)
        yield named


def _is_range(words: str, first: Named, second: Named) -> bool:
    between = words[first.end : second.start].strip()
    is_said = re.fullmatch(rf"(?:开始|起)?(?:一直)?{_ZH_TO}", between) or (
        re.fullmatch(rf"{_TO}(?:\s+the)?", between) and re.search(r"\bfrom\s+(?:the\s+)?$", words[: first.start])
    )
    return is_said is not None and 0 < first.numbers[-1] < second.numbers[0]
