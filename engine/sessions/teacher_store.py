"""What teachers write in the conversations of their students: lines of their own, never a turn's."""

from sqlalchemy import Row, Select, func, select
from sqlmodel import Session, col

from db.rows import next_number, put_text, storable
from db.tables import ConversationRow, MessageRow, TeacherMessageRow, TextRow
from engine.access import Action, require
from engine.base_store import Store, checked_words
from engine.domain.people import Owned, Viewer
from engine.domain.session import Message, Turn
from engine.domain.states import Role
from engine.errors import NotFound

SENT_AT_MOST = 50
"""Lines that are read for one request; more of them never fit."""


class TeacherStore(Store):
    """Insert-only, numbered among the messages of the conversation."""

    def say(self, viewer: Viewer, conversation_id: str, words: str, *, name: str) -> Message:
        """Store what a teacher writes to the student, under `name`; nothing answers it.

        The same words again, while they are the newest line of the conversation, are a second click: one line.

        Raises:
            NotFound: there is no such conversation.
            WordsRefused: there is nothing in them, or too much.
        """
        kept = checked_words(words)
        with self._writing() as session:
            conversation = _conversation(session, viewer, Action.TEACH, conversation_id, lock=True)
            newest = session.execute(_lines(conversation_id).limit(1)).first()
            if newest is not None and _is_repeated(session, newest, viewer, kept):
                return _read(newest)
            row = TeacherMessageRow(
                id=self._new_id(),
                conversation_id=conversation_id,
                seq=next_number(session, f"message:{conversation_id}"),
                author_id=viewer.person_id,
                author_name=storable(name),
                text_id=put_text(session, text_id=self._new_id(), owner_id=conversation.learner_id, body=kept),
                written_at=self._clock(),
            )
            session.add(row)
            session.flush()
            return _read(session.execute(_lines(conversation_id).limit(1)).one())

    def said_before(self, viewer: Viewer, turn: Turn) -> tuple[Message, ...]:
        """What teachers said in the chat before `turn` was asked, newest first; card notes are not among it.

        Raises:
            NotFound: there is no such conversation.
        """
        with self._reading() as session:
            _conversation(session, viewer, Action.READ, turn.conversation_id)
            said = _lines(turn.conversation_id).where(
                col(TeacherMessageRow.seq) < turn.seq, col(TeacherMessageRow.note_id).is_(None)
            )
            return tuple(_read(row) for row in session.execute(said.limit(SENT_AT_MOST)).all())


def lines_in(session: Session, conversation_id: str, *, last: int) -> list[Message]:
    """The last lines and notes of teachers in a conversation, newest first."""
    return [_read(row) for row in session.execute(_lines(conversation_id).limit(last)).all()]


def count_lines(session: Session, conversation_id: str) -> int:
    """How many there are."""
    wanted = col(TeacherMessageRow.conversation_id) == conversation_id
    return session.scalar(select(func.count()).select_from(TeacherMessageRow).where(wanted)) or 0


def _lines(conversation_id: str) -> Select[TeacherMessageRow, str]:
    return (
        select(TeacherMessageRow, col(TextRow.body))
        .join(TextRow, col(TextRow.id) == col(TeacherMessageRow.text_id))
        .where(col(TeacherMessageRow.conversation_id) == conversation_id)
        .order_by(col(TeacherMessageRow.seq).desc())
    )


def _read(line: Row[TeacherMessageRow, str]) -> Message:
    row, body = line
    return Message(
        message_id=row.id,
        seq=row.seq,
        role=Role.USER,
        text=body,
        turn_id=None,
        written_at=row.written_at,
        author=row.author_name,
        note_id=row.note_id,
    )


def _is_repeated(session: Session, newest: Row[TeacherMessageRow, str], viewer: Viewer, words: str) -> bool:
    row, body = newest
    of_others = select(func.max(MessageRow.seq)).where(col(MessageRow.conversation_id) == row.conversation_id)
    is_last = row.seq > (session.scalar(of_others) or 0)
    return is_last and row.note_id is None and row.author_id == viewer.person_id and body == storable(words)


def _conversation(
    session: Session, viewer: Viewer, action: Action, conversation_id: str, *, lock: bool = False
) -> ConversationRow:
    row = session.get(ConversationRow, conversation_id, with_for_update=lock)
    if row is None:
        raise NotFound("there is no such conversation")
    require(viewer, action, Owned(learner_id=row.learner_id, project_id=row.project_id))
    return row
