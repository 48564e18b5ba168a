"""Texts as blocks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.revision.blocks import BlockKind, split_blocks
from tests.revision.texts import BRIEF, CODE, GUIDE, PLAIN

LINES = st.sampled_from(
    (
        *("", " ", "# Head", "## 二", "Title", "===", "---", "- item", "  more", "1. one", "```", "~~~py", "| a | b |"),
        *("第一句。", "wrapped", "二、安装", "***", "\tindented", "def f():", "a\x0bb", "\ufeffstart", "😀"),
    )
)
TEXTS = st.lists(st.tuples(LINES, st.sampled_from(["\n", "\r\n", "\r", "\n\n"])), max_size=20).map(
    lambda pairs: "".join(line + end for line, end in pairs)
) | st.text(max_size=60)


@settings(max_examples=100)
@given(text=TEXTS, is_code=st.booleans())
def test_blocks_join_back_byte_for_byte(text: str, is_code: bool) -> None:
    document = split_blocks(text, is_code=is_code)
    assert document.join() == text
    assert [block.number for block in document.blocks] == list(range(1, len(document.blocks) + 1))


@settings(max_examples=100)
@given(text=TEXTS, is_code=st.booleans())
def test_no_block_is_blank_and_no_gap_holds_words(text: str, is_code: bool) -> None:
    document = split_blocks(text, is_code=is_code)
    assert all(block.text.strip() for block in document.blocks)
    assert not any(gap.strip() for gap in (document.lead, *(block.gap for block in document.blocks[:-1])))


def kinds(text: str) -> list[str]:
    return [f"{block.kind}{block.level or ''}" for block in split_blocks(text, is_code=False).blocks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n\n", []),
        ("---\na: 1\n---\nText.\n", ["front_matter", "paragraph"]),
        ("Text.\n\n---\n\nMore.\n", ["paragraph", "rule", "paragraph"]),
        ("Title\n=====\nText\n", ["heading1", "paragraph"]),
        ("Sub\n---\nText\n", ["heading2", "paragraph"]),
        ("wrapped line\ngoes on\n\nnext", ["paragraph", "paragraph"]),
        ("第一句。\n第二句！\n", ["paragraph", "paragraph"]),
        ("第一句。\n第二句😀\n", ["paragraph", "paragraph"]),
        ("第一行没有句号\n第二句。\n", ["paragraph"]),
        ("Do:\n- a\n- b\n\n- c\n\n  more\n\nEnd.", ["paragraph", "list", "paragraph"]),
        ("1. a\n2. b\n# H\n", ["list", "heading1"]),
        ("```\n# no heading\n\n- no list\n```\nText", ["code", "paragraph"]),
        ("```\nnever closed\n\nText\n", ["code"]),
        ("| a |\n|---|\nText", ["table", "paragraph"]),
        ("a | b\n--- | :-:\n1 | 2\n\nText", ["table", "paragraph"]),
        ("Text\na | b\n---|---\n1 | 2\nmore", ["paragraph", "table", "paragraph"]),
        ("a | b\nno table", ["paragraph"]),
        ("``` `one` ``` stands in the line\n\nText.", ["paragraph", "paragraph"]),
        ("~~~ a ` b\n# no heading\n~~~\nText.", ["code", "paragraph"]),
        ("---\n\nText.\n\n---\n\nMore.", ["rule", "paragraph", "rule", "paragraph"]),
        ("---\n---\nText.", ["front_matter", "paragraph"]),
        ("二、安装\n\n正文。", ["heading2", "paragraph"]),
        ("一、去登记。\n\n正文。", ["paragraph", "paragraph"]),
        ("一、登记\n二、交换\n", ["paragraph"]),
        ("> quoted\n> more\n", ["paragraph"]),
    ],
)
def test_each_kind_is_told(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


def test_a_program_is_split_at_the_left_margin() -> None:
    document = split_blocks(CODE, is_code=True)
    assert [block.text.splitlines()[0] for block in document.blocks] == [
        "import sys",
        "def total(prices):",
        "print(total([1, 2]))",
    ]
    assert {block.kind for block in document.blocks} == {BlockKind.CODE}


def test_paragraphs_are_prose_only() -> None:
    assert [block.number for block in split_blocks(GUIDE, is_code=False).paragraphs] == [2, 3, 5, 6, 9, 12]
    assert [block.number for block in split_blocks("- a\n", is_code=False).paragraphs] == [1]


@pytest.mark.parametrize(
    ("text", "line_end", "gap"),
    [
        (BRIEF, "\n", "\n\n"),
        (PLAIN, "\n", "\n"),
        (BRIEF.replace("\n", "\r\n"), "\r\n", "\r\n\r\n"),
        ("one\r\ntwo\n\nthree\r\n", "\r\n", "\r\n\r\n"),
        ("one", "\n", "\n\n"),
    ],
)
def test_line_end_and_usual_gap_are_those_of_the_text(text: str, line_end: str, gap: str) -> None:
    document = split_blocks(text, is_code=False)
    assert (document.line_end, document.usual_gap) == (line_end, gap)
