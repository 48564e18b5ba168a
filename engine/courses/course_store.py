"""Courses as people see them, and the rubric in force."""

import json
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from sqlalchemy import select
from sqlmodel import Session, col

from db.rows import next_number, storable
from db.tables import (
    CourseRow,
    CriterionRow,
    EnrolmentRow,
    LearnerRow,
    MemberRow,
    ProjectRow,
    TaskRow,
    TeacherRow,
    TeachingRow,
)
from engine.access import Action, may, require
from engine.base_store import Store, remembered
from engine.courses.rubric import rubric_version
from engine.domain.course import CheckSpec, Course, Criterion, Learner, Project, Scalar, Task, TaskInForce
from engine.domain.people import Owned, Viewer, ViewerKind
from engine.domain.states import CriterionKind, Language, LearnerKind, Source
from engine.errors import NotFound

Found = TypeVar("Found")
Group = TypeVar("Group", bound=Hashable)


class CourseStore(Store):
    """Courses, their tasks, and who takes and teaches them."""

    def keep_course(self, viewer: Viewer, course: Course) -> Course:
        """Store a course read from a file, new or again; give it back with row ids.

        A course is known by its author's id. Who may manage all of its projects may keep it; a new one is made by
        whoever may manage everything. A changed rubric gets a version of its own beside the old one;
        a task that the file no longer names stays, with its history.
        """
        with self._writing() as session:
            _may_keep(session, viewer, course.course_id)
            row = self._course_row(session, course)
            projects = tuple(self._keep_project(session, row.id, n, p) for n, p in enumerate(course.projects))
        return Course(course_id=row.id, title=course.title, language=course.language, projects=projects)

    @remembered
    def courses(self, viewer: Viewer) -> tuple[Course, ...]:
        """The courses the viewer takes or teaches, in the order they came in."""
        with self._reading() as session:
            rows = session.scalars(select(CourseRow).order_by(col(CourseRow.position))).all()
            courses = read_courses(session, rows)
            taken = _taken(session, viewer)
        return tuple(course for course in courses if _sees(viewer, course, taken))

    def course_by_slug(self, viewer: Viewer, slug: str) -> Course | None:
        """The course that its author calls `slug`, if the viewer may manage courses and there is one."""
        require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=None))
        with self._reading() as session:
            row = session.scalars(select(CourseRow).where(col(CourseRow.slug) == slug)).first()
            return read_courses(session, [row])[0] if row else None

    @remembered
    def task(self, viewer: Viewer, project_id: str, task_id: str) -> TaskInForce:
        """A task with the criteria in force.

        Raises:
            NotFound: there is no such task.
        """
        require(viewer, Action.READ, Owned(learner_id=None, project_id=project_id))
        with self._reading() as session:
            found = session.execute(
                select(TaskRow, col(ProjectRow.title), CourseRow)
                .join(ProjectRow, col(ProjectRow.id) == col(TaskRow.project_id))
                .join(CourseRow, col(CourseRow.id) == col(ProjectRow.course_id))
                .where(col(TaskRow.project_id) == project_id, col(TaskRow.task_id) == task_id)
            ).first()
            if found is None:
                raise NotFound(f"there is no task {task_id!r} in this project")
            row, project_title, course = found
            return TaskInForce(
                course_title=course.title,
                project_title=project_title,
                language=Language(course.language),
                task=_read_task(row, _criterion_rows(session, project_id, task_id, row.rubric_version)),
                rubric_version=row.rubric_version,
            )

    @remembered
    def rubric(self, viewer: Viewer, project_id: str, task_id: str, version: str) -> tuple[Criterion, ...]:
        """The criteria of any rubric version, in the author's order; empty when it is not known."""
        require(viewer, Action.READ, Owned(learner_id=None, project_id=project_id))
        with self._reading() as session:
            return _criteria(session, project_id, task_id, version)

    def keep_rubric(
        self, viewer: Viewer, project_id: str, task_id: str, version: str, criteria: tuple[Criterion, ...]
    ) -> None:
        """Store criteria under a version label of the caller's, such as that of imported history.

        What is in force does not change, and a version that is known already stays as it is.
        """
        require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=project_id))
        with self._writing() as session:
            _keep_criteria(session, project_id, task_id, version, criteria)

    def add_learner(
        self,
        viewer: Viewer,
        name: str,
        *,
        course_id: str | None = None,
        kind: LearnerKind = LearnerKind.STUDENT,
        members: Sequence[str] = (),
        number: str | None = None,
    ) -> Learner:
        """A new student with this student number, or a team of `members` (ids of students).

        Enrolled in the course if one is named.
        """
        require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=None))
        learner = Learner(learner_id=self._new_id(), name=storable(name))
        with self._writing() as session:
            session.add(LearnerRow(id=learner.learner_id, kind=kind, name=learner.name, number=number))
            session.flush()
            session.add_all(MemberRow(team_id=learner.learner_id, student_id=student) for student in members)
            if course_id is not None:
                position = next_number(session, f"enrolment:{course_id}")
                session.add(EnrolmentRow(course_id=course_id, learner_id=learner.learner_id, position=position))
        return learner

    def add_teacher(self, viewer: Viewer, name: str, *, course_ids: Sequence[str]) -> str:
        """A new teacher of these courses; gives the teacher's id."""
        require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=None))
        teacher_id = self._new_id()
        with self._writing() as session:
            session.add(TeacherRow(id=teacher_id, name=name))
            session.flush()
            session.add_all(TeachingRow(teacher_id=teacher_id, course_id=course) for course in course_ids)
        return teacher_id

    @remembered
    def learners(self, viewer: Viewer, course_id: str) -> tuple[Learner, ...]:
        """Who takes a course, in the order of the class list: all for its teacher, a student's own for a student."""
        with self._reading() as session:
            projects = session.scalars(select(col(ProjectRow.id)).where(col(ProjectRow.course_id) == course_id)).all()
            rows = session.scalars(
                select(LearnerRow)
                .join(EnrolmentRow, col(EnrolmentRow.learner_id) == col(LearnerRow.id))
                .where(col(EnrolmentRow.course_id) == course_id)
                .order_by(col(EnrolmentRow.position))
            ).all()
        return tuple(
            Learner(learner_id=row.id, name=row.name)
            for row in rows
            if any(may(viewer, Action.READ, Owned(learner_id=row.id, project_id=project)) for project in projects)
        )

    def _course_row(self, session: Session, course: Course) -> CourseRow:
        named = select(CourseRow).where(col(CourseRow.slug) == course.course_id)
        row = session.scalars(named.with_for_update()).first()
        if row is None:
            position = len(session.scalars(select(col(CourseRow.id))).all())
            row = CourseRow(
                id=self._new_id(), slug=course.course_id, title="", language=course.language, position=position
            )
        row.title, row.language = course.title, course.language
        session.add(row)
        session.flush()
        return row

    def _keep_project(self, session: Session, course_id: str, position: int, project: Project) -> Project:
        named = (col(ProjectRow.course_id) == course_id, col(ProjectRow.slug) == project.project_id)
        # Whoever edits a task of the project at this time waits, and then sees that it has changed.
        row = session.scalars(select(ProjectRow).where(*named).with_for_update()).first()
        if row is None:
            row = ProjectRow(
                id=self._new_id(), course_id=course_id, slug=project.project_id, title="", position=position
            )
        row.title, row.position = project.title, position
        session.add(row)
        session.flush()
        for number, task in enumerate(project.tasks):
            put_task(session, row.id, number, task)
        return Project(project_id=row.id, title=project.title, tasks=project.tasks)


