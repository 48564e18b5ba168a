import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.data_message import DataKind, unwrap
from engine.domain.summary import Exchange
from engine.llm.tokens import count_tokens
from engine.settings import Budgets
from engine.tutoring.folding import (
    KEPT_TOKENS,
    SUMMARY_LIMIT,
    SUMMARY_TRIGGER,
    choose_fold,
    cut_summary,
    source_message,
    sources,
    summary_message,
)
from engine.tutoring.history import HISTORY_LIMIT
from tests.feedback.builders import texts
from tests.tutoring.requests import by_length


def exchange(number: int, length: int, *, is_open: bool = False) -> Exchange:
    half = length // 2
    reply = None if is_open else "a" * (length - half)
    return Exchange(number=number, seq=2 * number, question="q" * half, reply=reply, is_open=is_open)


def exchanges(*lengths: int) -> list[Exchange]:
    return [exchange(number, length) for number, length in enumerate(lengths, start=1)]


def test_the_numbers_are_those_of_the_design() -> None:
    assert (SUMMARY_TRIGGER, HISTORY_LIMIT, SUMMARY_LIMIT) == (3000, 4000, 256)


@pytest.mark.parametrize(
    ("lengths", "summary_tokens", "folded"),
    [
        pytest.param([1000, 1000, 999], 0, [], id="one token below the trigger"),
        pytest.param([1000, 1000, 1000], 0, [1, 2], id="at the trigger; the newest turn stays"),
        pytest.param([1000, 1000, 800], 200, [1, 2], id="the summary counts too"),
        pytest.param([1500, 750, 750], 0, [1], id="as many stay as fit into what is kept"),
        pytest.param([1500, 750, 751], 0, [1, 2], id="one token more, and one turn fewer stays"),
        pytest.param([10, 3744], 0, [1], id="a newest turn that can still be sent whole stays"),
        pytest.param([10, 3745], 0, [1, 2], id="one that never can is summarised"),
        pytest.param([3700], 0, [], id="nothing to fold but what stays"),
        pytest.param([], 256, [], id="nothing"),
    ],
)
def test_the_oldest_turns_are_folded_once_the_trigger_is_reached(
    lengths: list[int], summary_tokens: int, folded: list[int]
) -> None:
    chosen = choose_fold(exchanges(*lengths), summary_tokens, by_length)
    assert [each.number for each in chosen] == folded


def test_a_turn_whose_answer_may_still_come_is_not_folded_nor_what_comes_after_it() -> None:
    turns = [exchange(1, 1500), exchange(2, 1500, is_open=True), *exchanges(0, 0, 1500, 1500)[2:]]
    assert [each.number for each in choose_fold(turns, 0, by_length)] == [1]


@given(st.lists(st.integers(0, 4500), max_size=12), st.integers(0, 256))
def test_what_is_folded_is_a_beginning_and_what_stays_fits_beside_a_summary(
    lengths: list[int], summary_tokens: int
) -> None:
    turns = exchanges(*lengths)
    folded = choose_fold(turns, summary_tokens, by_length)
    assert list(folded) == turns[: len(folded)]
    stays = lengths[len(folded) :]
    if folded:
        assert sum(lengths) + summary_tokens >= SUMMARY_TRIGGER
        assert sum(stays) <= KEPT_TOKENS or (len(stays) == 1 and sum(stays) <= HISTORY_LIMIT - SUMMARY_LIMIT)
    else:
        assert sum(lengths) + summary_tokens < SUMMARY_TRIGGER or len(turns) <= 1 or sum(stays[1:]) <= HISTORY_LIMIT


# What the summariser reads


def test_the_summariser_reads_whole_turns_while_they_fit() -> None:
    read = sources(exchanges(100, 100, 100), 300, by_length)
    assert read == [{"student": "q" * 50, "tutor": "a" * 50}] * 2


def test_a_text_that_would_fill_the_room_is_cut_and_marked_so_that_no_turn_is_ever_skipped() -> None:
    giant = Exchange(number=1, seq=2, question="q" * 9000, reply="字" * 90_000, is_open=False)
    (read,) = sources([giant], 2000, by_length)
    assert str(read["student"]).endswith("q…") and str(read["tutor"]).endswith("字…")
    assert all(400 < len(str(text)) <= 500 for text in read.values())


def test_a_question_without_an_answer_is_told_as_such() -> None:
    turn = Exchange(number=1, seq=2, question="why?", reply=None, is_open=False)
    data = unwrap(source_message("before", sources([turn], 1000, by_length)))
    assert data == (DataKind.SUMMARY, {"so_far": "before", "turns": [{"student": "why?", "tutor": None}]})


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(texts(), st.none() | texts()), max_size=6), st.integers(400, 900))
def test_what_is_read_is_an_unbroken_beginning_within_the_room(said: list[tuple[str, str | None]], room: int) -> None:
    turns = [
        Exchange(number=number, seq=2 * number, question=question, reply=reply, is_open=False)
        for number, (question, reply) in enumerate(said, start=1)
    ]
    read = sources(turns, room, count_tokens)
    assert count_tokens(source_message(None, read)) <= room + 30
    assert len(read) <= len(turns) and (bool(read) or not turns)
    assert [each["tutor"] is None for each in read] == [turn.reply is None for turn in turns[: len(read)]]


# How long a summary may be


def test_a_short_summary_stays_as_it_was_written() -> None:
    assert cut_summary(" The student asks\nwhy. ", 3, count_tokens) == "The student asks\nwhy."


def test_too_long_a_summary_ends_with_a_sentence_and_says_that_it_was_cut() -> None:
    kept = cut_summary("One sentence about it. " * 200, 12, count_tokens)
    assert kept.endswith("about it.…") and kept.startswith("One sentence")
    assert SUMMARY_LIMIT - 10 < count_tokens(summary_message(12, kept)) <= SUMMARY_LIMIT


def test_without_any_end_of_a_sentence_it_ends_between_two_graphemes() -> None:
    kept = cut_summary("👨‍👩‍👧‍👦" * 500, 12, count_tokens)
    assert kept.replace("👨‍👩‍👧‍👦", "") == "…" and len(kept) > 1


def test_one_short_sentence_before_an_endless_one_is_not_all_that_is_kept() -> None:
    kept = cut_summary("Yes. " + "and so on " * 500, 12, count_tokens)
    assert len(kept) > 500 and kept.endswith("…")


@pytest.mark.parametrize("written", ["", " \n", "\u200b\u2060"])
def test_where_nothing_can_be_seen_there_is_no_summary(written: str) -> None:
    assert cut_summary(written, 12, count_tokens) == ""


@settings(max_examples=80, deadline=None)
@given(texts(400), st.integers(1, 10_000))
def test_whatever_a_model_writes_is_kept_within_the_limit_as_it_is_sent(written: str, turns: int) -> None:
    kept = cut_summary(written, turns, count_tokens)
    assert count_tokens(summary_message(turns, kept)) <= SUMMARY_LIMIT
    assert unwrap(summary_message(turns, kept)) == (DataKind.SUMMARY, {"summarised_turns": turns, "text": kept})


def test_a_low_trigger_folds_all_but_half_of_it() -> None:
    turns = exchanges(*[100] * 12)
    chosen = choose_fold(turns, 0, by_length, Budgets(history_trigger=1000, history_limit=1200))
    assert len(chosen) == 7
    assert choose_fold(turns, 0, by_length) == ()
