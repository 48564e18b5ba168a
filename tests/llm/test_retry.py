import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import (
    KeyRefused,
    ModelError,
    ModelUnknown,
    ProviderDown,
    ProviderTimedOut,
    RateLimited,
    ReplyBroken,
    ReplyEmpty,
    RequestRefused,
)
from engine.llm.retry import next_wait, parse_retry_after
from tests.llm.calls import NOW

PASSING = [RateLimited("busy"), ProviderDown("down"), ProviderTimedOut("late")]
LASTING = [KeyRefused("k"), ModelUnknown("m"), RequestRefused("r"), ReplyBroken("b"), ReplyEmpty("e")]


@pytest.mark.parametrize("error", PASSING, ids=lambda error: error.code)
def test_passing_faults_are_tried_again_after_4_8_and_16_seconds_and_then_no_more(error: ModelError) -> None:
    assert [next_wait(number, error, 120.0) for number in (1, 2, 3, 4)] == [4.0, 8.0, 16.0, None]


@pytest.mark.parametrize("error", LASTING, ids=lambda error: error.code)
def test_other_faults_are_never_tried_again(error: ModelError) -> None:
    assert next_wait(1, error, 120.0) is None


@pytest.mark.parametrize(
    ("error", "left", "wait"),
    [
        pytest.param(RateLimited("", retry_after_s=7.5), 120.0, 7.5, id="named time replaces ours"),
        pytest.param(ProviderDown("", retry_after_s=1.0), 120.0, 1.0, id="a shorter one too"),
        pytest.param(RateLimited("", retry_after_s=0.0), 120.0, 4.0, id="now is no reason to hammer"),
        pytest.param(RateLimited("", retry_after_s=119.9), 120.0, 119.9, id="just within the time left"),
        pytest.param(RateLimited("", retry_after_s=120.0), 120.0, None, id="as long as the time left"),
        pytest.param(RateLimited("", retry_after_s=900.0), 120.0, None, id="longer than the time left"),
        pytest.param(RateLimited(""), 4.0, None, id="our own wait would use up the time left"),
        pytest.param(RateLimited(""), 4.1, 4.0, id="our own wait fits"),
    ],
)
def test_the_wait_follows_the_service_within_the_time_left(error: ModelError, left: float, wait: float | None) -> None:
    assert next_wait(1, error, left) == wait


@given(
    number=st.integers(1, 6),
    named=st.none() | st.floats(0, 1e9),
    left=st.floats(0, 200),
)
def test_a_wait_always_leaves_time_to_try(number: int, named: float | None, left: float) -> None:
    wait = next_wait(number, RateLimited("", retry_after_s=named), left)
    assert wait is None or 0 < wait < left


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        pytest.param(None, None, id="no header"),
        pytest.param("", None, id="empty"),
        pytest.param("30", 30.0, id="seconds"),
        pytest.param(" 1.5 ", 1.5, id="part of a second"),
        pytest.param("0", 0.0, id="now"),
        pytest.param("Mon, 30 Nov 2026 12:01:30 GMT", 90.0, id="date"),
        pytest.param("Mon, 30 Nov 2026 14:01:30 +0200", 90.0, id="date in another zone"),
        pytest.param("Mon, 30 Nov 2026 12:01:30 -0000", 90.0, id="date without a zone is UTC"),
        pytest.param("Mon, 30 Nov 2026 11:00:00 GMT", 0.0, id="date that is past"),
        pytest.param("-5", None, id="negative"),
        pytest.param("nan", None, id="no number"),
        pytest.param("inf", None, id="endless"),
        pytest.param("9" * 400, None, id="absurd"),
        pytest.param("soon", None, id="words"),
        pytest.param("Mon, 99 Nov 2026 12:00:00 GMT", None, id="no such date"),
    ],
)
def test_retry_after_is_read_as_seconds_from_now(header: str | None, seconds: float | None) -> None:
    assert parse_retry_after(header, NOW) == seconds


@given(st.text(max_size=40))
def test_no_header_breaks_the_reader(header: str) -> None:
    seconds = parse_retry_after(header, NOW)
    assert seconds is None or seconds >= 0
