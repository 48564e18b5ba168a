"""Reports of students, notes of teachers, drafts of decisions, and who has opened what is to be decided."""

from datetime import timedelta

from sqlalchemy import Select, select
from sqlmodel import Session, col

from db.rows import drop_draft, next_number, put_draft, put_text, storable
from db.tables import (
    AttemptRow,
    CardNoteRow,
    ConversationRow,
    CriterionRow,
    DisputeRow,
    DraftRow,
    OutcomeRow,
    ReservationRow,
    SubmissionRow,
    TeacherMessageRow,
    TextRow,
)
from engine.access import Action, require
from engine.base_store import Store, checked_words, remembered
from engine.domain.desk import CardNote, Dispute, Reservation
from engine.domain.people import Owned, Viewer
from engine.domain.review import Decision
from engine.errors import NotFound, WordsRefused
from engine.feedback.feedback_store import decode_record
from engine.feedback.validity import read_decision

RESERVED_FOR = timedelta(minutes=10)
"""So long others are told that somebody has opened an item."""


class DeskStore(Store):
    """Reports and notes are insert-only; drafts and reservations are working state."""

    def report(
        self, viewer: Viewer, submission_id: str, rubric_id: str, words: str, *, seen_attempt_seq: int
    ) -> Dispute:
        """Store that a learner sees the verdict on a criterion differently. No verdict changes by it.

        The same words again on the same attempt are a second click: one report.

        Raises:
            NotFound: there is no such submission.
            WordsRefused: nothing is said, or too much; a newer attempt is there; the rubric has no such criterion.
        """
        kept = checked_words(words)
        with self._writing() as session:
            submission = _submission(session, viewer, Action.WRITE, submission_id, lock=True)
            newest = _newest_attempt(session, submission_id)
            if newest is None or newest.attempt_seq != seen_attempt_seq:
                raise WordsRefused("another attempt came in between", reason="newer_attempt")
            if not _is_in_rubric(session, submission, newest, rubric_id):
                raise WordsRefused("the rubric has no such criterion", reason="not_in_rubric")
            earlier = _disputes(session, submission_id)
            known = [one for one in earlier if one.rubric_id == rubric_id and one.attempt_seq == seen_attempt_seq]
            same = next((one for one in known if one.text == storable(kept)), None)
            return same or self._add_dispute(session, submission, newest, rubric_id, kept)

    def _add_dispute(
        self, session: Session, submission: SubmissionRow, newest: AttemptRow, rubric_id: str, words: str
    ) -> Dispute:
        decision = _decision(session, newest, rubric_id)
        row = DisputeRow(
            id=self._new_id(),
            submission_id=submission.id,
            attempt_seq=newest.attempt_seq,
            rubric_id=rubric_id,
            text_id=put_text(session, text_id=self._new_id(), owner_id=submission.learner_id, body=words),
            made_at=self._clock(),
            decided_at=decision.at if decision else None,
        )
        session.add(row)
        session.flush()
        return read_dispute(row, storable(words))

    @remembered
    def disputes(self, viewer: Viewer, submission_id: str) -> tuple[Dispute, ...]:
        """Every report about a submission, oldest first, answered or not.

        Raises:
            NotFound: there is no such submission.
        """
        with self._reading() as session:
            _submission(session, viewer, Action.READ, submission_id)
            return tuple(_disputes(session, submission_id))

    def note(self, viewer: Viewer, submission_id: str, words: str, *, name: str) -> CardNote:
        """Store what a teacher writes to the student about a submission, and its place in the newest conversation.

        The same words again are a second click: one note.

        Raises:
            NotFound: there is no such submission.
            WordsRefused: there is nothing in them, or too much.
        """
        kept = checked_words(words)
        with self._writing() as session:
            submission = _submission(session, viewer, Action.TEACH, submission_id, lock=True)
            same = [one for one in _notes(session, submission_id) if (one.text, one.author) == (storable(kept), name)]
            return same[0] if same else self._add_note(session, viewer, submission, kept, storable(name))

    def _add_note(self, session: Session, viewer: Viewer, submission: SubmissionRow, words: str, name: str) -> CardNote:
        text_id = put_text(session, text_id=self._new_id(), owner_id=submission.learner_id, body=words)
        row = CardNoteRow(
            id=self._new_id(),
            submission_id=submission.id,
            author_id=viewer.person_id,
            author_name=name,
            text_id=text_id,
            made_at=self._clock(),
        )
        session.add(row)
        session.flush()
        conversation_id = session.scalars(_conversations(submission)).first()
        if conversation_id is not None:
            line = TeacherMessageRow(
                id=self._new_id(),
                conversation_id=conversation_id,
                seq=next_number(session, f"message:{conversation_id}"),
                author_id=row.author_id,
                author_name=name,
                note_id=row.id,
                text_id=text_id,
                written_at=row.made_at,
            )
            session.add(line)
            session.flush()
        return _read_note(row, storable(words))

    @remembered
    def notes(self, viewer: Viewer, submission_id: str) -> tuple[CardNote, ...]:
        """Every note on a submission, oldest first.

        Raises:
            NotFound: there is no such submission.
        """
        with self._reading() as session:
            _submission(session, viewer, Action.READ, submission_id)
            return tuple(_notes(session, submission_id))

    def reserve(
        self, viewer: Viewer, submission_id: str, rubric_id: str, *, name: str, take: bool = False
    ) -> Reservation:
        """Say that the viewer has opened an item, and give whose it is now.

        It stays another's while that one opened it less than ten minutes ago, unless the viewer wants to `take` it.

        Raises:
            NotFound: there is no such submission.
        """
        now = self._clock()
        with self._writing() as session:
            _submission(session, viewer, Action.DECIDE, submission_id, lock=True)
            row = session.get(ReservationRow, (submission_id, rubric_id))
            if row is not None and row.holder_id != viewer.person_id and row.until > now and not take:
                return _read_reservation(row)
            is_new = row is None or row.holder_id != viewer.person_id or row.until <= now
            since = now if row is None or is_new else row.since
            session.merge(
                ReservationRow(
                    submission_id=submission_id,
                    rubric_id=rubric_id,
                    holder_id=viewer.person_id,
                    holder_name=name,
                    since=since,
                    until=now + RESERVED_FOR,
                )
            )
        return Reservation(holder_id=viewer.person_id, name=name, since=since, until=now + RESERVED_FOR)

    def reservation(self, viewer: Viewer, submission_id: str, rubric_id: str) -> Reservation | None:
        """Who has opened an item in the last ten minutes; None where nobody has.

        Raises:
            NotFound: there is no such submission.
        """
        with self._reading() as session:
            _submission(session, viewer, Action.DECIDE, submission_id)
            row = session.get(ReservationRow, (submission_id, rubric_id))
            return _read_reservation(row) if row is not None and row.until > self._clock() else None

    def draft(self, viewer: Viewer, project_id: str, subject: str) -> str:
        """What this teacher was typing about `subject`; empty when nothing was."""
        require(viewer, Action.TEACH, Owned(learner_id=None, project_id=project_id))
        with self._reading() as session:
            row = session.get(DraftRow, (_drafts_of(viewer), subject))
            return row.body if row else ""

    def save_draft(self, viewer: Viewer, project_id: str, subject: str, body: str) -> None:
        """Keep what this teacher is typing about `subject`, over what was kept before; nothing typed removes it."""
        require(viewer, Action.TEACH, Owned(learner_id=None, project_id=project_id))
        with self._writing() as session:
            if body:
                put_draft(session, owner_id=_drafts_of(viewer), subject=subject, body=body, at=self._clock())
            else:
                drop_draft(session, owner_id=_drafts_of(viewer), subject=subject)


