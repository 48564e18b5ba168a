"""Faults that users of other diff engines reported, by their number in research/diff.md section 4.

What a viewer must do about them (4: telling the look-alike apart, 5: one note for all line ends, 10, 11 and 12:
escaping and labels, 13: copying, 15: the switch) is tested with the viewer.
"""

import json
from random import Random

import pytest

from engine.revision.diff import compare, raw_script
from engine.revision.script import Hunk
from tests.revision.prose import prose, zh_paragraph
from tests.revision.scripts import assert_sound, changes, size

RHYME = "一二三四五，上山打老虎；老虎没打到，打到小松鼠。松鼠有几只，让我数一数；\n"
SENTENCE = "我们今天一起去河边看书，明天还要一起去山上看花。"
GRAVE, ACUTE = "\u0300", "\u0301"
SQL = "SELECT *\nFROM billing"


@pytest.mark.parametrize("length", range(150, 300, 10))
def test_1_nothing_depends_on_a_length_of_200(length: int) -> None:
    old = (RHYME * 10)[:length]
    assert size(raw_script(old, old[: length // 2] + "零" + old[length // 2 :])) == 1


def test_1_a_repeated_sentence_with_three_characters_more_has_three_changed() -> None:
    old = [SENTENCE] * 12
    new = [line.replace("还要", "也还要") if place in (2, 5, 9) else line for place, line in enumerate(old)]
    assert size(raw_script("".join(old), "".join(new))) == 3


def test_1_two_characters_in_common_are_found_in_a_long_random_string() -> None:
    random = Random(134116)  # noqa: S311 - a test
    here, there = "".join(map(chr, range(0x4E00, 0x4E20))), "".join(map(chr, range(0x4F00, 0x4F20)))
    old = f"{''.join(random.choices(here, k=120))}成对{''.join(random.choices(here, k=111))}"
    new = f"{''.join(random.choices(there, k=6))}成对{''.join(random.choices(there, k=50))}"
    assert [old[start : start + length] for start, _, length in raw_script(old, new).equal_runs()] == ["成对"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("ab😀😀", "b😀😀", [("ab", "b")]),
        ("👈", "👌", [("👈", "👌")]),
        ("a 😀 b", "a 😁 b", [("😀", "😁")]),
    ],
)
def test_3_only_whole_emoji_are_marked_and_each_piece_can_be_exported(
    old: str, new: str, told: list[tuple[str, str]]
) -> None:
    found = compare(old, new)
    assert changes(found.raw) == changes(found.display) == told
    assert json.loads(json.dumps(told)) == [list(each) for each in told]
    assert all(piece.encode() for pieces in told for piece in pieces)


def test_3_lone_surrogates_go_through() -> None:
    found = compare("a \ud83d b\0", "a \ude00 b\0")
    assert changes(found.raw) == [("\ud83d", "\ude00")]
    assert_sound(found)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (f"festou{GRAVE}", f"impube{GRAVE}re", [(f"festou{GRAVE}", f"impube{GRAVE}re")]),
        ("x👨‍👩‍👧‍👦x", "x👨‍👩‍👧‍👧x", [("👨‍👩‍👧‍👦", "👨‍👩‍👧‍👧")]),
        ("👍🏽", "👍🏿", [("👍🏽", "👍🏿")]),
        ("café", f"cafe{ACUTE}", [("café", f"cafe{ACUTE}")]),
    ],
    ids=["marks", "family", "skin tone", "composed and decomposed"],
)
def test_4_no_mark_is_torn_off_its_base(old: str, new: str, told: list[tuple[str, str]]) -> None:
    assert changes(compare(old, new).raw) == changes(compare(old, new).display) == told


def test_5_other_line_ends_change_line_ends_and_no_line() -> None:
    found = compare("one\r\ntwo\r\nthree\r\n", "one\ntwo\nthree\n")
    assert changes(found.raw) == changes(found.display) == [("\r\n", "\n")] * 3


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("a\nb\nc", "a\nb", [("\nc", "")]),
        ("a\nb\nc", "a\nb\n", [("c", "")]),
        (SQL, f"{SQL}\nAS billing", [("", "\nAS billing")]),
        ("1st line.\n2nd line.\n3rd line.", "1st line!\n2nd line.\n3rd line!", [(".", "!"), (".", "!")]),
        ("111\n222\n333", "111\n222a\n333", [("222", "222a")]),
    ],
    ids=["382 shorter", "382 only the end", "324", "531", "similar line"],
)
def test_6_only_what_is_new_is_new_at_the_end(old: str, new: str, told: list[tuple[str, str]]) -> None:
    found = compare(old, new)
    assert changes(found.raw) == changes(found.display) == told


