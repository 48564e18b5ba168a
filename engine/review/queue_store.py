"""What only a person can decide, or must have a look at: read in one statement, judged by the selector."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, exists, func, or_, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from db.tables import (
    AttemptRow,
    DisputeRow,
    LearnerRow,
    OutcomeRow,
    ProjectRow,
    SubmissionRow,
    TaskRow,
    TextRow,
    VersionRow,
)
from engine.access import Action, require
from engine.base_store import Store, remembered
from engine.domain.desk import Dispute
from engine.domain.feedback import Feedback, FeedbackRecord, RubricLine
from engine.domain.keys import FeedbackKey, ReviewLogic
from engine.domain.people import Owned, Viewer
from engine.domain.review import CriterionResult, Outcome
from engine.domain.states import AttemptOrigin, CriterionKind, CriterionStatus, FeedbackState
from engine.errors import NotFound
from engine.feedback.feedback_store import decode_record
from engine.feedback.selector import select_feedback
from engine.feedback.validity import ReviewRecord, read_record, read_result
from engine.review.attempt_store import read_attempt, read_key, read_outcome, read_rubric
from engine.review.desk_store import read_dispute
from engine.work.work_store import read_submission

OFFERED = 3
"""So many reasons that were used before are offered."""
JUDGED = (FeedbackState.CURRENT, FeedbackState.PASSED)


class Waiting(StrEnum):
    """Why something waits for a person."""

    JUDGEMENT = "judgement"
    """An acceptance criterion that no machine could decide."""
    DISPUTE = "dispute"
    """A student sees a verdict differently."""
    FAULTY = "faulty"
    """The record breaks the contract; a new review may mend it."""
    UNAVAILABLE = "unavailable"
    """The review could not run; it is to be run again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueItem:
    """One thing that waits, or one criterion as it stands."""

    waiting: Waiting | None
    """None for a criterion that waits for nobody (any more)."""
    key: FeedbackKey
    submission_id: str
    submission_seq: int
    attempt_seq: int
    """Of the attempt in force."""
    newest_seq: int
    """The newest attempt by whatever rules: what a decision must have seen."""
    learner_name: str
    task_title: str
    project_title: str
    since: datetime
    """Since when it waits."""
    criterion: RubricLine | None
    """None where the record as a whole waits."""
    result: CriterionResult | None
    dispute: Dispute | None
    """The newest report that nobody has answered."""

    @property
    def rubric_id(self) -> str:
        """Of the criterion; empty for the record as a whole."""
        return self.criterion.rubric_id if self.criterion else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """The newest submission of a key with its newest compatible attempt."""

    row: Row[*tuple[Any, ...]]
    feedback: Feedback
    outcome: Outcome
    rubric: tuple[RubricLine, ...]
    disputes: tuple[Dispute, ...]


