"""What was chosen where two texts clash becomes the joined text, and what was typed into it stays."""

import re
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.revision.joining import AROUND, Choice, Joining, begin_joining, with_mark
from engine.revision.merge import merge

BASE = "Red one.\n\nGreen two.\n\nBlue three.\n\nFour words.\n"
YOURS = "Red 1.\n\nGrass two.\n\nBlau three.\n\nFour words.\n"
THEIRS = "Red one.\n\nMoss two.\n\nSky three.\n\nFour terms.\n"


def joining(*choices: Choice) -> Joining:
    begun = begin_joining(merge(BASE, YOURS, THEIRS))
    for number, choice in enumerate(choices):
        begun = begun.choose(number, choice)
    return begun


def test_what_merges_by_itself_is_in_and_theirs_stands_where_nothing_is_chosen() -> None:
    assert joining().text == "Red 1.\n\nMoss two.\n\nSky three.\n\nFour terms.\n"
    assert joining().open_count == 2
    assert joining(Choice.YOURS, Choice.BY_HAND).open_count == 0


@pytest.mark.parametrize(
    ("choice", "said"),
    [(Choice.YOURS, "Grass two."), (Choice.THEIRS, "Moss two."), (Choice.BOTH, "Grass Moss two.")],
)
def test_a_choice_stands_in_its_place_and_nowhere_else(choice: Choice, said: str) -> None:
    assert joining(choice).text == f"Red 1.\n\n{said}\n\nSky three.\n\nFour terms.\n"


def test_what_is_typed_is_a_choice_only_where_nothing_was_chosen() -> None:
    assert joining(Choice.BY_HAND).choices == (Choice.BY_HAND, Choice.OPEN)
    assert joining(Choice.YOURS).choose(0, Choice.BY_HAND) == joining(Choice.YOURS)


BOTH = {
    "whole paragraphs": (
        "A.\n\nOld.\n\nB.\n",
        "A.\n\nEins!\n\nB.\n",
        "A.\n\nZwei?\n\nB.\n",
        "A.\n\nEins!\n\nZwei?\n\nB.\n",
    ),
    "whole lines": ("a\nold\nb\n", "a\none\nb\n", "a\ntwo\nb\n", "a\none\ntwo\nb\n"),
    "words": ("see old here", "see one here", "see two here", "see one two here"),
    "Han": ("我在旧处等", "我在东边等", "我在西面等", "我在东边西面等"),
    "one is gone": ("see old here", "see here", "see two here", "see two here"),
    "paragraphs at the end": ("A.", "A.\n\nEins", "A.\n\nZwei", "A.\n\nEins\n\nZwei"),
}


@pytest.mark.parametrize(("base", "yours", "theirs", "said"), BOTH.values(), ids=BOTH)
def test_both_wordings_stand_one_behind_the_other(base: str, yours: str, theirs: str, said: str) -> None:
    assert begin_joining(merge(base, yours, theirs)).choose(0, Choice.BOTH).text == said


CODE_BOTH = {
    "one line": ("x = 0\ny\n", "x = 1\ny\n", "x = 2\ny\n", "x = 1\nx = 2\ny\n"),
    "a last line without a break": ("a\nx = 0", "a\nx = 1", "a\nx = 2", "a\nx = 1\nx = 2"),
    "behind a blank line": ("a\n\nx = 0", "a\n\nx = 1", "a\n\nx = 2", "a\n\nx = 1\nx = 2"),
    "only mine has a break": ("x = 0", "x = 1\n", "x = 2", "x = 1\nx = 2"),
    "theirs begins with a blank line": ("x = 0", "x = 1", "\nx = 2", "x = 1\n\nx = 2"),
    "one is gone": ("a\nx = 0\nb\n", "a\nb\n", "a\nx = 2\nb\n", "a\nx = 2\nb\n"),
    "a CR before a LF": ("x", "a\r", "\nb", "a\r\r\nb"),
}


@pytest.mark.parametrize(("base", "yours", "theirs", "said"), CODE_BOTH.values(), ids=CODE_BOTH)
def test_both_wordings_of_code_are_whole_lines_mine_above_theirs(base: str, yours: str, theirs: str, said: str) -> None:
    assert begin_joining(merge(base, yours, theirs, by_line=True)).choose(0, Choice.BOTH).text == said


CODE_LINES = ["a = 1", "a = 2", "if a:", "", "    b", "    b(a)"]
sources = st.tuples(st.lists(st.sampled_from(CODE_LINES), max_size=7), st.sampled_from(["", "\n"])).map(
    lambda one: "\n".join(one[0]) + one[1]
)


