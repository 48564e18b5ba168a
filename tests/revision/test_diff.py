"""Any two texts: rebuilt from either script, the raw one smallest, no grapheme split, no depth, no size that fails."""

import sys
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.revision import diff
from engine.revision.aligning import lcs
from engine.revision.aligning.tokens import letters_of, tokens_of
from engine.revision.diff import compare, letter_script, raw_script
from engine.revision.script import Hunk, Script
from tests.revision.graphemes import cuts
from tests.revision.prose import en_paragraph, prose, revised, zh_paragraph
from tests.revision.scripts import assert_rebuilds, assert_sound, changes, heaviest, size
from tests.revision.test_tokens import DIFFICULT

PIECES = ("a", "bb", "ccc", "中", "文", " ", "  ", "\n", "\r\n", "。", "👍🏽", "dddd", "e\u0301", "1\ufe0f\u20e3")
CASES = 4000
PROSE = {"zh": zh_paragraph, "en": en_paragraph}


def smallest(old: str, new: str) -> int:
    """The fewest characters of any script that marks whole tokens."""
    olds, news = tokens_of(old).items, tokens_of(new).items
    numbers = {item: number for number, item in enumerate({*olds, *news})}
    kept = heaviest([numbers[item] for item in olds], [numbers[item] for item in news], [*map(len, numbers)])
    return len(old) + len(new) - 2 * kept


def pair_of_pieces(random: Random) -> tuple[str, str]:
    """Two texts of few pieces, the second often made from the first."""
    old = random.choices(PIECES[: random.randint(2, len(PIECES))], k=random.randint(0, 11))
    new = [piece for piece in old if random.random() < 0.7]
    new[random.randint(0, len(new)) : 0] = random.choices(PIECES, k=random.randint(0, 4))
    return "".join(old), "".join(new)


def test_the_raw_script_is_the_smallest_in_thousands_of_random_cases() -> None:
    random = Random(4)  # noqa: S311 - a test
    for _ in range(CASES):
        old, new = pair_of_pieces(random)
        script = raw_script(old, new)
        assert size(script) == smallest(old, new), (old, new)
        assert_rebuilds(script)


@given(old=st.text(max_size=40), new=st.text(max_size=40))
@settings(max_examples=150, deadline=None)
def test_both_texts_are_rebuilt_from_both_scripts(old: str, new: str) -> None:
    assert_sound(compare(old, new))
    assert_rebuilds(letter_script(old, new))


def test_display_and_moves_are_sound_and_no_grapheme_is_split() -> None:
    random = Random(5)  # noqa: S311 - a test
    for _ in range(1000):
        old, new = ("".join(random.choices((*DIFFICULT, *PIECES), k=random.randint(0, 14))) for _ in range(2))
        new = random.choice((new, old[: len(old) // 2] + new, new + old[len(old) // 2 :]))
        found = compare(old, new)
        assert_sound(found)
        for script in (found.raw, found.display, letter_script(old, new)):
            assert_splits_nothing(script)


def assert_splits_nothing(script: Script) -> None:
    old_cuts, new_cuts = {0, *cuts(script.old)}, {0, *cuts(script.new)}
    assert {place for each in script.hunks for place in (each.old_start, each.old_end)} <= old_cuts, script
    assert {place for each in script.hunks for place in (each.new_start, each.new_end)} <= new_cuts, script


@pytest.mark.parametrize("language", PROSE)
@pytest.mark.parametrize(("percent", "cost"), [(1, 1.1), (10, 1.1), (50, 1.25)])
def test_prose_is_rebuilt_and_told_in_fewer_places_at_little_cost(language: str, percent: int, cost: float) -> None:
    random = Random(percent)  # noqa: S311 - a test
    old = prose(random, 4000, PROSE[language])
    found = compare(old, revised(random, old, percent, PROSE[language]))
    assert_sound(found)
    assert len(found.display.hunks) <= len(found.raw.hunks)
    assert size(found.raw) <= size(found.display) <= cost * size(found.raw)


@pytest.mark.parametrize("language", PROSE)
def test_above_the_exact_size_it_is_still_sound_and_hardly_larger(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(6)  # noqa: S311 - a test
    old = prose(random, 6000, PROSE[language])
    new = revised(random, old, 10, PROSE[language])
    exact = size(raw_script(old, new))
    monkeypatch.setattr(diff, "EXACT_CELLS", 0)
    found = compare(old, new)
    assert_sound(found)
    assert exact <= size(found.raw) <= 1.05 * exact


def test_equal_texts_have_no_hunk_and_an_empty_side_has_one() -> None:
    assert compare("一样的 same", "一样的 same").raw.hunks == ()
    assert compare("", "").display.hunks == ()
    for found in (compare("", "a b\nc"), compare("a b\nc", "")):
        assert len(found.raw.hunks) == len(found.display.hunks) == 1
    assert compare("", "a b").raw.hunks == (Hunk(0, 0, 0, 3),)


def test_the_same_texts_always_give_the_same_answer() -> None:
    random = Random(7)  # noqa: S311 - a test
    old = prose(random, 2000, zh_paragraph)
    new = revised(random, old, 30, zh_paragraph)
    assert compare(old, new) == compare(old, new)


def test_letters_look_into_words() -> None:
    assert changes(raw_script("line 111", "line 111a")) == [("111", "111a")]
    assert changes(letter_script("line 111", "line 111a")) == [("", "a")]


@pytest.mark.parametrize("cells", [0, diff.EXACT_CELLS], ids=["anchors", "exact"])
def test_nothing_recurses_on_what_it_reads(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diff, "EXACT_CELLS", cells)
    monkeypatch.setattr(lcs, "_BITS_AT_ONCE", 1)
    old = "".join(f"row number {number}\n" for number in range(1500))
    new = "".join(f"row number {number}\n" for number in range(1500) if number % 3) + "end"
    tokens_of(old), letters_of(old)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(_depth() + 40)
    try:
        found = compare(old, new)
    finally:
        sys.setrecursionlimit(limit)
    assert_sound(found)


def _depth() -> int:
    """Calls that are open now."""
    frame, depth = sys._getframe(), 0
    while frame.f_back:
        frame, depth = frame.f_back, depth + 1
    return depth


HARD = {
    "few symbols, one run": ("a b" * 3000, "a b" * 1500 + "a c" + "a b" * 1400),
    "equal lines": ("the same line\n" * 1500, "the same line\n" * 1300 + "another one\n"),
    "phase shift": ("甲乙" * 3000, "甲乙" * 1500 + "甲" + "甲乙" * 1500),
    "one long line": ("x = y + 1; " * 2000, "x = y + 2; " * 2000),
    "nothing in common": ("一二三四五" * 2000, "abc def ghi " * 800),
    "reversed": ("".join(map(chr, range(0x4E00, 0x5600))), "".join(map(chr, range(0x55FF, 0x4DFF, -1)))),
    "blank lines": ("\n" * 5000, "\n" * 4000 + "x" + "\n" * 500),
}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("cells", [0, diff.EXACT_CELLS], ids=["anchors", "exact"])
def test_texts_that_ruin_others_are_answered(name: str, cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diff, "EXACT_CELLS", cells)
    assert_sound(compare(*HARD[name]))


def test_one_character_in_a_phase_shift_is_one_character() -> None:
    assert size(raw_script(*HARD["phase shift"])) == 1
