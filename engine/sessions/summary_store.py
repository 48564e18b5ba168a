"""Summaries of older turns. A stored summary is itself the mark up to which turns are summarised."""

from typing import Any

from sqlalchemy import Row, Select, exists, or_, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from db.rows import put_text
from db.tables import ConversationRow, MessageRow, OpeningRow, SummaryRow, TextRow, TurnEndRow, TurnRow
from engine.access import Action, require
from engine.base_store import Store, remembered
from engine.domain.people import Owned, Viewer
from engine.domain.states import Role
from engine.domain.summary import Exchange, Summary
from engine.errors import NotFound
from engine.sessions.turn_store import BEGINS


class SummaryStore(Store):
    """What stands for the beginning of a conversation, and what is to be summarised next."""

    @remembered
    def newest(self, viewer: Viewer, conversation_id: str, *, before: int | None = None) -> Summary | None:
        """The summary that reaches furthest, of those that end before the message `before`; None without one.

        An erased summary counts as none.
        """
        with self._reading() as session:
            _allowed(session, viewer, Action.READ, conversation_id)
            statement = _summaries(conversation_id)
            row = session.execute(
                statement if before is None else statement.where(col(SummaryRow.up_to_seq) < before)
            ).first()
        return None if row is None else _summary(row)

    def keep(self, viewer: Viewer, summary: Summary) -> bool:
        """Store a summary and with it the mark; False, and nothing stored, when another reaches as far already."""
        with self._writing() as session:
            owner_id = _allowed(session, viewer, Action.WRITE, summary.conversation_id, lock=True).learner_id
            before = session.execute(_summaries(summary.conversation_id, with_erased=True)).first()
            if before is not None and before.SummaryRow.up_to_seq >= summary.up_to_seq:
                return False
            text_id = put_text(session, text_id=self._new_id(), owner_id=owner_id, body=summary.text)
            session.add(
                SummaryRow(
                    id=self._new_id(),
                    conversation_id=summary.conversation_id,
                    up_to_seq=summary.up_to_seq,
                    up_to_number=summary.up_to_number,
                    turns=summary.turns,
                    text_id=text_id,
                    tokens=summary.tokens,
                    model=summary.model,
                    made_at=summary.made_at,
                )
            )
        return True

    def exchanges_after(self, viewer: Viewer, conversation_id: str, seq: int, *, limit: int) -> tuple[Exchange, ...]:
        """What was said after the message `seq`, oldest first, at most `limit` turns.

        Of a question that was retried only the newest turn counts. What the tutor began and nobody ever heard is
        not among them.
        """
        with self._reading() as session:
            _allowed(session, viewer, Action.READ, conversation_id)
            rows = session.execute(_exchanges(conversation_id, seq).limit(limit)).all()
        return tuple(
            Exchange(number=number, seq=place, question=None if opening else question, reply=reply, is_open=end is None)
            for number, place, question, reply, end, opening in rows
        )


def _allowed(
    session: Session, viewer: Viewer, action: Action, conversation_id: str, *, lock: bool = False
) -> ConversationRow:
    row = session.get(ConversationRow, conversation_id, with_for_update=lock)
    if row is None:
        raise NotFound("there is no such conversation")
    require(viewer, action, Owned(learner_id=row.learner_id, project_id=row.project_id))
    return row


def _summaries(conversation_id: str, *, with_erased: bool = False) -> Select[*tuple[Any, ...]]:
    statement = (
        select(SummaryRow, col(TextRow.body))
        .join(TextRow, col(TextRow.id) == col(SummaryRow.text_id))
        .where(col(SummaryRow.conversation_id) == conversation_id)
        .order_by(col(SummaryRow.up_to_seq).desc())
    )
    return statement if with_erased else statement.where(col(TextRow.erased_at).is_(None))


def _summary(found: Row[*tuple[Any, ...]]) -> Summary:
    row = found.SummaryRow
    return Summary(
        conversation_id=row.conversation_id,
        up_to_seq=row.up_to_seq,
        up_to_number=row.up_to_number,
        turns=row.turns,
        text=found.body,
        tokens=row.tokens,
        model=row.model,
        made_at=row.made_at,
    )


def _exchanges(conversation_id: str, seq: int) -> Select[*tuple[Any, ...]]:
    asked, answered, later = aliased(MessageRow), aliased(MessageRow), aliased(TurnRow)
    question, reply = aliased(TextRow), aliased(TextRow)
    is_retried = exists().where(col(later.root_id) == col(TurnRow.root_id), col(later.number) > col(TurnRow.number))
    is_heard = or_(col(OpeningRow.turn_id).is_(None), col(answered.id).is_not(None), col(TurnEndRow.turn_id).is_(None))
    return (
        select(
            col(TurnRow.number),
            col(asked.seq),
            col(question.body),
            col(reply.body),
            col(TurnEndRow.turn_id),
            col(OpeningRow.turn_id),
        )
        .join(asked, (col(asked.turn_id) == col(TurnRow.root_id)) & col(asked.role).in_(BEGINS))
        .join(question, col(question.id) == col(asked.text_id))
        .outerjoin(TurnEndRow, col(TurnEndRow.turn_id) == col(TurnRow.id))
        .outerjoin(answered, (col(answered.turn_id) == col(TurnRow.id)) & (col(answered.role) == Role.ASSISTANT))
        .outerjoin(reply, col(reply.id) == col(answered.text_id))
        .outerjoin(OpeningRow, col(OpeningRow.turn_id) == col(TurnRow.root_id))
        .where(col(asked.conversation_id) == conversation_id, col(asked.seq) > seq, ~is_retried, is_heard)
        .order_by(col(asked.seq))
    )
