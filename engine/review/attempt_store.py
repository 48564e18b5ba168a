"""Attempts and outcomes as rows, for the stores that write and read them."""

import json

from sqlalchemy import select
from sqlmodel import Session, col

from db.rows import put_text
from db.tables import AttemptRow, CriterionRow, JobStepRow, OutcomeRow, SubmissionRow
from engine.domain.feedback import RubricLine
from engine.domain.job import JobItem
from engine.domain.keys import FeedbackKey, Versions
from engine.domain.people import Owned
from engine.domain.review import Attempt, Outcome
from engine.domain.states import AttemptOrigin, CriterionKind, CriterionStatus, OutcomeKind
from engine.errors import NotFound
from engine.feedback.feedback_store import decode_record
from engine.feedback.validity import ReviewRecord, read_record
from engine.work.work_store import read_submission


def owner_of_submission(session: Session, submission_id: str, *, lock: bool = False) -> Owned:
    """Whose submission it is; `lock` keeps others from adding attempts until the transaction ends.

    Raises:
        NotFound: there is no such submission.
    """
    row = session.get(SubmissionRow, submission_id, with_for_update=lock)
    if row is None:
        raise NotFound("there is no such submission")
    return Owned(learner_id=row.learner_id, project_id=row.project_id)


def put_outcome(
    session: Session, submission: SubmissionRow, attempt: AttemptRow, outcome: Outcome, *, text_id: str
) -> None:
    """Store how an attempt ended; the record goes into a text row `text_id`, if there is one."""
    body = None if outcome.record is None else json.dumps(outcome.record, ensure_ascii=False)
    owner_id = submission.learner_id
    session.add(
        OutcomeRow(
            attempt_id=attempt.id,
            kind=outcome.kind,
            verdict=_sound_verdict(session, submission, attempt, outcome),
            snapshot_hash=outcome.snapshot_hash,
            record_text_id=None if body is None else put_text(session, text_id=text_id, owner_id=owner_id, body=body),
            fault=outcome.fault,
            finished_at=outcome.finished_at,
        )
    )


def put_step(session: Session, item: JobItem, attempt: Attempt) -> None:
    """Store that an attempt is a step of a job, in the transaction of the attempt: neither is without the other."""
    session.add(
        JobStepRow(
            job_id=item.job_id,
            run=item.run,
            submission_id=attempt.submission_id,
            attempt_id=attempt.attempt_id,
            fault=None,
            at=attempt.started_at,
        )
    )


def _sound_verdict(
    session: Session, submission: SubmissionRow, attempt: AttemptRow, outcome: Outcome
) -> CriterionStatus | None:
    """The verdict of a completed record that keeps the contract, to list and filter by."""
    if outcome.kind is not OutcomeKind.COMPLETED:
        return None
    rubric = read_rubric(session, read_key(submission), attempt.rubric_version)
    read = read_record(outcome, rubric, read_submission(submission, version_number=0))
    return read.verdict if isinstance(read, ReviewRecord) else None


def read_key(row: SubmissionRow) -> FeedbackKey:
    """Whose submission it is, and of what."""
    return FeedbackKey(learner_id=row.learner_id, project_id=row.project_id, task_id=row.task_id)


def read_attempt(row: AttemptRow) -> Attempt:
    """An attempt as it is stored."""
    return Attempt(
        attempt_id=row.id,
        submission_id=row.submission_id,
        attempt_seq=row.attempt_seq,
        versions=Versions(rubric=row.rubric_version, prompt=row.prompt_version, engine=row.engine_version),
        model=row.model,
        started_at=row.started_at,
        origin=AttemptOrigin(row.origin),
        from_attempt_id=row.from_attempt_id,
    )


def read_outcome(row: OutcomeRow, record: str | None) -> Outcome:
    """How an attempt ended, as it is stored; `record` is the text of its record, if it has one."""
    return Outcome(
        kind=OutcomeKind(row.kind),
        finished_at=row.finished_at,
        snapshot_hash=row.snapshot_hash,
        record=decode_record(record),
        fault=row.fault,
    )


def read_rubric(session: Session, key: FeedbackKey, version: str) -> tuple[RubricLine, ...]:
    """One version of the rubric of a task, in the author's order."""
    rows = session.scalars(
        select(CriterionRow)
        .where(
            col(CriterionRow.project_id) == key.project_id,
            col(CriterionRow.task_id) == key.task_id,
            col(CriterionRow.rubric_version) == version,
        )
        .order_by(col(CriterionRow.position))
    ).all()
    return tuple(RubricLine(rubric_id=row.rubric_id, kind=CriterionKind(row.kind), text=row.text) for row in rows)