class QueueStore(Store):
    """Reads only: what is done about an item are reviews and decisions."""

    @remembered
    def waiting(self, viewer: Viewer, logic: ReviewLogic, project_ids: tuple[str, ...]) -> tuple[QueueItem, ...]:
        """What waits for a person in these projects, the longest first.

        Only of the newest submission of each key, and of that only the newest attempt by the rules in force, as the
        selector sees it. What a person has left open does not wait any more.

        Raises:
            AccessDenied: one of the projects is not the viewer's to decide in.
        """
        for project_id in project_ids:
            require(viewer, Action.DECIDE, Owned(learner_id=None, project_id=project_id))
        wanted = (
            col(SubmissionRow.project_id).in_(project_ids),
            or_(
                col(OutcomeRow.verdict).is_(None),
                col(OutcomeRow.verdict) != CriterionStatus.PASS,
                col(DisputeRow.id).is_not(None),
            ),
        )
        with self._reading() as session:
            items = [item for case in _cases(session, logic, *wanted) for item in _waiting(case)]
        return tuple(sorted(items, key=lambda item: (item.since, item.submission_id, item.rubric_id)))

    @remembered
    def one(self, viewer: Viewer, logic: ReviewLogic, submission_id: str, rubric_id: str) -> QueueItem:
        """One criterion, or with an empty id the record as a whole, as it stands now, whether it waits or not.

        Raises:
            NotFound: it has no review in force, or no such criterion.
        """
        with self._reading() as session:
            for case in _cases(session, logic, col(SubmissionRow.id) == submission_id):
                owned = Owned(
                    learner_id=case.row.SubmissionRow.learner_id, project_id=case.row.SubmissionRow.project_id
                )
                require(viewer, Action.DECIDE, owned)
                items = _waiting(case)
                standing = [item for item in (*items, *_standing(case)) if item.rubric_id == rubric_id]
                if standing:
                    return standing[0]
        raise NotFound("nothing of that is in force")

    @remembered
    def reasons(self, viewer: Viewer, project_id: str, task_id: str, rubric_id: str) -> tuple[str, ...]:
        """The reasons that persons gave for this criterion most often, at most `OFFERED`, of equal ones by alphabet.

        Raises:
            AccessDenied: the project is not the viewer's to decide in.
        """
        require(viewer, Action.DECIDE, Owned(learner_id=None, project_id=project_id))
        decided = (
            select(col(AttemptRow.submission_id), col(TextRow.body))
            .join(SubmissionRow, col(SubmissionRow.id) == col(AttemptRow.submission_id))
            .join(OutcomeRow, col(OutcomeRow.attempt_id) == col(AttemptRow.id))
            .join(TextRow, col(TextRow.id) == col(OutcomeRow.record_text_id))
            .where(
                col(SubmissionRow.project_id) == project_id,
                col(SubmissionRow.task_id) == task_id,
                col(AttemptRow.origin) == AttemptOrigin.DECIDED,
            )
        )
        with self._reading() as session:
            rows = session.execute(decided).all()
        given = {(submission_id, *said) for submission_id, body in rows if (said := _said(body, rubric_id)) is not None}
        counted = Counter(reason for _submission_id, _at, reason in given)
        return tuple(sorted(counted, key=lambda reason: (-counted[reason], reason))[:OFFERED])


def _said(body: str, rubric_id: str) -> tuple[datetime, str] | None:
    """When a person decided this criterion in a record, and why; None where nobody did."""
    record = decode_record(body)
    listed = record.get("criteria") if isinstance(record, dict) else None
    for entry in listed if isinstance(listed, list) else []:
        if isinstance(entry, dict) and entry.get("id") == rubric_id and entry.get("decision") is not None:
            result = read_result(entry)
            return (result.decision.at, result.reason) if result.decision else None
    return None


def _newest_attempts(logic: ReviewLogic, *wanted: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """Each newest submission of known order with its newest attempt by the rules in force for its task."""
    later, fitting, tried = aliased(SubmissionRow), aliased(AttemptRow), aliased(AttemptRow)
    disputed = aliased(TextRow)
    is_older = exists().where(
        col(later.learner_id) == col(SubmissionRow.learner_id),
        col(later.project_id) == col(SubmissionRow.project_id),
        col(later.task_id) == col(SubmissionRow.task_id),
        col(later.submission_seq) > col(SubmissionRow.submission_seq),
    )
    compatible = (
        select(col(fitting.id))
        .where(
            col(fitting.submission_id) == col(SubmissionRow.id),
            col(fitting.rubric_version) == col(TaskRow.rubric_version),
            col(fitting.prompt_version) == logic.prompt,
            col(fitting.engine_version) == logic.engine,
        )
        .order_by(col(fitting.attempt_seq).desc())
        .limit(1)
        .scalar_subquery()
    )
    newest_seq = select(func.max(tried.attempt_seq)).where(col(tried.submission_id) == col(SubmissionRow.id))
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
            newest_seq.scalar_subquery().label("newest_seq"),
            DisputeRow,
            col(disputed.body).label("disputed"),
        )
        .join(VersionRow, col(VersionRow.id) == col(SubmissionRow.version_id))
        .join(LearnerRow, col(LearnerRow.id) == col(SubmissionRow.learner_id))
        .join(ProjectRow, col(ProjectRow.id) == col(SubmissionRow.project_id))
        .join(
            TaskRow,
            (col(TaskRow.project_id) == col(SubmissionRow.project_id))
            & (col(TaskRow.task_id) == col(SubmissionRow.task_id)),
        )
        .join(AttemptRow, col(AttemptRow.id) == compatible)
        .join(OutcomeRow, col(OutcomeRow.attempt_id) == col(AttemptRow.id))
        .outerjoin(TextRow, col(TextRow.id) == col(OutcomeRow.record_text_id))
        .outerjoin(DisputeRow, col(DisputeRow.submission_id) == col(SubmissionRow.id))
        .outerjoin(disputed, col(disputed.id) == col(DisputeRow.text_id))
        .where(col(SubmissionRow.submission_seq).is_not(None), ~is_older, *wanted)
        .order_by(col(SubmissionRow.id), col(DisputeRow.made_at), col(DisputeRow.id))
    )


