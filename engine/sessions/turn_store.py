"""Turns and plans as they are read and kept: steps inside the transactions of the stores of sessions."""

import json
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, Row, Select, exists, or_, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from db.rows import next_number, put_text, take_lease
from db.tables import (
    ConversationRow,
    LeaseRow,
    MessageRow,
    OpeningRow,
    PlanRow,
    ProgressRow,
    ReceiptRow,
    TextRow,
    TurnEndRow,
    TurnRow,
)
from engine.base_store import lease_until
from engine.domain.clock import NewId
from engine.domain.keys import FeedbackKey
from engine.domain.plan import Plan, PlanVersion, plan_json
from engine.domain.running import Lease, Subject
from engine.domain.session import Conversation, Opening, Try, Turn
from engine.domain.states import ReplyKind, Role, SupportLevel, TurnState

_PLAN = TypeAdapter(Plan)
TRIES = TypeAdapter(tuple[Try, ...])
"""How the times a request was sent stand in the row of a turn's end."""


BEGINS = (Role.USER, Role.SYSTEM)
"""Whose message begins a turn: the student's, or a system row of the turn where the tutor begins by itself."""


def put_conversation(session: Session, key: FeedbackKey, *, conversation_id: str, at: datetime) -> ConversationRow:
    """Begin the next conversation of a key."""
    name = f"conversation:{json.dumps([key.learner_id, key.project_id, key.task_id])}"
    row = ConversationRow(
        id=conversation_id,
        learner_id=key.learner_id,
        project_id=key.project_id,
        task_id=key.task_id,
        number=next_number(session, name),
        opened_at=at,
    )
    session.add(row)
    session.flush()
    return row


def read_conversation(row: ConversationRow) -> Conversation:
    """A conversation as it is stored."""
    return Conversation(
        conversation_id=row.id,
        key=FeedbackKey(learner_id=row.learner_id, project_id=row.project_id, task_id=row.task_id),
        number=row.number,
        opened_at=row.opened_at,
    )


def put_message(
    session: Session,
    conversation: Conversation,
    role: Role,
    text: str,
    *,
    turn_id: str | None,
    new_id: NewId,
    at: datetime,
) -> None:
    """Keep a line of a conversation, behind all earlier ones; a turn's line names its turn."""
    text_id = put_text(session, text_id=new_id(), owner_id=conversation.key.learner_id, body=text)
    session.add(
        MessageRow(
            id=new_id(),
            conversation_id=conversation.conversation_id,
            seq=next_number(session, f"message:{conversation.conversation_id}"),
            turn_id=turn_id,
            role=role,
            text_id=text_id,
            written_at=at,
        )
    )
    session.flush()


def put_turn(
    session: Session,
    conversation_id: str,
    lease: Lease,
    *,
    turn_id: str,
    at: datetime,
    root_id: str | None = None,
    continues_id: str | None = None,
) -> TurnRow:
    """Begin a turn, the first of its root unless one is named, with its lease."""
    row = TurnRow(
        id=turn_id,
        conversation_id=conversation_id,
        number=next_number(session, f"turn:{conversation_id}"),
        root_id=root_id or turn_id,
        started_at=at,
        continues_id=continues_id,
    )
    session.add(row)
    take_lease(session, subject_id=row.id, kind=Subject.TURN, holder=lease.holder, until=lease_until(at, lease))
    session.flush()
    return row


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
    """The newest turn of each question, found by its message: a limit reads no more of a long conversation.

    With `before`, what the tutor began and nobody ever heard is not among them.
    """
    asked = aliased(MessageRow)
    statement = turns_where(asked, col(asked.conversation_id) == conversation_id, _newest_of_root())
    return statement if before is None else statement.where(col(asked.seq) < before, _is_heard())


def openings_before(conversation_id: str, before: int) -> Select[*tuple[Any, ...]]:
    """Those of `turns_of` that the tutor began, found by the openings: of a long conversation nothing else is read."""
    asked, begun = aliased(MessageRow), aliased(TurnRow)
    opened = (
        select(col(OpeningRow.turn_id))
        .join(begun, col(begun.id) == col(OpeningRow.turn_id))
        .where(col(begun.conversation_id) == conversation_id)
    )
    return turns_where(asked, col(asked.turn_id).in_(opened), _newest_of_root(), col(asked.seq) < before, _is_heard())


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
            OpeningRow,
        )
        .join(asked, (col(asked.turn_id) == col(TurnRow.root_id)) & col(asked.role).in_(BEGINS))
        .join(question, col(question.id) == col(asked.text_id))
        .outerjoin(TurnEndRow, col(TurnEndRow.turn_id) == col(TurnRow.id))
        .outerjoin(answered, (col(answered.turn_id) == col(TurnRow.id)) & (col(answered.role) == Role.ASSISTANT))
        .outerjoin(reply, col(reply.id) == col(answered.text_id))
        .outerjoin(partial, col(partial.id) == col(TurnEndRow.partial_text_id))
        .outerjoin(ProgressRow, col(ProgressRow.subject_id) == col(TurnRow.id))
        .outerjoin(ReceiptRow, col(ReceiptRow.turn_id) == col(TurnRow.id))
        .outerjoin(PlanRow, col(PlanRow.turn_id) == col(TurnRow.id))
        .outerjoin(planned, col(planned.id) == col(PlanRow.text_id))
        .outerjoin(OpeningRow, col(OpeningRow.turn_id) == col(TurnRow.root_id))
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


def _is_heard() -> ColumnElement[bool]:
    said = aliased(MessageRow)
    answered = exists().where(col(said.turn_id) == col(TurnRow.id), col(said.role) == Role.ASSISTANT)
    return or_(col(OpeningRow.turn_id).is_(None), answered)


def read_turn(row: Row[*tuple[Any, ...]]) -> Turn:
    """A turn as it stands now, from a row of `turns_of` or `turns_where`."""
    turn, end, opening = row.TurnRow, row.TurnEndRow, row.OpeningRow
    return Turn(
        turn_id=turn.id,
        conversation_id=turn.conversation_id,
        number=turn.number,
        seq=row.seq,
        state=TurnState(end.state) if end else TurnState.OPEN,
        question="" if opening else row.question,
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
        opening=Opening(attempt_id=opening.attempt_id, level=SupportLevel(opening.level)) if opening else None,
    )
