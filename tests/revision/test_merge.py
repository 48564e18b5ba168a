"""Two texts made from one: what is taken from each, what clashes, and that nothing is lost or cut in two."""

import time
from io import StringIO
from itertools import accumulate
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.revision.merge import Fate, Merge, Stretch, merge
from tests.revision.graphemes import cuts

WORDS = [
    "a",
    "login",
    "holds",
    " ",
    " ",
    ". ",
    ", ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "登录",
    "好",
    "。",
    "👩‍🔬",
    "e\u0301",
    "🇩🇪",
]
texts = st.lists(st.sampled_from(WORDS), max_size=14).map("".join)
laws = settings(max_examples=200, deadline=None)
fewer = settings(max_examples=80, deadline=None)


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, str, str]:
    """A base and two texts that keep most of it."""
    base = draw(st.lists(st.sampled_from(WORDS), max_size=14))
    sides = []
    for _ in range(2):
        side = [*base]
        for place in draw(st.lists(st.integers(0, len(base)), max_size=3)):
            side[place : place + draw(st.integers(0, 2))] = draw(st.lists(st.sampled_from(WORDS), max_size=2))
        sides.append("".join(side))
    return "".join(base), sides[0], sides[1]


triples = st.one_of(edited(), st.tuples(texts, texts, texts))


def swapped(one: Stretch) -> Stretch:
    return Stretch(base=one.base, yours=one.theirs, theirs=one.yours)


@laws
@given(texts, texts)
def test_a_side_that_changed_nothing_leaves_the_other_as_it_is(base: str, changed: str) -> None:
    assert merge(base, base, changed).text == changed
    assert merge(base, changed, base).text == changed


@laws
@given(texts, texts)
def test_what_both_changed_alike_is_there_once(base: str, changed: str) -> None:
    merged = merge(base, changed, changed)
    assert merged.text == changed
    assert {one.fate for one in merged.stretches} <= {Fate.KEPT, Fate.SAME}


@laws
@given(triples)
def test_the_stretches_are_all_three_texts_with_nothing_lost(three: tuple[str, str, str]) -> None:
    stretches = merge(*three).stretches
    assert tuple("".join(each) for each in zip(*((s.base, s.yours, s.theirs) for s in stretches), strict=True)) == (
        three if stretches else ()
    )
    assert all(one.base or one.yours or one.theirs for one in stretches)


@laws
@given(triples)
@example(("a ", "a\n ", "a a"))
def test_the_sides_are_treated_alike(three: tuple[str, str, str]) -> None:
    base, yours, theirs = three
    assert merge(base, theirs, yours).stretches == tuple(map(swapped, merge(base, yours, theirs).stretches))


@laws
@given(triples)
def test_no_cut_is_inside_a_line_end_or_a_grapheme(three: tuple[str, str, str]) -> None:
    stretches = merge(*three).stretches
    for text, pieces in zip(three, zip(*((s.base, s.yours, s.theirs) for s in stretches), strict=True), strict=False):
        assert {*accumulate(map(len, pieces))} - {0} <= cuts(text)


