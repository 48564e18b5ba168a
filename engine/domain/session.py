"""Conversations, turns, messages, and the receipt of what a turn sent."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engine.domain.feedback import TraceStep
from engine.domain.keys import FeedbackKey
from engine.domain.plan import Plan, PlanVersion, plan_json
from engine.domain.states import FeedbackState, ReplyKind, Role, SupportLevel, TurnState


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message of a request, as the model is given it."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One stored line of a conversation."""

    message_id: str
    seq: int
    """Order inside the conversation."""
    role: Role
    text: str
    """Empty when it was erased."""
    turn_id: str | None
    """None for system rows, which belong to no turn."""
    written_at: datetime
    author: str | None = None
    """Name of the teacher who wrote it; None for every other line."""
    note_id: str | None = None
    """Of the card note that stands here; None for what was said in the chat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens the provider counted; None where it did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Try:
    """One time a request was sent."""

    number: int
    waited_s: float
    """Seconds waited before it."""
    result: str
    """`ok`, or the code of the error."""
    retry_after_s: float | None = None
    """In how many seconds the service said to come back; None where it did not say."""
    started_at: datetime | None = None
    """When it was sent; None of tries that were stored without it."""
    seconds: float | None = None
    """From sending to the end of the answer or the error, without the wait before it; None as above."""
    usage: Usage = Usage()
    finish_reason: str | None = None
    """Why the answer ended, in the service's word; None where it did not say."""


def as_written(kind: ReplyKind, words: str) -> str:
    """Words of a reply behind the line of their kind, where the model has to write one."""
    return f"kind: {kind}\n{words}" if kind in (ReplyKind.ASK, ReplyKind.PLAN) else words


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """That a turn was begun by the tutor itself, without a word of the student."""

    attempt_id: str
    """The review after which it began; there is one opening for an attempt, ever."""
    level: SupportLevel
    """In force when it began; never off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One exchange: the student's message and the reply, or how it failed."""

    turn_id: str
    conversation_id: str
    number: int
    """1, 2 … inside the conversation; a retry has a number of its own."""
    seq: int
    """Place among the messages: that of its question."""
    state: TurnState
    question: str
    """Empty where the tutor began, or where it was erased."""
    reply: str | None
    """The tutor's words; None unless the turn is done."""
    partial: str | None
    """What had arrived when the turn ended otherwise, or has arrived so far."""
    kind: ReplyKind
    fault: str | None
    """Code of the error a person is shown, for an end other than done."""
    started_at: datetime
    ended_at: datetime | None
    submission_seq: int | None = None
    """The submission whose feedback the request held; None before a request was made, or without one."""
    attempt_seq: int | None = None
    tries: tuple[Try, ...] = ()
    """The times the request was sent, once the turn has ended."""
    plan: PlanVersion | None = None
    """The plan that came with the reply; None where none did."""
    continues_id: str | None = None
    """The turn whose broken reply this one goes on with; its words then begin with what had arrived there."""
    opening: Opening | None = None
    """Set where the tutor began by itself; None where the student asked."""

    @property
    def written(self) -> str | None:
        """The reply in the form that the model writes, kind and plan included: what later requests repeat."""
        if self.reply is None:
            return None
        told = as_written(self.kind, self.reply)
        if self.plan is None or self.plan.plan is None:
            return told
        return f"{told}\n\nplan:\n{plan_json(self.plan.plan)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A dialogue of one learner about one task."""

    conversation_id: str
    key: FeedbackKey
    number: int
    """1, 2 … inside the key."""
    opened_at: datetime


class PartKind(StrEnum):
    """What a stretch of a request is, in the order in which the parts stand."""

    RULES = "rules"
    OPENING = "opening"
    """Our rules for a turn that the tutor begins."""
    REPLY_STYLE = "reply_style"
    """Our rules about the preferences, where there are any."""
    TASK = "task"
    PREFERENCES = "preferences"
    """The student's own rules on the language and the length of replies."""
    SUMMARY = "summary"
    TEACHER = "teacher"
    """What a teacher wrote; stands among the turns."""
    TURN = "turn"
    FEEDBACK = "feedback"
    NOTES = "notes"
    NEWEST = "newest"
    OPEN = "open"
    """The request to begin, where the student wrote nothing."""
    BEGUN = "begun"
    GO_ON = "go_on"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A stretch of one message of a request. Holds no text: that stands in the exact bytes."""

    kind: PartKind
    message: int
    """Index into the request's messages."""
    chars: int
    tokens: int
    """Estimate by o200k."""
    turn_number: int | None = None
    """Of a summary: the last turn it covers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentFeedback:
    """Which feedback a request held, and what was cut from it."""

    state: FeedbackState
    submission_id: str | None
    submission_seq: int | None
    version_number: int | None
    attempt_seq: int | None
    block_chars: int
    block_limit: int
    total_items: int
    omitted_count: int
    truncated_fields: tuple[str, ...]
    trace: tuple[TraceStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestFacts:
    """What a request held and what was cut, without any text."""

    parts: tuple[Part, ...]
    """In the order in which they stand."""
    feedback: SentFeedback
    left_out_turns: int
    """How many older turns did not fit."""
    history_tokens: int
    """Of the summary and the whole turns that were sent, without the newest message."""
    history_limit: int
    summary_turns: int = 0
    """How many turns went along as a summary, from the first on."""
    left_out_words: int = 0
    """How many lines of a teacher did not fit."""
    is_material_cut: bool = False
    """Whether the task's material had to be shortened."""
    total_tokens: int | None = None
    """Of everything that was sent, estimate by o200k; None where it was not counted."""
    bound_tokens: int | None = None
    """The most it can be in any byte-level vocabulary."""
    window_tokens: int | None = None
    """What the model takes in at once, by the settings; the reply's reserve is part of it."""
    continues_number: int | None = None
    """Of the turn whose broken reply the model was to go on with; None where it answers from the beginning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The exact request of a turn and what it held."""

    turn_id: str
    request: bytes
    """The body as it went over the wire; no credentials are in it. Empty when it was erased."""
    model: str
    facts: RequestFacts
    sent_at: datetime
    sha256: str | None = None
    """Of the bytes, as it was stored with them; it outlives them. None of a request that is not stored yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnd:
    """How a turn ended. There is one for each turn, ever."""

    state: TurnState
    reply: str | None = None
    kind: ReplyKind = ReplyKind.CHAT
    """Of the reply, or of the part that arrived."""
    plan: Plan | None = None
    partial: str | None = None
    fault: str | None = None
    tries: tuple[Try, ...] = ()
    usage: Usage = Usage()
