"""Drawn diffs: nothing in a text acts, everything of it is there, and what cannot be seen is named."""

import re
from dataclasses import replace
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.revision.diff import compare
from engine.revision.showing.comparison import compare_for_reading
from engine.revision.showing.diff_html import STYLE, DiffDrawing, View, title_html
from engine.revision.showing.diff_page import PageWords, write_page
from engine.revision.showing.labels import for_a_page
from engine.revision.showing.pieces import Grain
from engine.revision.showing.windows import fold_rows
from tests.revision.reading import HOSTILE, PAGE_TAGS, TAGS, WORDS, a_look, drawn, seen

VIEWS = pytest.mark.parametrize("view", View)
pieces = st.sampled_from([*HOSTILE, "\n", "\n", " ", "word", "好", "天", "\u3000", "e\u0301", "👩‍👧", "\r\n"])
texts = st.lists(pieces, max_size=14).map("".join)


def on_a_page(text: str) -> str:
    return for_a_page(re.sub(r"\r\n?", "\n", text))


def page(old: str, new: str) -> str:
    comparison = compare_for_reading(old, new)
    items = fold_rows(comparison, around=1, hides_spaces=False, opened={})
    words = PageWords(title=old, notes=(new, old), changes=old, entries=[(0, new), (1, old)])
    return write_page(DiffDrawing(comparison, a_look(), WORDS), items, words, "en")


@given(texts, texts)
@settings(max_examples=150, deadline=None)
def test_side_by_side_both_texts_are_there_to_the_last_character(old: str, new: str) -> None:
    found = seen(drawn(old, new))
    assert found.sides.get("o", "") == on_a_page(old)
    assert found.sides.get("n", "") == on_a_page(new)
    assert (found.odd, found.tags - TAGS) == ([], set())


@given(texts, texts)
@settings(max_examples=100, deadline=None)
def test_hiding_spaces_and_marking_characters_change_marks_and_no_character(old: str, new: str) -> None:
    found = seen(drawn(old, new, look=a_look(hides_spaces=True, grain=Grain.CHARACTER)))
    assert found.sides.get("o", "") == on_a_page(old)
    assert found.sides.get("n", "") == on_a_page(new)


@VIEWS
@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("place", ["kept", "inserted", "deleted", "moved", "title", "page", "folded page"])
def test_hostile_text_is_shown_and_does_nothing(view: View, text: str, place: str) -> None:
    rest = "A second paragraph stays here for ever and ever.\n" * 2
    html = {
        "kept": lambda: drawn(f"{text}\nold line\n", f"{text}\nnew line\n", view),
        "inserted": lambda: drawn("a\n", f"a{text}\n{text}\n", view),
        "deleted": lambda: drawn(f"a{text}\n{text}\n", "a\n", view),
        "moved": lambda: drawn(f"{text} {rest[:40]}\n{rest}", f"{rest}{text} {rest[:40]}!\n", view),
        "title": lambda: title_html(compare(f"old {text}", text), a_look(view), WORDS),
        "page": lambda: page(text, f"x {text}\n"),
        "folded page": lambda: page(f"{text}\n" * 20, f"{text}\n" * 20 + "end"),
    }[place]()
    found = seen(html)
    assert (found.odd, found.tags - TAGS - (PAGE_TAGS if "page" in place else set())) == ([], set())
    assert for_a_page(text) in unescape(re.sub(r"<[^>]*>", "", html))


def test_words_of_ours_are_escaped_too() -> None:
    words = replace(WORDS, gone='"; } </style><script>', region='"><script>', language='"><script>')
    html = DiffDrawing(compare_for_reading("a", "b"), a_look(), words).part([0])
    assert seen(html).odd == []
    assert '--gone:"\\22 \\3b  \\7d  \\3c \\2f style' in unescape(html)


@pytest.mark.parametrize(
    ("character", "label"),
    [
        *(("\u200b", "ZWSP"), ("\ufeff", "BOM"), ("\u00a0", "NBSP"), ("\u202e", "RLO"), ("\u2066", "LRI")),
        *(("\u2069", "PDI"), ("\u200e", "LRM"), ("\u061c", "ALM"), ("\u00ad", "SHY"), ("\x1b", "U+001B")),
        *(("\x00", "U+0000"), ("\ud83d", "U+D83D"), ("\u2028", "LSEP"), ("\U000e0041", "U+E0041"), ("\x85", "U+0085")),
    ],
)
@VIEWS
def test_a_hidden_character_has_a_label_that_is_not_text(character: str, label: str, view: View) -> None:
    html = drawn("/app/\n", f"/{character}app/\n", view)
    assert f'<span class="u" data-l="{label}">{for_a_page(character)}</span>' in html
    assert html.count("<ins>") == 1


@pytest.mark.parametrize("text", ["👩‍👩‍👧", "क्‍ष", "می‌خواهم", "👍🏽", "日本", "é e\u0301", "\t", "“x”"])
def test_what_makes_one_character_with_its_neighbours_has_none(text: str) -> None:
    assert 'class="u"' not in drawn("", f"{text}\n")


def test_a_wide_blank_has_a_label_only_where_it_is_the_change() -> None:
    assert "U+3000" in drawn("a b\n", "a\u3000b\n")
    assert "U+3000" not in drawn("\u3000\u3000一句。\n", "\u3000\u3000两句。\n\u3000\u3000新的一段。\n")


