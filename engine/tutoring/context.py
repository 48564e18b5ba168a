"""Builds the request of one turn, and says part by part what it holds.

Order: rules, task, whole older turns, feedback block, learning notes, the newest message. Only our own rules
have the system role; everything else is data in user messages. The block stands outside the history, so
that no cut of the history can drop it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from engine.domain.course import TaskInForce
from engine.domain.data_message import DataKind, wrap
from engine.domain.feedback import Block, Feedback
from engine.domain.session import ChatMessage, Part, PartKind, RequestFacts, SentFeedback, Turn
from engine.domain.states import Role
from engine.domain.text import clean
from engine.tutoring.history import History

JOINT = "\n\n"
"""Between the stretches of one message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The messages of a request and the facts about them."""

    messages: tuple[ChatMessage, ...]
    facts: RequestFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextInputs:
    """Everything that one request is made of."""

    rules: str
    task: TaskInForce
    history: History
    earlier_turns: int
    """How many turns came before, sent or not."""
    feedback: Feedback
    block: Block
    notes: str | None
    newest: str


class _Request:
    """The request in the making."""

    def __init__(self, count_tokens: Callable[[str], int]) -> None:
        self.messages: list[ChatMessage] = []
        self.parts: list[Part] = []
        self._count_tokens = count_tokens

    def message(self, role: Role, *stretches: tuple[PartKind, str, int | None]) -> None:
        """One message made of stretches, each with its kind, its text and the turn it comes from."""
        for kind, text, turn_number in stretches:
            self.parts.append(
                Part(
                    kind=kind,
                    message=len(self.messages),
                    chars=len(text),
                    tokens=self._count_tokens(text),
                    turn_number=turn_number,
                )
            )
        content = JOINT.join(text for _, text, _ in stretches)
        self.messages.append(ChatMessage(role=role, content=content))


def build_context(inputs: ContextInputs, count_tokens: Callable[[str], int]) -> Context:
    """Put the parts of a request in their order. A question without an answer is merged with the next one."""
    request = _Request(count_tokens)
    request.message(Role.SYSTEM, (PartKind.RULES, inputs.rules, None))
    request.message(Role.USER, (PartKind.TASK, _task_data(inputs.task), None))
    waiting = (inputs.history.waiting,) if inputs.history.waiting else ()
    unanswered = _add_turns(request, (*inputs.history.turns, *waiting))
    request.message(Role.USER, (PartKind.FEEDBACK, inputs.block.text, None))
    if inputs.notes is not None:
        request.message(Role.USER, (PartKind.NOTES, inputs.notes, None))
    request.message(Role.USER, *unanswered, (PartKind.NEWEST, inputs.newest, None))
    facts = RequestFacts(
        parts=tuple(request.parts),
        feedback=_sent_feedback(inputs.feedback, inputs.block),
        left_out_turns=inputs.earlier_turns - len(inputs.history.turns) - len(waiting),
        history_tokens=inputs.history.tokens,
        history_limit=inputs.history.limit,
    )
    return Context(messages=tuple(request.messages), facts=facts)


def _add_turns(request: _Request, turns: tuple[Turn, ...]) -> list[tuple[PartKind, str, int | None]]:
    """Add answered turns; give back the questions at the end that nobody has answered."""
    waiting: list[tuple[PartKind, str, int | None]] = []
    for turn in turns:
        waiting.append((PartKind.TURN, turn.question, turn.number))
        if turn.reply is None:
            continue
        request.message(Role.USER, *waiting)
        request.message(Role.ASSISTANT, (PartKind.TURN, turn.written or "", turn.number))
        waiting = []
    return waiting


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
