"""Which older turns go into a request: whole turns only, the newest first."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from engine.domain.session import Turn

HISTORY_LIMIT = 4000
"""Tokens of the whole turns that are sent, without the newest message (seed 003)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The older turns of one request."""

    turns: tuple[Turn, ...]
    """Oldest first."""
    tokens: int
    limit: int


def choose_history(
    newest_first: Iterable[Turn], count_tokens: Callable[[str], int], limit: int = HISTORY_LIMIT
) -> History:
    """Take whole turns from the newest on, and stop at the first that does not fit."""
    chosen: list[Turn] = []
    used = 0
    for turn in newest_first:
        tokens = count_tokens(turn.question) + count_tokens(turn.reply or "")
        if used + tokens > limit:
            break
        chosen.append(turn)
        used += tokens
    return History(turns=tuple(reversed(chosen)), tokens=used, limit=limit)
