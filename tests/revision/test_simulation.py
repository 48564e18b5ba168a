"""The simulation of preferences, small: that it is honest, and that learning saves something in it."""

import ast
from pathlib import Path

import pytest

from tests.benchmarks import simulated_writer
from tests.benchmarks.house_style import house_draft
from tests.benchmarks.preferences import (
    NONE,
    ORACLE,
    OURS,
    RAW,
    NoLearning,
    found,
    play,
    play_all,
    rounds_to_recover,
    writers,
)

ROUNDS = 14


def test_the_simulated_writer_imports_nothing_of_the_product() -> None:
    tree = ast.parse(Path(simulated_writer.__file__).read_text(encoding="utf-8"))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])
    }
    assert imported == {"collections", "dataclasses", "random", "re"}
    assert not any(
        isinstance(node, ast.Call) and getattr(node.func, "id", "") == "__import__" for node in ast.walk(tree)
    )


@pytest.mark.parametrize("name", writers(8))
def test_a_simulated_writer_edits_the_same_draft_in_the_same_round_alike_and_is_content_with_the_result(
    name: str,
) -> None:
    writer = writers(8)[name]
    draft = house_draft(writer.language, 1, 3)
    edited = writer.edit(draft, 1, 3)
    assert writer.edit(draft, 1, 3) == edited
    if writer.notices == 1:
        assert simulated_writer.suited(edited, writer.wants(3), writer.language) == edited


def test_a_taste_is_learned_and_saves_the_writer_most_of_the_work() -> None:
    costs = play_all(writers(ROUNDS)["tidy, then lively (en)"], 11, ROUNDS).costs
    assert sum(costs[OURS]) < 0.5 * sum(costs[NONE])
    assert sum(costs[OURS]) < sum(costs[RAW])


@pytest.mark.parametrize("name", ["without a taste (en)", "without a taste (zh)"])
def test_a_writer_without_a_taste_has_no_more_work_than_without_learning_in_any_round(name: str) -> None:
    played = play_all(writers(ROUNDS)[name], 23, ROUNDS)
    assert all(mine <= plain for mine, plain in zip(played.costs[OURS], played.costs[NONE], strict=True))
    assert set(played.held) == {frozenset()}


def test_a_change_of_taste_is_followed_within_a_few_rounds() -> None:
    writer = writers(6)["plain, changes spacing (zh)"]
    played = play_all(writer, 11, 16)
    after = rounds_to_recover(played.costs[OURS], played.costs[ORACLE], 6)
    assert after is not None and after <= 4
    assert found(writer, [played], (5, 15)) == (4, 4, 0)


@pytest.mark.parametrize(
    ("costs", "after"),
    [([9, 9, 5, 1, 2, 3, 4, 5], 1), ([9, 9, 9, 6, 2, 3, 4, 5], None), ([9, 5, 5, 1, 2, 3, 4, 9], 0)],
    ids=["from the second round on", "one draft is dearer", "at once"],
)
def test_a_change_of_taste_is_followed_when_no_draft_of_a_window_is_dearer_than_the_oracles(
    costs: list[int], after: int | None
) -> None:
    assert rounds_to_recover(costs, [5, 5, 5, 1, 2, 3, 4, 5], 1) == after


def test_without_learning_every_round_costs_what_the_writer_changes() -> None:
    writer = writers(4)["without a taste (en)"]
    costs = play(NoLearning(), writer, 11, 8)
    edited = [
        house_draft("en", 11, number) != writer.edit(house_draft("en", 11, number), 11, number) for number in range(8)
    ]
    assert [cost > 0 for cost in costs] == edited
