"""The drawn diff as a page draws it: its words, its steps, its switches and its files."""

import pytest
from streamlit.testing.v1 import AppTest

from engine.revision.showing.comparison import compare_for_reading
from pages._widgets.diff_place import MOST_PARTS, DiffPlace
from pages._widgets.diff_sentences import change_words, notes_of

OLD = "# Report\n\nThe user types the password.\n\nNobody knows the rest of it.\n\nA last line.\n"
NEW = "# Report\n\nThe user enters the password.\n\nNobody knows the rest of it.\n\nA last  line.\n\nThank you.\n"


def script(old: str, new: str, kind: str, width: int, lang: str) -> None:
    import streamlit as st

    from engine.domain.artifact import ArtifactKind
    from engine.domain.states import Language
    from pages._widgets.diff_view import DiffSide, draw_diff
    from pages._widgets.words import settle

    settle(Language(lang))
    older, newer = DiffSide(label="V2", title="Report", body=old), DiffSide(label="V4", title="Report!", body=new)
    draw_diff(older, newer, key="diff", kind=ArtifactKind(kind), file_name="report.md", width=width)
    st.caption("all drawn")


def opened(old: str = OLD, new: str = NEW, *, kind: str = "report", width: int = 1200, lang: str = "en") -> AppTest:
    return run(AppTest.from_function(script, default_timeout=20, args=(old, new, kind, width, lang)))


def run(at: AppTest) -> AppTest:
    at.run()
    assert not at.exception
    assert at.caption[-1].value == "all drawn"
    return at


def html(at: AppTest) -> str:
    return "\n".join(each.proto.body for each in at.get("html"))


def told(at: AppTest) -> str:
    return " ".join(each.value for each in (*at.caption, *at.markdown))


def press(at: AppTest, key: str) -> AppTest:
    at.button(key=f"diff_{key}").click()
    return run(at)


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        (
            "en",
            [
                "3 changes",
                "20 characters added, 6 removed since V2.",
                "1 change is in spaces only.",
                "Paragraph 1: reworded",
                "Paragraph 4: new",
            ],
        ),
        (
            "zh",
            [
                "3 处改动",
                "与 V2 相比，新增 20 个字符，删除 6 个。",
                "有 1 处只改了空白。",
                "第 1 段：改写",
                "第 4 段：新增",
            ],
        ),
    ],
)
def test_it_says_what_changed_in_both_languages(lang: str, words: list[str]) -> None:
    at = opened(lang=lang)
    assert [each for each in words if each not in told(at) + html(at)] == []


def test_next_and_previous_step_through_the_changes_and_stay_at_the_ends() -> None:
    at = opened()
    seen = []
    for key in ("step_J", "step_J", "step_J", "step_J", "step_K"):
        press(at, key)
        seen.append(next(each.value for each in at.markdown if each.value.startswith("change ")))
    assert seen == [f"change {n} of 3" for n in (1, 2, 3, 3, 2)]
    assert html(at).count('aria-current="true"') == 1


def test_leaving_spaces_unmarked_leaves_every_number_as_it_was_and_says_so() -> None:
    at = opened()
    at.toggle(key="diff_spaces").set_value(True)
    run(at)
    assert "2 changes" in told(at)
    assert "20 characters added, 6 removed" in told(at)
    assert "1 change in spaces only is not marked." in told(at)


def test_the_view_is_switched_and_stays() -> None:
    at = opened()
    assert "tl-diff side wrap" in html(at)
    press(at, "switch")
    assert "tl-diff inline wrap" in html(run(at))
    press(at, "switch")
    assert "tl-diff side wrap" in html(run(at))


def test_a_narrow_window_begins_with_one_text_and_has_the_list_in_a_popover() -> None:
    at = opened(width=700)
    assert "tl-diff inline" in html(at)
    assert "Side by side needs a wider window" not in told(at)
    press(at, "switch")
    assert "Side by side needs a wider window" in told(at)


def test_code_is_not_wrapped_and_counts_lines() -> None:
    at = opened(kind="code")
    assert "tl-diff side keep" in html(at)
    assert "Line 3: reworded" in html(at)


def test_a_changed_title_is_told_and_an_equal_text_too() -> None:
    at = opened("a\r\n", "a\n")
    assert "The two texts are identical but for their line endings. Line endings: CRLF → LF in 1 line." in told(at)
    assert "<bdi>Report<ins>!</ins></bdi>" in html(at)
    assert "0 changes" in told(at)
    assert at.button(key="diff_step_J").disabled


def test_long_texts_begin_with_a_part_and_go_on() -> None:
    at = opened(
        "".join(f"paragraph {n} is here\n" for n in range(900)),
        "".join(f"paragraph {n} was here\n" for n in range(900)),
    )
    assert html(at).count("tl-diff side") == 1
    for shown in range(2, MOST_PARTS + 1):
        press(at, "later")
        assert html(at).count("tl-diff side") == shown
    press(at, "later")
    assert html(at).count("tl-diff side") == 1
    press(at, "earlier")
    assert html(at).count("tl-diff side") == 2