def _drafts_of(viewer: Viewer) -> str:
    """Owner of a teacher's drafts; no id of a learner."""
    return f"teacher:{viewer.person_id}"


def _submission(
    session: Session, viewer: Viewer, action: Action, submission_id: str, *, lock: bool = False
) -> SubmissionRow:
    row = session.get(SubmissionRow, submission_id, with_for_update=lock)
    if row is None:
        raise NotFound("there is no such submission")
    require(viewer, action, Owned(learner_id=row.learner_id, project_id=row.project_id))
    return row


def _newest_attempt(session: Session, submission_id: str) -> AttemptRow | None:
    of_submission = select(AttemptRow).where(col(AttemptRow.submission_id) == submission_id)
    return session.scalars(of_submission.order_by(col(AttemptRow.attempt_seq).desc()).limit(1)).first()


def _is_in_rubric(session: Session, submission: SubmissionRow, attempt: AttemptRow, rubric_id: str) -> bool:
    found = select(col(CriterionRow.position)).where(
        col(CriterionRow.project_id) == submission.project_id,
        col(CriterionRow.task_id) == submission.task_id,
        col(CriterionRow.rubric_version) == attempt.rubric_version,
        col(CriterionRow.rubric_id) == rubric_id,
    )
    return session.execute(found).first() is not None


