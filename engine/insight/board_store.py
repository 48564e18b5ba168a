"""Reads a whole class in a handful of statements, each over all learners and tasks at one time."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, takewhile
from typing import Any, NamedTuple

from sqlalchemy import CTE, Row, Select, and_, case, func, or_, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from db.tables import (
    AttemptRow,
    ConversationRow,
    CriterionRow,
    EnrolmentRow,
    LearnerRow,
    OutcomeRow,
    ProjectRow,
    ReceiptRow,
    SubmissionRow,
    TaskRow,
    TextRow,
    TurnRow,
)
from engine.access import Action, require
from engine.base_store import Store, remembered
from engine.domain.course import Learner
from engine.domain.keys import ReviewLogic
from engine.domain.people import Owned, Viewer
from engine.domain.review import CriterionResult
from engine.domain.states import CriterionKind, CriterionStatus, FeedbackState, OutcomeKind
from engine.errors import NotFound
from engine.feedback.feedback_store import decode_record
from engine.feedback.validity import read_result
from engine.insight.facts import BoardFacts, BoardTask, CellFacts, CriterionLine, FailRun

Found = Row[*tuple[Any, ...]]


class _Rubric(NamedTuple):
    """Names one version of one task's rubric."""

    project_id: str
    task_id: str
    version: str


_Criteria = Mapping[_Rubric, Mapping[str, CriterionRow]]
"""By rubric id, in the author's order."""


class ClassBoardStore(Store):
    """What a teacher sees of a class. Students are never given any of it."""

    @remembered
    def read(self, viewer: Viewer, course_id: str, logic: ReviewLogic) -> BoardFacts:
        """Every learner of the course beside every task, by the rules in force of each task.

        The state of a cell is the one that `select_feedback` gives for the same key: the newest submission by its
        number, then its newest attempt by the versions in force; a judgement counts as sound if it was when it was
        stored and its text was not erased since. All statements see the same moment.

        Raises:
            NotFound: there is no such course.
            AccessDenied: the viewer does not teach it.
        """
        with self._reading() as session:
            tasks = _tasks(session, course_id)
            if not tasks:
                raise NotFound("there is no such course")
            for project_id in {task.project_id for task in tasks}:
                require(viewer, Action.DECIDE, Owned(learner_id=None, project_id=project_id))
            numbered = _numbered(course_id)
            newest = _newest(numbered, logic)
            found = session.execute(select(newest)).all()
            judged = session.execute(_judged(numbered, newest)).all()
            criteria = _criteria(session, course_id)
            asked = session.execute(_asked(course_id)).all()
            return BoardFacts(
                learners=_learners(session, course_id),
                tasks=tasks,
                cells=_cells(found, _fail_runs(judged, criteria), asked),
                last_seen=_last_seen(found, asked),
            )

    @remembered
    def results(self, viewer: Viewer, course_id: str, logic: ReviewLogic) -> tuple[CriterionLine, ...]:
        """Every criterion of every judgement that counts now, by class list, course order and the author's order.

        Raises:
            NotFound, AccessDenied: as `read`.
        """
        facts = self.read(viewer, course_id, logic)
        with self._reading() as session:
            newest = _newest(_numbered(course_id), logic)
            judged = select(newest, col(TextRow.body), col(AttemptRow.attempt_seq), col(AttemptRow.rubric_version))
            rows = session.execute(
                judged.join(AttemptRow, col(AttemptRow.id) == newest.c.attempt_id)
                .join(OutcomeRow, col(OutcomeRow.attempt_id) == newest.c.attempt_id)
                .join(TextRow, col(TextRow.id) == col(OutcomeRow.record_text_id))
                .where(newest.c.verdict.is_not(None))
            ).all()
            criteria = _criteria(session, course_id)
        by_place = {_place(row): row for row in rows}
        return tuple(
            line
            for learner in facts.learners
            for task in facts.tasks
            if (row := by_place.get((learner.learner_id, task.address))) is not None
            for line in _lines(row, task, criteria)
        )


def _tasks(session: Session, course_id: str) -> tuple[BoardTask, ...]:
    rows = session.execute(
        select(TaskRow, col(ProjectRow.title).label("project_title"))
        .join(ProjectRow, col(ProjectRow.id) == col(TaskRow.project_id))
        .where(col(ProjectRow.course_id) == course_id)
        .order_by(col(ProjectRow.position), col(ProjectRow.slug), col(TaskRow.position), col(TaskRow.task_id))
    ).all()
    return tuple(
        BoardTask(
            project_id=row.TaskRow.project_id,
            task_id=row.TaskRow.task_id,
            title=row.TaskRow.title,
            project_title=row.project_title,
        )
        for row in rows
    )


def _learners(session: Session, course_id: str) -> tuple[Learner, ...]:
    rows = session.scalars(
        select(LearnerRow)
        .join(EnrolmentRow, col(EnrolmentRow.learner_id) == col(LearnerRow.id))
        .where(col(EnrolmentRow.course_id) == course_id)
        .order_by(col(EnrolmentRow.position))
    )
    return tuple(Learner(learner_id=row.id, name=row.name) for row in rows)