def _cases(session: Session, logic: ReviewLogic, *wanted: ColumnElement[bool]) -> Iterator[_Case]:
    rows = session.execute(_newest_attempts(logic, *wanted)).all()
    rubrics: dict[tuple[str, str, str], tuple[RubricLine, ...]] = {}
    for _submission_id, grouped in groupby(rows, key=lambda row: row.SubmissionRow.id):
        same = list(grouped)
        submission, attempt = same[0].SubmissionRow, same[0].AttemptRow
        key = read_key(submission)
        rubric_key = key.project_id, key.task_id, attempt.rubric_version
        if rubric_key not in rubrics:
            rubrics[rubric_key] = read_rubric(session, key, attempt.rubric_version)
        yield _case(same, key, rubrics[rubric_key])


def _case(rows: Sequence[Row[*tuple[Any, ...]]], key: FeedbackKey, rubric: tuple[RubricLine, ...]) -> _Case:
    first = rows[0]
    outcome = read_outcome(first.OutcomeRow, first.record)
    attempt = read_attempt(first.AttemptRow)
    record = FeedbackRecord(
        key=key,
        versions=attempt.versions,
        submission=read_submission(first.SubmissionRow, first.version_number),
        attempts=first.newest_seq,
        attempt=attempt,
        outcome=outcome,
        rubric=rubric,
    )
    disputes = tuple(read_dispute(row.DisputeRow, row.disputed) for row in rows if row.DisputeRow is not None)
    return _Case(row=first, feedback=select_feedback(record), outcome=outcome, rubric=rubric, disputes=disputes)


def _results(case: _Case) -> dict[str, CriterionResult]:
    submission = case.feedback.submission
    if submission is None or case.feedback.state not in JUDGED:
        return {}
    read = read_record(case.outcome, case.rubric, submission)
    return {result.rubric_id: result for result in read.criteria} if isinstance(read, ReviewRecord) else {}


def _waiting(case: _Case) -> list[QueueItem]:
    match case.feedback.state:
        case FeedbackState.INVALID:
            return [_item(case, Waiting.FAULTY)]
        case FeedbackState.UNAVAILABLE:
            return [_item(case, Waiting.UNAVAILABLE)]
        case _:
            return [item for item in _standing(case) if item.waiting is not None]


def _standing(case: _Case) -> list[QueueItem]:
    """Every criterion of a judgement in force, in the rubric's order."""
    results = _results(case)
    return [
        _item(case, _why(case, line, results[line.rubric_id]), line, results[line.rubric_id])
        for line in case.rubric
        if line.rubric_id in results
    ]


def _why(case: _Case, line: RubricLine, result: CriterionResult) -> Waiting | None:
    if _open_dispute(case, result) is not None:
        return Waiting.DISPUTE
    is_open = line.kind is CriterionKind.ACCEPTANCE and result.status is CriterionStatus.NEED_REVIEW
    return Waiting.JUDGEMENT if is_open and result.decision is None else None


def _open_dispute(case: _Case, result: CriterionResult | None) -> Dispute | None:
    if result is None:
        return None
    about = [one for one in case.disputes if one.rubric_id == result.rubric_id]
    unanswered = [one for one in about if not one.is_answered(result.decision)]
    return unanswered[-1] if unanswered else None


def _item(
    case: _Case, waiting: Waiting | None, line: RubricLine | None = None, result: CriterionResult | None = None
) -> QueueItem:
    row, dispute = case.row, _open_dispute(case, result)
    return QueueItem(
        waiting=waiting,
        key=case.feedback.key,
        submission_id=row.SubmissionRow.id,
        submission_seq=row.SubmissionRow.submission_seq,
        attempt_seq=row.AttemptRow.attempt_seq,
        newest_seq=row.newest_seq,
        learner_name=row.learner_name,
        task_title=row.task_title,
        project_title=row.project_title,
        since=dispute.made_at if dispute else case.outcome.finished_at,
        criterion=line,
        result=result,
        dispute=dispute,
    )
