"""What workers ask about jobs: which run waits for the queue, what is left of it, and who may go on with what."""

from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import ColumnElement, exists, select, update
from sqlmodel import Session, col

from db.tables import AttemptRow, JobItemRow, JobStateRow, JobStepRow, LeaseRow, OutcomeRow
from engine.base_store import Store, lease_until
from engine.domain.job import JobItem
from engine.domain.running import Lease, Subject
from engine.domain.states import OutcomeKind


class Wanted(StrEnum):
    """What is wanted of a job, as it is stored."""

    OPEN = "open"
    CANCELLED = "cancelled"
    STOPPED = "stopped"
    ENDED = "ended"


class ClaimState(StrEnum):
    """What a worker may do with a submission of a job."""

    FREE = "free"
    """Begin an attempt."""
    OURS = "ours"
    """Go on with an attempt whose worker is gone; its lease was taken."""
    HELD = "held"
    """Wait: somebody who is alive is at it."""
    ENDED = "ended"
    """Nothing: it has had its turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The answer to a worker that wants to work on a submission."""

    state: ClaimState
    attempt_id: str | None = None
    """Of `OURS` and `HELD`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a job."""

    job_id: str
    number: int


class RunStore(Store):
    """Asked by workers, never on a person's behalf: it knows ids only. A job's row is also its place in the outbox."""

    def unqueued(self) -> tuple[Run, ...]:
        """The runs that are wanted and not in the queue yet, by job id."""
        return self._runs(col(JobStateRow.queued_run) < col(JobStateRow.run))

    def queued(self) -> tuple[Run, ...]:
        """The runs that are wanted and in the queue, by job id."""
        return self._runs(col(JobStateRow.queued_run) == col(JobStateRow.run))

    def _runs(self, condition: ColumnElement[bool]) -> tuple[Run, ...]:
        statement = (
            select(col(JobStateRow.job_id), col(JobStateRow.run))
            .where(col(JobStateRow.state) == Wanted.OPEN, condition)
            .order_by(col(JobStateRow.job_id))
        )
        with self._reading() as session:
            return tuple(Run(job_id=job_id, number=run) for job_id, run in session.execute(statement))

    def mark_queued(self, run: Run) -> None:
        """Say that the queue has this run, unless another is wanted by now."""
        with self._writing() as session:
            session.execute(update(JobStateRow).where(*_is_wanted(run)).values(queued_run=run.number))

    def is_wanted(self, run: Run) -> bool:
        """Whether work on this run may go on: its job was neither cancelled, nor resumed as another run."""
        with self._reading() as session:
            return bool(session.scalar(select(exists().where(*_is_wanted(run)))))

    def left(self, run: Run, lane: int = 0, lanes: int = 1) -> tuple[str, ...]:
        """Ids of what this run has still to do, in the order that was asked for; of every `lanes`-th, from `lane` on.

        Left is what no run has completed and this one has not brought to an end.
        """
        with self._reading() as session:
            return _left(session, run, col(JobItemRow.position) % lanes == lane)

    def claim(self, item: JobItem, lease: Lease) -> Claim:
        """What may be done with this submission now. Of two that ask at once one is told to wait."""
        with self._writing() as session:
            steps = session.scalars(
                select(JobStepRow)
                .where(col(JobStepRow.job_id) == item.job_id, col(JobStepRow.submission_id) == item.submission_id)
                .order_by(col(JobStepRow.run).desc())
            ).all()
            ends = set()
            for step in steps:
                if step.attempt_id is None:
                    continue
                # The end of an attempt locks this row too, so that it is seen here or waits.
                attempt = session.get_one(AttemptRow, step.attempt_id, with_for_update=True)
                outcome = session.get(OutcomeRow, step.attempt_id)
                if outcome is None:
                    return self._take(session, attempt, lease)
                ends.add(outcome.kind)
            had_its_turn = any(step.run == item.run for step in steps)
            is_over = had_its_turn or OutcomeKind.COMPLETED in ends
            return Claim(state=ClaimState.ENDED if is_over else ClaimState.FREE)

    def _take(self, session: Session, attempt: AttemptRow, lease: Lease) -> Claim:
        now = self._clock()
        held = session.get(LeaseRow, attempt.id)
        is_held = held is not None and held.until >= now
        if not is_held:
            until = lease_until(now, lease)
            session.merge(
                LeaseRow(subject_id=attempt.id, subject_kind=Subject.ATTEMPT, holder=lease.holder, until=until)
            )
        state = ClaimState.HELD if is_held else ClaimState.OURS
        return Claim(state=state, attempt_id=attempt.id)

    def give_up(self, item: JobItem, fault: str) -> None:
        """Say that this run could not even begin an attempt; nothing where it has begun one."""
        job_id, run, submission_id = item.job_id, item.run, item.submission_id
        with self._writing() as session:
            if session.get(JobStepRow, (job_id, run, submission_id)) is None:
                session.add(
                    JobStepRow(job_id=job_id, run=run, submission_id=submission_id, fault=fault, at=self._clock())
                )

    def settle(self, run: Run) -> bool:
        """End the job if this run has nothing left to do; tells whether it did."""
        with self._writing() as session:
            if _left(session, run):
                return False
            ended = update(JobStateRow).where(*_is_wanted(run)).values(state=Wanted.ENDED)
            return session.scalar(ended.returning(col(JobStateRow.job_id))) is not None

    def stop(self, run: Run) -> None:
        """Say that nobody works on this run any more although it has something left to do."""
        with self._writing() as session:
            session.execute(update(JobStateRow).where(*_is_wanted(run)).values(state=Wanted.STOPPED))

    def will_go_on(self, attempt_id: str) -> bool:
        """Whether this attempt is a step of a job that is open, so that a worker will go on with it."""
        belongs = exists().where(
            col(JobStepRow.attempt_id) == attempt_id,
            col(JobStateRow.job_id) == col(JobStepRow.job_id),
            col(JobStateRow.state) == Wanted.OPEN,
        )
        with self._reading() as session:
            return bool(session.scalar(select(belongs)))


def _is_wanted(run: Run) -> tuple[ColumnElement[bool], ...]:
    return (
        col(JobStateRow.job_id) == run.job_id,
        col(JobStateRow.run) == run.number,
        col(JobStateRow.state) == Wanted.OPEN,
    )


def _left(session: Session, run: Run, *narrowed: ColumnElement[bool]) -> tuple[str, ...]:
    step, outcome = JobStepRow, OutcomeRow
    same = (col(step.job_id) == col(JobItemRow.job_id), col(step.submission_id) == col(JobItemRow.submission_id))
    has_ended = col(step.fault).is_not(None) | col(outcome.attempt_id).is_not(None)
    is_good = col(outcome.kind) == OutcomeKind.COMPLETED
    is_over = (
        select(col(step.job_id))
        .outerjoin(outcome, col(outcome.attempt_id) == col(step.attempt_id))
        .where(*same, is_good | (has_ended & (col(step.run) == run.number)))
        .exists()
    )
    statement = (
        select(col(JobItemRow.submission_id))
        .where(col(JobItemRow.job_id) == run.job_id, *narrowed, ~is_over)
        .order_by(col(JobItemRow.position))
    )
    return tuple(session.scalars(statement))
