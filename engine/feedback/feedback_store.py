"""Reads what a selection looks at, in one SQL statement."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Row, Select, Subquery, and_, bindparam, func, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from db.tables import AttemptRow, CriterionRow, OutcomeRow, SubmissionRow, TextRow, VersionRow
from engine.access import Action, require
from engine.base_store import Store, remembered
from engine.domain.feedback import FeedbackRecord, RubricLine
from engine.domain.keys import FeedbackKey, Versions
from engine.domain.people import Owned, Viewer
from engine.domain.review import Attempt, Outcome
from engine.domain.states import AttemptOrigin, CriterionKind, OutcomeKind
from engine.domain.work import Submission


class FeedbackStore(Store):
    """The newest submission and its newest compatible attempt, as one moment saw them."""

    @remembered
    def read_newest(self, viewer: Viewer, key: FeedbackKey, versions: Versions) -> FeedbackRecord:
        """Everything about the newest submission of `key` of known order.

        Newest = largest `submission_seq`, then largest `attempt_seq` among the attempts by `versions`.
        One statement, so that no part is newer than another. A record without a submission has no rubric.

        Raises:
            AccessDenied: the key is not the viewer's to read.
        """
        require(viewer, Action.READ, Owned(learner_id=key.learner_id, project_id=key.project_id))
        with self._reading() as session:
            rows = session.execute(_newest(), _wanted(key, versions)).all()
        return _record(key, versions, rows)


def _wanted(key: FeedbackKey, versions: Versions) -> dict[str, str]:
    """The values that the statement leaves open."""
    return {
        "learner_id": key.learner_id,
        "project_id": key.project_id,
        "task_id": key.task_id,
        "rubric_version": versions.rubric,
        "prompt_version": versions.prompt,
        "engine_version": versions.engine,
    }


def _newest_submission() -> Subquery:
    return (
        select(SubmissionRow)
        .where(
            col(SubmissionRow.learner_id) == bindparam("learner_id"),
            col(SubmissionRow.project_id) == bindparam("project_id"),
            col(SubmissionRow.task_id) == bindparam("task_id"),
            col(SubmissionRow.submission_seq).is_not(None),
        )
        .order_by(col(SubmissionRow.submission_seq).desc())
        .limit(1)
        .subquery("newest")
    )


@cache
def _newest() -> Select[*tuple[Any, ...]]:
    """The one statement, put together once: that takes far longer than running it."""
    newest = _newest_submission()
    tried, fitting = aliased(AttemptRow), aliased(AttemptRow)
    count = select(func.count()).where(col(tried.submission_id) == newest.c.id).scalar_subquery()
    compatible = (
        select(col(fitting.id))
        .where(
            col(fitting.submission_id) == newest.c.id,
            col(fitting.rubric_version) == bindparam("rubric_version"),
            col(fitting.prompt_version) == bindparam("prompt_version"),
            col(fitting.engine_version) == bindparam("engine_version"),
        )
        .order_by(col(fitting.attempt_seq).desc())
        .limit(1)
        .scalar_subquery()
    )
    in_force = and_(
        col(CriterionRow.project_id) == newest.c.project_id,
        col(CriterionRow.task_id) == newest.c.task_id,
        col(CriterionRow.rubric_version) == bindparam("rubric_version"),
    )
    return (
        select(
            newest.c.id,
            newest.c.submission_seq,
            newest.c.version_id,
            newest.c.snapshot_hash,
            newest.c.handed_in_at,
            col(VersionRow.number),
            count.label("attempts"),
            col(AttemptRow.id).label("attempt_id"),
            col(AttemptRow.attempt_seq),
            col(AttemptRow.model),
            col(AttemptRow.started_at),
            col(AttemptRow.origin),
            col(AttemptRow.from_attempt_id),
            col(OutcomeRow.kind).label("outcome_kind"),
            col(OutcomeRow.snapshot_hash).label("outcome_snapshot"),
            col(OutcomeRow.fault),
            col(OutcomeRow.finished_at),
            col(TextRow.body).label("record"),
            col(CriterionRow.rubric_id),
            col(CriterionRow.kind).label("criterion_kind"),
            col(CriterionRow.text).label("criterion_text"),
        )
        .select_from(newest)
        .join(VersionRow, col(VersionRow.id) == newest.c.version_id)
        .outerjoin(AttemptRow, col(AttemptRow.id) == compatible)
        .outerjoin(OutcomeRow, col(OutcomeRow.attempt_id) == col(AttemptRow.id))
        .outerjoin(TextRow, col(TextRow.id) == col(OutcomeRow.record_text_id))
        .outerjoin(CriterionRow, in_force)
        .order_by(col(CriterionRow.position))
    )


def _record(key: FeedbackKey, versions: Versions, rows: Sequence[Row[*tuple[Any, ...]]]) -> FeedbackRecord:
    if not rows:
        return FeedbackRecord(key=key, versions=versions)
    first = rows[0]
    return FeedbackRecord(
        key=key,
        versions=versions,
        submission=Submission(
            submission_id=first.id,
            key=key,
            submission_seq=first.submission_seq,
            version_id=first.version_id,
            version_number=first.number,
            snapshot_hash=first.snapshot_hash,
            handed_in_at=first.handed_in_at,
        ),
        attempts=first.attempts,
        attempt=_attempt(versions, first),
        outcome=_outcome(first),
        rubric=tuple(
            RubricLine(rubric_id=row.rubric_id, kind=CriterionKind(row.criterion_kind), text=row.criterion_text)
            for row in rows
            if row.rubric_id is not None
        ),
    )


def _attempt(versions: Versions, row: Row[*tuple[Any, ...]]) -> Attempt | None:
    if row.attempt_id is None:
        return None
    return Attempt(
        attempt_id=row.attempt_id,
        submission_id=row.id,
        attempt_seq=row.attempt_seq,
        versions=versions,
        model=row.model,
        started_at=row.started_at,
        origin=AttemptOrigin(row.origin),
        from_attempt_id=row.from_attempt_id,
    )


def _outcome(row: Row[*tuple[Any, ...]]) -> Outcome | None:
    if row.outcome_kind is None:
        return None
    return Outcome(
        kind=OutcomeKind(row.outcome_kind),
        finished_at=row.finished_at,
        snapshot_hash=row.outcome_snapshot,
        record=decode_record(row.record),
        fault=row.fault,
    )


def decode_record(body: str | None) -> object:
    """The stored record as data; None when there is none, when it was erased, or when it cannot be read."""
    try:
        return json.loads(body) if body else None
    except (ValueError, RecursionError):
        return None
