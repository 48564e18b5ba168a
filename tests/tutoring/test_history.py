from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.session import Turn
from engine.llm.tokens import count_tokens
from engine.tutoring.history import HISTORY_LIMIT, choose_history
from tests.tutoring.requests import a_summary, a_turn, by_length


def turns_of(*lengths: int) -> list[Turn]:
    """Oldest first; each as long as told, half of it the question."""
    return [a_turn(number, "q" * (n // 2), "a" * (n - n // 2)) for number, n in enumerate(lengths, start=1)]


@pytest.mark.parametrize(
    ("lengths", "limit", "kept"),
    [
        pytest.param([4, 4, 4], 12, [1, 2, 3], id="all fit, to the last token"),
        pytest.param([4, 4, 4], 11, [2, 3], id="one token short, and the oldest goes"),
        pytest.param([1, 9, 4], 5, [3], id="an older turn that would fit does not go past one that does not"),
        pytest.param([4, 4, 12], 11, [], id="a newest turn over the limit goes as a whole, and all before it"),
        pytest.param([], 11, [], id="nothing"),
        pytest.param([4, 4], 0, [], id="no room at all"),
    ],
)
def test_whole_turns_are_taken_from_the_newest_on(lengths: list[int], limit: int, kept: list[int]) -> None:
    history = choose_history(reversed(turns_of(*lengths)), by_length, limit)
    assert [turn.number for turn in history.turns] == kept
    assert history.tokens == sum(lengths[number - 1] for number in kept)
    assert history.limit == limit


def test_the_newest_question_without_an_answer_stays_whatever_its_length() -> None:
    answered = a_turn(1, "qq", "aa")
    failed = a_turn(2, "q" * 99, None)
    history = choose_history([failed, answered], by_length, 4)
    assert (history.waiting, history.turns, history.tokens) == (failed, (answered,), 4)


def test_an_older_question_without_an_answer_counts_as_what_it_is() -> None:
    history = choose_history([a_turn(2, "qq", "aa"), a_turn(1, "qqqq", None)], by_length, 8)
    assert (history.waiting, len(history.turns), history.tokens) == (None, 2, 8)


def test_what_had_arrived_of_a_failed_reply_is_neither_sent_nor_counted() -> None:
    failed = a_turn(1, "qqqq", None)
    assert failed.partial
    assert choose_history([a_turn(2, "q", "a"), failed], by_length, 100).tokens == 6


def test_the_usual_limit_is_four_thousand_tokens_of_the_usual_estimate() -> None:
    turn = a_turn(1, "word " * 100, "word " * 100)
    each = count_tokens(turn.question) + count_tokens(turn.reply or "")
    history = choose_history([turn] * 200, count_tokens)
    assert HISTORY_LIMIT == 4000 == history.limit
    assert len(history.turns) == HISTORY_LIMIT // each < 200


def test_no_more_is_read_than_is_needed() -> None:
    read: list[int] = []

    def reading() -> Iterator[Turn]:
        for turn in reversed(turns_of(4, 4, 4, 4)):
            read.append(turn.number)
            yield turn

    choose_history(reading(), by_length, 8)
    assert read == [4, 3, 2]


@given(st.lists(st.integers(0, 40), max_size=12), st.integers(0, 120))
def test_history_is_an_unbroken_end_of_the_conversation_within_the_limit(lengths: list[int], limit: int) -> None:
    turns = turns_of(*lengths)
    history = choose_history(reversed(turns), by_length, limit)
    count = len(history.turns)
    assert list(history.turns) == turns[len(turns) - count :]
    assert history.tokens == sum(lengths[len(lengths) - count :]) <= limit
    assert count == len(turns) or history.tokens + lengths[-count - 1] > limit


def test_with_a_summary_only_turns_behind_its_mark_go_along_and_its_tokens_count() -> None:
    summary = a_summary(2)
    history = choose_history(reversed(turns_of(4, 4, 4, 4)), by_length, summary.tokens + 8, summary)
    assert ([turn.number for turn in history.turns], history.tokens) == ([3, 4], summary.tokens + 8)
    assert history.summary == summary
    tighter = choose_history(reversed(turns_of(4, 4, 4, 4)), by_length, summary.tokens + 7, summary)
    assert [turn.number for turn in tighter.turns] == [4]


def test_nothing_before_the_mark_is_even_looked_at() -> None:
    read: list[int] = []

    def reading() -> Iterator[Turn]:
        for turn in reversed(turns_of(4, 4, 4, 4)):
            read.append(turn.number)
            yield turn

    choose_history(reading(), by_length, 4000, a_summary(3))
    assert read == [4, 3]