@pytest.mark.parametrize(("text", "warned"), [("user\u202e // admin", True), ("plain", False), ("a\u200bb", False)])
def test_a_line_that_turns_around_is_warned_of(text: str, warned: bool) -> None:
    assert ('data-l="This line turns around."' in drawn("old\n", f"{text}\n")) is warned


def test_every_line_is_a_block_that_isolates_and_a_label_is_a_box_of_its_own() -> None:
    html = drawn("a\nb c d\n", "a\nb\nc d\n")
    assert len(re.findall(r'<div class="t" dir="auto">', html)) == 5
    assert re.search(r"\.tl-diff \.t \{[^}]*unicode-bidi: isolate", STYLE)
    assert re.search(r"\.tl-diff \.u \{[^}]*display: inline-block", STYLE)


def test_other_code_points_for_the_same_characters_are_named() -> None:
    assert 'data-l="Looks the same."' in drawn("caf\u00e9 noir\n", "cafe\u0301 noir\n")
    assert 'data-l="Looks the same."' not in drawn("caf\u00e9 noir\n", "cafe noir\n")


@pytest.mark.parametrize(
    ("old", "new", "grain", "marked"),
    [
        ("the colour is red", "the color is red", Grain.WORD, "the <del>colour</del><ins>color</ins> is red"),
        ("the colour is red", "the color is red", Grain.CHARACTER, "the colo<del>u</del>r is red"),
        ("a wellknown one", "a well-known one", Grain.WORD, "a <del>wellknown</del><ins>well-known</ins> one"),
        ("今天菜很热", "今日菜很冷", Grain.CHARACTER, "今<del>天</del><ins>日</ins>菜很<del>热</del><ins>冷</ins>"),
        ("今天菜很热", "今日菜很冷", Grain.WORD, "今<del>天菜很热</del><ins>日菜很冷</ins>"),
        ("ab😀😀", "b😀😀", Grain.CHARACTER, "<del>a</del>b😀😀"),
        ("👈 x", "👌 x", Grain.CHARACTER, "<del>👈</del><ins>👌</ins> x"),
        ("foo bar", "foo  bar", Grain.WORD, None),
    ],
)
def test_marks_are_as_coarse_or_fine_as_was_asked_for(old: str, new: str, grain: Grain, marked: str | None) -> None:
    html = drawn(old, new, look=a_look(View.INLINE, grain=grain))
    if marked is not None:
        assert f'<div class="t" dir="auto">{marked}</div>' in html
    else:
        assert "<ins>" in html


def test_changes_of_spaces_can_be_left_unmarked() -> None:
    shown, hidden = (drawn("a b\nc d\n", "a  b\nc e\n\n", look=a_look(hides_spaces=hides)) for hides in (False, True))
    assert (shown.count("<ins>"), hidden.count("<ins>")) == (3, 1)


def test_both_ends_of_a_move_lead_to_each_other_and_show_what_was_edited() -> None:
    first = "The quick brown fox jumps over the lazy dog today."
    rest = "A second paragraph stays here for ever.\nAnd a third.\n"
    html = drawn(f"{first}\n{rest}", f"{rest}{first.replace('lazy', 'very lazy')}\n", View.INLINE)
    assert '<a href="#d-r3" data-go="3" data-l="moved to 3" aria-label="moved to 3"></a>' in html
    assert '<a href="#d-r0" data-go="0" data-l="moved from 1" aria-label="moved from 1"></a>' in html
    assert "over the <ins>very </ins>lazy dog" in html


def test_part_of_a_paragraph_that_moved_is_marked_as_moved() -> None:
    moved = "This whole sentence goes to another place later on. "
    one, two = "Here is how the first paragraph begins. ", "There the second one begins in its own way. "
    html = drawn(f"{one}{moved}\n{two}\n", f"{one}\n{two}{moved}\n")
    assert 'class="mv"' in html


def test_no_colour_stands_alone() -> None:
    assert re.search(r"\.tl-diff ins \{[^}]*underline", STYLE)
    assert re.search(r"\.tl-diff del \{[^}]*line-through", STYLE)
    for sign in ("+", "−", "±"):
        assert f'content: " {sign}"' in STYLE


def test_what_is_read_aloud_is_drawn_by_the_style_sheet_and_never_text() -> None:
    html = drawn("a b\n", "a c\n")
    assert '--gone:"deleted:";' in unescape(html)
    assert "deleted" not in re.sub(r"<[^>]*>", "", html)


def test_the_page_needs_nothing_else_and_forbids_everything_else() -> None:
    html = page("one\n" * 30 + "x", "one\n" * 30 + "y")
    assert "default-src 'none'; style-src 'unsafe-inline'" in html
    assert "<script" not in html
    assert "url(" not in html
    assert "@import" not in html
    assert html.count("<details") == 1
    assert seen(html).sides["o"] == "one\n" * 30 + "x"


def test_a_drawn_diff_can_be_written_as_utf_8_whatever_the_text() -> None:
    html = page("".join(HOSTILE), "\ud800\udc00\udfff")
    assert html.encode("utf-8").decode("utf-8") == html
