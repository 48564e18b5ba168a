"""Conversations, turns, messages, plans and receipts. A turn has one beginning and one end, each a row."""

import json
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from db.rows import (
    add_audit,
    drop_draft,
    drop_running,
    put_draft,
    put_progress,
    put_text,
    storable,
)
from db.tables import ConversationRow, DraftRow, MessageRow, ReceiptRow, TextRow, TurnEndRow, TurnRow
from engine.access import Action, require
from engine.base_store import Store, remembered
from engine.domain.keys import FeedbackKey
from engine.domain.people import Owned, Viewer
from engine.domain.plan import PlanVersion
from engine.domain.running import Lease
from engine.domain.session import Conversation, Message, Receipt, RequestFacts, Turn, TurnEnd
from engine.domain.states import Role, TurnState
from engine.errors import NotFound
from engine.sessions.teacher_store import count_lines, lines_in
from engine.sessions.turn_store import (
    TRIES,
    newest_of,
    open_turns,
    openings_before,
    plans_of,
    put_conversation,
    put_message,
    put_plan,
    put_turn,
    read_conversation,
    read_plan,
    read_turn,
    turns_of,
    turns_where,
)

_FACTS = TypeAdapter(RequestFacts)


class SessionStore(Store):
    """What was said, in the order of the conversation's own numbers."""

    def open_conversation(self, viewer: Viewer, key: FeedbackKey) -> Conversation:
        """Begin a new conversation of this key."""
        require(viewer, Action.WRITE, _owned(key))
        with self._writing() as session:
            row = put_conversation(session, key, conversation_id=self._new_id(), at=self._clock())
            return read_conversation(row)

    @remembered
    def conversations(self, viewer: Viewer, key: FeedbackKey) -> tuple[Conversation, ...]:
        """The conversations of a key, newest first."""
        require(viewer, Action.READ, _owned(key))
        with self._reading() as session:
            rows = session.scalars(
                select(ConversationRow)
                .where(
                    col(ConversationRow.learner_id) == key.learner_id,
                    col(ConversationRow.project_id) == key.project_id,
                    col(ConversationRow.task_id) == key.task_id,
                )
                .order_by(col(ConversationRow.number).desc())
            ).all()
        return tuple(read_conversation(row) for row in rows)

    def conversation(self, viewer: Viewer, conversation_id: str) -> Conversation:
        """One conversation.

        Raises:
            NotFound: there is none of that id.
        """
        with self._reading() as session:
            return self._allowed(session, viewer, Action.READ, conversation_id)

    def begin_turn(self, viewer: Viewer, conversation_id: str, question: str, lease: Lease) -> Turn:
        """Store the student's message and an open turn, with its lease, in one transaction.

        From here on nothing the student wrote can be lost.
        """
        with self._writing() as session:
            conversation = self._allowed(session, viewer, Action.WRITE, conversation_id)
            turn = put_turn(session, conversation_id, lease, turn_id=self._new_id(), at=self._clock())
            self._add_message(session, conversation, Role.USER, question, turn_id=turn.id)
            return self._turn(session, turn.id)

    def retry_turn(self, viewer: Viewer, turn_id: str, lease: Lease) -> tuple[Turn, bool]:
        """Answer the question of an ended turn again, in a new turn, and say whether it is new.

        The message is not doubled. For a turn that is open or was retried already nothing begins: a second click
        gives the newest turn of the question.
        """
        return self._answer_again(viewer, turn_id, lease, goes_on=False)

    def continue_turn(self, viewer: Viewer, turn_id: str, lease: Lease) -> tuple[Turn, bool]:
        """Go on with the broken reply of an ended turn, in a new turn, and say whether it is new.

        What had arrived stands in the new turn from its first moment, so that nothing that happens to it loses
        these words; the old turn stays as it is. For a second click as `retry_turn`.

        Raises:
            NotFound: nothing had arrived.
        """
        return self._answer_again(viewer, turn_id, lease, goes_on=True)

    def being_answered(self, viewer: Viewer, conversation_id: str, question: str) -> Turn | None:
        """The open turn of this conversation that asks just this, newest first; None without one."""
        with self._reading() as session:
            self._allowed(session, viewer, Action.READ, conversation_id)
            ids = session.scalars(open_turns(conversation_id, self._clock())).all()
            turns = [self._turn(session, turn_id) for turn_id in ids]
        return next((turn for turn in turns if turn.question == storable(question)), None)

    def keep_receipt(self, viewer: Viewer, receipt: Receipt) -> None:
        """Store what a turn is about to send, one for each turn; `NotFound` for one that has ended (was stopped)."""
        with self._writing() as session:
            turn = _turn_row(session, receipt.turn_id, lock=True)
            conversation = self._allowed(session, viewer, Action.WRITE, turn.conversation_id)
            if session.get(TurnEndRow, receipt.turn_id) is not None:
                raise NotFound("this turn has ended")
            body, owner_id = receipt.request.decode(), conversation.key.learner_id
            text_id = put_text(session, text_id=self._new_id(), owner_id=owner_id, body=body)
            session.add(
                ReceiptRow(
                    turn_id=receipt.turn_id,
                    request_text_id=text_id,
                    model=receipt.model,
                    submission_seq=receipt.facts.feedback.submission_seq,
                    attempt_seq=receipt.facts.feedback.attempt_seq,
                    facts=_FACTS.dump_json(receipt.facts).decode(),
                    sent_at=receipt.sent_at,
                )
            )

    def end_turn(self, viewer: Viewer, turn_id: str, end: TurnEnd) -> bool:
        """Store how a turn ended, with its reply and plan if there are any; False when it had ended before."""
        with self._writing() as session:
            turn = _turn_row(session, turn_id, lock=True)
            conversation = self._allowed(session, viewer, Action.WRITE, turn.conversation_id)
            if session.get(TurnEndRow, turn_id) is not None:
                self._audit_late(session, viewer, turn_id, end)
                return False
            if end.reply is not None:
                self._add_message(session, conversation, Role.ASSISTANT, end.reply, turn_id=turn_id)
            if end.plan is not None:
                put_plan(session, conversation, turn_id, end.plan, self._new_id)
            session.add(self._end_row(session, conversation, turn_id, end))
            drop_running(session, turn_id)
        return True

    def add_note(self, viewer: Viewer, conversation_id: str, note: str) -> None:
        """A system row: shown in its place, never sent to a model. The same note twice is one."""
        with self._writing() as session:
            conversation = self._allowed(session, viewer, Action.WRITE, conversation_id)
            same = _notes(conversation_id).where(col(TextRow.body) == storable(note)).limit(1)
            if session.execute(same).first() is None:
                self._add_message(session, conversation, Role.SYSTEM, note, turn_id=None)

    @remembered
    def entries(self, viewer: Viewer, conversation_id: str, *, last: int) -> tuple[tuple[Turn | Message, ...], int]:
        """The last turns, system rows and lines of teachers, oldest first, and how many older ones there are.

        A turn that was retried is not among them; its newest retry stands in its place.
        """
        with self._reading() as session:
            self._allowed(session, viewer, Action.READ, conversation_id)
            turns = [read_turn(row) for row in session.execute(turns_of(conversation_id).limit(last)).all()]
            notes = [_read_note(row) for row in session.execute(_notes(conversation_id).limit(last)).all()]
            said = lines_in(session, conversation_id, last=last)
            total = _count(session, conversation_id, Role.USER, Role.SYSTEM) + count_lines(session, conversation_id)
        entries: list[Turn | Message] = sorted([*turns, *notes, *said], key=lambda entry: entry.seq)
        return tuple(entries[-last:]), max(0, total - last)

    def turn(self, viewer: Viewer, turn_id: str) -> Turn:
        """One turn, with what has arrived so far if it is open.

        Raises:
            NotFound: there is none of that id.
        """
        with self._reading() as session:
            row = _turn_row(session, turn_id)
            self._allowed(session, viewer, Action.READ, row.conversation_id)
            return self._turn(session, turn_id)

    def turns_before(self, viewer: Viewer, turn: Turn, *, limit: int) -> tuple[tuple[Turn, ...], int]:
        """The turns asked before `turn` in its conversation, newest first, at most `limit`, and how many there are.

        Of a question that was retried only the newest turn is among them, so that no question comes twice. What the
        tutor began by itself is among them once it has said something.
        """
        with self._reading() as session:
            self._allowed(session, viewer, Action.READ, turn.conversation_id)
            rows = session.execute(turns_of(turn.conversation_id, before=turn.seq).limit(limit)).all()
            total = _count(session, turn.conversation_id, Role.USER, before=turn.seq)
            total += len(session.execute(openings_before(turn.conversation_id, turn.seq)).all())
        return tuple(read_turn(row) for row in rows), total

    @remembered
    def plans(self, viewer: Viewer, conversation_id: str) -> tuple[PlanVersion, ...]:
        """Every plan of a conversation, oldest version first."""
        with self._reading() as session:
            self._allowed(session, viewer, Action.READ, conversation_id)
            rows = session.execute(plans_of(conversation_id)).all()
        return tuple(plan for row in rows if (plan := read_plan(row)) is not None)

    def receipt(self, viewer: Viewer, turn_id: str) -> Receipt:
        """What a turn sent.

        Raises:
            NotFound: the turn sent nothing.
        """
        with self._reading() as session:
            turn = _turn_row(session, turn_id)
            self._allowed(session, viewer, Action.READ, turn.conversation_id)
            found = session.execute(
                select(ReceiptRow, col(TextRow.body), col(TextRow.sha256))
                .join(TextRow, col(TextRow.id) == col(ReceiptRow.request_text_id))
                .where(col(ReceiptRow.turn_id) == turn_id)
            ).first()
        if found is None:
            raise NotFound("nothing was sent for this turn")
        row, body, sha256 = found
        return Receipt(
            turn_id=turn_id,
            request=body.encode(),
            model=row.model,
            facts=_FACTS.validate_json(row.facts),
            sent_at=row.sent_at,
            sha256=sha256,
        )

    def save_draft(self, viewer: Viewer, learner_id: str, subject: str, body: str) -> None:
        """Keep what is being typed about `subject`, over what was kept before; nothing typed removes it."""
        require(viewer, Action.WRITE, Owned(learner_id=learner_id, project_id=None))
        with self._writing() as session:
            if body:
                put_draft(session, owner_id=learner_id, subject=subject, body=body, at=self._clock())
            else:
                drop_draft(session, owner_id=learner_id, subject=subject)

    def draft(self, viewer: Viewer, learner_id: str, subject: str) -> str:
        """What was being typed about `subject`; empty when nothing was."""
        require(viewer, Action.READ, Owned(learner_id=learner_id, project_id=None))
        with self._reading() as session:
            row = session.get(DraftRow, (learner_id, subject))
            return row.body if row else ""

    def _allowed(self, session: Session, viewer: Viewer, action: Action, conversation_id: str) -> Conversation:
        row = session.get(ConversationRow, conversation_id)
        if row is None:
            raise NotFound("there is no such conversation")
        conversation = read_conversation(row)
        require(viewer, action, _owned(conversation.key))
        return conversation

    def _answer_again(self, viewer: Viewer, turn_id: str, lease: Lease, *, goes_on: bool) -> tuple[Turn, bool]:
        with self._writing() as session:
            row = _turn_row(session, turn_id)
            owner_id = self._allowed(session, viewer, Action.WRITE, row.conversation_id).key.learner_id
            _turn_row(session, row.root_id, lock=True)
            newest_id = session.scalars(newest_of(row.root_id)).one()
            earlier = self._turn(session, turn_id)
            if newest_id != turn_id or earlier.state is TurnState.OPEN:
                return self._turn(session, newest_id), False
            if goes_on and not earlier.partial:
                raise NotFound("nothing has arrived to go on from")
            continues_id = turn_id if goes_on else None
            again = put_turn(
                session,
                row.conversation_id,
                lease,
                turn_id=self._new_id(),
                at=self._clock(),
                root_id=row.root_id,
                continues_id=continues_id,
            )
            if goes_on and earlier.partial:
                put_progress(session, subject_id=again.id, owner_id=owner_id, body=earlier.partial, at=self._clock())
            return self._turn(session, again.id), True

    def _add_message(
        self, session: Session, conversation: Conversation, role: Role, text: str, *, turn_id: str | None
    ) -> None:
        put_message(session, conversation, role, text, turn_id=turn_id, new_id=self._new_id, at=self._clock())

    def _end_row(self, session: Session, conversation: Conversation, turn_id: str, end: TurnEnd) -> TurnEndRow:
        partial_id = None
        if end.partial:
            partial_id = put_text(
                session, text_id=self._new_id(), owner_id=conversation.key.learner_id, body=end.partial
            )
        return TurnEndRow(
            turn_id=turn_id,
            state=end.state,
            kind=end.kind,
            fault=end.fault,
            partial_text_id=partial_id,
            tries=TRIES.dump_json(end.tries).decode(),
            input_tokens=end.usage.input_tokens,
            output_tokens=end.usage.output_tokens,
            ended_at=self._clock(),
        )

    def _audit_late(self, session: Session, viewer: Viewer, turn_id: str, end: TurnEnd) -> None:
        add_audit(
            session,
            audit_id=self._new_id(),
            at=self._clock(),
            actor=viewer.person_id,
            action="late_turn_end_ignored",
            subject=turn_id,
            detail=json.dumps({"state": end.state}),
        )

    def _turn(self, session: Session, turn_id: str) -> Turn:
        return read_turn(session.execute(turns_where(aliased(MessageRow), col(TurnRow.id) == turn_id)).one())