def _numbered(course_id: str) -> CTE:
    """Every submission of known order in the course, the newest of its key marked 1, with how many the key has."""
    of_key = (col(SubmissionRow.learner_id), col(SubmissionRow.project_id), col(SubmissionRow.task_id))
    seq = col(SubmissionRow.submission_seq)
    return (
        select(
            col(SubmissionRow.id),
            *of_key,
            seq,
            col(SubmissionRow.handed_in_at),
            func.row_number().over(partition_by=of_key, order_by=seq.desc()).label("place"),
            func.count().over(partition_by=of_key).label("hand_ins"),
        )
        .join(ProjectRow, col(ProjectRow.id) == col(SubmissionRow.project_id))
        .where(col(ProjectRow.course_id) == course_id, seq.is_not(None))
        .cte("numbered")
    )


def _newest(numbered: CTE, logic: ReviewLogic) -> CTE:
    """The newest submission of every key with its newest attempt by the rules in force, and what came of that."""
    tried, fitting = aliased(AttemptRow), aliased(AttemptRow)
    attempts = select(func.count()).where(col(tried.submission_id) == numbered.c.id).scalar_subquery()
    compatible = (
        select(col(fitting.id))
        .where(
            col(fitting.submission_id) == numbered.c.id,
            col(fitting.rubric_version) == col(TaskRow.rubric_version),
            col(fitting.prompt_version) == logic.prompt,
            col(fitting.engine_version) == logic.engine,
        )
        .order_by(col(fitting.attempt_seq).desc())
        .limit(1)
        .correlate(numbered, TaskRow)
        .scalar_subquery()
    )
    is_whole = and_(col(OutcomeRow.kind) == OutcomeKind.COMPLETED, col(TextRow.erased_at).is_(None))
    return (
        select(
            numbered,
            attempts.label("attempts"),
            col(AttemptRow.id).label("attempt_id"),
            col(OutcomeRow.kind).label("outcome"),
            case((is_whole, col(OutcomeRow.verdict))).label("verdict"),
        )
        .select_from(numbered)
        .join(
            TaskRow,
            and_(
                col(TaskRow.project_id) == numbered.c.project_id,
                col(TaskRow.task_id) == numbered.c.task_id,
            ),
        )
        .outerjoin(AttemptRow, col(AttemptRow.id) == compatible)
        .outerjoin(OutcomeRow, col(OutcomeRow.attempt_id) == col(AttemptRow.id))
        .outerjoin(TextRow, col(TextRow.id) == col(OutcomeRow.record_text_id))
        .where(numbered.c.place == 1)
        .cte("newest")
    )


def _state(row: Found) -> FeedbackState:
    """The selector's questions, in its order."""
    if row.attempt_id is None:
        return FeedbackState.STALE_RULES if row.attempts else FeedbackState.PENDING
    if row.outcome is None:
        return FeedbackState.PENDING
    if row.outcome == OutcomeKind.UNAVAILABLE:
        return FeedbackState.UNAVAILABLE
    if row.verdict is None:
        return FeedbackState.INVALID
    return FeedbackState.PASSED if row.verdict == CriterionStatus.PASS else FeedbackState.CURRENT


def _cells(
    found: Sequence[Found], runs: Mapping[tuple[str, str], tuple[FailRun, ...]], asked: Sequence[Found]
) -> dict[tuple[str, str], CellFacts]:
    spoken = {(_place(row), row.submission_seq): int(row.turns) for row in asked}
    cells = {
        place: CellFacts(state=FeedbackState.NONE, turns=turns) for (place, seq), turns in spoken.items() if seq is None
    }
    for row in found:
        place = _place(row)
        cells[place] = CellFacts(
            state=_state(row),
            verdict=None if row.verdict is None else CriterionStatus(row.verdict),
            hand_ins=row.hand_ins,
            handed_in_at=row.handed_in_at,
            attempt_id=row.attempt_id,
            fails=runs.get(place, ()),
            turns=spoken.get((place, row.submission_seq), 0),
        )
    return cells


def _place(row: Found) -> tuple[str, str]:
    return row.learner_id, f"{row.project_id}/{row.task_id}"


def _judged(numbered: CTE, newest: CTE) -> Select[*tuple[Any, ...]]:
    """Of every key that has something to fix, each judged hand-in, the newest first.

    Of the newest hand-in the attempt that counts, of an older one its newest sound attempt, by whatever rules.
    """
    newest_first = col(AttemptRow.attempt_seq).desc()
    rank = func.row_number().over(partition_by=col(AttemptRow.submission_id), order_by=newest_first)
    sound = (
        select(
            numbered.c.learner_id,
            numbered.c.project_id,
            numbered.c.task_id,
            numbered.c.submission_seq,
            col(AttemptRow.rubric_version),
            col(TextRow.body),
            rank.label("rank"),
        )
        .join(newest, and_(*(numbered.c[name] == newest.c[name] for name in ("learner_id", "project_id", "task_id"))))
        .join(AttemptRow, col(AttemptRow.submission_id) == numbered.c.id)
        .join(OutcomeRow, col(OutcomeRow.attempt_id) == col(AttemptRow.id))
        .join(TextRow, col(TextRow.id) == col(OutcomeRow.record_text_id))
        .where(
            newest.c.verdict == CriterionStatus.FAIL,
            or_(numbered.c.place > 1, col(AttemptRow.id) == newest.c.attempt_id),
            col(OutcomeRow.verdict).is_not(None),
            col(TextRow.erased_at).is_(None),
        )
        .subquery()
    )
    return select(sound).where(sound.c.rank == 1).order_by(sound.c.submission_seq.desc())