def _decision(session: Session, attempt: AttemptRow, rubric_id: str) -> Decision | None:
    """The decision that stands on a criterion in an attempt; None where there is none."""
    of_attempt = (
        select(col(TextRow.body))
        .join(OutcomeRow, col(OutcomeRow.record_text_id) == col(TextRow.id))
        .where(col(OutcomeRow.attempt_id) == attempt.id)
    )
    record = decode_record(session.scalars(of_attempt).first())
    listed = record.get("criteria") if isinstance(record, dict) else None
    for entry in listed if isinstance(listed, list) else []:
        if isinstance(entry, dict) and entry.get("id") == rubric_id and isinstance(entry.get("decision"), dict):
            return read_decision(entry["decision"])
    return None


def _disputes(session: Session, submission_id: str) -> list[Dispute]:
    found = (
        select(DisputeRow, col(TextRow.body))
        .join(TextRow, col(TextRow.id) == col(DisputeRow.text_id))
        .where(col(DisputeRow.submission_id) == submission_id)
        .order_by(col(DisputeRow.made_at), col(DisputeRow.id))
    )
    return [read_dispute(row, body) for row, body in session.execute(found).all()]


def read_dispute(row: DisputeRow, body: str) -> Dispute:
    """A report as it is stored."""
    return Dispute(
        dispute_id=row.id,
        submission_id=row.submission_id,
        attempt_seq=row.attempt_seq,
        rubric_id=row.rubric_id,
        text=body,
        made_at=row.made_at,
        decided_at=row.decided_at,
    )


def _conversations(submission: SubmissionRow) -> Select[str]:
    return (
        select(col(ConversationRow.id))
        .where(
            col(ConversationRow.learner_id) == submission.learner_id,
            col(ConversationRow.project_id) == submission.project_id,
            col(ConversationRow.task_id) == submission.task_id,
        )
        .order_by(col(ConversationRow.number).desc())
        .limit(1)
    )


def _notes(session: Session, submission_id: str) -> list[CardNote]:
    found = (
        select(CardNoteRow, col(TextRow.body))
        .join(TextRow, col(TextRow.id) == col(CardNoteRow.text_id))
        .where(col(CardNoteRow.submission_id) == submission_id)
        .order_by(col(CardNoteRow.made_at), col(CardNoteRow.id))
    )
    return [_read_note(row, body) for row, body in session.execute(found).all()]


def _read_note(row: CardNoteRow, body: str) -> CardNote:
    return CardNote(
        note_id=row.id, submission_id=row.submission_id, author=row.author_name, text=body, made_at=row.made_at
    )


def _read_reservation(row: ReservationRow) -> Reservation:
    return Reservation(holder_id=row.holder_id, name=row.holder_name, since=row.since, until=row.until)