def _owned(key: FeedbackKey) -> Owned:
    return Owned(learner_id=key.learner_id, project_id=key.project_id)


def _turn_row(session: Session, turn_id: str, *, lock: bool = False) -> TurnRow:
    """A turn; locked, it makes whoever else ends or retries it at this time wait."""
    row = session.get(TurnRow, turn_id, with_for_update=lock)
    if row is None:
        raise NotFound("there is no such turn")
    return row


def _count(session: Session, conversation_id: str, *roles: Role, before: int | None = None) -> int:
    """How many messages of these roles there are; a question is one, however often it was retried."""
    wanted = [col(MessageRow.conversation_id) == conversation_id, col(MessageRow.role).in_(roles)]
    wanted += [] if before is None else [col(MessageRow.seq) < before]
    return session.scalar(select(func.count()).where(*wanted)) or 0


def _notes(conversation_id: str) -> Select[*tuple[Any, ...]]:
    return (
        select(col(MessageRow.id), col(MessageRow.seq), col(MessageRow.written_at), col(TextRow.body))
        .join(TextRow, col(TextRow.id) == col(MessageRow.text_id))
        .where(
            col(MessageRow.conversation_id) == conversation_id,
            col(MessageRow.role) == Role.SYSTEM,
            col(MessageRow.turn_id).is_(None),
        )
        .order_by(col(MessageRow.seq).desc())
    )


def _read_note(row: Row[*tuple[Any, ...]]) -> Message:
    return Message(
        message_id=row.id, seq=row.seq, role=Role.SYSTEM, text=row.body, turn_id=None, written_at=row.written_at
    )
