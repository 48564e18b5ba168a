"""Builds the request of one turn, and says part by part what it holds.

Order: rules, task, the student's own rules on language and length, summary, whole older turns, feedback block,
learning notes, the newest message or, where the tutor begins by itself, the request to do so. For the student's rules
and for beginning our own rules have a section each, which stands there only where it is needed. Only our own
rules have the system role; everything else is data in user messages. The block stands outside the history, so
that no cut of the history can drop it. Behind it all stands, where a broken reply is gone on with, what had arrived
of it, as the tutor's words, and a data message that says so. Servers and comparisons that need data elsewhere
say so by its placement.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, groupby

from engine.domain.course import TaskInForce
from engine.domain.data_message import DataKind, wrap
from engine.domain.feedback import Block, Feedback
from engine.domain.preference import StyleRule, preferences_payload
from engine.domain.session import ChatMessage, Message, Part, PartKind, RequestFacts, SentFeedback, Turn
from engine.domain.states import Role, SupportLevel
from engine.domain.text import clean
from engine.settings import DataPlacement
from engine.tutoring.folding import summary_message
from engine.tutoring.history import History

JOINT = "\n\n"
"""Between the stretches of one message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The messages of a request and the facts about them."""

    messages: tuple[ChatMessage, ...]
    facts: RequestFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """The broken reply that a request asks to go on with."""

    turn_number: int
    written: str
    """What had arrived, in the form that the model writes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToOpen:
    """That a request asks the tutor to begin by itself."""

    level: SupportLevel
    rules: str
    """Ours for such a turn; they stand behind the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyStyle:
    """The student's own rules on the language and the length of replies."""

    preferences: tuple[StyleRule, ...]
    """At least one."""
    rules: str
    """Ours about them; they stand behind the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextInputs:
    """Everything that one request is made of."""

    rules: str
    task: TaskInForce
    history: History
    earlier_turns: int
    """How many turns came before, sent or not."""
    earlier_words: int = 0
    """How many lines of a teacher came before, sent or not."""
    feedback: Feedback
    block: Block
    notes: str | None
    newest: str
    """Empty where the tutor begins."""
    to_open: ToOpen | None = None
    """None: the newest message is the student's."""
    begun: Begun | None = None
    """None: the newest message is answered from the beginning."""
    placement: DataPlacement = DataPlacement.SEPARATE
    reply_style: ReplyStyle | None = None
    """None: nothing is said of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stretch:
    """A part of a message with its text."""

    kind: PartKind
    text: str
    turn_number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """A message in the making."""

    role: Role
    stretches: tuple[_Stretch, ...]

    @property
    def is_data(self) -> bool:
        return all(stretch.kind in _DATA for stretch in self.stretches)


_DATA = frozenset({PartKind.TASK, PartKind.PREFERENCES, PartKind.SUMMARY, PartKind.FEEDBACK, PartKind.NOTES})


def build_context(inputs: ContextInputs, count_tokens: Callable[[str], int]) -> Context:
    """Put the parts of a request in their order. A question without an answer is merged with the next one."""
    drafts = _arranged(_drafts(inputs), inputs.placement)
    sent, summary = inputs.history, inputs.history.summary
    summary_turns = summary.turns if summary else 0
    facts = RequestFacts(
        parts=tuple(_parts(drafts, count_tokens)),
        feedback=_sent_feedback(inputs.feedback, inputs.block),
        left_out_turns=inputs.earlier_turns - summary_turns - len(sent.turns) - (1 if sent.waiting else 0),
        left_out_words=inputs.earlier_words - len(sent.words),
        history_tokens=sent.tokens,
        history_limit=sent.limit,
        summary_turns=summary_turns,
        continues_number=inputs.begun.turn_number if inputs.begun else None,
    )
    return Context(messages=tuple(map(_message, drafts)), facts=facts)


def _drafts(inputs: ContextInputs) -> list[_Draft]:
    """Every message in its order, data in messages of its own."""
    waiting = (inputs.history.waiting,) if inputs.history.waiting else ()
    spoken, unanswered = _turn_drafts((*inputs.history.turns, *waiting), inputs.history.words)
    drafts = [
        _Draft(role=Role.SYSTEM, stretches=tuple(_rules(inputs))),
        _data_draft(_Stretch(kind=PartKind.TASK, text=_task_data(inputs.task))),
        *_preference_drafts(inputs.reply_style),
        *_summary_drafts(inputs.history),
        *spoken,
        *_said(unanswered if inputs.to_open else ()),
        _data_draft(_Stretch(kind=PartKind.FEEDBACK, text=inputs.block.text)),
    ]
    if inputs.notes is not None:
        drafts.append(_data_draft(_Stretch(kind=PartKind.NOTES, text=inputs.notes)))
    newest = (*unanswered, _Stretch(kind=PartKind.NEWEST, text=inputs.newest))
    if inputs.to_open is not None:
        newest = (_Stretch(kind=PartKind.OPEN, text=wrap(DataKind.OPEN, {"support": inputs.to_open.level})),)
    return [*drafts, *_said(newest), *_begun_drafts(inputs.begun)]


def _rules(inputs: ContextInputs) -> Iterator[_Stretch]:
    """Ours alone: a student can write nothing that stands here, so only we say that the tutor begins."""
    yield _Stretch(kind=PartKind.RULES, text=inputs.rules)
    if inputs.to_open is not None:
        yield _Stretch(kind=PartKind.OPENING, text=inputs.to_open.rules)
    if inputs.reply_style is not None:
        yield _Stretch(kind=PartKind.REPLY_STYLE, text=inputs.reply_style.rules)


def _said(words: tuple[_Stretch, ...]) -> list[_Draft]:
    """A message of the student's, if there are words of theirs."""
    return [_Draft(role=Role.USER, stretches=words)] if words else []


