"""Jobs as people see them: asking for one, cancelling, resuming, and how far it is."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, ScalarSelect, Select, distinct, func, or_, select, update
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from db.rows import add_audit
from db.tables import JobItemRow, JobRow, JobStateRow, JobStepRow, OutcomeRow, SubmissionRow
from engine.access import Action, require
from engine.base_store import Store
from engine.domain.job import JobKind, JobProgress, JobState
from engine.domain.people import Owned, Viewer
from engine.domain.states import OutcomeKind
from engine.errors import InputError, NotFound
from engine.jobs.run_store import Wanted


class JobStore(Store):
    """A job belongs to one project, and to whoever may manage that project.

    Asking stores rows only; a worker sees them within a second and puts the job into the queue. So a job is
    there or is not, on both databases, whatever is killed, and without a worker it waits.
    """

    def ask_review(self, viewer: Viewer, project_id: str, submission_ids: Sequence[str]) -> str:
        """Ask that these submissions of a project be reviewed again by the rules in force; gives the job's id.

        One that is named twice counts once.

        Raises:
            InputError: none is named.
            NotFound: one of them is no submission of this project.
        """
        require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=project_id))
        wanted = tuple(dict.fromkeys(submission_ids))
        if not wanted:
            raise InputError("a job needs at least one submission")
        with self._writing() as session:
            _check_project(session, project_id, wanted)
            job = JobRow(
                id=self._new_id(),
                kind=JobKind.REVIEW,
                project_id=project_id,
                asked_by=viewer.person_id,
                asked_at=self._clock(),
            )
            session.add(job)
            session.flush()
            session.add(JobStateRow(job_id=job.id, state=Wanted.OPEN, run=1, queued_run=0))
            session.add_all(
                JobItemRow(job_id=job.id, submission_id=submission_id, position=position)
                for position, submission_id in enumerate(wanted)
            )
            return job.id

    def cancel(self, viewer: Viewer, job_id: str) -> bool:
        """Stop after what is being worked on; what was done stays. False when there is nothing to stop.

        Raises:
            NotFound: there is no such job.
        """
        return self._want(viewer, job_id, Wanted.CANCELLED, from_states=(Wanted.OPEN,), action="job_cancelled")

    def resume(self, viewer: Viewer, job_id: str) -> bool:
        """Go on with what no attempt has completed, what failed included. False when there is nothing to do.

        Raises:
            NotFound: there is no such job.
        """
        idle = (Wanted.CANCELLED, Wanted.STOPPED, Wanted.ENDED)
        return self._want(viewer, job_id, Wanted.OPEN, from_states=idle, action="job_resumed")

    def _want(self, viewer: Viewer, job_id: str, wanted: Wanted, *, from_states: Sequence[Wanted], action: str) -> bool:
        with self._writing() as session:
            _require_managed(session, viewer, job_id)
            changed = update(JobStateRow).where(
                col(JobStateRow.job_id) == job_id, col(JobStateRow.state).in_(from_states)
            )
            if wanted is Wanted.OPEN:
                changed = changed.where(_completed(job_id) < _total(job_id)).values(run=col(JobStateRow.run) + 1)
            changed = changed.values(state=wanted)
            has_changed = session.scalar(changed.returning(col(JobStateRow.job_id))) is not None
            if has_changed:
                add_audit(
                    session,
                    audit_id=self._new_id(),
                    at=self._clock(),
                    actor=viewer.person_id,
                    action=action,
                    subject=job_id,
                    detail=json.dumps({}),
                )
            return has_changed

    def progress(self, viewer: Viewer, job_id: str) -> JobProgress:
        """How far a job is, read by one statement.

        Raises:
            NotFound: there is no such job.
        """
        with self._reading() as session:
            row = session.execute(_jobs(col(JobRow.id) == job_id)).one_or_none()
        if row is None:
            raise NotFound("there is no such job")
        require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=row.JobRow.project_id))
        return _read(row)

    def recent(self, viewer: Viewer, project_id: str, *, limit: int) -> tuple[JobProgress, ...]:
        """The jobs of a project, asked last first, and how far each is, read by one statement."""
        require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=project_id))
        order = (col(JobRow.asked_at).desc(), col(JobRow.id).desc())
        with self._reading() as session:
            rows = session.execute(_jobs(col(JobRow.project_id) == project_id).order_by(*order).limit(limit)).all()
        return tuple(_read(row) for row in rows)


def _check_project(session: Session, project_id: str, submission_ids: Sequence[str]) -> None:
    there = set(session.scalars(select(col(SubmissionRow.id)).where(col(SubmissionRow.project_id) == project_id)))
    if not there.issuperset(submission_ids):
        raise NotFound("not all of these are submissions of this project")


def _require_managed(session: Session, viewer: Viewer, job_id: str) -> None:
    job = session.get(JobRow, job_id)
    if job is None:
        raise NotFound("there is no such job")
    require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=job.project_id))


Id = Mapped[str] | str
"""An id, or the column that holds it."""


def _total(job_id: Id) -> ScalarSelect[int]:
    return select(func.count()).select_from(JobItemRow).where(col(JobItemRow.job_id) == job_id).scalar_subquery()


def _tried(job_id: Id, condition: ColumnElement[bool]) -> ScalarSelect[int]:
    """How many submissions of a job have a step that meets the condition."""
    return (
        select(func.count(distinct(col(JobStepRow.submission_id))))
        .outerjoin(OutcomeRow, col(OutcomeRow.attempt_id) == col(JobStepRow.attempt_id))
        .where(col(JobStepRow.job_id) == job_id, condition)
        .scalar_subquery()
    )


def _completed(job_id: Id) -> ScalarSelect[int]:
    return _tried(job_id, col(OutcomeRow.kind) == OutcomeKind.COMPLETED)


def _jobs(condition: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    job_id = col(JobRow.id)
    has_ended = or_(col(JobStepRow.fault).is_not(None), col(OutcomeRow.attempt_id).is_not(None))
    current = (
        select(col(JobStepRow.submission_id))
        .join(
            JobItemRow,
            (col(JobItemRow.job_id) == col(JobStepRow.job_id))
            & (col(JobItemRow.submission_id) == col(JobStepRow.submission_id)),
        )
        .outerjoin(OutcomeRow, col(OutcomeRow.attempt_id) == col(JobStepRow.attempt_id))
        .where(col(JobStepRow.job_id) == job_id, ~has_ended)
        .order_by(col(JobItemRow.position))
        .limit(1)
        .correlate(JobRow)
        .scalar_subquery()
    )
    begun = _tried(job_id, col(JobStepRow.run) == col(JobStateRow.run)).correlate(JobRow, JobStateRow)
    return (
        select(
            JobRow,
            col(JobStateRow.state).label("wanted"),
            _total(job_id).correlate(JobRow).label("total"),
            _tried(job_id, has_ended).correlate(JobRow).label("done"),
            _completed(job_id).correlate(JobRow).label("completed"),
            begun.label("begun"),
            current.label("current"),
        )
        .join(JobStateRow, col(JobStateRow.job_id) == job_id)
        .where(condition)
    )


def _read(row: Row[*tuple[Any, ...]]) -> JobProgress:
    job: JobRow = row.JobRow
    return JobProgress(
        job_id=job.id,
        kind=JobKind(job.kind),
        project_id=job.project_id,
        asked_by=job.asked_by,
        asked_at=job.asked_at,
        state=_state(Wanted(row.wanted), is_begun=row.begun > 0, is_working=row.current is not None),
        total=row.total,
        done=row.done,
        failed=row.done - row.completed,
        current=row.current,
    )


def _state(wanted: Wanted, *, is_begun: bool, is_working: bool) -> JobState:
    match wanted:
        case Wanted.OPEN:
            return JobState.RUNNING if is_begun else JobState.WAITING
        case Wanted.CANCELLED:
            return JobState.CANCELLING if is_working else JobState.CANCELLED
        case _:
            return JobState(wanted)
