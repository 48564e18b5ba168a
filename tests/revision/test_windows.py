"""What is on the screen: folds with their counts, and parts that never cost more than a screen can take."""

import pytest

from engine.revision.showing.comparison import Comparison, compare_for_reading, lay_out
from engine.revision.showing.diff_html import DiffDrawing
from engine.revision.showing.first_look import LOOKED_AT, first_look
from engine.revision.showing.rows import RowKind
from engine.revision.showing.windows import Fold, Item, cut_parts, fold_rows, part_of
from tests.revision.reading import WORDS, a_look


def lines(count: int, **changed: str) -> str:
    return "".join(f"{changed.get(f'n{number}', f'paragraph number {number} says so')}\n" for number in range(count))


def items(old: str, new: str, **opened: int) -> tuple[Comparison, tuple[Item, ...]]:
    comparison = compare_for_reading(old, new)
    return comparison, fold_rows(
        comparison, around=1, hides_spaces=False, opened={int(key[1:]): value for key, value in opened.items()}
    )


def folds(found: tuple[Item, ...]) -> list[range]:
    return [item.rows for item in found if isinstance(item, Fold)]


def test_rows_far_from_a_change_are_folded_with_their_number() -> None:
    comparison, found = items(lines(20), lines(20, n10="paragraph number ten says more"))
    assert folds(found) == [range(9), range(12, 20)]
    drawing = DiffDrawing(comparison, a_look(), WORDS)
    assert [drawing.fold_words(item) for item in found if isinstance(item, Fold)] == [
        "9 lines unchanged",
        "8 lines unchanged",
    ]


def test_blank_lines_are_no_paragraphs() -> None:
    text = lines(10).replace("\n", "\n\n")
    comparison, found = items(text, text + "the end of it\n")
    drawing, code = (DiffDrawing(comparison, a_look(counts_lines=counts), WORDS) for counts in (False, True))
    (fold,) = (item for item in found if isinstance(item, Fold))
    assert (drawing.fold_words(fold), code.fold_words(fold)) == ("10 paragraphs unchanged", "19 lines unchanged")


def test_a_fold_opens_by_some_rows_from_its_top_until_all_are_shown() -> None:
    old, new = lines(40), lines(40, n39="something else stands here now at the end")
    assert folds(items(old, new)[1]) == [range(38)]
    assert folds(items(old, new, r0=30)[1]) == [range(30, 38)]
    assert folds(items(old, new, r0=60)[1]) == []
    comparison, found = items(old, new, r0=60)
    assert found == tuple(range(len(comparison.rows)))


def test_few_short_rows_are_not_worth_a_fold() -> None:
    assert folds(items("a\nb\nc\nd\n", "a\nb\nc\ne!\n")[1]) == []


def test_hidden_changes_of_spaces_are_folded() -> None:
    comparison = compare_for_reading(lines(12), lines(12).replace("says", " says"))
    assert not any(isinstance(item, Fold) for item in fold_rows(comparison, around=1, hides_spaces=False, opened={}))
    (fold,) = fold_rows(comparison, around=1, hides_spaces=True, opened={})
    assert isinstance(fold, Fold)


@pytest.mark.parametrize("change", ["rewritten", "one line", "one line rewritten"])
def test_no_part_costs_more_than_its_share(change: str) -> None:
    old = lines(4000) if change == "rewritten" else "字句" * 60_000
    new = {"rewritten": old.replace("says", "speaks"), "one line": old.replace("句字句字句", "句字新句字句", 300)}.get(
        change, "新文" * 60_000
    )
    comparison, found = items(old, new)
    parts = cut_parts(comparison, found)
    drawing = DiffDrawing(comparison, a_look(), WORDS)
    assert [item for part in parts for item in part] == list(found)
    assert len(drawing.part(parts[0])) <= 60_000
    assert max(len(drawing.part(part)) for part in parts[:40]) <= 100_000
    assert len(parts) > 1


def test_every_row_is_found_in_its_part_or_in_its_fold() -> None:
    comparison, found = items(lines(900), lines(900).replace("0 says", "0 speaks"))
    parts = cut_parts(comparison, found)
    for row in range(0, len(comparison.rows), 7):
        shown = parts[part_of(parts, row)]
        assert any(row in item.rows if isinstance(item, Fold) else item == row for item in shown)


def test_the_first_look_shows_the_first_change_as_the_whole_comparison_does() -> None:
    old = lines(3000)
    new = old.replace("number 17 ", "number seventeen ").replace("says so\n", "says it\n", 0) + "end\n"
    seen = lay_out(first_look(old, new), old, new)
    whole = compare_for_reading(old, new)
    first = next(place for place, row in enumerate(whole.rows) if row.kind is not RowKind.SAME)
    assert seen.rows[: first + 5] == whole.rows[: first + 5]
    assert len(seen.diff.display.new) <= LOOKED_AT + len("paragraph number 17 says so\n") * 17


def test_the_first_look_begins_where_the_texts_part() -> None:
    old = lines(3000)
    new = old.replace("number 2500 ", "number twenty-five hundred ")
    seen = lay_out(first_look(old, new), old, new)
    changed = [row.new.line for row in seen.rows if row.kind is RowKind.CHANGED and row.new is not None]
    assert changed == [2501]