APART = {
    "different paragraphs": ("One.\n\nTwo.\n", "Eins.\n\nTwo.\n", "One.\n\nZwei.\n", "Eins.\n\nZwei.\n"),
    "neighbouring lines": ("a = 1\nb = 2\n", "a = 10\nb = 2\n", "a = 1\nb = 20\n", "a = 10\nb = 20\n"),
    "different words of a sentence": (
        "The quick brown fox jumps.",
        "The fast brown fox jumps.",
        "The quick brown fox leaps.",
        "The fast brown fox leaps.",
    ),
    "a word between": ("red green blue", "rot green blue", "red green blau", "rot green blau"),
    "two Han characters between": (
        "我们明天去学校上课",
        "我们后天去学校上课",
        "我们明天去学校开会",
        "我们后天去学校开会",
    ),
    "neighbouring sentences": (
        "It was examined.",
        "It was checked.",
        "It was examined. It holds.",
        "It was checked. It holds.",
    ),
    "neighbouring Chinese sentences": ("检查了登录。", "检查了退出。", "检查了登录。可用。", "检查了退出。可用。"),
    "a line above a changed line": ("Two words\n", "New\nTwo words\n", "Drei words\n", "New\nDrei words\n"),
    "a line below a changed line": ("Two words", "Two words\n\nNew", "Two Worte", "Two Worte\n\nNew"),
    "a paragraph gone beside a changed one": (
        "A one.\n\nB two.\n\nC.\n",
        "A one.\n\nC.\n",
        "A 1.\n\nB two.\n\nC.\n",
        "A 1.\n\nC.\n",
    ),
    "a paragraph below a changed end": (
        "It is missing.\n",
        "It is missing.\n\nMore.\n",
        "It is gone.\n",
        "It is gone.\n\nMore.\n",
    ),
    "a changed end and a paragraph below": (
        "First words here.\n\nIt is missing.\n",
        "First words here.\n\nIt is gone.\n\nMore on Friday.\n",
        "Other words here.\n\nIt is missing.\n",
        "Other words here.\n\nIt is gone.\n\nMore on Friday.\n",
    ),
    "more of the same": ("End.\n", "End.\nOne\n", "End.\nOne\nTwo\n", "End.\nOne\nTwo\n"),
}


@pytest.mark.parametrize(("base", "yours", "theirs", "both"), APART.values(), ids=APART)
def test_changes_in_different_places_are_both_taken(base: str, yours: str, theirs: str, both: str) -> None:
    assert merge(base, yours, theirs).text == both


CLASHES = {
    "one word in two ways": ("The login works.", "The login holds.", "The login fails.", ("works", "holds", "fails")),
    "one gone, one changed": (
        "A.\n\nOld words.\n\nB.\n",
        "A.\n\nB.\n",
        "A.\n\nOld news.\n\nB.\n",
        ("Old words.\n\n", "", "Old news.\n\n"),
    ),
    "neighbouring words": ("It is safe.", "It was safe.", "It is sound.", ("is safe", "was safe", "is sound")),
    "one letter between": ("see a login", "view a login", "see a form", ("see a login", "view a login", "see a form")),
    "a not before a changed word": ("It is safe.", "It is not safe.", "It is unsafe.", ("safe", "not safe", "unsafe")),
    "one Han character between": ("今天去学校。", "明天去学校。", "今天回学校。", ("今天去", "明天去", "今天回")),
    "a number's two halves": ("It is 3.14 now.", "It is 4.14 now.", "It is 3.15 now.", ("3.14", "4.14", "3.15")),
    "a changed end with a paragraph below": (
        "It is missing.\n",
        "It is too vague.\n\nMore.\n",
        "It is gone.\n",
        ("missing", "too vague", "gone"),
    ),
    "two texts at the same place": ("End.\n", "End.\nOne\n", "End.\nTwo\n", ("", "One\n", "Two\n")),
    "a common first line": ("", "Head\nOne\n", "Head\nTwo\n", ("", "One\n", "Two\n")),
    "a common last line": ("", "One\nFoot\n", "Two\nFoot\n", ("", "One\n", "Two\n")),
}


@pytest.mark.parametrize(("base", "yours", "theirs", "clash"), CLASHES.values(), ids=CLASHES)
def test_changes_of_one_place_are_a_clash_with_all_three_wordings(
    base: str, yours: str, theirs: str, clash: tuple[str, str, str]
) -> None:
    merged = merge(base, yours, theirs)
    assert [(one.base, one.yours, one.theirs) for one in merged.clashes] == [clash]
    assert merged.text is None


def pieces(merged: Merge, *, picks_yours: bool) -> list[str]:
    """What stands in each place where all clashes are settled alike."""
    wordings = ((one.agreed, one.yours if picks_yours else one.theirs) for one in merged.stretches)
    return [picked if agreed is None else agreed for agreed, picked in wordings]