@settings(max_examples=100, deadline=None)
@given(sources, sources, sources, st.lists(st.sampled_from(Choice), min_size=8, max_size=8))
def test_every_choice_for_code_gives_only_lines_that_stand_in_one_of_the_texts(
    base: str, yours: str, theirs: str, choices: list[Choice]
) -> None:
    begun = begin_joining(merge(base, yours, theirs, by_line=True))
    made = replace(begun, choices=tuple(choices[: len(begun.choices)]))
    assert {*made.text.split("\n")} <= {"", *(line for text in (base, yours, theirs) for line in text.split("\n"))}


def test_what_is_typed_in_a_line_of_code_is_asked_about_before_a_choice_replaces_the_line() -> None:
    begun = begin_joining(merge("x = 0  # of it\n", "x = 1  # of it\n", "x = 2  # of it\n", by_line=True))
    typed, later = "x = 2  # of it all\n", begun.choose(0, Choice.YOURS)
    assert begun.carry(typed, later) is None
    assert begun.carry(typed, later, over_hand=True) == "x = 1  # of it\n"


def test_of_code_the_line_of_a_clash_is_shown_and_no_other() -> None:
    (place,) = begin_joining(merge("a\nx\nb\n", "a\ny\nb\n", "a\nz\nb\n", by_line=True)).places
    assert (place.before, place.clash.yours, place.after) == ("", "y\n", "")


@settings(max_examples=100, deadline=None)
@given(*[st.lists(st.sampled_from(["a", "b", "\n", "\r", "\r\n"]), max_size=4).map("".join)] * 3, st.booleans())
@example("", "a\r", "\nb", False)
def test_both_wordings_have_the_line_ends_of_both(base: str, yours: str, theirs: str, by_line: bool) -> None:
    merged = merge(base, yours, theirs, by_line=by_line)
    begun = begin_joining(merged)
    made = replace(begun, choices=(Choice.BOTH,) * len(begun.choices))
    wordings = ([one.yours, one.theirs] if one.agreed is None else [one.agreed] for one in merged.stretches)
    assert line_ends(made.text) >= sum(line_ends(each) for one in wordings for each in one)


def line_ends(text: str) -> int:
    return len(re.findall(r"\r\n|\r|\n", text))


def test_a_clash_is_shown_with_the_rest_of_its_line() -> None:
    first, second = joining(Choice.YOURS).places
    assert (first.before, first.clash.yours, first.after, first.choice) == ("", "Grass", " two.", Choice.YOURS)
    assert (second.before, second.clash.theirs, second.after, second.choice) == ("", "Sky", " three.", Choice.OPEN)


def test_of_a_long_line_only_what_is_near_is_shown_and_no_letter_is_cut() -> None:
    long = "e\u0301" * AROUND
    (place,) = begin_joining(merge(f"{long} old {long}", f"{long} one {long}", f"{long} two {long}")).places
    for shown in (place.before, place.after):
        assert "…" in shown and len(shown) <= AROUND + 1
        assert not shown.strip("… ").startswith("\u0301")


def test_a_choice_keeps_what_was_typed_elsewhere() -> None:
    begun = joining()
    typed = begun.text.replace("Four terms.", "Four terms, and a fifth.").replace("Red 1.", "Red, first.")
    assert begun.carry(typed, begun.choose(0, Choice.YOURS)) == typed.replace("Moss", "Grass")


def test_a_choice_asks_before_it_replaces_what_was_typed_in_that_very_place() -> None:
    begun = joining()
    typed = begun.text.replace("Moss", "Fern").replace("Four terms", "Four and more")
    later = begun.choose(0, Choice.YOURS)
    assert begun.carry(typed, later) is None
    assert begun.carry(typed, later, over_hand=True) == typed.replace("Fern", "Grass")


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(Choice), min_size=2, max_size=2), st.integers(0, 1), st.sampled_from(Choice))
def test_without_typing_a_choice_gives_the_text_of_the_choices(
    before: list[Choice], place: int, choice: Choice
) -> None:
    begun = joining(*before)
    later = begun.choose(place, choice)
    assert begun.carry(begun.text, later) == later.text


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(Choice), min_size=2, max_size=2))
def test_choices_are_read_from_their_mark(choices: list[Choice]) -> None:
    assert with_mark(merge(BASE, YOURS, THEIRS), joining(*choices).mark) == joining(*choices)


@pytest.mark.parametrize("mark", ["", "oo", "oo:", "yyy:1", "zz:1", joining().mark])
def test_a_mark_of_other_texts_is_not_believed(mark: str) -> None:
    assert with_mark(merge(BASE, YOURS, THEIRS.replace("Sky", "Sea")), mark) is None
