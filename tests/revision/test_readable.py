"""The display script says the same change where a reader expects it."""

import pytest

from engine.revision.aligning.anchors import sides_of
from engine.revision.aligning.readable import WIDEST_ISLAND, slid
from engine.revision.aligning.tokens import tokens_of
from engine.revision.diff import compare
from engine.revision.script import Hunk
from tests.revision.scripts import changes, size


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("a\n\nb\n\nd\n", "a\n\nb\n\nc\n\nd\n", [("", "c\n\n")]),
        ("one\nthree\n", "one\ntwo\nthree\n", [("", "two\n")]),
        ("它来了。它走了。", "它来了。它笑了。它走了。", [("", "它笑了。")]),
        ("It is. It was. ", "It is. It has. It was. ", [("", "It has. ")]),
        ("红的，黄的", "红的，蓝的，黄的", [("", "蓝的，")]),
        ("one a one", "one a two a one", [("", "two a ")]),
        ("x = 1\n\ny = 2", "x = 1\n\nz = 3\n\ny = 2", [("", "z = 3\n\n")]),
        ("“好。”“走。”", "“好。”“行。”“走。”", [("", "“行。”")]),
        ("甲，乙\n", "甲，乙，乙\n", [("", "，乙")]),
        ("a\n\nc\nd", "a\n\nc\nb\nc\nd", [("", "c\nb\n")]),
    ],
    ids=[
        "paragraph",
        "line",
        "zh sentence",
        "en sentence",
        "comma",
        "space",
        "blank line between",
        "closing quote",
        "end of line",
        "start of paragraph",
    ],
)
def test_what_could_stand_in_several_places_stands_at_the_strongest_border(
    old: str, new: str, told: list[tuple[str, str]]
) -> None:
    for before, after, expected in ((old, new, told), (new, old, [(gone, come) for come, gone in told])):
        found = compare(before, after)
        assert changes(found.display) == expected
        assert size(found.display) == size(found.raw)


def test_hunks_that_can_be_slid_together_are_one_at_no_cost() -> None:
    found = compare("丙甲", "乙丙甲甲丁")
    assert len(found.raw.hunks) == 3
    assert changes(found.display) == [("", "乙"), ("", "甲丁")]
    assert size(found.display) == size(found.raw)


def test_so_are_those_that_meet_on_the_left() -> None:
    sides = sides_of(tokens_of("丁乙乙戊"), tokens_of("丙乙戊"))
    assert slid(sides, [Hunk(0, 1, 0, 1), Hunk(2, 3, 2, 2)]) == [Hunk(0, 2, 0, 1)]


def test_to_be_one_goes_before_a_stronger_border() -> None:
    sides = sides_of(tokens_of("甲。甲乙"), tokens_of("甲丁"))
    assert slid(sides, [Hunk(0, 2, 0, 0), Hunk(3, 4, 1, 2)]) == [Hunk(1, 4, 1, 2)]


def test_an_island_between_larger_edits_is_dissolved() -> None:
    old, new = "alpha, beta x gamma, delta", "first, second x third, fourth"
    assert changes(compare(old, new).display) == [(old, new)]


@pytest.mark.parametrize(
    ("island", "stays"),
    [("，", False), ("is", False), ("学", False), ("word", True), ("两个字", True), ("\n", True), ("\r\n", True)],
    ids=ascii,
)
def test_a_word_or_a_line_end_is_no_island(island: str, stays: bool) -> None:
    old, new = f"abcdefgh{island}mnopqrst", f"12345678{island}87654321"
    old, new = (text.replace(island, f"·{island}·") for text in (old, new))
    assert (len(compare(old, new).display.hunks) == 2) is stays


@pytest.mark.parametrize(("length", "stays"), [(WIDEST_ISLAND, False), (WIDEST_ISLAND + 1, True)])
def test_an_island_is_no_wider_than_this(length: int, stays: bool) -> None:
    island = "- " * length
    found = compare(f"{'a' * 40}{island[:length]}{'b' * 40}", f"{'c' * 40}{island[:length]}{'d' * 40}")
    assert (len(found.display.hunks) == 2) is stays


@pytest.mark.parametrize(("island", "stays"), [("的是", False), ("的是了", True)])
def test_a_han_character_is_as_wide_as_two_letters(island: str, stays: bool) -> None:
    found = compare(f"甲乙丙丁{island}戊己庚辛", f"子丑寅卯{island}辰巳午未")
    assert (len(found.display.hunks) == 2) is stays


@pytest.mark.parametrize("is_deletion", [False, True], ids=["insertions", "deletions"])
def test_what_stands_between_two_insertions_stays(is_deletion: bool) -> None:
    texts = "甲，乙", "甲丙丙丙，丁丁丁乙"
    old, new = texts[::-1] if is_deletion else texts
    assert len(compare(old, new).display.hunks) == 2


def test_an_island_larger_than_one_of_its_neighbours_stays() -> None:
    found = compare(f"{'a' * 20}- - {'b' * 3}", f"{'c' * 20}- - {'d' * 3}")
    assert len(found.display.hunks) == 2
    assert len(compare(f"{'a' * 20}- - {'b' * 4}", f"{'c' * 20}- - {'d' * 4}").display.hunks) == 1


def test_an_island_that_stayed_is_dissolved_once_its_neighbour_has_grown() -> None:
    found = compare("aa+bb+-+cccccc", "xx+yy+-+zzzzzz")
    assert found.display.hunks == (Hunk(0, 14, 0, 14),)


def test_no_line_that_stays_is_swallowed() -> None:
    old = "aaaa bbbb\nkk\ncccc dddd\n"
    new = "1111 2222\nkk\n3333 4444\n"
    assert changes(compare(old, new).display) == [("aaaa bbbb", "1111 2222"), ("cccc dddd", "3333 4444")]
