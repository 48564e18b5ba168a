"""Which lines stand beside each other, and what a reader is told of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.revision.blocks import split_blocks
from engine.revision.showing.changes import ChangeKind
from engine.revision.showing.comparison import compare_for_reading
from engine.revision.showing.cutting import LONG
from engine.revision.showing.rows import RowKind, new_sides, old_sides
from engine.revision.showing.text_lines import BreakChange, split_lines
from tests.revision.reading import rows_of

FIRST = "The quick brown fox jumps over the lazy dog today."
SECOND = "A second paragraph stays here for ever and ever."
THIRD = "And the third one is also long enough to count."

pieces = st.sampled_from(
    [
        "\n",
        "\r\n",
        "\r",
        "word",
        "other",
        " ",
        "  ",
        "好",
        "天",
        "。",
        "\u3000",
        "👩‍👧",
        "e\u0301",
        "\u2028",
        "1",
        "<b>",
    ]
)
texts = st.lists(pieces, max_size=40).map("".join)


@given(texts, texts)
@settings(max_examples=200, deadline=None)
def test_the_sides_of_all_rows_make_up_both_texts(old: str, new: str) -> None:
    comparison = compare_for_reading(old, new)
    script = comparison.diff.display
    assert "".join(script.old[side.start : side.end] for side in old_sides(comparison.rows)) == script.old
    assert "".join(script.new[side.start : side.end] for side in new_sides(comparison.rows)) == script.new
    for row in comparison.rows:
        assert (row.old is None or row.new is None) is (row.kind not in {RowKind.SAME, RowKind.CHANGED})
        assert row.other is None or comparison.rows[comparison.rows[row.other].other or 0] is row


@given(texts, texts)
@settings(max_examples=200, deadline=None)
def test_each_changed_row_is_in_exactly_one_change(old: str, new: str) -> None:
    comparison = compare_for_reading(old, new)
    listed = [row for change in comparison.changes for row in change.rows]
    away = [change.away for change in comparison.changes if change.away is not None]
    changed = {place for place, row in enumerate(comparison.rows) if row.kind is not RowKind.SAME}
    assert len(listed) == len(set(listed))
    assert {*listed, *away} <= changed
    assert all(
        comparison.rows[row].kind is RowKind.MOVED_AWAY or comparison.rows[row].is_spaces_only
        for row in changed - {*listed, *away}
    )
    assert [change.number for change in comparison.changes] == list(range(1, len(comparison.changes) + 1))


@pytest.mark.parametrize(
    ("old", "new", "rows"),
    [
        (
            "this is one paragraph\nhere is yet another\n",
            "this is one great paragraph\nthis is another\n",
            [
                ("changed", "this is one paragraph\n", "this is one great paragraph\n"),
                ("changed", "here is yet another\n", "this is another\n"),
            ],
        ),
        ("a\nb\nc", "a\nb", [("same", "a\n", "a\n"), ("same", "b\n", "b"), ("gone", "c", None)]),
        (
            "2nd line.\nSELECT *\nFROM billing",
            "2nd line.\nSELECT *\nFROM billing\nAS billing",
            [
                ("same", "2nd line.\n", "2nd line.\n"),
                ("same", "SELECT *\n", "SELECT *\n"),
                ("same", "FROM billing", "FROM billing\n"),
                ("new", None, "AS billing"),
            ],
        ),
        ("111\n", "111a\n", [("changed", "111\n", "111a\n")]),
        ("foo bar\n", "foo\n\nbar\n", [("changed", "foo bar\n", "foo\n\nbar\n")]),
        (
            "foo bar more\nand more\n",
            "foo bar more and more\n",
            [("changed", "foo bar more\nand more\n", "foo bar more and more\n")],
        ),
        ("apples and pears\n", "zebra\n", [("gone", "apples and pears\n", None), ("new", None, "zebra\n")]),
        (
            "Apples and pears were sold by thirty farmers near old marketplaces today because of rain\n",
            "Zebras which roam marketplaces eat whatever else visitors throw over its high fence\n",
            [
                (
                    "gone",
                    "Apples and pears were sold by thirty farmers near old marketplaces today because of rain\n",
                    None,
                ),
                ("new", None, "Zebras which roam marketplaces eat whatever else visitors throw over its high fence\n"),
            ],
        ),
        ("", "new\n", [("new", None, "new\n")]),
        ("old\n", "", [("gone", "old\n", None)]),
        ("", "", []),
        ("one\u2028two\x0cthree\n", "one\u2028two\x0cthree\n", [("same",) + ("one\u2028two\x0cthree\n",) * 2]),
    ],
    ids=[
        "9 neighbours",
        "6 last line",
        "6 sql",
        "8 spelt alike",
        "split",
        "joined",
        "unlike",
        "hardly alike",
        "from nothing",
        "to nothing",
        "nothing",
        "rare breaks",
    ],
)
def test_lines_that_belong_together_stand_beside_each_other(
    old: str, new: str, rows: list[tuple[str, str | None, str | None]]
) -> None:
    assert rows_of(old, new) == rows


@pytest.mark.parametrize(
    ("edited", "kind"),
    [(FIRST, ChangeKind.MOVED), (FIRST.replace("lazy", "very lazy"), ChangeKind.MOVED_AND_EDITED)],
    ids=["as it was", "edited on the way"],
)
def test_a_paragraph_that_moved_is_linked_at_both_ends(edited: str, kind: ChangeKind) -> None:
    comparison = compare_for_reading(f"{FIRST}\n{SECOND}\n{THIRD}\n", f"{SECOND}\n{THIRD}\n{edited}\n")
    (change,) = comparison.changes
    assert (change.kind, change.rows, change.away) == (kind, range(3, 4), 0)
    assert change.old is not None
    assert change.new is not None
    assert (change.old.paragraph, change.new.paragraph) == (1, 3)
    assert [place for place, _ in comparison.moved] == ([3] if edited != FIRST else [])


def test_a_chinese_paragraph_that_moved_and_has_no_long_stretch_left_is_still_linked() -> None:
    moved = "我们在两台机器上测量了登录时间，结果都很短。\n"
    rest = "数据库放在一台服务器上，每天晚上备份。\n下周我们会请五个人来试用这个页面。\n"
    (change,) = compare_for_reading(
        moved + rest, rest + moved.replace("机器", "旧机器").replace("都很", "都非常")
    ).changes
    assert change.kind is ChangeKind.MOVED_AND_EDITED


def test_line_endings_are_told_once_and_are_no_change() -> None:
    comparison = compare_for_reading("one\r\ntwo\r\n", "one\ntwo\n")
    assert comparison.is_same
    assert comparison.changes == ()
    assert comparison.breaks == (BreakChange(before="\r\n", after="\n", lines=2),)


def test_line_endings_are_counted_beside_real_changes_too() -> None:
    comparison = compare_for_reading("one line\r\ntwo\r\nthree\r\n", "one fine line\nzero\ntwo\nthree\r\n")
    assert comparison.breaks == (BreakChange(before="\r\n", after="\n", lines=2),)
    assert [change.kind for change in comparison.changes] == [ChangeKind.WORDING, ChangeKind.NEW]


@pytest.mark.parametrize(
    ("old", "new", "ends"),
    [
        ("a\nb", "a\nb\n", (False, True)),
        ("a\nb\n", "a\nb", (True, False)),
        ("a", "b", (False, False)),
        ("", "a\n", (True, True)),
    ],
)
def test_a_missing_break_at_the_end_is_told_and_is_no_change_of_its_line(
    old: str, new: str, ends: tuple[bool, bool]
) -> None:
    comparison = compare_for_reading(old, new)
    assert comparison.end_break == ends
    if old.strip() == new.strip():
        assert comparison.changes == ()


@pytest.mark.parametrize(
    ("old", "new", "spaces"),
    [
        ("a b\n", "a  b\n", 1),
        ("a b\n", "a\u3000b\n", 1),
        ("foo bar\n", "foo\n\nbar\n", 1),
        ("a b\n", "a c\n", 0),
        ("x\n", "x\n\n\n", 1),
    ],
)
def test_changes_of_white_space_are_counted(old: str, new: str, spaces: int) -> None:
    comparison = compare_for_reading(old, new)
    assert comparison.spaces == spaces
    assert {change.kind is ChangeKind.SPACES for change in comparison.changes} == {bool(spaces)}


def test_new_paragraphs_in_a_row_are_one_change_with_the_blank_lines_between_them() -> None:
    (change,) = compare_for_reading("start\n\nend\n", f"start\n\n{FIRST}\n\n{SECOND}\n\nend\n").changes
    assert (change.kind, len(change.rows)) == (ChangeKind.NEW, 4)


@pytest.mark.parametrize("unit", ["字", "word ", "一句话。"])
def test_a_very_long_line_is_cut_at_the_same_place_in_both_texts(unit: str) -> None:
    old = unit * 20_000
    middle = len(old) // 2 - len(old) // 2 % len(unit)
    new = old[:middle] + "CHANGED" + old[middle:]
    comparison = compare_for_reading(old, new)
    assert all(side.end - side.start <= LONG for side in (*old_sides(comparison.rows), *new_sides(comparison.rows)))
    changed = [row for row in comparison.rows if row.kind is not RowKind.SAME]
    assert 1 <= len(changed) <= 2
    assert {side.line for side in old_sides(comparison.rows)} == {1}
    assert next(side.is_continued for side in new_sides(comparison.rows)) is False


def test_a_break_of_a_very_long_line_is_counted_once() -> None:
    assert compare_for_reading("字" * 5000 + "\r\n", "字" * 5000 + "\n").breaks == (
        BreakChange(before="\r\n", after="\n", lines=1),
    )


def test_a_blank_line_beside_a_moved_paragraph_goes_with_it() -> None:
    old = f"{FIRST}\n\n{SECOND}\n\n{THIRD}\n"
    assert [change.kind for change in compare_for_reading(old, f"{SECOND}\n\n{THIRD}\n\n{FIRST}\n").changes] == [
        ChangeKind.MOVED
    ]


def test_a_cut_never_falls_inside_a_grapheme() -> None:
    family = "👩‍👩‍👧"
    text = "ab" + family * 1500
    comparison = compare_for_reading(text, text + "x")
    ends = [side.end for side in new_sides(comparison.rows)][:-1]
    assert ends
    assert {(end - 2) % len(family) for end in ends} == {0}


def test_lines_end_at_three_breaks_only() -> None:
    assert [line.stop for line in split_lines("a\x0b\x1c\x85\u2029\nb")] == [6, 7]


def test_paragraphs_are_counted_as_in_a_conversation_about_the_text() -> None:
    text = f"# Head\n\n{FIRST}\n\n- one\n- two\n\n{SECOND}\nand its second line\n\n{THIRD}\n"
    rows = compare_for_reading(text, text.replace(THIRD, "Something else stands there now.")).rows
    told = [(side.line, side.paragraph, side.is_inside) for side in old_sides(rows) if side.paragraph]
    assert told == [(3, 1, False), (8, 2, False), (9, 2, True), (11, 3, False)]
    assert [text.splitlines()[line - 1] for line, _number, is_inside in told if not is_inside] == [
        block.text.splitlines()[0] for block in split_blocks(text, is_code=False).paragraphs
    ]
