"""Judgements that need no new judging: earlier ones over equal evidence, and those of persons."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlmodel import Session, col

from db.rows import next_number
from db.tables import AttemptRow, OutcomeRow, SubmissionRow, TextRow
from engine.access import Action, require
from engine.base_store import Store
from engine.domain.feedback import RubricLine
from engine.domain.keys import Versions
from engine.domain.people import Owned, Viewer
from engine.domain.review import Attempt, CriterionResult, Outcome
from engine.domain.states import AttemptOrigin, OutcomeKind
from engine.errors import DecisionRefused, NotFound
from engine.feedback.feedback_store import decode_record
from engine.feedback.validity import ReviewRecord, read_record, read_result
from engine.review.attempt_store import (
    owner_of_submission,
    put_outcome,
    read_attempt,
    read_key,
    read_outcome,
    read_rubric,
)
from engine.work.work_store import read_submission


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A completed review that keeps the contract."""

    attempt: Attempt
    record: ReviewRecord
    rubric: tuple[RubricLine, ...]


class JudgementStore(Store):
    """Reads judgements that can stand in for a new one, and stores attempts that were never open."""

    def equal(self, viewer: Viewer, submission_id: str, versions: Versions) -> Standing | None:
        """The newest sound judgement over the same evidence by the same versions, for the same learner and task.

        Newest by submission, then by attempt; the submission itself counts too. The model's name is no part of
        the key.

        Raises:
            NotFound: there is no such submission.
        """
        with self._reading() as session:
            submission = _submission(session, viewer, submission_id)
            rows = session.execute(
                select(AttemptRow, OutcomeRow, col(TextRow.body), SubmissionRow)
                .join(OutcomeRow, col(OutcomeRow.attempt_id) == col(AttemptRow.id))
                .join(TextRow, col(TextRow.id) == col(OutcomeRow.record_text_id))
                .join(SubmissionRow, col(SubmissionRow.id) == col(AttemptRow.submission_id))
                .where(
                    col(SubmissionRow.learner_id) == submission.learner_id,
                    col(SubmissionRow.project_id) == submission.project_id,
                    col(SubmissionRow.task_id) == submission.task_id,
                    col(SubmissionRow.snapshot_hash) == submission.snapshot_hash,
                    col(SubmissionRow.submission_seq).is_not(None),
                    col(AttemptRow.rubric_version) == versions.rubric,
                    col(AttemptRow.prompt_version) == versions.prompt,
                    col(AttemptRow.engine_version) == versions.engine,
                    col(OutcomeRow.verdict).is_not(None),
                )
                .order_by(col(SubmissionRow.submission_seq).desc(), col(AttemptRow.attempt_seq).desc())
                .limit(1)
            ).all()
            standing = [_standing(session, row.AttemptRow, row.OutcomeRow, row.body, row.SubmissionRow) for row in rows]
        return standing[0] if standing else None

    def standing(self, viewer: Viewer, submission_id: str) -> tuple[Standing, ...]:
        """Every sound judgement of this submission, newest attempt first, by whatever versions.

        Raises:
            NotFound: there is no such submission.
        """
        with self._reading() as session:
            submission = _submission(session, viewer, submission_id)
            rows = session.execute(
                select(AttemptRow, OutcomeRow, col(TextRow.body))
                .join(OutcomeRow, col(OutcomeRow.attempt_id) == col(AttemptRow.id))
                .join(TextRow, col(TextRow.id) == col(OutcomeRow.record_text_id))
                .where(col(AttemptRow.submission_id) == submission_id, col(OutcomeRow.verdict).is_not(None))
                .order_by(col(AttemptRow.attempt_seq).desc())
            ).all()
            found = [_standing(session, row.AttemptRow, row.OutcomeRow, row.body, submission) for row in rows]
        return tuple(one for one in found if one is not None)

    def finished(
        self, viewer: Viewer, submission_id: str, versions: Versions, before: int | None = None
    ) -> tuple[CriterionResult, ...]:
        """What the newest attempt by these versions had finished when it ended without a judgement.

        Empty when it ended otherwise, is open, or there is none. Each result says which attempt judged it.
        `before` leaves out the attempts from that number on.
        """
        earlier = () if before is None else (col(AttemptRow.attempt_seq) < before,)
        with self._reading() as session:
            _submission(session, viewer, submission_id)
            row = session.execute(
                select(col(AttemptRow.id), col(OutcomeRow.kind), col(TextRow.body))
                .join(OutcomeRow, col(OutcomeRow.attempt_id) == col(AttemptRow.id))
                .outerjoin(TextRow, col(TextRow.id) == col(OutcomeRow.record_text_id))
                .where(
                    col(AttemptRow.submission_id) == submission_id,
                    col(AttemptRow.rubric_version) == versions.rubric,
                    col(AttemptRow.prompt_version) == versions.prompt,
                    col(AttemptRow.engine_version) == versions.engine,
                    *earlier,
                )
                .order_by(col(AttemptRow.attempt_seq).desc())
                .limit(1)
            ).first()
        if row is None or row.kind != OutcomeKind.UNAVAILABLE:
            return ()
        return _finished(decode_record(row.body), row.id)

    def reuse(
        self, viewer: Viewer, submission_id: str, versions: Versions, *, source: Attempt, record: object
    ) -> Attempt | None:
        """Store the judgement of `source` as the first attempt of another submission, over as it begins.

        None, and nothing stored, where the submission has an attempt.

        Raises:
            NotFound: there is no such submission.
        """
        with self._writing() as session:
            require(viewer, Action.REVIEW, owner_of_submission(session, submission_id, lock=True))
            if _newest_seq(session, submission_id):
                return None
            return self._add_ended(session, submission_id, versions, AttemptOrigin.REUSED, source, record)

    def decide(
        self,
        viewer: Viewer,
        submission_id: str,
        versions: Versions,
        *,
        based_on: Attempt | None,
        record: object,
        seen_attempt_seq: int,
    ) -> Attempt:
        """Store a record that holds a person's decision as the newest attempt, over as it begins.

        Args:
            viewer: who decides.
            submission_id: what is judged.
            versions: by which rules.
            based_on: whose judgement the rest of the record is; None where there was none.
            record: the review record.
            seen_attempt_seq: the newest attempt that was on the screen; 0 where there was none.

        Raises:
            NotFound: there is no such submission.
            DecisionRefused: an attempt newer than the one seen is there.
        """
        with self._writing() as session:
            require(viewer, Action.DECIDE, owner_of_submission(session, submission_id, lock=True))
            if _newest_seq(session, submission_id) != seen_attempt_seq:
                raise DecisionRefused("another attempt came in between", reason="newer_attempt")
            return self._add_ended(session, submission_id, versions, AttemptOrigin.DECIDED, based_on, record)

    def _add_ended(
        self,
        session: Session,
        submission_id: str,
        versions: Versions,
        origin: AttemptOrigin,
        source: Attempt | None,
        record: object,
    ) -> Attempt:
        row = AttemptRow(
            id=self._new_id(),
            submission_id=submission_id,
            attempt_seq=next_number(session, f"attempt:{submission_id}"),
            rubric_version=versions.rubric,
            prompt_version=versions.prompt,
            engine_version=versions.engine,
            model=source.model if source else None,
            started_at=self._clock(),
            origin=origin,
            from_attempt_id=source.attempt_id if source else None,
        )
        session.add(row)
        session.flush()
        submission = session.get_one(SubmissionRow, submission_id)
        ended = Outcome(
            kind=OutcomeKind.COMPLETED,
            finished_at=row.started_at,
            snapshot_hash=submission.snapshot_hash,
            record=record,
        )
        put_outcome(session, submission, row, ended, text_id=self._new_id())
        return read_attempt(row)


