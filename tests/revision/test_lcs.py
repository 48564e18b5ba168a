"""What stays is as heavy as it can be, held against the plain table that computes each cell."""

from itertools import pairwise
from random import Random

import pytest

from engine.revision.aligning import lcs
from engine.revision.aligning.lcs import heaviest_pairs
from tests.revision.scripts import heaviest

CASES = 4000


def assert_heaviest(old: list[int], new: list[int], lengths: list[int]) -> None:
    pairs = heaviest_pairs(old, new, lengths)
    assert all(old[left] == new[right] for left, right in pairs)
    assert all(left < further and right < beyond for (left, right), (further, beyond) in pairwise(pairs))
    assert sum(lengths[old[left]] for left, _ in pairs) == heaviest(old, new, lengths)


def test_it_is_the_heaviest_in_characters_in_thousands_of_random_cases() -> None:
    random = Random(1)  # noqa: S311 - a test
    for _ in range(CASES):
        kinds = random.randint(1, 6)
        lengths = [random.randint(1, 7) for _ in range(kinds)]
        old, new = (random.choices(range(kinds), k=random.randint(0, 12)) for _ in range(2))
        assert_heaviest(old, new, lengths)


def test_a_table_of_many_stretches_is_as_heavy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lcs, "_BITS_AT_ONCE", 1)
    random = Random(2)  # noqa: S311 - a test
    for _ in range(40):
        lengths = [random.randint(1, 4) for _ in range(4)]
        old, new = (random.choices(range(4), k=random.randint(60, 120)) for _ in range(2))
        assert_heaviest(old, new, lengths)


def test_one_long_token_outweighs_several_short_ones() -> None:
    assert heaviest_pairs([0, 1, 2], [1, 2, 0], [5, 2, 2]) == [(0, 2)]
    assert heaviest_pairs([0, 1, 2], [1, 2, 0], [3, 2, 2]) == [(1, 0), (2, 1)]


def test_equal_tokens_side_by_side_stay_together() -> None:
    assert heaviest_pairs([0, 1, 2], [0, 0, 1, 2], [1, 1, 1]) == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize(("old", "new"), [([], []), ([0], []), ([], [0]), ([0], [1])], ids=repr)
def test_nothing_in_common_is_no_pair(old: list[int], new: list[int]) -> None:
    assert heaviest_pairs(old, new, [1, 1]) == []