broken = st.lists(st.sampled_from(["a", "b", "\n", "\r", "\r", "\r\n"]), max_size=8).map("".join)


@laws
@given(st.tuples(broken, broken, broken), st.booleans(), st.booleans())
@example(("a", "b\r", "a\nMore"), True, False)
@example(("a\nb\n", "a\nm\rb\n", "a\n\n"), True, True)
def test_no_line_end_of_the_joined_text_is_made_of_two(
    three: tuple[str, str, str], picks_yours: bool, by_line: bool
) -> None:
    said = pieces(merge(*three, by_line=by_line), picks_yours=picks_yours)
    whole = "".join(said)
    assert not [at for at in accumulate(map(len, said)) if whole[at - 1 : at + 1] == "\r\n"]


FUSED = {
    "words": ("a", "b\r", "a\nMore", False, ("a", "b\r", "a\nMore")),
    "whole lines": ("a\nb\n", "a\nm\rb\n", "a\n\n", True, ("b\n", "m\rb\n", "\n")),
}


@pytest.mark.parametrize(("base", "yours", "theirs", "by_line", "clash"), FUSED.values(), ids=FUSED)
def test_changes_that_would_make_one_line_end_of_two_are_a_clash(
    base: str, yours: str, theirs: str, by_line: bool, clash: tuple[str, str, str]
) -> None:
    clashes = merge(base, yours, theirs, by_line=by_line).clashes
    assert [(one.base, one.yours, one.theirs) for one in clashes] == [clash]


@fewer
@given(broken, broken, st.booleans())
def test_a_text_that_one_side_left_as_it_was_comes_out_byte_for_byte(base: str, changed: str, by_line: bool) -> None:
    for yours, theirs, joined in ((base, changed, changed), (changed, base, changed), (base, base, base)):
        assert merge(base, yours, theirs, by_line=by_line).text == joined


def borders(text: str) -> set[int]:
    """Where a line of the text ends, and both ends of it; read with another tool than the product's."""
    return {0, *accumulate(len(line) for line in StringIO(text, newline=""))}


@fewer
@given(triples)
def test_code_is_cut_at_the_ends_of_lines_only_and_nothing_is_lost(three: tuple[str, str, str]) -> None:
    merged = merge(*three, by_line=True)
    for at, text in enumerate(three):
        said = [(one.base, one.yours, one.theirs)[at] for one in merged.stretches]
        assert "".join(said) == text
        assert {*accumulate(map(len, said))} <= borders(text)


@fewer
@given(triples)
@example(("a ", "a\n ", "a a"))
def test_the_sides_of_code_are_treated_alike(three: tuple[str, str, str]) -> None:
    base, yours, theirs = three
    others = merge(base, theirs, yours, by_line=True).stretches
    assert others == tuple(map(swapped, merge(base, yours, theirs, by_line=True).stretches))


CODE_APART = {
    "neighbouring lines": ("a = 1\nb = 2\n", "a = 10\nb = 2\n", "a = 1\nb = 20\n", "a = 10\nb = 20\n"),
    "a line above a changed one": ("a = 1\n", "import b\na = 1\n", "a = 2\n", "import b\na = 2\n"),
    "a line below a changed one": ("a = 1\nc\n", "a = 1\nb\nc\n", "a = 2\nc\n", "a = 2\nb\nc\n"),
    "a line gone beside a changed one": ("a\nb = 1\nc\n", "b = 1\nc\n", "a\nb = 2\nc\n", "b = 2\nc\n"),
    "a line behind the last": ("a = 1\nb\n", "a = 2\nb\n", "a = 1\nb\nc\n", "a = 2\nb\nc\n"),
}


@pytest.mark.parametrize(("base", "yours", "theirs", "both"), CODE_APART.values(), ids=CODE_APART)
def test_changes_of_different_lines_of_code_are_both_taken(base: str, yours: str, theirs: str, both: str) -> None:
    assert merge(base, yours, theirs, by_line=True).text == both
    assert merge(base, theirs, yours, by_line=True).text == both


