"""Summarises the older turns of a conversation after a turn has ended, so that no reply waits for it."""

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from engine.domain.clock import Clock
from engine.domain.model_call import CallSubject, CallUse
from engine.domain.people import Viewer
from engine.domain.session import ChatMessage, Turn
from engine.domain.states import Role
from engine.domain.summary import Exchange, Summary
from engine.jobs.worker import Worker
from engine.llm.models import Models
from engine.llm.prompts.summary import SUMMARY_RULES
from engine.llm.recorded_call import RecordedCall
from engine.llm.tokens import count_tokens
from engine.sessions.call_store import CallStore
from engine.sessions.summary_store import SummaryStore
from engine.settings import Budgets, ModelUse
from engine.tutoring.folding import choose_fold, cut_summary, source_message, sources, summary_message

_log = logging.getLogger(__name__)

EXCHANGES_AT_ONCE = 50
"""Turns that are read at once."""
MOST_SOURCE_TOKENS = 12_000
"""Of what is summarised at once, however much the model could take in: it is paid for each time."""
BACKLOG_TOKENS = 2 * MOST_SOURCE_TOKENS
"""So much is looked at behind the mark; what lies further back than one summary takes in waits for the next."""
_BESIDE_SOURCES = 1024 + 256
"""The answer, and what stands around messages and sources."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fold:
    """What the next summary is made from, and how far it reaches."""

    message: str
    last: Exchange
    turns: int


class Summariser:
    """Makes the next summary of a conversation when it is due. A summary that fails changes nothing."""

    def __init__(self, *, summaries: SummaryStore, calls: CallStore, models: Models, clock: Clock) -> None:
        self._summaries = summaries
        self._calls = calls
        self._models = models
        self._clock = clock

    def go_on(self, viewer: Viewer, turn: Turn, budgets: Budgets, worker: Worker | None = None) -> None:
        """Summarise what has become too long in the conversation of `turn`, which has ended; never raises.

        It runs inside the job of the turn: a server that closes stops it like a reply.
        """
        try:
            self._summarise(viewer, turn, budgets, worker)
        except asyncio.CancelledError:
            _log.info("a summary was stopped; the next turn tries again")
        except Exception:
            _log.warning("a summary could not be made; the next turn tries again", exc_info=True)

    def _summarise(self, viewer: Viewer, turn: Turn, budgets: Budgets, worker: Worker | None) -> None:
        fold = self._fold(viewer, turn.conversation_id, budgets)
        if fold is None:
            return
        gateway = self._models.gateway(ModelUse.TUTOR)
        call = RecordedCall(gateway, _request(fold.message))
        try:
            written = asyncio.run(_read(call, turn, worker))
        finally:
            self._keep_call(viewer, turn.conversation_id, fold, gateway.model, call)
        text = cut_summary(written, fold.turns, count_tokens)
        if not text:
            _log.warning("a summary had nothing in it; the next turn tries again")
            return
        self._summaries.keep(
            viewer,
            Summary(
                conversation_id=turn.conversation_id,
                up_to_seq=fold.last.seq,
                up_to_number=fold.last.number,
                turns=fold.turns,
                text=text,
                tokens=count_tokens(summary_message(fold.turns, text)),
                model=gateway.model,
                made_at=self._clock(),
            ),
        )

    def _fold(self, viewer: Viewer, conversation_id: str, budgets: Budgets) -> _Fold | None:
        previous = self._summaries.newest(viewer, conversation_id)
        mark, covered = (previous.up_to_seq, previous.turns) if previous else (0, 0)
        behind = _up_to(BACKLOG_TOKENS, self._exchanges(viewer, conversation_id, mark))
        chosen = choose_fold(behind, previous.tokens if previous else 0, count_tokens, budgets)
        so_far = previous.text if previous else None
        room = _room(budgets)
        read = sources(chosen, room - count_tokens(source_message(so_far, ())), count_tokens)
        if not read:
            return None
        last, turns = chosen[len(read) - 1], covered + len(read)
        whole = self._originals(viewer, conversation_id, last, room)
        message = source_message(None, whole) if len(whole) == turns else source_message(so_far, read)
        return _Fold(message=message, last=last, turns=turns)

    def _originals(self, viewer: Viewer, conversation_id: str, last: Exchange, room: int) -> list[dict[str, object]]:
        """All turns up to `last` as they were said, or as many of them as fit."""
        from_the_first = self._exchanges(viewer, conversation_id, 0)
        return sources(takewhile(lambda each: each.seq <= last.seq, from_the_first), room, count_tokens)

    def _exchanges(self, viewer: Viewer, conversation_id: str, seq: int) -> Iterator[Exchange]:
        """What was said after `seq`, oldest first, read only while somebody wants more."""
        while read := self._summaries.exchanges_after(viewer, conversation_id, seq, limit=EXCHANGES_AT_ONCE):
            yield from read
            seq = read[-1].seq

    def _keep_call(self, viewer: Viewer, conversation_id: str, fold: _Fold, model: str, call: RecordedCall) -> None:
        """Keep what was asked, whatever came of it."""
        if (sent := call.sent) is not None:
            subject = CallSubject(use=CallUse.SUMMARY, subject_id=conversation_id, part=str(fold.last.number))
            self._calls.keep(viewer, subject, model, sent)


def _request(message: str) -> tuple[ChatMessage, ...]:
    return ChatMessage(role=Role.SYSTEM, content=SUMMARY_RULES), ChatMessage(role=Role.USER, content=message)


async def _read(call: RecordedCall, turn: Turn, worker: Worker | None) -> str:
    if worker is not None:
        worker.cancel_on_stop(turn.turn_id)
    return await call.read()


def _room(budgets: Budgets) -> int:
    """Tokens of what can be read for one summary."""
    return min(budgets.window_tokens - count_tokens(SUMMARY_RULES) - _BESIDE_SOURCES, MOST_SOURCE_TOKENS)


def _up_to(most: int, exchanges: Iterator[Exchange]) -> list[Exchange]:
    """The first of them, until they have `most` tokens."""
    taken: list[Exchange] = []
    for exchange in exchanges:
        taken.append(exchange)
        most -= count_tokens(exchange.question or "") + count_tokens(exchange.reply or "")
        if most < 0:
            break
    return taken
