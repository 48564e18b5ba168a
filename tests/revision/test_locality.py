"""What changed outside the asked part: nothing when nothing did, everything when all was rewritten."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.revision.diff import raw_script
from engine.revision.locality import Outside, Range, changed_outside

PIECE = st.text(alphabet="ab中。 \n", max_size=12)


def outside(old: str, new: str, *asked: Range) -> Outside:
    return changed_outside(raw_script(old, new), asked)


@given(head=PIECE, asked=PIECE, tail=PIECE, put=PIECE)
@settings(max_examples=200, deadline=None)
def test_a_change_inside_the_asked_part_changes_nothing_outside(head: str, asked: str, tail: str, put: str) -> None:
    found = outside(head + asked + tail, head + put + tail, (len(head), len(head) + len(asked)))
    assert found == Outside(changed=0, characters=len(head) + len(tail))


@given(pieces=st.lists(st.tuples(PIECE, PIECE, PIECE), max_size=4), end=PIECE)
@settings(max_examples=150, deadline=None)
def test_so_it_is_with_several_parts(pieces: list[tuple[str, str, str]], end: str) -> None:
    old = new = ""
    asked = []
    for kept, before, after in pieces:
        asked.append((len(old + kept), len(old + kept + before)))
        old, new = old + kept + before, new + kept + after
    assert outside(old + end, new + end, *asked).changed == 0


@given(old=PIECE, new=PIECE, cuts=st.lists(st.integers(0, 12), min_size=2, max_size=4))
@settings(max_examples=200, deadline=None)
def test_it_lies_between_nothing_and_the_whole_change_and_grows_with_what_is_outside(
    old: str, new: str, cuts: list[int]
) -> None:
    places = sorted(min(cut, len(old)) for cut in cuts)
    script = raw_script(old, new)
    narrow = changed_outside(script, [(places[0], places[1])])
    wide = changed_outside(script, [(places[0], places[-1])])
    assert 0 <= wide.changed <= narrow.changed <= script.deleted + script.inserted
    assert narrow.changed <= narrow.characters
    assert changed_outside(script, [(0, len(old))]).changed == 0
    assert changed_outside(script, []).changed == script.deleted + script.inserted


@pytest.mark.parametrize(
    ("old", "new", "asked", "changed", "characters"),
    [
        ("one two three", "one 2 three", (4, 7), 0, 10),
        ("one two three", "1 two three", (4, 7), 4, 11),
        ("one two three", "1 2 three", (4, 7), 4, 11),
        ("ab", "axb", (0, 1), 0, 1),
        ("ab", "axb", (1, 1), 0, 2),
        ("a b c", "a b x c", (0, 1), 2, 6),
        ("x\nx\nx\ny", "x\nx\ny", (0, 2), 0, 5),
        ("x\nx\nx\ny\nz", "x\nx\ny\nw", (0, 2), 2, 8),
        ("一。二。三。", "一。二二。三。", (2, 4), 0, 4),
        ("abc", "", (1, 2), 2, 2),
        ("甲乙丙", "甲丁乙戊", (0, 1), 2, 3),
        ("甲乙丙", "戊甲丁丙", (1, 2), 1, 3),
    ],
    ids=[
        "inside",
        "outside",
        "both",
        "at the border",
        "at a point",
        "away from it",
        "slid into it",
        "slid into it, and more outside",
        "zh",
        "all gone",
        "behind the border, and more outside",
        "before the border and at it",
    ],
)
def test_the_rule(old: str, new: str, asked: Range, changed: int, characters: int) -> None:
    assert outside(old, new, asked) == Outside(changed=changed, characters=characters)


def test_a_hunk_half_outside_counts_what_it_deletes_outside() -> None:
    assert outside("abcd efgh ij", "xyz ij", (5, 9)) == Outside(changed=5, characters=8)


def test_the_share_is_unknown_when_nothing_is_outside() -> None:
    assert outside("abc", "x", (0, 3)).share is None
    assert outside("ab cd", "ab x", (3, 5)).share == 0
    assert outside("ab cd", "x cd", (3, 5)).share == pytest.approx(3 / 4)


def test_ranges_may_overlap_touch_and_stand_in_any_order() -> None:
    old, new = "one two three four", "one 2 three 4"
    assert outside(old, new, (14, 18), (3, 6), (5, 7)) == outside(old, new, (3, 7), (14, 18))


@pytest.mark.parametrize("asked", [(2, 1), (-1, 2), (0, 4)], ids=str)
def test_a_range_that_is_none_is_refused(asked: Range) -> None:
    with pytest.raises(ValueError, match="no range of a text of 3 characters"):
        outside("abc", "abd", asked)


def test_what_stands_twice_outside_must_still_stand_twice() -> None:
    asked = ((1, 2), (3, 4), (5, 6))
    assert outside("甲一乙二乙三丙", "甲乙乙丙", *asked).changed == 0
    assert outside("甲一乙二乙三丙", "甲乙丙", *asked) == Outside(changed=1, characters=4)