CODE_CLASHES = {
    "one number": ("a\nx = 0\nb\n", "a\nx = 1\nb\n", "a\nx = 2\nb\n", ("x = 0\n", "x = 1\n", "x = 2\n")),
    "two words of a line": (
        "def see(red, green):\n",
        "def view(red, green):\n",
        "def see(red, blue):\n",
        ("def see(red, green):\n", "def view(red, green):\n", "def see(red, blue):\n"),
    ),
    "a last line without a break": ("a\nb", "a\nc", "a\nb\nd", ("b", "c", "b\nd")),
    "the last break gone and a line behind": ("a\nb\n", "a\nb", "a\nb\nc\n", ("b\n", "b", "b\nc\n")),
}


@pytest.mark.parametrize(("base", "yours", "theirs", "clash"), CODE_CLASHES.values(), ids=CODE_CLASHES)
def test_two_changes_of_one_line_of_code_are_a_clash_of_the_whole_line(
    base: str, yours: str, theirs: str, clash: tuple[str, str, str]
) -> None:
    clashes = merge(base, yours, theirs, by_line=True).clashes
    assert [(one.base, one.yours, one.theirs) for one in clashes] == [clash]


def test_two_rewritings_of_a_sentence_are_never_woven_into_one_another() -> None:
    base = "Before.\n\nThe login was examined and it holds.\n\nAfter.\n"
    yours = base.replace("The login was examined and it holds", "We looked at the login and found that it is sound")
    theirs = base.replace("The login was examined and it holds", "Nobody could log in, and the examination failed")
    merged = merge(base, yours, theirs)
    said = "".join(one.yours if one.agreed is None else one.agreed for one in merged.stretches)
    assert merged.clashes
    assert said == yours


def test_changes_are_counted_by_who_made_them() -> None:
    base = "One here.\n\nTwo here.\n\nThree here.\n\nFour here.\n"
    yours = base.replace("One", "1").replace("Three", "3").replace("Four", "4")
    theirs = base.replace("Two", "2").replace("Four", "4")
    merged = merge(base, yours, theirs)
    assert {fate: merged.count(fate) for fate in Fate} == {
        Fate.KEPT: 4,
        Fate.YOURS: 2,
        Fate.THEIRS: 1,
        Fate.SAME: 1,
        Fate.CLASH: 0,
    }


def long_text(random: Random, size: int) -> str:
    words = ["登录", "检查", "密码", "结论", "我们", "学校", "明天", "测试"]
    return "".join(random.choice([*words, *words, "，", "。", "。\n\n"]) for _ in range(size // 2))[:size]


def rewritten(random: Random, text: str, changes: int) -> str:
    parts, at = [], 0
    for place in sorted(random.sample(range(len(text)), changes)):
        parts += [text[at : max(at, place)], random.choice(["新的内容", "改过", ""])]
        at = max(at, place) + random.randrange(6)
    return "".join([*parts, text[at:]])


def test_long_texts_are_joined_whole(capsys: pytest.CaptureFixture[str]) -> None:
    random, told = Random(7), []  # noqa: S311 - no secret
    for size in (50_000, 200_000):
        base = long_text(random, size)
        yours, theirs = rewritten(random, base, size // 200), rewritten(random, base, size // 200)
        begun = time.perf_counter()
        merged = merge(base, yours, theirs)
        told.append(f"{size:,} characters: {time.perf_counter() - begun:.2f} s, {told_of(merged)}")
        assert "".join(one.yours for one in merged.stretches) == yours
        assert merged.count(Fate.YOURS) > size // 400
    with capsys.disabled():
        print("\n" + "\n".join(told))  # noqa: T201 - figures to be read


def told_of(merged: Merge) -> str:
    return ", ".join(f"{merged.count(fate)} {fate}" for fate in Fate)
