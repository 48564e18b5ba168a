"""Review attempts and outcomes: written once, read as a timeline and as pages of rows."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, func, or_, select
from sqlmodel import Session, col

from db.rows import add_audit, drop_running, next_number, take_lease
from db.tables import (
    AttemptRow,
    LearnerRow,
    OutcomeRow,
    ProjectRow,
    SubmissionRow,
    TaskRow,
    TextRow,
    VersionRow,
)
from engine.access import Action, require
from engine.base_store import Store, lease_until, remembered
from engine.domain.feedback import RubricLine
from engine.domain.job import JobItem
from engine.domain.keys import FeedbackKey, Versions
from engine.domain.people import Owned, Viewer, ViewerKind
from engine.domain.review import Attempt, Outcome
from engine.domain.running import Lease, Subject
from engine.domain.states import CriterionStatus, OutcomeKind
from engine.domain.work import Submission
from engine.errors import NotFound
from engine.review.attempt_store import (
    owner_of_submission,
    put_outcome,
    put_step,
    read_attempt,
    read_key,
    read_outcome,
    read_rubric,
)
from engine.work.work_store import read_submission


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRow:
    """One attempt, or a submission that has none, with all that its card needs."""

    submission: Submission
    attempt: Attempt | None
    outcome: Outcome | None
    rubric: tuple[RubricLine, ...]
    """As it stood for this attempt; empty without one."""
    learner_name: str
    task_title: str
    project_title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewFilter:
    """What a page of reviews is narrowed to; None does not narrow."""

    project_ids: tuple[str, ...] | None = None
    task_id: str | None = None
    learner_id: str | None = None
    verdict: CriterionStatus | None = None
    outcome: OutcomeKind | None = None
    faulty_only: bool = False
    """Only records that break the contract."""
    open_only: bool = False
    """Only attempts without an outcome, and submissions without an attempt."""


class ReviewStore(Store):
    """Insert-only: an attempt is one row, its end another, and there is one end for each attempt."""

    def start_attempt(
        self,
        viewer: Viewer,
        submission_id: str,
        versions: Versions,
        *,
        model: str | None,
        lease: Lease,
        item: JobItem | None = None,
    ) -> Attempt:
        """Store that a review begins, numbered after all earlier ones of this submission, with its lease.

        `item` says of which job it is a step, if of any; a run of a job has one attempt for each submission.

        Raises:
            NotFound: there is no such submission.
        """
        with self._writing() as session:
            require(viewer, Action.REVIEW, owner_of_submission(session, submission_id))
            attempt = self._add_attempt(session, submission_id, versions, model, lease)
            if item is not None:
                put_step(session, item, attempt)
            return attempt

    def start_next_attempt(
        self, viewer: Viewer, submission_id: str, versions: Versions, *, model: str | None, lease: Lease, after: int
    ) -> Attempt | None:
        """As `start_attempt`, but only while the newest attempt by these versions is number `after`, 0 for none.

        None, and nothing stored, when another has begun since: of two clicks on one button the second.
        """
        with self._writing() as session:
            require(viewer, Action.REVIEW, owner_of_submission(session, submission_id, lock=True))
            newest = session.scalar(
                select(func.max(AttemptRow.attempt_seq)).where(
                    col(AttemptRow.submission_id) == submission_id,
                    col(AttemptRow.rubric_version) == versions.rubric,
                    col(AttemptRow.prompt_version) == versions.prompt,
                    col(AttemptRow.engine_version) == versions.engine,
                )
            )
            if (newest or 0) != after:
                return None
            return self._add_attempt(session, submission_id, versions, model, lease)

    def _add_attempt(
        self, session: Session, submission_id: str, versions: Versions, model: str | None, lease: Lease
    ) -> Attempt:
        now = self._clock()
        row = AttemptRow(
            id=self._new_id(),
            submission_id=submission_id,
            attempt_seq=next_number(session, f"attempt:{submission_id}"),
            rubric_version=versions.rubric,
            prompt_version=versions.prompt,
            engine_version=versions.engine,
            model=model,
            started_at=now,
        )
        session.add(row)
        until = lease_until(now, lease)
        take_lease(session, subject_id=row.id, kind=Subject.ATTEMPT, holder=lease.holder, until=until)
        session.flush()
        return read_attempt(row)

    def attempt(self, viewer: Viewer, submission_id: str, attempt_id: str) -> Attempt:
        """One attempt of a submission.

        Raises:
            NotFound: there is no such attempt of this submission.
        """
        with self._reading() as session:
            require(viewer, Action.READ, owner_of_submission(session, submission_id))
            row = session.get(AttemptRow, attempt_id)
            if row is None or row.submission_id != submission_id:
                raise NotFound("there is no such review attempt")
            return read_attempt(row)

    def finish(
        self,
        viewer: Viewer,
        attempt_id: str,
        kind: OutcomeKind,
        *,
        record: object = None,
        snapshot_hash: str | None = None,
        fault: str | None = None,
    ) -> bool:
        """Store how an attempt ended; False when it had ended before.

        A late answer is written to the audit trail and changes nothing. `record` is kept as it is, broken or
        not: the selector judges it.

        Raises:
            NotFound: there is no such attempt.
        """
        with self._writing() as session:
            attempt, submission = _locked_attempt(session, attempt_id)
            owned = Owned(learner_id=submission.learner_id, project_id=submission.project_id)
            require(viewer, Action.REVIEW, owned)
            if session.get(OutcomeRow, attempt_id) is not None:
                self._audit_late(session, viewer, attempt_id, kind)
                return False
            now = self._clock()
            outcome = Outcome(kind=kind, finished_at=now, snapshot_hash=snapshot_hash, record=record, fault=fault)
            put_outcome(session, submission, attempt, outcome, text_id=self._new_id())
            drop_running(session, attempt_id)
        return True

    @remembered
    def timeline(self, viewer: Viewer, key: FeedbackKey) -> tuple[ReviewRow, ...]:
        """Every attempt of a key and every submission without one, newest first by number, never by time.

        What is of unknown order stands at the end, the version stored last first.
        """
        require(viewer, Action.READ, Owned(learner_id=key.learner_id, project_id=key.project_id))
        chosen = ReviewFilter(project_ids=(key.project_id,), task_id=key.task_id, learner_id=key.learner_id)
        order = (
            col(SubmissionRow.submission_seq).desc().nulls_last(),
            col(VersionRow.number).desc(),
            col(AttemptRow.attempt_seq).desc(),
        )
        with self._reading() as session:
            rows = session.execute(rows_where(viewer, chosen).order_by(*order)).all()
            return _read_rows(session, rows)

    @remembered
    def page(
        self, viewer: Viewer, chosen: ReviewFilter, *, limit: int, offset: int = 0
    ) -> tuple[tuple[ReviewRow, ...], int]:
        """One page of the reviews the viewer may read, latest begun first, and how many there are in all."""
        order = (
            func.coalesce(col(AttemptRow.started_at), col(SubmissionRow.handed_in_at)).desc(),
            col(VersionRow.number).desc(),
            col(AttemptRow.attempt_seq).desc(),
            col(SubmissionRow.id),  # so that pages never overlap where all else is equal
        )
        statement = rows_where(viewer, chosen)
        with self._reading() as session:
            total = session.scalar(select(func.count()).select_from(statement.subquery())) or 0
            rows = session.execute(statement.order_by(*order).limit(limit).offset(offset)).all()
            return _read_rows(session, rows), total

    @remembered
    def one(self, viewer: Viewer, submission_id: str, attempt_seq: int | None) -> ReviewRow:
        """One attempt of a submission, or the submission alone.

        Raises:
            NotFound: there is no such attempt, or it is not the viewer's to read.
        """
        wanted = col(AttemptRow.id).is_(None) if attempt_seq is None else col(AttemptRow.attempt_seq) == attempt_seq
        with self._reading() as session:
            statement = rows_where(viewer, ReviewFilter()).where(col(SubmissionRow.id) == submission_id, wanted)
            rows = _read_rows(session, session.execute(statement).all())
        if not rows:
            raise NotFound("there is no such review")
        return rows[0]

    def _audit_late(self, session: Session, viewer: Viewer, attempt_id: str, kind: OutcomeKind) -> None:
        add_audit(
            session,
            audit_id=self._new_id(),
            at=self._clock(),
            actor=viewer.person_id,
            action="late_outcome_ignored",
            subject=attempt_id,
            detail=json.dumps({"kind": kind}),
        )


def _locked_attempt(session: Session, attempt_id: str) -> tuple[AttemptRow, SubmissionRow]:
    """The attempt, locked so that of several ends at one time the later ones see the first."""
    attempt = session.get(AttemptRow, attempt_id, with_for_update=True)
    if attempt is None:
        raise NotFound("there is no such review attempt")
    return attempt, session.get_one(SubmissionRow, attempt.submission_id)


def rows_where(viewer: Viewer, chosen: ReviewFilter) -> Select[*tuple[Any, ...]]:
    """The reviews that a page lists, in no order."""
    return (
        select(
            SubmissionRow,
            AttemptRow,
            OutcomeRow,
            col(VersionRow.number).label("version_number"),
            col(TextRow.body).label("record"),
            col(LearnerRow.name).label("learner_name"),
            col(TaskRow.title).label("task_title"),
            col(ProjectRow.title).label("project_title"),
        )
        .join(VersionRow, col(VersionRow.id) == col(SubmissionRow.version_id))
        .join(LearnerRow, col(LearnerRow.id) == col(SubmissionRow.learner_id))
        .join(ProjectRow, col(ProjectRow.id) == col(SubmissionRow.project_id))
        .join(
            TaskRow,
            (col(TaskRow.project_id) == col(SubmissionRow.project_id))
            & (col(TaskRow.task_id) == col(SubmissionRow.task_id)),
        )
        .outerjoin(AttemptRow, col(AttemptRow.submission_id) == col(SubmissionRow.id))
        .outerjoin(OutcomeRow, col(OutcomeRow.attempt_id) == col(AttemptRow.id))
        .outerjoin(TextRow, col(TextRow.id) == col(OutcomeRow.record_text_id))
        .where(*visible_to(viewer), *_narrowed(chosen))
    )


def visible_to(viewer: Viewer) -> tuple[ColumnElement[bool], ...]:
    """The rule of `access.may` for reading, as SQL, so that pages and counts agree."""
    match viewer.kind:
        case ViewerKind.LOCAL:
            return ()
        case ViewerKind.TEACHER:
            return (col(SubmissionRow.project_id).in_(viewer.project_ids),)
        case ViewerKind.STUDENT:
            return (col(SubmissionRow.learner_id).in_(viewer.learner_ids),)
        case _:
            return (col(SubmissionRow.id).is_(None),)


def _narrowed(chosen: ReviewFilter) -> list[ColumnElement[bool]]:
    wanted: list[ColumnElement[bool]] = []
    for column, value in (
        (col(SubmissionRow.task_id), chosen.task_id),
        (col(SubmissionRow.learner_id), chosen.learner_id),
        (col(OutcomeRow.verdict), chosen.verdict),
        (col(OutcomeRow.kind), chosen.outcome),
    ):
        if value is not None:
            wanted.append(column == value)
    if chosen.project_ids is not None:
        wanted.append(col(SubmissionRow.project_id).in_(chosen.project_ids))
    if chosen.faulty_only:
        completed = col(OutcomeRow.kind) == OutcomeKind.COMPLETED
        broken = and_(completed, col(OutcomeRow.verdict).is_(None))
        wanted.append(or_(broken, col(OutcomeRow.kind) == OutcomeKind.INVALID))
    if chosen.open_only:
        wanted.append(col(OutcomeRow.attempt_id).is_(None))
    return wanted


def _read_rows(session: Session, rows: Sequence[Row[*tuple[Any, ...]]]) -> tuple[ReviewRow, ...]:
    return tuple(_read_row(session, row) for row in rows)


def _read_row(session: Session, row: Row[*tuple[Any, ...]]) -> ReviewRow:
    submission, attempt, outcome = row.SubmissionRow, row.AttemptRow, row.OutcomeRow
    key = read_key(submission)
    return ReviewRow(
        submission=read_submission(submission, row.version_number),
        attempt=read_attempt(attempt) if attempt else None,
        outcome=read_outcome(outcome, row.record) if outcome else None,
        rubric=read_rubric(session, key, attempt.rubric_version) if attempt else (),
        learner_name=row.learner_name,
        task_title=row.task_title,
        project_title=row.project_title,
    )