def _may_keep(session: Session, viewer: Viewer, slug: str) -> None:
    projects: Sequence[str | None] = session.scalars(
        select(col(ProjectRow.id))
        .join(CourseRow, col(CourseRow.id) == col(ProjectRow.course_id))
        .where(col(CourseRow.slug) == slug)
    ).all()
    for project_id in projects or (None,):
        require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=project_id))


def put_task(session: Session, project_id: str, position: int, task: Task) -> None:
    """Store a task over what it was; a rubric that changed gets a version of its own."""
    version = rubric_version(task)
    session.merge(
        TaskRow(
            project_id=project_id,
            task_id=task.task_id,
            title=task.title,
            goal=task.goal,
            steps=json.dumps(task.steps, ensure_ascii=False),
            material=task.material,
            next_steps=json.dumps(
                {line.rubric_id: line.next_step for line in task.criteria if line.next_step}, ensure_ascii=False
            ),
            position=position,
            rubric_version=version,
            due_at=task.due_at,
            criteria_order=json.dumps([line.rubric_id for line in task.criteria], ensure_ascii=False),
        )
    )
    _keep_criteria(session, project_id, task.task_id, version, task.criteria)


def _keep_criteria(
    session: Session, project_id: str, task_id: str, version: str, criteria: tuple[Criterion, ...]
) -> None:
    if not _criteria(session, project_id, task_id, version):
        session.add_all(
            _criterion_row(project_id, task_id, version, number, criterion) for number, criterion in enumerate(criteria)
        )
    session.flush()


def _criterion_row(project_id: str, task_id: str, version: str, position: int, criterion: Criterion) -> CriterionRow:
    check = criterion.check
    return CriterionRow(
        project_id=project_id,
        task_id=task_id,
        rubric_version=version,
        position=position,
        rubric_id=criterion.rubric_id,
        kind=criterion.kind,
        text=criterion.text,
        decided_by=criterion.decided_by,
        check_name=check.name if check else None,
        check_params=json.dumps(dict(check.params), ensure_ascii=False) if check else None,
    )


