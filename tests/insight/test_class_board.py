"""Groups, looks, orders and the cell to look at first."""

from dataclasses import replace
from datetime import timedelta

import pytest

from engine.domain.states import FeedbackState
from engine.insight.class_board import CellLook, ClassBoard, Group, Order, look_of
from engine.insight.facts import NOTHING, CellFacts
from tests.insight.builders import BROKEN, DOWN, FAILED, NOW, PASSED, PENDING, STALE, WAITING, board, run

STUCK = replace(FAILED, fails=(run(2),))


def names(shown: ClassBoard, order: Order, group: Group | None = None) -> list[str]:
    return [row.name for row in shown.sorted_rows(order, group)]


@pytest.mark.parametrize(
    ("cell", "look"),
    [
        (NOTHING, CellLook.NOTHING),
        (PASSED, CellLook.PASSED),
        (FAILED, CellLook.TO_FIX),
        (WAITING, CellLook.WITH_PERSON),
        (STALE, CellLook.WITH_PERSON),
        (DOWN, CellLook.OUR_FAULT),
        (BROKEN, CellLook.OUR_FAULT),
        (PENDING, CellLook.REVIEWING),
    ],
    ids=lambda each: each.state if isinstance(each, CellFacts) else "",
)
def test_the_fill_says_whose_move_it_is(cell: CellFacts, look: CellLook) -> None:
    assert look_of(cell) is look


def test_every_state_has_a_fill() -> None:
    assert {look_of(CellFacts(state=state)) for state in FeedbackState} <= set(CellLook)


@pytest.mark.parametrize(
    ("cells", "groups"),
    [
        ((NOTHING,), {Group.NOT_BEGUN}),
        ((PASSED, NOTHING), {Group.ON_THE_WAY}),
        ((FAILED, PENDING), {Group.ON_THE_WAY}),
        ((STUCK, PASSED), {Group.STUCK}),
        ((replace(NOTHING, turns=6),), {Group.STUCK}),
        ((WAITING, DOWN, STUCK), {Group.STUCK, Group.WAITS, Group.NOT_RUN}),
        ((STALE, PASSED), {Group.WAITS}),
        ((BROKEN,), {Group.NOT_RUN}),
    ],
    ids=["not begun", "passed some", "to fix", "stuck", "talks only", "three at one time", "older rules", "faulty"],
)
def test_a_row_belongs_to_every_group_that_fits(cells: tuple[CellFacts, ...], groups: set[Group]) -> None:
    assert board({"Ada": cells}).rows[0].groups == groups


def test_groups_are_counted_and_opened_by_the_same_rows() -> None:
    shown = board({"Ada": (STUCK, WAITING), "Bob": (PASSED,), "Cy": (NOTHING,), "Di": (WAITING,)})
    assert {group: shown.count(group) for group in Group} == {
        Group.STUCK: 1,
        Group.WAITS: 2,
        Group.NOT_RUN: 0,
        Group.ON_THE_WAY: 1,
        Group.NOT_BEGUN: 1,
    }
    assert names(shown, Order.CLASS_LIST, Group.WAITS) == ["Ada", "Di"]


def test_the_orders_and_their_ties() -> None:
    earlier = replace(PASSED, handed_in_at=NOW - timedelta(days=9))
    shown = board(
        {
            "Ada": (NOTHING, NOTHING),
            "Bob": (PASSED, PASSED),
            "Cy": (STUCK, NOTHING),
            "Di": (earlier, NOTHING),
            "Ed": (STUCK, STUCK),
            "Flo": (DOWN, WAITING),
        }
    )
    assert names(shown, Order.URGENCY) == ["Ed", "Cy", "Flo", "Bob", "Di", "Ada"]
    assert names(shown, Order.CLASS_LIST) == ["Ada", "Bob", "Cy", "Di", "Ed", "Flo"]
    assert names(shown, Order.UNSEEN) == ["Ada", "Di", "Bob", "Cy", "Ed", "Flo"]
    assert names(shown, Order.PASSED) == ["Ada", "Cy", "Ed", "Flo", "Di", "Bob"]


def test_a_row_with_more_stuck_tasks_stands_before_one_with_more_rules_in_one_task() -> None:
    shown = board({"Ada": (replace(STUCK, turns=6), PASSED), "Bob": (STUCK, STUCK)})
    assert names(shown, Order.URGENCY) == ["Bob", "Ada"]


def test_learners_are_numbered_from_one_and_a_board_is_equal_to_itself_alone() -> None:
    rows = {"Ada": (PENDING, PENDING), "Bob": (DOWN, NOTHING)}
    shown = board(rows)
    assert [row.number for row in shown.rows] == [1, 2]
    assert shown.reviewing == 2
    assert shown != board(rows)


def test_the_foot_counts_who_passed() -> None:
    shown = board({"Ada": (PASSED, FAILED), "Bob": (PASSED, NOTHING)})
    assert [shown.passed(0), shown.passed(1)] == [2, 0]
    assert [row.passed for row in shown.rows] == [1, 1]


@pytest.mark.parametrize(
    ("cells", "first"),
    [
        ((PASSED, FAILED), None),
        ((DOWN, WAITING), 1),
        ((WAITING, STUCK), 1),
        ((STUCK, replace(STUCK, turns=6)), 1),
        ((STUCK, replace(FAILED, fails=(run(5),))), 1),
        ((replace(FAILED, fails=(run(9),)), replace(STUCK, turns=6)), 1),
        ((replace(STUCK, turns=7), replace(STUCK, turns=6, fails=(run(3),))), 0),
        ((WAITING, replace(WAITING, handed_in_at=NOW - timedelta(days=2))), 1),
        ((DOWN, replace(DOWN, handed_in_at=NOW - timedelta(days=2))), 1),
    ],
    ids=[
        "none",
        "a person before a fault",
        "stuck before all",
        "more rules",
        "longer",
        "rules before length",
        "longest of any rule",
        "waits longest",
        "lay longest",
    ],
)
def test_one_cell_stands_first(cells: tuple[CellFacts, ...], first: int | None) -> None:
    row = board({"Ada": cells}).rows[0]
    assert row.first == (None if first is None else row.cells[first])
