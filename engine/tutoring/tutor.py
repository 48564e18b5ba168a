"""One tutor turn, from the student's message to its one end."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace

from engine.courses.course_store import CourseStore
from engine.domain.clock import Clock
from engine.domain.feedback import Feedback
from engine.domain.keys import FeedbackKey, ReviewLogic
from engine.domain.people import LOCAL_VIEWER, Viewer
from engine.domain.preference import StyleRule
from engine.domain.running import Lease
from engine.domain.session import Receipt, Turn, TurnEnd, as_written
from engine.domain.states import SupportLevel, TurnState
from engine.domain.text import is_blank
from engine.errors import (
    InputError,
    OpeningOutdated,
    ProviderTimedOut,
    QuestionTooLong,
    ReplyEmpty,
    StoreError,
    TutorloopError,
)
from engine.feedback.budgeter import budget_feedback
from engine.feedback.feedback_store import FeedbackStore
from engine.feedback.notes import write_notes
from engine.feedback.selector import select_feedback
from engine.jobs.lease_store import LeaseStore
from engine.jobs.worker import Worker
from engine.llm.gateway import Gateway, StreamedReply
from engine.llm.models import Models
from engine.llm.prompts.opening import OPENING_RULES
from engine.llm.prompts.reply_style import REPLY_STYLE_RULES
from engine.llm.prompts.tutor import TUTOR_RULES
from engine.llm.retry import WAITS_S
from engine.llm.tokens import count_tokens, token_bound
from engine.sessions.call_store import CallStore
from engine.sessions.session_store import SessionStore
from engine.sessions.summary_store import SummaryStore
from engine.sessions.teacher_store import TeacherStore
from engine.settings import DEFAULT_BUDGETS, Budgets, DataPlacement, ModelUse
from engine.tutoring.context import Begun, Context, ContextInputs, ReplyStyle, ToOpen
from engine.tutoring.history import choose_history
from engine.tutoring.opening import counts_as_failed
from engine.tutoring.reply import Reply, ReplyReader, resume_at
from engine.tutoring.summariser import Summariser
from engine.tutoring.window import Window, build_within

_log = logging.getLogger(__name__)

FLUSH_SECONDS = 0.25
"""How often the words that have arrived are kept, so that a page can follow and a crash loses little."""
TURNS_AT_ONCE = 50
"""Older turns that are read at once; most requests need no second reading."""
QUESTION_LIMIT = 8000
"""Characters of one message; longer text is work and is handed in."""

ReplyPreferences = Callable[[Viewer, FeedbackKey], Sequence[StyleRule]]
"""A student's own rules on the language and the length of replies, the most important first."""