def _criteria(session: Session, project_id: str, task_id: str, version: str) -> tuple[Criterion, ...]:
    return tuple(_read_criterion(row, "") for row in _criterion_rows(session, project_id, task_id, version))


def _criterion_rows(session: Session, project_id: str, task_id: str, version: str) -> Sequence[CriterionRow]:
    """In the author's order."""
    return session.scalars(
        select(CriterionRow)
        .where(
            col(CriterionRow.project_id) == project_id,
            col(CriterionRow.task_id) == task_id,
            col(CriterionRow.rubric_version) == version,
        )
        .order_by(col(CriterionRow.position))
    ).all()


def _read_criterion(row: CriterionRow, next_step: str) -> Criterion:
    check = None
    if row.check_name is not None:
        check = CheckSpec(name=row.check_name, params=_read_params(row.check_params))
    return Criterion(
        rubric_id=row.rubric_id,
        kind=CriterionKind(row.kind),
        text=row.text,
        decided_by=Source(row.decided_by),
        check=check,
        next_step=next_step,
    )


def _read_params(stored: str | None) -> dict[str, Scalar]:
    params = json.loads(stored or "{}")
    return {name: tuple(value) if isinstance(value, list) else value for name, value in params.items()}


def _read_task(row: TaskRow, criteria: Sequence[CriterionRow]) -> Task:
    next_steps = json.loads(row.next_steps)
    places = {rubric_id: place for place, rubric_id in enumerate(json.loads(row.criteria_order or "[]"))}
    in_order = sorted(criteria, key=lambda line: places.get(line.rubric_id, line.position))
    return Task(
        task_id=row.task_id,
        title=row.title,
        goal=row.goal,
        steps=tuple(json.loads(row.steps)),
        material=row.material,
        criteria=tuple(_read_criterion(line, next_steps.get(line.rubric_id, "")) for line in in_order),
        due_at=row.due_at,
    )


def read_courses(session: Session, rows: Sequence[CourseRow]) -> tuple[Course, ...]:
    """Whole courses, in three statements however many tasks they have: every page asks for them in every run."""
    theirs = col(ProjectRow.course_id).in_([row.id for row in rows])
    projects = _grouped(
        session.scalars(select(ProjectRow).where(theirs).order_by(col(ProjectRow.position), col(ProjectRow.slug))),
        lambda row: row.course_id,
    )
    in_project = col(ProjectRow.id) == col(TaskRow.project_id)
    tasks = _grouped(
        session.scalars(
            select(TaskRow)
            .join(ProjectRow, in_project)
            .where(theirs)
            .order_by(col(TaskRow.position), col(TaskRow.task_id))
        ),
        lambda row: row.project_id,
    )
    in_force = (
        (col(CriterionRow.project_id) == col(TaskRow.project_id))
        & (col(CriterionRow.task_id) == col(TaskRow.task_id))
        & (col(CriterionRow.rubric_version) == col(TaskRow.rubric_version))
    )
    criteria = _grouped(
        session.scalars(
            select(CriterionRow)
            .join(TaskRow, in_force)
            .join(ProjectRow, in_project)
            .where(theirs)
            .order_by(col(CriterionRow.position))
        ),
        lambda row: (row.project_id, row.task_id),
    )

    def read_project(row: ProjectRow) -> Project:
        read = (_read_task(task, criteria.get((row.id, task.task_id), ())) for task in tasks.get(row.id, ()))
        return Project(project_id=row.id, title=row.title, tasks=tuple(read))

    return tuple(
        Course(
            course_id=row.id,
            title=row.title,
            language=Language(row.language),
            projects=tuple(read_project(project) for project in projects.get(row.id, ())),
        )
        for row in rows
    )


def _grouped(rows: Iterable[Found], key_of: Callable[[Found], Group]) -> dict[Group, list[Found]]:
    """Rows by what they belong to, each group in the order of the rows."""
    groups: dict[Group, list[Found]] = {}
    for row in rows:
        groups.setdefault(key_of(row), []).append(row)
    return groups


def _taken(session: Session, viewer: Viewer) -> frozenset[str]:
    """Ids of the courses that a student's learners are enrolled in."""
    if viewer.kind is not ViewerKind.STUDENT:
        return frozenset()
    rows = session.scalars(
        select(col(EnrolmentRow.course_id)).where(col(EnrolmentRow.learner_id).in_(viewer.learner_ids))
    )
    return frozenset(rows)


def _sees(viewer: Viewer, course: Course, taken: frozenset[str]) -> bool:
    if viewer.kind is ViewerKind.STUDENT:
        return course.course_id in taken
    return any(
        may(viewer, Action.READ, Owned(learner_id=None, project_id=project.project_id)) for project in course.projects
    )
