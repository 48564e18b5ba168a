"""The stuck rule: each number to the point, and never for what is passed."""

from dataclasses import replace
from datetime import timedelta

import pytest

from engine.insight.facts import NOTHING, CellFacts
from engine.insight.stuck import StuckReason, StuckRule, stuck_reasons
from engine.settings import DEFAULT_STUCK, MOST_STUCK, StuckLimits
from tests.insight.builders import DOWN, FAILED, NOW, PASSED, PENDING, WAITING, run

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def rules(cell: CellFacts, limits: StuckLimits = DEFAULT_STUCK) -> list[tuple[str, int]]:
    return [(str(reason.rule), reason.n) for reason in stuck_reasons(cell, limits, NOW)]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        pytest.param(replace(FAILED, fails=(run(1),)), [], id="failed once"),
        pytest.param(replace(FAILED, fails=(run(2),)), [("same_fail", 2)], id="failed twice in a row"),
        pytest.param(replace(FAILED, handed_in_at=NOW - 3 * DAY + SECOND), [], id="not yet three days"),
        pytest.param(replace(FAILED, handed_in_at=NOW - 3 * DAY), [("no_hand_in", 3)], id="three days"),
        pytest.param(replace(FAILED, handed_in_at=NOW - 4.9 * DAY), [("no_hand_in", 4)], id="whole days are told"),
        pytest.param(replace(WAITING, handed_in_at=NOW - 9 * DAY), [], id="waiting for a person is no idleness"),
        pytest.param(replace(DOWN, handed_in_at=NOW - 9 * DAY), [], id="nor is a fault of ours"),
        pytest.param(replace(PENDING, turns=5), [], id="five questions"),
        pytest.param(replace(PENDING, turns=6), [("many_turns", 6)], id="six questions"),
        pytest.param(replace(NOTHING, turns=7), [("many_turns", 7)], id="before anything is handed in"),
        pytest.param(replace(PASSED, turns=60, handed_in_at=NOW - 99 * DAY), [], id="passed is never stuck"),
        pytest.param(
            replace(FAILED, fails=(run(3),), handed_in_at=NOW - 5 * DAY, turns=8),
            [("same_fail", 3), ("no_hand_in", 5), ("many_turns", 8)],
            id="all at one time, in their order",
        ),
    ],
)
def test_each_rule_holds_from_its_number_on(cell: CellFacts, expected: list[tuple[str, int]]) -> None:
    assert rules(cell) == expected


def test_the_criterion_of_the_longest_run_is_named() -> None:
    cell = replace(FAILED, fails=(run(4, "build"), run(2, "docs")))
    assert stuck_reasons(cell, DEFAULT_STUCK, NOW) == (
        StuckReason(rule=StuckRule.SAME_FAIL, n=4, criterion="what build asks for"),
    )


def test_other_numbers_are_gone_by() -> None:
    limits = StuckLimits(fails_in_a_row=3, idle_days=10, turns=20)
    cell = replace(FAILED, fails=(run(2),), handed_in_at=NOW - 9 * DAY, turns=19)
    assert rules(cell, limits) == []


@pytest.mark.parametrize(
    ("limits", "possible"),
    [
        (StuckLimits(fails_in_a_row=2, idle_days=1, turns=2), True),
        (StuckLimits(fails_in_a_row=1), False),
        (StuckLimits(idle_days=0), False),
        (StuckLimits(turns=1), False),
        (StuckLimits(turns=MOST_STUCK), True),
        (StuckLimits(turns=MOST_STUCK + 1), False),
    ],
    ids=["least", "one fail", "no day", "one question", "most", "more"],
)
def test_numbers_have_bounds(limits: StuckLimits, possible: bool) -> None:
    assert limits.is_possible is possible
