"""When older turns are summarised, which of them, from what text, and how long the summary may be.

The trigger lies below the history's limit, so that the summary is made ahead, and much is folded at once, so that
the beginning of the requests stays the same for many turns. Only whole turns are folded.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile

import regex

from engine.domain.data_message import DataKind, escaped_json, wrap
from engine.domain.summary import Exchange
from engine.feedback.cutting import OMISSION, clean_and_cut, cut
from engine.settings import DEFAULT_BUDGETS, Budgets

SUMMARY_TRIGGER = DEFAULT_BUDGETS.history_trigger
"""Tokens of the summary and the turns behind it, from which on they are summarised (seed 003)."""
SUMMARY_LIMIT = 256
"""Tokens of a summary's whole data message (seed 003)."""
KEPT_TOKENS = 1500
"""Of the newest turns, which stay as they were said; half of the trigger where that is less."""
SUMMARY_CHARS = 4000
"""More of what a model returns as a summary is not even looked at."""

_SENTENCE_END = regex.compile(r"[.!?](?=\s)|[。！？…\n]")

CountTokens = Callable[[str], int]


def choose_fold(
    after_mark: Sequence[Exchange], summary_tokens: int, count_tokens: CountTokens, budgets: Budgets = DEFAULT_BUDGETS
) -> tuple[Exchange, ...]:
    """The turns, oldest first, that the next summary takes in; none while the trigger is not reached.

    A turn whose answer may still come stays out, and so does whatever comes after it. The newest turn stays out
    unless it is so long that it could never be sent whole beside a summary.
    """
    sizes = [_size(exchange, count_tokens) for exchange in after_mark]
    if summary_tokens + sum(sizes) < budgets.history_trigger:
        return ()
    most = min(KEPT_TOKENS, budgets.history_trigger // 2)
    kept, kept_tokens = 0, 0
    for size in reversed(sizes):
        if kept_tokens + size > (most if kept else budgets.history_limit - SUMMARY_LIMIT):
            break
        kept += 1
        kept_tokens += size
    ended = takewhile(lambda exchange: not exchange.is_open, after_mark[: len(after_mark) - kept])
    return tuple(ended)


def _size(exchange: Exchange, count_tokens: CountTokens) -> int:
    return count_tokens(exchange.question or "") + count_tokens(exchange.reply or "")


def sources(exchanges: Iterable[Exchange], room: int, count_tokens: CountTokens) -> list[dict[str, object]]:
    """What the summariser reads of these turns, from the first on, while it fits into `room` tokens.

    A question or reply that would fill more than a quarter of the room is cut, and marked as cut.
    """
    read: list[dict[str, object]] = []
    most = room // 4
    for exchange in exchanges:
        source = _source(exchange, most, count_tokens)
        room -= count_tokens(escaped_json(source)) + 1
        if room < 0:
            break
        read.append(source)
    return read


def _source(exchange: Exchange, most: int, count_tokens: CountTokens) -> dict[str, object]:
    def fitting(text: str) -> str:
        return _within(
            clean_and_cut(text, max(1, 4 * most))[0], lambda part: count_tokens(escaped_json({"": part})) <= most
        )

    question, reply = exchange.question, exchange.reply
    return {
        "student": None if question is None else fitting(question),
        "tutor": None if reply is None else fitting(reply),
    }


def source_message(so_far: str | None, turns: Sequence[dict[str, object]]) -> str:
    """The data message that the summariser is given."""
    return wrap(DataKind.SUMMARY, {"so_far": so_far, "turns": list(turns)})


def summary_message(turns: int, text: str) -> str:
    """A summary as it is sent to the tutor."""
    return wrap(DataKind.SUMMARY, {"summarised_turns": turns, "text": text})


def cut_summary(written: str, turns: int, count_tokens: CountTokens, limit: int = SUMMARY_LIMIT) -> str:
    """What a model wrote as a summary, no longer than allowed, whatever it was asked for.

    Too long a text ends with a sentence, or, where no sentence fits, between two graphemes; then the mark of
    omission. Empty when there is nothing to see in it.
    """
    text, _ = clean_and_cut(written, SUMMARY_CHARS)
    return _within(text, lambda part: count_tokens(summary_message(turns, part)) <= limit)


def _within(text: str, fits: Callable[[str], bool]) -> str:
    if fits(text):
        return text
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    sentences = _longest(len(ends), lambda number: text[: ends[number - 1]] + OMISSION, fits)
    graphemes = _longest(len(text), lambda most: cut(text, most)[0], fits)
    return sentences if 2 * len(sentences) >= len(graphemes) else graphemes


def _longest(most: int, beginning: Callable[[int], str], fits: Callable[[str], bool]) -> str:
    """The longest of `beginning(1)` to `beginning(most)` that fits; empty if none does."""
    number = bisect_left(range(1, most + 1), True, key=lambda each: not fits(beginning(each)))
    # Two more characters may be one token less, so what the search found is looked at once more.
    while number and not fits(beginning(number)):
        number -= 1
    return beginning(number) if number else ""
