from typing import SupportsIndex

import pytest
import regex
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engine.domain.text import clean
from engine.feedback.cutting import OMISSION, clean_and_cut, cut
from tests.feedback.builders import HOSTILE, texts

untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""A busy machine is no failure."""
FAMILY = "👨‍👩‍👧‍👦"


@pytest.mark.parametrize(
    ("text", "cap", "expected"),
    [
        pytest.param("abc", 3, ("abc", False), id="as long as its cap stays whole"),
        pytest.param("abcd", 3, ("ab…", True), id="the mark counts inside the cap"),
        pytest.param("", 1, ("", False), id="nothing stays nothing"),
        pytest.param("abcd", 1, ("…", True), id="a cap of one holds the mark alone"),
        pytest.param(FAMILY * 2, 8, (FAMILY + "…", True), id="a family of seven code points just fits"),
        pytest.param(FAMILY * 2, 7, ("…", True), id="a family is never separated"),
        pytest.param("ae\u0301b" * 2, 3, ("a…", True), id="an accent is not taken off its letter"),
        pytest.param("🇨🇳🇩🇪", 3, ("🇨🇳…", True), id="a flag is one thing"),
        pytest.param("🇨🇳🇩🇪", 2, ("…", True), id="half a flag is none"),
        pytest.param("评审标准依据", 4, ("评审标…", True), id="Chinese is cut between characters"),
    ],
)
def test_a_cut_text_ends_between_graphemes_and_with_the_mark(text: str, cap: int, expected: tuple[str, bool]) -> None:
    assert cut(text, cap) == expected


def test_a_cap_without_room_for_the_mark_is_refused() -> None:
    with pytest.raises(ValueError, match="no room"):
        cut("abc", 0)


@untimed
@given(text=texts(), cap=st.integers(1, 90))
def test_whatever_is_cut_is_a_beginning_of_whole_graphemes_as_long_as_can_be(text: str, cap: int) -> None:
    shown, is_cut = cut(text, cap)
    assert len(shown) <= cap
    assert is_cut == (len(text) > cap)
    if not is_cut:
        assert shown == text
        return
    kept = shown.removesuffix(OMISSION)
    ends = [grapheme.end() for grapheme in regex.finditer(r"\X", text)]
    assert shown == kept + OMISSION
    assert text.startswith(kept)
    assert len(kept) == max((end for end in ends if end <= cap - 1), default=0)


@untimed
@given(text=texts(), cap=st.integers(1, 90))
@example(text="\u200b" * 1000 + "a" * 10, cap=5)
@example(text=" " * 1000 + "a" * 10, cap=5)
@example(text="a" * 5 + " " * 1000, cap=5)
@example(text="a" * 5 + " " * 1000 + "b", cap=5)
@example(text="abc\r" + "\n" * 40, cap=1)
@example(text=HOSTILE * 20, cap=40)
def test_cleaning_only_what_is_needed_changes_nothing(text: str, cap: int) -> None:
    assert clean_and_cut(text, cap) == cut(clean(text), cap)


class WatchedText(str):
    """Text that counts how many of its characters are taken out of it."""

    taken = 0

    def __getitem__(self, index: SupportsIndex | slice) -> str:
        part = super().__getitem__(index)
        self.taken += len(part)
        return part


def test_of_a_text_of_five_million_characters_only_the_beginning_is_cleaned() -> None:
    text = WatchedText("字" * 5_000_000)
    assert clean_and_cut(text, 120) == ("字" * 119 + "…", True)
    assert 0 < text.taken <= 4 * 120


def test_a_beginning_of_half_a_million_invisible_characters_hides_nothing() -> None:
    text = WatchedText("\u200b" * 500_000 + "seen")
    assert clean_and_cut(text, 120) == ("seen", False)
    assert text.taken < 2 * len(text)


def test_a_grapheme_of_five_million_code_points_is_left_out_whole() -> None:
    assert clean_and_cut("a" + "\u0301" * 5_000_000, 120) == ("…", True)
