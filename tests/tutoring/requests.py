"""Turns and whole requests in one line, for tests that need no database."""

from engine.domain.course import TaskInForce
from engine.domain.feedback import Feedback
from engine.domain.session import Receipt, Turn
from engine.domain.states import Language, ReplyKind, TurnState
from engine.domain.summary import Summary
from engine.feedback.budgeter import budget_feedback
from engine.settings import DataPlacement
from engine.tutoring.context import Context, ContextInputs, build_context
from engine.tutoring.folding import summary_message
from engine.tutoring.history import HISTORY_LIMIT, History, choose_history
from tests.feedback.builders import NOON, current, item
from tests.tutoring.room import small_course

RULES = "our rules"
TASK = TaskInForce(
    course_title="Books",
    project_title="One",
    language=Language.EN,
    task=small_course(Language.EN).projects[0].tasks[0],
    rubric_version="a" * 64,
)
OPEN = current([item("docs", reason="the reason of now")], next_step="the step of now")


def a_turn(number: int, question: str, reply: str | None = "an answer") -> Turn:
    """Answered, or failed where there is no reply."""
    return Turn(
        turn_id=f"turn-{number}",
        conversation_id="conversation",
        number=number,
        seq=2 * number,
        state=TurnState.FAILED if reply is None else TurnState.DONE,
        question=question,
        reply=reply,
        partial=None if reply else "half an ans",
        kind=ReplyKind.CHAT,
        fault=None if reply else "provider_down",
        started_at=NOON,
        ended_at=NOON,
    )


def by_length(text: str) -> int:
    """A token for every character, so that limits can be told by eye."""
    return len(text)


def a_request(
    turns: list[Turn],
    newest: str = "and now?",
    *,
    feedback: Feedback = OPEN,
    notes: str | None = None,
    history: History | None = None,
    placement: DataPlacement = DataPlacement.SEPARATE,
) -> Context:
    """A request after these turns, oldest first, of which those go along that fit the usual limit."""
    return build_context(
        the_inputs(turns, newest, feedback=feedback, notes=notes, history=history, placement=placement), by_length
    )


def the_inputs(
    turns: list[Turn],
    newest: str = "and now?",
    *,
    feedback: Feedback = OPEN,
    notes: str | None = None,
    history: History | None = None,
    placement: DataPlacement = DataPlacement.SEPARATE,
    task: TaskInForce = TASK,
) -> ContextInputs:
    """What that request is made of."""
    return ContextInputs(
        rules=RULES,
        task=task,
        history=history or choose_history(reversed(turns), by_length),
        earlier_turns=len(turns),
        feedback=feedback,
        block=budget_feedback(feedback),
        notes=notes,
        newest=newest,
        placement=placement,
    )


def a_summary(up_to: int, text: str = "what was said") -> Summary:
    """Of the first turns as `a_turn` makes them."""
    return Summary(
        conversation_id="conversation",
        up_to_seq=2 * up_to,
        up_to_number=up_to,
        turns=up_to,
        text=text,
        tokens=by_length(summary_message(up_to, text)),
        model="some-model",
        made_at=NOON,
    )


def whole(turns: list[Turn], summary: Summary | None = None) -> History:
    """All of them, whatever their length."""
    return History(turns=tuple(turns), waiting=None, tokens=0, limit=HISTORY_LIMIT, summary=summary)


def received(context: Context, body: bytes) -> Receipt:
    return Receipt(turn_id="turn", request=body, model="some-model", facts=context.facts, sent_at=NOON)
