"""Turns that the tutor begins by itself after a review: at most one for an attempt, whoever tries."""

import json

from sqlalchemy import ColumnElement, exists, func, or_, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from db.tables import (
    AttemptRow,
    ConversationRow,
    MessageRow,
    OpeningRow,
    ReceiptRow,
    SubmissionRow,
    TextRow,
    TurnEndRow,
    TurnRow,
)
from engine.access import Action, require
from engine.base_store import Store
from engine.domain.keys import FeedbackKey
from engine.domain.people import Owned, Viewer
from engine.domain.review import Attempt
from engine.domain.running import Lease
from engine.domain.session import Conversation, Turn
from engine.domain.states import Role, SupportLevel
from engine.domain.work import Submission
from engine.sessions.turn_store import (
    put_conversation,
    put_message,
    put_turn,
    read_conversation,
    read_turn,
    turns_where,
)


class OpeningStore(Store):
    """Begins a turn without a word of the student: a system row of its own stands in the question's place."""

    def begin(
        self, viewer: Viewer, submission: Submission, attempt: Attempt, level: SupportLevel, lease: Lease
    ) -> Turn | None:
        """Store an open turn after this review, in the conversation that was told of the hand-in.

        Without such a conversation it is the newest of the key, and without any a new one. None, and nothing
        stored, when there is an opening for the attempt, when newer work came in, or when the student has asked
        in the meantime: a question that is being answered, or one that was answered by this review.
        """
        key = submission.key
        require(viewer, Action.WRITE, Owned(learner_id=key.learner_id, project_id=key.project_id))
        with self._writing() as session:
            # Locked, so that of two that begin at once the later one sees the first.
            session.get(AttemptRow, attempt.attempt_id, with_for_update=True)
            is_begun = session.get(OpeningRow, attempt.attempt_id) is not None
            if is_begun or not _is_newest(session, submission) or _has_asked(session, submission, attempt):
                return None
            conversation = self._conversation(session, submission)
            now, turn_id = self._clock(), self._new_id()
            put_turn(session, conversation.conversation_id, lease, turn_id=turn_id, at=now)
            note = json.dumps({"note": "tutor_begins", "attempt_id": attempt.attempt_id})
            put_message(session, conversation, Role.SYSTEM, note, turn_id=turn_id, new_id=self._new_id, at=now)
            session.add(OpeningRow(attempt_id=attempt.attempt_id, turn_id=turn_id, level=level))
            session.flush()
            return read_turn(session.execute(turns_where(aliased(MessageRow), col(TurnRow.id) == turn_id)).one())

    def _conversation(self, session: Session, submission: Submission) -> Conversation:
        newest_first = select(ConversationRow).where(*_of(submission.key)).order_by(col(ConversationRow.number).desc())
        told = (
            exists()
            .where(
                col(MessageRow.conversation_id) == col(ConversationRow.id),
                col(MessageRow.role) == Role.SYSTEM,
                col(TextRow.body).contains(submission.submission_id, autoescape=True),
            )
            .where(col(TextRow.id) == col(MessageRow.text_id))
        )
        row = (
            session.scalars(newest_first.where(told).limit(1)).first() or session.scalars(newest_first.limit(1)).first()
        )
        if row is None:
            row = put_conversation(session, submission.key, conversation_id=self._new_id(), at=self._clock())
        return read_conversation(row)


def _of(key: FeedbackKey) -> tuple[ColumnElement[bool], ...]:
    return (
        col(ConversationRow.learner_id) == key.learner_id,
        col(ConversationRow.project_id) == key.project_id,
        col(ConversationRow.task_id) == key.task_id,
    )


def _is_newest(session: Session, submission: Submission) -> bool:
    key = submission.key
    newest = select(func.max(SubmissionRow.submission_seq)).where(
        col(SubmissionRow.learner_id) == key.learner_id,
        col(SubmissionRow.project_id) == key.project_id,
        col(SubmissionRow.task_id) == key.task_id,
    )
    return session.scalar(newest) == submission.submission_seq


def _has_asked(session: Session, submission: Submission, attempt: Attempt) -> bool:
    by_this_review = (col(ReceiptRow.submission_seq) == submission.submission_seq) & (
        col(ReceiptRow.attempt_seq) == attempt.attempt_seq
    )
    found = session.execute(
        select(col(TurnRow.id))
        .join(ConversationRow, col(ConversationRow.id) == col(TurnRow.conversation_id))
        .outerjoin(TurnEndRow, col(TurnEndRow.turn_id) == col(TurnRow.id))
        .outerjoin(ReceiptRow, col(ReceiptRow.turn_id) == col(TurnRow.id))
        .outerjoin(OpeningRow, col(OpeningRow.turn_id) == col(TurnRow.root_id))
        .where(*_of(submission.key), col(OpeningRow.turn_id).is_(None))
        .where(or_(col(TurnEndRow.turn_id).is_(None), by_this_review))
        .limit(1)
    ).first()
    return found is not None
