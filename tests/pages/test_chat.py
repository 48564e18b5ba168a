"""What a turn that failed says."""

from dataclasses import replace
from datetime import timedelta

import pytest

from engine.domain.session import Try
from pages._widgets.chat import _seconds_left
from tests.feedback.builders import NOON
from tests.tutoring.requests import a_turn


@pytest.mark.parametrize(
    ("named_s", "passed_s", "left_s"),
    [
        pytest.param(300, 100, 200, id="the rest of it"),
        pytest.param(300, 301, None, id="over"),
        pytest.param(None, 1, None, id="not said"),
    ],
)
def test_the_time_that_a_service_named_counts_from_the_end_of_the_turn(
    named_s: float | None, passed_s: float, left_s: float | None
) -> None:
    tried = Try(number=1, waited_s=0, result="rate_limited", retry_after_s=named_s)
    turn = replace(a_turn(1, "why?", None), tries=(tried,))
    assert _seconds_left(turn, NOON + timedelta(seconds=passed_s)) == left_s


def test_a_turn_that_sent_nothing_names_no_time() -> None:
    assert _seconds_left(a_turn(1, "why?", None), NOON) is None
