"""Changes told inside lines turn the one text into the other, and an added line is never part of a changed one."""

from itertools import pairwise

import pytest
from hypothesis import given, settings

from engine.revision.line_changes import LineChange, line_changes
from tests.revision.test_merge import edited


@settings(max_examples=200, deadline=None)
@given(edited())
def test_the_changes_turn_the_old_text_into_the_new_one(three: tuple[str, str, str]) -> None:
    old, new, _other = three
    found = line_changes(old, new)
    parts, at = [], 0
    for change in found:
        parts += [old[at : change.start], change.new]
        at = change.end
    assert "".join([*parts, old[at:]]) == new
    assert all(left.end <= right.start for left, right in pairwise(found))
    assert not [1 for left, right in pairwise(found) if left.start == right.end]


TOLD = {
    "a line behind a changed end": ("It is so.\n", "It is not.\n\nMore.\n", [(6, 8, "not"), (10, 10, "\nMore.\n")]),
    "a line before a changed beginning": ("It is so.\n", "More.\nThis is so.\n", [(0, 0, "More.\n"), (0, 2, "This")]),
    "behind a last line without a break": ("It is so.", "It is not.\nMore.", [(6, 8, "not"), (9, 9, "\nMore.")]),
    "only the break": ("one\r\ntwo\r\n", "one\ntwo\r\n", [(3, 5, "\n")]),
}


@pytest.mark.parametrize(("old", "new", "told"), TOLD.values(), ids=TOLD)
def test_lines_and_the_words_inside_them_are_told_apart(old: str, new: str, told: list[tuple[int, int, str]]) -> None:
    assert line_changes(old, new) == tuple(LineChange(*each) for each in told)
