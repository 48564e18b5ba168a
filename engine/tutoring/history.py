"""Which older turns go into a request: whole turns only, the newest first, behind the summary of those before."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain, takewhile

from engine.domain.session import Message, Turn
from engine.domain.summary import Summary
from engine.settings import DEFAULT_BUDGETS

HISTORY_LIMIT = DEFAULT_BUDGETS.history_limit
"""Tokens of the summary and the whole turns that are sent, without the newest message (seed 003)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The older turns of one request."""

    turns: tuple[Turn, ...]
    """Oldest first; of questions nobody answered too, except for `waiting`."""
    waiting: Turn | None
    """The question just before the newest one, if nobody has answered it: it goes with the newest, uncut."""
    tokens: int
    """Of `turns`, `words` and the summary."""
    limit: int
    words: tuple[Message, ...] = ()
    """What a teacher wrote, oldest first; each has its place among the turns, or before them."""
    summary: Summary | None = None
    """Stands for the turns up to its mark; `turns` begins behind it."""


def choose_history(
    newest_first: Iterable[Turn],
    count_tokens: Callable[[str], int],
    limit: int = HISTORY_LIMIT,
    summary: Summary | None = None,
    words: Iterable[Message] = (),
) -> History:
    """Take whole turns from the newest on, and stop at the mark or at the first that does not fit.

    What a teacher wrote, `words`, newest first, goes before turns, up to half of the limit, and no summary stands
    for it: it would be lost among what the student and the tutor said.

    A question that failed to get its answer must not be lost to the budget when it is asked on, so the very
    newest turn stays outside of it while it has no reply.
    """
    mark = summary.up_to_seq if summary else 0
    turns = takewhile(lambda turn: turn.seq > mark, newest_first)
    newest = next(turns, None)
    waiting = newest if newest is not None and newest.reply is None else None
    chosen: list[Turn] = []
    taught = _fitting(words, count_tokens, limit // 2)
    used = (summary.tokens if summary else 0) + sum(count_tokens(line.text) for line in taught)
    for turn in turns if waiting or newest is None else chain([newest], turns):
        tokens = count_tokens(turn.question) + count_tokens(turn.written or "")
        if used + tokens > limit:
            break
        chosen.append(turn)
        used += tokens
    return History(
        turns=tuple(reversed(chosen)),
        waiting=waiting,
        tokens=used,
        limit=limit,
        words=tuple(reversed(taught)),
        summary=summary,
    )


def _fitting(words: Iterable[Message], count_tokens: Callable[[str], int], most: int) -> list[Message]:
    fitting: list[Message] = []
    for line in words:
        most -= count_tokens(line.text)
        if most < 0:
            break
        fitting.append(line)
    return fitting