def _newest_seq(session: Session, submission_id: str) -> int:
    newest = select(func.max(AttemptRow.attempt_seq)).where(col(AttemptRow.submission_id) == submission_id)
    return session.scalar(newest) or 0


def _submission(session: Session, viewer: Viewer, submission_id: str) -> SubmissionRow:
    row = session.get(SubmissionRow, submission_id)
    if row is None:
        raise NotFound("there is no such submission")
    require(viewer, Action.READ, Owned(learner_id=row.learner_id, project_id=row.project_id))
    return row


def _standing(
    session: Session, attempt: AttemptRow, outcome: OutcomeRow, body: str, submission: SubmissionRow
) -> Standing | None:
    rubric = read_rubric(session, read_key(submission), attempt.rubric_version)
    read = read_record(read_outcome(outcome, body), rubric, read_submission(submission, version_number=0))
    if not isinstance(read, ReviewRecord):
        return None
    return Standing(attempt=read_attempt(attempt), record=read, rubric=rubric)


def _finished(record: object, attempt_id: str) -> tuple[CriterionResult, ...]:
    listed = record.get("criteria") if isinstance(record, dict) else None
    entries: Sequence[object] = listed if isinstance(listed, list) else ()
    return tuple(result for entry in entries if (result := _kept(entry, attempt_id)) is not None)


def _kept(entry: object, attempt_id: str) -> CriterionResult | None:
    if not isinstance(entry, dict):
        return None
    try:
        return read_result({"kept_from": attempt_id, **entry})
    except (KeyError, ValueError):
        return None