class Tutor:
    """Sends the student's message with the current feedback to the model and keeps what comes of it."""

    def __init__(
        self,
        *,
        courses: CourseStore,
        feedback: FeedbackStore,
        sessions: SessionStore,
        leases: LeaseStore,
        models: Models,
        logic: ReviewLogic,
        clock: Clock,
        summaries: SummaryStore,
        calls: CallStore,
        teachers: TeacherStore,
        budgets: Budgets = DEFAULT_BUDGETS,
        placement: DataPlacement = DataPlacement.SEPARATE,
        pause: Callable[[float], None] = time.sleep,
        preferences: ReplyPreferences | None = None,
    ) -> None:
        """Put a tutor together.

        `pause` waits so many seconds before a reply is stored once more. `preferences` tells the student's rules on
        the language and the length of replies; without it there are none.
        """
        self._courses = courses
        self._feedback = feedback
        self._sessions = sessions
        self._leases = leases
        self._models = models
        self._logic = logic
        self._clock = clock
        self._summaries = summaries
        self._teachers = teachers
        self._budgets = budgets
        self._placement = placement
        self._pause = pause
        self._preferences = preferences
        self._asking = threading.Lock()
        self._unsaved: dict[str, TurnEnd] = {}
        self._summariser = Summariser(summaries=summaries, calls=calls, models=models, clock=clock)

    @property
    def _gateway(self) -> Gateway:
        """The gateway in force now; one reply asks once, so that it ends with the gateway it began with."""
        return self._models.gateway(ModelUse.TUTOR)

    @property
    def budgets(self) -> Budgets:
        """The sizes that the next request is built within."""
        return self._budgets

    def use_budgets(self, budgets: Budgets) -> None:
        """Build requests within these sizes from the next one on."""
        self._budgets = budgets

    def current_feedback(self, viewer: Viewer, key: FeedbackKey) -> Feedback:
        """What is true of the newest submission of this key at this moment."""
        given = self._courses.task(viewer, key.project_id, key.task_id)
        versions = self._logic.with_rubric(given.rubric_version)
        return select_feedback(self._feedback.read_newest(viewer, key, versions))

    def send(self, viewer: Viewer, conversation_id: str, question: str, worker: Worker) -> Turn:
        """Store the question and begin its turn; the reply is written by the worker.

        The same words while they are being answered are a second click: they get the turn that is open.

        Raises:
            InputError: there is nothing in the question.
            QuestionTooLong: it is longer than `QUESTION_LIMIT`.
        """
        with self._asking:
            asked = self._sessions.being_answered(viewer, conversation_id, question)
            if asked is not None:
                return asked
            turn = self.begin(viewer, conversation_id, question, worker.lease)
        worker.submit(turn.turn_id, lambda: self.answer(viewer, turn, worker))
        return turn

    def begin(self, viewer: Viewer, conversation_id: str, question: str, lease: Lease) -> Turn:
        """Store the question and an open turn.

        Raises:
            InputError: as `send`.
        """
        if is_blank(question):
            raise InputError("there is nothing to ask yet")
        if len(question) > QUESTION_LIMIT:
            raise QuestionTooLong("this message is too long; hand it in as work instead", limit=QUESTION_LIMIT)
        return self._sessions.begin_turn(viewer, conversation_id, question, lease)

    def retry(self, viewer: Viewer, turn_id: str, worker: Worker) -> Turn:
        """Answer the question of an ended turn again."""
        turn, is_new = self._sessions.retry_turn(viewer, turn_id, worker.lease)
        if is_new:
            worker.submit(turn.turn_id, lambda: self.answer(viewer, turn, worker))
        return turn

    def go_on(self, viewer: Viewer, turn_id: str, worker: Worker) -> Turn:
        """Let the model write the rest of a reply that broke off; the words that had arrived begin the new turn.

        Raises:
            NotFound: nothing had arrived.
        """
        turn, is_new = self._sessions.continue_turn(viewer, turn_id, worker.lease)
        if is_new:
            worker.submit(turn.turn_id, lambda: self.answer(viewer, turn, worker))
        return turn

    def unsaved(self, turn: Turn) -> TurnEnd | None:
        """How an open turn has ended in this process while the database cannot keep it yet; None otherwise."""
        return self._unsaved.get(turn.turn_id)

    def stop(self, viewer: Viewer, turn_id: str, worker: Worker) -> None:
        """End a turn as stopped; what has arrived is kept."""
        turn = self._sessions.turn(viewer, turn_id)
        if turn.state is TurnState.OPEN and not worker.stop(turn_id):
            self._sessions.end_turn(viewer, turn_id, TurnEnd(state=TurnState.STOPPED, partial=turn.partial))

    def interrupt(self, turn_id: str) -> None:
        """End a turn whose worker is gone; what had arrived is kept.

        One that had ended in this process, and could not be stored then, ends as it did.
        """
        turn = self._sessions.turn(LOCAL_VIEWER, turn_id)
        end = TurnEnd(state=TurnState.INTERRUPTED, kind=turn.kind, partial=turn.partial, fault="interrupted")
        self._sessions.end_turn(LOCAL_VIEWER, turn_id, self._unsaved.get(turn_id, end))
        self._unsaved.pop(turn_id, None)

    def answer(self, viewer: Viewer, turn: Turn, worker: Worker | None = None) -> None:
        """Answer an open turn in this thread and store its end; one that was stopped while it waited is not sent.

        Older turns are summarised after the end, so that no reply waits for it.
        """
        if self._sessions.turn(viewer, turn.turn_id).state is TurnState.OPEN:
            broken = self._sessions.turn(viewer, turn.continues_id) if turn.continues_id else None
            end = asyncio.run(self._answer(viewer, turn, broken, worker))
            self._store_end(viewer, turn, end, worker)
            if end.state is TurnState.DONE:
                self._summariser.go_on(viewer, turn, self._budgets, worker)

    def _store_end(self, viewer: Viewer, turn: Turn, end: TurnEnd, worker: Worker | None) -> None:
        """Store how a turn ended, again and again for a while where the database cannot do it now.

        When it never can, the end stays in memory until whoever ends orphans finds the turn; only if this process
        ends before that, the turn is interrupted with the words that were kept while they arrived.
        """
        self._unsaved[turn.turn_id] = end
        for wait_s in (*WAITS_S, None):
            try:
                self._sessions.end_turn(viewer, turn.turn_id, end)
                break
            except StoreError:
                _log.warning("a turn's end could not be stored this time", exc_info=True)
                if wait_s is None or (worker is not None and worker.is_closing):
                    raise
                self._pause(wait_s)
            except Exception:
                del self._unsaved[turn.turn_id]
                raise
        self._unsaved.pop(turn.turn_id, None)

    async def _answer(self, viewer: Viewer, turn: Turn, broken: Turn | None, worker: Worker | None) -> TurnEnd:
        if worker is not None:
            worker.cancel_on_stop(turn.turn_id)
        arrived = ReplyReader() if broken is None else ReplyReader(broken.partial or "", broken.kind)
        reply: StreamedReply | None = None
        try:
            gateway = self._gateway
            context, key = self._context(viewer, turn, gateway, broken)
            keep = self._keeper(viewer, turn, context, gateway.model)
            reply = gateway.stream(context.messages, before_send=keep)
            async with aclosing(reply):
                said = await self._follow(turn, key, reply, arrived)
        except asyncio.CancelledError:
            if worker is not None and worker.is_closing:
                return _end(TurnState.INTERRUPTED, reply, arrived=arrived, fault="interrupted")
            return _end(TurnState.STOPPED, reply, arrived=arrived)
        except ProviderTimedOut as error:
            return _end(TurnState.TIMED_OUT, reply, arrived=arrived, fault=error.code)
        except TutorloopError as error:
            return _end(TurnState.FAILED, reply, arrived=arrived, fault=error.code)
        except Exception:
            _log.exception("a turn ended by an error of ours")
            return _end(TurnState.FAILED, reply, arrived=arrived, fault="internal")
        return _end(TurnState.DONE, reply, said=said)

    def _context(
        self, viewer: Viewer, turn: Turn, gateway: Gateway, broken: Turn | None = None
    ) -> tuple[Context, FeedbackKey]:
        budgets, key = self._budgets, self._sessions.conversation(viewer, turn.conversation_id).key
        given = self._courses.task(viewer, key.project_id, key.task_id)
        first, count = self._sessions.turns_before(viewer, turn, limit=TURNS_AT_ONCE)
        summary = self._summaries.newest(viewer, turn.conversation_id, before=turn.seq)
        versions = self._logic.with_rubric(given.rubric_version)
        feedback = select_feedback(self._feedback.read_newest(viewer, key, versions))
        if turn.opening is not None and not counts_as_failed(feedback, turn.opening.attempt_id):
            raise OpeningOutdated("another review counts by now")
        words = self._teachers.said_before(viewer, turn)
        inputs = ContextInputs(
            rules=TUTOR_RULES,
            task=given,
            history=choose_history(
                self._earlier(viewer, first), count_tokens, limit=budgets.history_limit, summary=summary, words=words
            ),
            earlier_turns=count,
            earlier_words=len(words),
            feedback=feedback,
            block=budget_feedback(feedback),
            notes=write_notes(feedback.learning_notes),
            newest=turn.question,
            to_open=None if turn.opening is None else _to_open(turn.opening.level),
            begun=None if broken is None else _begun(broken),
            placement=self._data_placement(gateway),
            reply_style=self._reply_style(viewer, key),
        )
        return build_within(inputs, _window(budgets)), key

    def _reply_style(self, viewer: Viewer, key: FeedbackKey) -> ReplyStyle | None:
        """The student's rules, if there are any; a reply goes on without them where they cannot be read."""
        try:
            rules = tuple(self._preferences(viewer, key)) if self._preferences is not None else ()
        except TutorloopError:
            _log.warning("a reply goes on without rules of style", exc_info=True)
            return None
        return ReplyStyle(preferences=rules, rules=REPLY_STYLE_RULES) if rules else None

    def _data_placement(self, gateway: Gateway) -> DataPlacement:
        """The offline tutor reads data in messages of their own only."""
        return DataPlacement.SEPARATE if gateway.is_offline else self._placement

    def _earlier(self, viewer: Viewer, turns: tuple[Turn, ...]) -> Iterator[Turn]:
        """Go on from `turns`, newest first, reading older ones only while somebody wants more."""
        while turns:
            yield from turns
            turns, _count = self._sessions.turns_before(viewer, turns[-1], limit=TURNS_AT_ONCE)

    def _keeper(self, viewer: Viewer, turn: Turn, context: Context, model: str) -> Callable[[bytes], None]:
        def keep(body: bytes) -> None:
            self._sessions.keep_receipt(
                viewer,
                Receipt(
                    turn_id=turn.turn_id,
                    request=body,
                    model=model,
                    facts=context.facts,
                    sent_at=self._clock(),
                ),
            )

        return keep

    async def _follow(self, turn: Turn, key: FeedbackKey, reply: StreamedReply, arrived: ReplyReader) -> Reply:
        keeping = asyncio.create_task(self._keep_arriving(turn, key, arrived))
        try:
            async for piece in reply:
                arrived.take(piece)
        finally:
            keeping.cancel()
        said = arrived.read()
        if said.is_empty:
            raise ReplyEmpty("the answer has a kind and nothing else")
        return said

    async def _keep_arriving(self, turn: Turn, key: FeedbackKey, arrived: ReplyReader) -> None:
        """Keep what has arrived, time and again: a model that pauses after its first words must not hide them."""
        loop, kept = asyncio.get_running_loop(), arrived.shown
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            if (shown := arrived.shown) != kept:
                # In a thread, or a locked database would hold up the stream until its time is over.
                await loop.run_in_executor(None, self._keep_progress, turn, key, shown)
                kept = shown

    def _keep_progress(self, turn: Turn, key: FeedbackKey, shown: str) -> None:
        """Let pages follow; a database that cannot keep it now must not cost a good reply."""
        try:
            self._leases.keep_progress(turn.turn_id, key.learner_id, shown)
        except StoreError:
            _log.warning("the words so far could not be kept this time", exc_info=True)


def _window(budgets: Budgets) -> Window:
    return Window(
        tokens=budgets.window_tokens,
        count_tokens=count_tokens,
        token_bound=token_bound,
        reserved_tokens=budgets.reserved_tokens,
    )


def _to_open(level: SupportLevel) -> ToOpen:
    return ToOpen(level=level, rules=OPENING_RULES[level])


def _begun(broken: Turn) -> Begun:
    written = as_written(broken.kind, resume_at(broken.partial or ""))
    return Begun(turn_number=broken.number, written=written)


def _end(
    state: TurnState,
    reply: StreamedReply | None,
    *,
    said: Reply | None = None,
    arrived: ReplyReader | None = None,
    fault: str | None = None,
) -> TurnEnd:
    end = TurnEnd(state=state, fault=fault)
    if said is not None:
        end = replace(end, reply=said.text, kind=said.kind, plan=said.plan)
    if arrived is not None:
        end = replace(end, partial=arrived.shown or None, kind=arrived.kind)
    return end if reply is None else replace(end, tries=reply.tries, usage=reply.usage)
