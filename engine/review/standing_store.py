"""Where the newest hand-ins of projects stand: reviewed by the rules in force, or to be reviewed again."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, Select, exists, func, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from db.tables import AttemptRow, OutcomeRow, SubmissionRow, TaskRow
from engine.access import Action, require
from engine.base_store import Store, remembered
from engine.domain.keys import ReviewLogic
from engine.domain.people import Owned, Viewer
from engine.domain.states import OutcomeKind


class Standing(StrEnum):
    """Where a newest hand-in stands, by the rules in force."""

    UNREVIEWED = "unreviewed"
    """No review was ever begun."""
    OUTDATED = "outdated"
    """Reviewed, by other rules than today's."""
    RUNNING = "running"
    UNAVAILABLE = "unavailable"
    """The newest review ended without a judgement."""
    INVALID = "invalid"
    JUDGED_WITHOUT_MODEL = "judged_without_model"
    JUDGED = "judged"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInStanding:
    """The newest hand-in of one learner for one task."""

    submission_id: str
    project_id: str
    task_id: str
    learner_id: str
    standing: Standing


class StandingStore(Store):
    """Counts for a teacher; what a tutor is given is the selector's alone to say."""

    @remembered
    def standings(self, viewer: Viewer, project_ids: tuple[str, ...], logic: ReviewLogic) -> tuple[HandInStanding, ...]:
        """The newest hand-in of every learner for every task of these projects, the latest stored first.

        Newest = largest `submission_seq`; of its attempts by the rules in force the one with the largest number.
        """
        for project_id in project_ids:
            require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=project_id))
        with self._reading() as session:
            return _read(session.execute(_newest(project_ids, logic)).all())


def _newest(project_ids: Sequence[str], logic: ReviewLogic) -> Select[*tuple[Any, ...]]:
    later, fitting, tried = aliased(SubmissionRow), aliased(AttemptRow), aliased(AttemptRow)
    same_key = (
        (col(later.learner_id) == col(SubmissionRow.learner_id))
        & (col(later.project_id) == col(SubmissionRow.project_id))
        & (col(later.task_id) == col(SubmissionRow.task_id))
    )
    newest = select(func.max(col(later.submission_seq))).where(same_key).scalar_subquery()
    in_force = (
        select(func.max(col(fitting.attempt_seq)))
        .where(
            col(fitting.submission_id) == col(SubmissionRow.id),
            col(fitting.rubric_version) == col(TaskRow.rubric_version),
            col(fitting.prompt_version) == logic.prompt,
            col(fitting.engine_version) == logic.engine,
        )
        .scalar_subquery()
    )
    same_task = (col(TaskRow.project_id) == col(SubmissionRow.project_id)) & (
        col(TaskRow.task_id) == col(SubmissionRow.task_id)
    )
    this_attempt = (col(AttemptRow.submission_id) == col(SubmissionRow.id)) & (col(AttemptRow.attempt_seq) == in_force)
    return (
        select(
            col(SubmissionRow.id),
            col(SubmissionRow.project_id),
            col(SubmissionRow.task_id),
            col(SubmissionRow.learner_id),
            col(AttemptRow.id).label("attempt_id"),
            col(AttemptRow.model),
            col(OutcomeRow.kind),
            exists().where(col(tried.submission_id) == col(SubmissionRow.id)).label("was_tried"),
        )
        .join(TaskRow, same_task)
        .outerjoin(AttemptRow, this_attempt)
        .outerjoin(OutcomeRow, col(OutcomeRow.attempt_id) == col(AttemptRow.id))
        .where(col(SubmissionRow.project_id).in_(project_ids), col(SubmissionRow.submission_seq) == newest)
        .order_by(col(SubmissionRow.handed_in_at).desc(), col(SubmissionRow.id))
    )


def _read(rows: Sequence[Row[*tuple[Any, ...]]]) -> tuple[HandInStanding, ...]:
    return tuple(
        HandInStanding(
            submission_id=row.id,
            project_id=row.project_id,
            task_id=row.task_id,
            learner_id=row.learner_id,
            standing=_standing(row),
        )
        for row in rows
    )


def _standing(row: Row[*tuple[Any, ...]]) -> Standing:
    if row.attempt_id is None:
        return Standing.OUTDATED if row.was_tried else Standing.UNREVIEWED
    match row.kind:
        case None:
            return Standing.RUNNING
        case OutcomeKind.UNAVAILABLE:
            return Standing.UNAVAILABLE
        case OutcomeKind.INVALID:
            return Standing.INVALID
        case _:
            return Standing.JUDGED if row.model is not None else Standing.JUDGED_WITHOUT_MODEL