def test_6_a_short_line_between_two_that_changed_wholly_stays() -> None:
    found = compare("some old words\n2nd line.\nother old words\n", "new ones here\n2nd line.\nmore things now\n")
    starts = {start: length for start, _, length in found.display.equal_runs()}
    assert any(start <= 15 and start + length >= 24 for start, length in starts.items())


def test_7_big_rewrites_and_long_lines_are_answered_and_readable() -> None:
    random = Random(7)  # noqa: S311 - a test
    found = compare(prose(random, 12_000, zh_paragraph), prose(random, 12_000, zh_paragraph))
    assert_sound(found)
    assert len(found.display.hunks) < len(found.raw.hunks) / 2
    code = [f"f({number % 7}, x[{number % 11}]); " for number in range(1500)]
    assert_sound(compare("".join(code), "".join(code[1::2] + code[::2])))


def test_9_neighbouring_paragraphs_are_not_paired_crosswise() -> None:
    found = compare("this is one paragraph\n\nhere is yet another", "this is one great paragraph\n\nthis is another")
    assert changes(found.display) == [("", "great "), ("here is yet", "this is")]


def test_9_a_swap_is_a_move_whose_two_ends_are_known() -> None:
    first, second = "The first of the two paragraphs.\n", "And here is the second one, somewhat longer than it.\n"
    found = compare(f"{first}\n{second}", f"{second}\n{first}")
    (move,) = found.moves
    assert first.strip() in found.raw.old[move.old_start : move.old_end]
    assert found.raw.old[move.old_start : move.old_end] == found.raw.new[move.new_start : move.new_end]


def test_10_texts_are_never_escaped_by_the_engine() -> None:
    found = compare("a <b>three</b> foo", "a <b>three</b> <script>alert(1)</script>")
    assert found.display.new == "a <b>three</b> <script>alert(1)</script>"
    assert [piece for _, piece in changes(found.display)] == ["<script>alert(1)</script>"]


def test_11_hidden_directions_are_found_each() -> None:
    hidden = " \u202e\u2066 // Check if admin \u2069\u2066"
    assert changes(compare("if user == 'user'", f"if user == 'user{hidden}'").raw) == [("", hidden)]


@pytest.mark.parametrize(
    ("old", "new", "hunk"),
    [
        ("/app/", "/\u200bapp/", Hunk(1, 1, 1, 2)),
        ("\ufeffname", "name", Hunk(0, 1, 0, 0)),
        ("a\u00adb", "ab", None),
        ("a\u2065b", "ab", None),
    ],
    ids=["zero width space", "byte order mark", "soft hyphen", "unassigned"],
)
def test_12_what_cannot_be_seen_is_a_hunk(old: str, new: str, hunk: Hunk | None) -> None:
    found = compare(old, new)
    assert found.raw.hunks
    assert found.raw.hunks == found.display.hunks
    assert hunk is None or found.raw.hunks == (hunk,)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("foo bar", "foo\n\nbar", [(" ", "\n\n")]),
        ("一 二", "一\u3000二", [(" ", "\u3000")]),
        ("a  b", "a b", [("  ", " ")]),
        ("a\tb", "a    b", [("\t", "    ")]),
        ("a\n", "a \n", [("", " ")]),
    ],
    ids=["line ends", "wide space", "fewer", "tab", "trailing"],
)
def test_15_a_change_of_space_is_a_change(old: str, new: str, told: list[tuple[str, str]]) -> None:
    assert changes(compare(old, new).raw) == changes(compare(old, new).display) == told


@pytest.mark.parametrize("mark", ["\u2028", "\x85", "\x0c", "\x1c", "\x0b"], ids=ascii)
def test_only_carriage_return_and_line_feed_end_a_line(mark: str) -> None:
    old = f"{'a' * 9}{mark}{'b' * 9}"
    assert changes(compare(old, f"{'c' * 9}{mark}{'d' * 9}").display) == [(old, f"{'c' * 9}{mark}{'d' * 9}")]
