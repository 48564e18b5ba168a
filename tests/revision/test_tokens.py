"""Tokens are the text, and none ends inside what the eye takes for one character."""

from collections.abc import Callable
from random import Random

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.revision.aligning.tokens import Tokens, letters_of, tokens_of
from tests.revision.graphemes import CONSONANTS, LINKERS, PREPENDED, cuts

Cutter = Callable[[str], Tokens]
BOTH = pytest.mark.parametrize("cut", [tokens_of, letters_of], ids=["words", "letters"])
FAMILY, THUMB, FLAG, KEYCAP = "👨‍👩‍👧‍👦", "👍🏽", "🇨🇭", "1\ufe0f\u20e3"
DIFFICULT = (
    *"aZé1 9#*_.。，中文\t\r\n\0\x1c\u2028\u3000\u00a0\u200b\ufeff\u202e\u0300\u0301\ufe0f\u20e3\u200d\u200c",
    *"\u0e01\u0e33\uff9e\ud83d\udc00\u1100\u1161\u11a8",
    *"👍🏽👨👩👧❤©ℹ🇨🇭🇩🇪가각각ㄱ𠀀𪛟豈",
    *map(chr, sorted(PREPENDED)[:8]),
    *map(chr, sorted(LINKERS)),
    *map(chr, sorted(CONSONANTS)[::12]),
    "\u093c",
    "\u0903",
    "\U000e0101",
    "\U000e0067",
)


@BOTH
@given(text=st.text())
@settings(max_examples=150, deadline=None)
def test_joined_they_are_the_text_and_none_is_empty(cut: Cutter, text: str) -> None:
    items = cut(text).items
    assert "".join(items) == text
    assert all(items)


@BOTH
def test_none_ends_inside_a_grapheme(cut: Cutter) -> None:
    random = Random(29)  # noqa: S311 - a test
    for _ in range(4000):
        text = "".join(random.choices(DIFFICULT, k=random.randint(1, 9)))
        assert {*cut(text).starts[1:]} <= cuts(text), ascii(text)


def test_the_reading_that_tokens_are_held_against_agrees_with_another() -> None:
    """Without lone surrogates and linkers without a consonant, where `regex` has rules of its own."""
    known = [each for each in DIFFICULT if not ("\ud800" <= each <= "\udfff" or ord(each) in LINKERS)]
    random = Random(30)  # noqa: S311 - a test
    for _ in range(2000):
        text = "".join(random.choices(known, k=random.randint(1, 6)))
        assert cuts(text) == {match.end() for match in regex.finditer(r"\X", text)}, ascii(text)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("one two", ["one", " ", "two"]),
        ("a\r\nb\rc\nd\n\r", ["a", "\r\n", "b", "\r", "c", "\n", "d", "\n", "\r"]),
        ("a  \t\t b", ["a", "  ", "\t\t", " ", "b"]),
        ("a \u3000\u3000b", ["a", " ", "\u3000\u3000", "b"]),
        ("中文abc字", ["中", "文", "abc", "字"]),
        ("葛\U000e0100飾", ["葛\U000e0100", "飾"]),
        ("ひらがな", ["ひ", "ら", "が", "な"]),
        ("か\u3099ｶﾞ", ["か\u3099", "ｶﾞ"]),
        ("한국어", ["한", "국", "어"]),
        ("\u1112\u1161\u11ab\u1100\u116e", ["\u1112\u1161\u11ab", "\u1100\u116e"]),
        ("𠀀𪛟\U0002ebf0豈", ["𠀀", "𪛟", "\U0002ebf0", "豈"]),
        ("cafe\u0301s", ["cafe\u0301s"]),
        ("naïve_2 Ωμέγα Привет", ["naïve_2", " ", "Ωμέγα", " ", "Привет"]),
        ("don't!", ["don", "'", "t", "!"]),
        (f"{FAMILY}{THUMB}{FLAG}{KEYCAP}", [FAMILY, THUMB, FLAG, KEYCAP]),
        ("🇨🇭🇩🇪🇫", ["🇨🇭", "🇩🇪", "🇫"]),
        ("12\ufe0f\u20e33", ["1", "2\ufe0f\u20e3", "3"]),
        ("क्षत्रिय", ["क्षत्रिय"]),
        ("ไทย", ["ไ", "ท", "ย"]),
        ("a\0b\ud800c\udc00", ["a", "\0", "b", "\ud800", "c", "\udc00"]),
        ("a\u2028b\x85c\x0cd\x1ce", ["a", "\u2028", "b", "\x85", "c", "\x0c", "d", "\x1c", "e"]),
        ("\ufeffa\u200bb", ["\ufeff", "a", "\u200b", "b"]),
        ("\u0301\n\u0301", ["\u0301", "\n", "\u0301"]),
        ("", []),
    ],
)
def test_what_one_token_is(text: str, items: list[str]) -> None:
    assert list(tokens_of(text).items) == items


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("cafe\u0301 s", ["c", "a", "f", "e\u0301", " ", "s"]),
        ("a  b\r\n", ["a", " ", " ", "b", "\r\n"]),
        ("क्षत्रिय", ["क्ष", "त्रि", "य"]),
        (f"x{FAMILY}12\ufe0f\u20e3", ["x", FAMILY, "1", "2\ufe0f\u20e3"]),
    ],
)
def test_what_one_letter_is(text: str, items: list[str]) -> None:
    assert list(letters_of(text).items) == items


def test_starts_are_where_tokens_begin_and_the_length_of_the_text() -> None:
    assert tokens_of("one 中").starts == (0, 3, 4, 5)
    assert tokens_of("").starts == (0,)
