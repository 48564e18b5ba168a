"""Anchors are equal on both sides, follow one another, and as a chain hold the most characters."""

from itertools import accumulate, pairwise
from random import Random

import pytest

from engine.revision.aligning.anchors import Block, Gap, Sides, find_anchors, heaviest_chain, sides_of
from engine.revision.aligning.tokens import tokens_of
from tests.revision.prose import Words, en_paragraph, prose, revised, zh_paragraph


def sides(old: str, new: str) -> tuple[Sides, Gap]:
    both = sides_of(tokens_of(old), tokens_of(new))
    return both, Gap(0, len(both.old_ids), 0, len(both.new_ids))


def anchored(old: str, new: str) -> list[str]:
    both, gap = sides(old, new)
    return ["".join(both.old.items[each.old : each.old + each.count]) for each in find_anchors(both, gap)]


@pytest.mark.parametrize("paragraph", [zh_paragraph, en_paragraph], ids=["zh", "en"])
@pytest.mark.parametrize("between", ["\n\n", " "], ids=["lines", "one line"])
def test_anchors_are_equal_and_follow_one_another(paragraph: Words, between: str) -> None:
    random = Random(11)  # noqa: S311 - a test
    old = prose(random, 3000, paragraph).replace("\n\n", between)
    both, gap = sides(old, revised(random, old, 20, paragraph))
    found = find_anchors(both, gap)
    assert len(found) > 3
    for each in found:
        assert both.old_ids[each.old : each.old + each.count] == both.new_ids[each.new : each.new + each.count]
    assert all(
        left.old + left.count <= right.old and left.new + left.count <= right.new for left, right in pairwise(found)
    )


def test_no_short_line_and_no_line_that_stands_twice_is_an_anchor() -> None:
    long, twice = "a line that is long enough\n", "a line that stands here twice\n"
    assert anchored(f"}}\nreturn it\n\n{twice}{long}{twice}", f"return it\n}}\n{long}\n{twice}") == [long]


def test_the_heavier_of_two_crossing_lines_is_kept() -> None:
    light, heavy = "a lighter line here\n", "a line here that is far heavier\n"
    assert anchored(light + heavy, heavy + light) == [heavy]


def test_without_lines_the_longest_stretches_that_stand_once_are_grown_as_far_as_both_agree() -> None:
    same = "".join(map(chr, range(0x4E00, 0x4E2A)))
    assert anchored(f"甲{same}乙", f"丙{same}丁") == [same]
    assert anchored("甲乙丙丁", "戊乙丙己") == ["乙丙"]


@pytest.mark.parametrize(("old", "new"), [("", ""), ("甲甲甲甲", "甲甲甲"), ("abc", "def")], ids=repr)
def test_where_nothing_stands_once_in_both_there_is_none(old: str, new: str) -> None:
    assert anchored(old, new) == []


def test_the_chain_is_the_heaviest_of_all_chains() -> None:
    random = Random(12)  # noqa: S311 - a test
    starts = [*accumulate((random.randint(1, 9) for _ in range(40)), initial=0)]
    for _ in range(400):
        blocks = [
            Block(random.randint(0, 35), random.randint(0, 35), random.randint(1, 5))
            for _ in range(random.randint(0, 9))
        ]
        chain = heaviest_chain(blocks, starts)
        assert all(
            left.old + left.count <= right.old and left.new + left.count <= right.new for left, right in pairwise(chain)
        )
        assert weight(chain, starts) == heaviest(blocks, starts)


def weight(chain: list[Block], starts: list[int]) -> int:
    return sum(starts[each.old + each.count] - starts[each.old] for each in chain)


def heaviest(blocks: list[Block], starts: list[int]) -> int:
    """By the quadratic rule: the best chain that ends with each block."""
    best: dict[int, int] = {}
    ordered = sorted(blocks)
    for place, block in enumerate(ordered):
        before = (
            best[earlier]
            for earlier in range(place)
            if ordered[earlier].old + ordered[earlier].count <= block.old
            and ordered[earlier].new + ordered[earlier].count <= block.new
        )
        best[place] = weight([block], starts) + max(before, default=0)
    return max(best.values(), default=0)