def _criteria(session: Session, course_id: str) -> _Criteria:
    """The criteria of every rubric version that any task of the course ever had."""
    rows = session.scalars(
        select(CriterionRow)
        .join(ProjectRow, col(ProjectRow.id) == col(CriterionRow.project_id))
        .where(col(ProjectRow.course_id) == course_id)
        .order_by(col(CriterionRow.position))
    )
    criteria: dict[_Rubric, dict[str, CriterionRow]] = defaultdict(dict)
    for row in rows:
        criteria[_Rubric(row.project_id, row.task_id, row.rubric_version)][row.rubric_id] = row
    return criteria


def _fail_runs(judged: Sequence[Found], criteria: _Criteria) -> dict[tuple[str, str], tuple[FailRun, ...]]:
    failed: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    for row in judged:
        rubric = criteria.get(_Rubric(row.project_id, row.task_id, row.rubric_version), {})
        failed[_place(row)].append(dict(_not_met(row.body, rubric)))
    return {place: _runs(hand_ins) for place, hand_ins in failed.items()}


def _not_met(body: str, rubric: Mapping[str, CriterionRow]) -> Iterator[tuple[str, str]]:
    """Rubric id and text of each acceptance criterion that a record says is not met."""
    for result in _results(body):
        line = rubric.get(result.rubric_id)
        if result.status is CriterionStatus.FAIL and line is not None and line.kind == CriterionKind.ACCEPTANCE:
            yield result.rubric_id, line.text


def _runs(hand_ins: Sequence[Mapping[str, str]]) -> tuple[FailRun, ...]:
    """How far back each criterion that the newest hand-in fails goes; other words make it another criterion."""

    def length(rubric_id: str, text: str) -> int:
        return sum(1 for _ in takewhile(lambda failed: failed.get(rubric_id) == text, hand_ins))

    runs = [
        FailRun(rubric_id=rubric_id, criterion=text, hand_ins=length(rubric_id, text))
        for rubric_id, text in hand_ins[0].items()
    ]
    return tuple(sorted(runs, key=lambda run: (-run.hand_ins, run.rubric_id)))


def _results(body: str) -> Iterator[CriterionResult]:
    """The criteria of a record that was sound when it was stored; none of one that cannot be read any more."""
    record = decode_record(body)
    listed = record.get("criteria") if isinstance(record, dict) else None
    yield from (read_result(entry) for entry in listed or ())


def _lines(row: Found, task: BoardTask, criteria: _Criteria) -> Iterator[CriterionLine]:
    rubric = criteria[_Rubric(row.project_id, row.task_id, row.rubric_version)]
    results = {result.rubric_id: result for result in _results(row.body)}
    for rubric_id, line in rubric.items():
        if rubric_id in results:
            yield CriterionLine(
                learner_id=row.learner_id,
                task=task,
                submission_seq=row.submission_seq,
                attempt_seq=row.attempt_seq,
                kind=CriterionKind(line.kind),
                criterion=line.text,
                result=results[rubric_id],
            )


def _asked(course_id: str) -> Select[*tuple[Any, ...]]:
    """How many questions each request's hand-in got, a question and its retries being one, and the last of them."""
    sent = case((col(ReceiptRow.turn_id).is_not(None), col(TurnRow.root_id)))
    return (
        select(
            col(ConversationRow.learner_id),
            col(ConversationRow.project_id),
            col(ConversationRow.task_id),
            col(ReceiptRow.submission_seq),
            func.count(func.distinct(sent)).label("turns"),
            func.max(col(TurnRow.started_at)).label("last"),
        )
        .join(TurnRow, col(TurnRow.conversation_id) == col(ConversationRow.id))
        .outerjoin(ReceiptRow, col(ReceiptRow.turn_id) == col(TurnRow.id))
        .join(ProjectRow, col(ProjectRow.id) == col(ConversationRow.project_id))
        .where(col(ProjectRow.course_id) == course_id)
        .group_by(
            col(ConversationRow.learner_id),
            col(ConversationRow.project_id),
            col(ConversationRow.task_id),
            col(ReceiptRow.submission_seq),
        )
    )


def _last_seen(found: Sequence[Found], asked: Sequence[Found]) -> dict[str, datetime]:
    """For display only: the latest moment by the clock."""
    seen: dict[str, datetime] = {}
    moments = ((row.learner_id, row.handed_in_at) for row in found), ((row.learner_id, row.last) for row in asked)
    for learner_id, at in chain(*moments):
        seen[learner_id] = max(at, seen.get(learner_id, at))
    return seen