def _begun_drafts(begun: Begun | None) -> list[_Draft]:
    """The words that had arrived, and, as our rules put it, that they broke off."""
    if begun is None:
        return []
    words = _Stretch(kind=PartKind.BEGUN, text=begun.written, turn_number=begun.turn_number)
    marker = _Stretch(kind=PartKind.GO_ON, text=wrap(DataKind.GO_ON, {"broke_off": True}))
    return [_Draft(role=Role.ASSISTANT, stretches=(words,)), _Draft(role=Role.USER, stretches=(marker,))]


def _data_draft(stretch: _Stretch) -> _Draft:
    return _Draft(role=Role.USER, stretches=(stretch,))


def _preference_drafts(style: ReplyStyle | None) -> list[_Draft]:
    """The student's rules as data, if there are any."""
    if style is None:
        return []
    text = wrap(DataKind.PREFERENCES, preferences_payload(style.preferences))
    return [_data_draft(_Stretch(kind=PartKind.PREFERENCES, text=text))]


def _summary_drafts(history: History) -> list[_Draft]:
    summary = history.summary
    if summary is None:
        return []
    text = summary_message(summary.turns, summary.text)
    return [_data_draft(_Stretch(kind=PartKind.SUMMARY, text=text, turn_number=summary.up_to_number))]


def _turn_drafts(turns: tuple[Turn, ...], words: tuple[Message, ...]) -> tuple[list[_Draft], tuple[_Stretch, ...]]:
    """The messages of answered turns and of teachers, and the questions at the end that nobody has answered.

    A teacher's line stands before the first question that came after it, as data: it is nobody's turn. What the
    tutor began by itself is the tutor's words alone.
    """
    drafts: list[_Draft] = []
    waiting: tuple[_Stretch, ...] = ()
    said: list[Turn | Message] = [*turns, *words]
    for turn in sorted(said, key=lambda each: each.seq):
        if isinstance(turn, Message):
            drafts.append(_data_draft(_Stretch(kind=PartKind.TEACHER, text=teacher_message(turn.text))))
            continue
        if turn.opening is None:
            waiting = (*waiting, _Stretch(kind=PartKind.TURN, text=turn.question, turn_number=turn.number))
        if turn.reply is None:
            continue
        reply = _Stretch(kind=PartKind.TURN, text=turn.written or "", turn_number=turn.number)
        drafts += _said(waiting)
        drafts.append(_Draft(role=Role.ASSISTANT, stretches=(reply,)))
        waiting = ()
    return drafts, waiting


def teacher_message(text: str) -> str:
    """A teacher's line as it is sent."""
    return wrap(DataKind.TEACHER, {"a_teacher_wrote": clean(text)})


def _arranged(drafts: list[_Draft], placement: DataPlacement) -> list[_Draft]:
    match placement:
        case DataPlacement.SEPARATE:
            return drafts
        case DataPlacement.MERGED:
            return [_joined(same) for _, same in groupby(drafts, key=lambda draft: draft.role)]
        case DataPlacement.SYSTEM_SECTION:
            rules, *others = drafts
            data = [draft for draft in others if draft.is_data]
            return [_joined([rules, *data]), *[draft for draft in others if not draft.is_data]]


def _joined(drafts: Iterable[_Draft]) -> _Draft:
    """One message of several, with the role of the first."""
    first, *others = drafts
    stretches = chain(first.stretches, *(draft.stretches for draft in others))
    return _Draft(role=first.role, stretches=tuple(stretches))


def _parts(drafts: list[_Draft], count_tokens: Callable[[str], int]) -> Iterator[Part]:
    for number, draft in enumerate(drafts):
        for stretch in draft.stretches:
            yield Part(
                kind=stretch.kind,
                message=number,
                chars=len(stretch.text),
                tokens=count_tokens(stretch.text),
                turn_number=stretch.turn_number,
            )


def _message(draft: _Draft) -> ChatMessage:
    return ChatMessage(role=draft.role, content=JOINT.join(stretch.text for stretch in draft.stretches))


def _task_data(given: TaskInForce) -> str:
    task = given.task
    return wrap(
        DataKind.TASK,
        {
            "course": clean(given.course_title),
            "project": clean(given.project_title),
            "title": clean(task.title),
            "goal": clean(task.goal),
            "steps": [clean(step) for step in task.steps],
            "criteria": [
                {"rubric_id": line.rubric_id, "kind": line.kind, "text": clean(line.text)} for line in task.criteria
            ],
            "material": clean(task.material),
            "language": given.language,
        },
    )


def _sent_feedback(feedback: Feedback, block: Block) -> SentFeedback:
    submission, attempt = feedback.submission, feedback.attempt
    return SentFeedback(
        state=block.state,
        submission_id=submission.submission_id if submission else None,
        submission_seq=submission.submission_seq if submission else None,
        version_number=submission.version_number if submission else None,
        attempt_seq=attempt.attempt_seq if attempt else None,
        block_chars=len(block.text),
        block_limit=block.limit,
        total_items=block.total_items,
        omitted_count=block.omitted_count,
        truncated_fields=block.truncated_fields,
        trace=feedback.trace,
    )
