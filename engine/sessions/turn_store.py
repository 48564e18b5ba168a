"""Turns and plans as they are read, and how a plan is kept: steps inside the transactions of the session store."""

from datetime import datetime
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, Row, Select, exists, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from db.rows import next_number, put_text
from db.tables import LeaseRow, MessageRow, PlanRow, ProgressRow, ReceiptRow, TextRow, TurnEndRow, TurnRow
from engine.domain.clock import NewId
from engine.domain.plan import Plan, PlanVersion, plan_json
from engine.domain.session import Conversation, Try, Turn
from engine.domain.states import ReplyKind, Role, TurnState

_PLAN = TypeAdapter(Plan)
TRIES = TypeAdapter(tuple[Try, ...])
"""How the times a request was sent stand in the row of a turn's end."""


def put_plan(session: Session, conversation: Conversation, turn_id: str, plan: Plan, new_id: NewId) -> None:
    """Keep the plan of a turn as the next version of its conversation."""
    text_id = put_text(session, text_id=new_id(), owner_id=conversation.key.learner_id, body=plan_json(plan))
    number = next_number(session, f"plan:{conversation.conversation_id}")
    session.add(
        PlanRow(
            id=new_id(),
            turn_id=turn_id,
            conversation_id=conversation.conversation_id,
            number=number,
            text_id=text_id,
        )
    )


def plans_of(conversation_id: str) -> Select[*tuple[Any, ...]]:
    """The plans of a conversation, oldest version first, for `read_plan`."""
    return (
        select(PlanRow, col(TextRow.body).label("plan_body"))
        .join(TextRow, col(TextRow.id) == col(PlanRow.text_id))
        .where(col(PlanRow.conversation_id) == conversation_id)
        .order_by(col(PlanRow.number))
    )


def read_plan(row: Row[*tuple[Any, ...]]) -> PlanVersion | None:
    """The plan of a row; None where it has none."""
    if row.PlanRow is None:
        return None
    plan = _PLAN.validate_json(row.plan_body) if row.plan_body else None
    return PlanVersion(turn_id=row.PlanRow.turn_id, number=row.PlanRow.number, plan=plan)


def turns_of(conversation_id: str, *, before: int | None = None) -> Select[*tuple[Any, ...]]:
    """The newest turn of each question, found by its message: a limit reads no more of a long conversation."""
    asked = aliased(MessageRow)
    statement = turns_where(asked, col(asked.conversation_id) == conversation_id, _newest_of_root())
    return statement if before is None else statement.where(col(asked.seq) < before)


def turns_where(asked: type[MessageRow], *wanted: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """Turns with question, reply and end, newest question first; a retry has the question of its root, in `asked`."""
    answered = aliased(MessageRow)
    question, reply, partial, planned = (aliased(TextRow) for _ in range(4))
    return (
        select(
            TurnRow,
            TurnEndRow,
            col(asked.seq).label("seq"),
            col(question.body).label("question"),
            col(reply.body).label("reply"),
            col(partial.body).label("partial"),
            col(ProgressRow.body).label("progress"),
            col(ReceiptRow.submission_seq),
            col(ReceiptRow.attempt_seq),
            PlanRow,
            col(planned.body).label("plan_body"),
        )
        .join(asked, (col(asked.turn_id) == col(TurnRow.root_id)) & (col(asked.role) == Role.USER))
        .join(question, col(question.id) == col(asked.text_id))
        .outerjoin(TurnEndRow, col(TurnEndRow.turn_id) == col(TurnRow.id))
        .outerjoin(answered, (col(answered.turn_id) == col(TurnRow.id)) & (col(answered.role) == Role.ASSISTANT))
        .outerjoin(reply, col(reply.id) == col(answered.text_id))
        .outerjoin(partial, col(partial.id) == col(TurnEndRow.partial_text_id))
        .outerjoin(ProgressRow, col(ProgressRow.subject_id) == col(TurnRow.id))
        .outerjoin(ReceiptRow, col(ReceiptRow.turn_id) == col(TurnRow.id))
        .outerjoin(PlanRow, col(PlanRow.turn_id) == col(TurnRow.id))
        .outerjoin(planned, col(planned.id) == col(PlanRow.text_id))
        .where(*wanted)
        .order_by(col(asked.seq).desc())
    )


def newest_of(root_id: str) -> Select[str]:
    """Id of the newest turn of a question."""
    of_question = select(col(TurnRow.id)).where(col(TurnRow.root_id) == root_id)
    return of_question.order_by(col(TurnRow.number).desc()).limit(1)


def open_turns(conversation_id: str, now: datetime) -> Select[str]:
    """Ids of the turns of a conversation that somebody is working on, newest first: only those have a lease."""
    return (
        select(col(TurnRow.id))
        .join(LeaseRow, col(LeaseRow.subject_id) == col(TurnRow.id))
        .where(col(TurnRow.conversation_id) == conversation_id, col(LeaseRow.until) >= now)
        .order_by(col(TurnRow.number).desc())
    )


def _newest_of_root() -> ColumnElement[bool]:
    later = aliased(TurnRow)
    return ~exists().where(col(later.root_id) == col(TurnRow.root_id), col(later.number) > col(TurnRow.number))


def read_turn(row: Row[*tuple[Any, ...]]) -> Turn:
    """A turn as it stands now, from a row of `turns_of` or `turns_where`."""
    turn, end = row.TurnRow, row.TurnEndRow
    return Turn(
        turn_id=turn.id,
        conversation_id=turn.conversation_id,
        number=turn.number,
        seq=row.seq,
        state=TurnState(end.state) if end else TurnState.OPEN,
        question=row.question,
        reply=row.reply,
        partial=row.partial if end else row.progress,
        kind=ReplyKind(end.kind) if end else ReplyKind.CHAT,
        fault=end.fault if end else None,
        started_at=turn.started_at,
        ended_at=end.ended_at if end else None,
        submission_seq=row.submission_seq,
        attempt_seq=row.attempt_seq,
        tries=TRIES.validate_json(end.tries) if end else (),
        plan=read_plan(row),
        continues_id=turn.continues_id,
    )