def test_what_the_reader_asks_for_is_brought_into_the_parts_that_are_shown() -> None:
    place = DiffPlace(pair=1)
    parts = [(number,) for number in range(20)]
    place.show(1)
    assert place.settle(parts) == range(2)
    place.show(15)
    assert place.settle(parts) == range(15, 16)
    place.show(19)
    assert place.settle(parts[:17]) == range(15, 17)


def test_a_fold_that_is_opened_twice_shows_twice_as_many_rows() -> None:
    place = DiffPlace(pair=1)
    place.open_fold(4)
    place.open_fold(34)
    place.open_fold(100)
    assert place.opened == {4: 60, 100: 30}


@pytest.mark.parametrize(
    ("before", "after", "entries"),
    [
        ("# One\n\nA.\n", "# Two\n\nA.\n", ["Heading “Two”: reworded"]),
        ("A.\n\n# One\n\nB.\n", "A.\n\n# Two\n\nB.\n", ["Heading “Two” below paragraph 1: reworded"]),
        ("A.\n\nB.\n", "A.\n\n- one\n- two\n\nB.\n", ["List below paragraph 1: new"]),
        ("A.\n\n```\nx = 1\n```\n", "A.\n\n```\nx = 2\n```\n", ["Code block below paragraph 1: reworded"]),
        ("A.\n\nB.\n", "\nA.\n\n\nB.\n", ["At the beginning: spaces only", "Below paragraph 1: spaces only"]),
        ("- one\n\n# The second of two\n", "- one\n\n# The second of three\n", ["Paragraph 2: reworded"]),
    ],
    ids=["first heading", "later heading", "list", "code", "blank lines", "no prose"],
)
def test_what_is_no_paragraph_is_told_by_the_paragraph_above_it_and_lines_are_for_code(
    before: str, after: str, entries: list[str]
) -> None:
    changes = compare_for_reading(before, after).changes
    assert [change_words(change, counts_lines=False) for change in changes] == entries
    assert all(change_words(change, counts_lines=True).startswith("Line ") for change in changes)


HEADINGS = {
    "new": ("A.\n", "A.\n\n## Plan\n", "Heading “Plan” below paragraph 1: new"),
    "gone": ("A.\n\n## Plan ##\n", "A.\n", "Heading “Plan” below paragraph 1 (old): deleted"),
    "underlined": ("Plans\n=====\n\nA.\n", "Plan\n=====\n\nA.\n", "Heading “Plan”: reworded"),
    "long": ("A.\n", f"# {'word ' * 20}\n\nA.\n", f"Heading “{'word ' * 7}word…”: new"),
    "without words": ("A.\n", "A.\n\n#\n", "Heading below paragraph 1: new"),
    "with a blank": ("A.\n", "A.\n\n# {n} {0}\n", "Heading “{n} {0}” below paragraph 1: new"),
}


@pytest.mark.parametrize(("before", "after", "entry"), HEADINGS.values(), ids=HEADINGS)
def test_a_heading_is_told_by_its_words(before: str, after: str, entry: str) -> None:
    told = [change_words(one, counts_lines=False) for one in compare_for_reading(before, after).changes]
    assert entry in told


def test_the_words_of_a_heading_are_shown_and_not_obeyed_in_both_languages() -> None:
    bad = "A.\n\n# <img src=x> **b** \u202eabc\n"
    for lang, said in (("en", "Heading “{}” below paragraph 1: new"), ("zh", "标题“{}”（第 1 段下面）：新增")):
        entry = said.format("&lt;img src=x&gt; **b** abc")
        assert f">{entry}<" in html(opened("A.\n", bad, lang=lang))


def test_the_link_of_a_heading_that_moved_names_a_place_that_there_is() -> None:
    heading = "# A heading that is long enough to be seen as moved\n\n"
    rest = "".join(
        f"The {n} paragraph stays where it is, with enough words to hold.\n\n" for n in ("first", "second", "third")
    )
    words = html(opened(heading + rest, rest + heading))
    assert "moved to below paragraph 3" in words and "moved from the beginning" in words


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("a\nb", "a\nb\n", "The last line of V2 has no line break at its end."),
        ("a\nb\n", "a\nb", "The last line of V4 has no line break at its end."),
        ("a", "a", "The two texts are identical."),
    ],
)
def test_what_is_told_once(old: str, new: str, sentence: str) -> None:
    assert sentence in list(notes_of(compare_for_reading(old, new), "V2", "V4"))


def test_a_move_is_told_by_both_its_places() -> None:
    first = "The quick brown fox jumps over the lazy dog today.\n"
    rest = "A second paragraph stays here for ever.\nAnd a third.\n"
    (change,) = compare_for_reading(first + rest, rest + first).changes
    assert change_words(change, counts_lines=False) == "Paragraph 1: moved to paragraph 3"
    assert change_words(change, counts_lines=True) == "Line 1: moved to line 3"


def test_texts_that_no_page_can_hold_are_drawn_all_the_same() -> None:
    at = opened("a\ud83d\n", "a\x00\u202e\n")
    assert 'data-l="RLO"' in html(at)


def test_both_texts_are_named_above_two_columns_and_above_one() -> None:
    at = opened()
    assert '<div class="tl-heads"><span>V2</span><span>V4</span></div>' in html(at)
    assert '<div class="tl-heads"><span>V2 → V4</span></div>' in html(press(at, "switch"))
