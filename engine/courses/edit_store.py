"""Courses as their authors edit them: by the ids of the file, task by task, with drafts that outlive a closed tab."""

import hashlib
import json
from dataclasses import replace

from sqlalchemy import delete, exists, func, select
from sqlmodel import Session, col

from db.rows import drop_draft, put_draft
from db.tables import ConversationRow, CourseRow, DraftRow, ProjectRow, SubmissionRow, TaskRow, VersionRow
from engine.access import Action, require
from engine.base_store import Store, remembered
from engine.courses.course_store import put_task, read_courses
from engine.courses.rubric import rubric_version
from engine.domain.course import Course, Project, Task
from engine.domain.people import Owned, Viewer
from engine.errors import CourseChanged, NotFound, TaskInUse


def task_mark(task: Task) -> str:
    """The same for two tasks only if all that an author writes is the same, due date and order included."""
    texts = [task.title, task.goal, task.steps, task.material, task.due_at.isoformat() if task.due_at else None]
    lines = [[line.rubric_id, line.next_step] for line in task.criteria]
    written = json.dumps([texts, lines, rubric_version(task)], ensure_ascii=True)
    return hashlib.sha256(written.encode()).hexdigest()


class EditStore(Store):
    """For who may manage the course."""

    @remembered
    def written(self, viewer: Viewer, course_id: str) -> Course:
        """The course with its author's ids in place of row ids, as a file has them; projects in the same order.

        Raises:
            NotFound: there is no such course.
        """
        with self._reading() as session:
            row = session.get(CourseRow, course_id)
            if row is None:
                require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=None))
                raise NotFound("there is no such course")
            (course,) = read_courses(session, [row])
            for project in course.projects:
                _may_manage(viewer, project.project_id)
            return replace(course, course_id=row.slug, projects=_by_slug(session, course))

    @remembered
    def find(self, viewer: Viewer, slug: str) -> str | None:
        """The row id of the course that its author calls `slug`; None where there is none.

        Raises:
            AccessDenied: there is one, and it is not the viewer's to manage; or there is none, and the viewer may
                make none.
        """
        with self._reading() as session:
            row = session.scalars(select(CourseRow).where(col(CourseRow.slug) == slug)).first()
            course = read_courses(session, [row])[0] if row else None
        for project in course.projects if course else ():
            _may_manage(viewer, project.project_id)
        if course is None:
            require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=None))
        return course.course_id if course else None

    def save_task(self, viewer: Viewer, project_id: str, task: Task, *, seen: str | None) -> None:
        """Store a task as it was edited and forget the draft; a new one stands last in its project.

        `seen` is the `task_mark` of the task that the editing began with, None for a new one.

        Raises:
            NotFound: there is no such project.
            CourseChanged: the task is no longer what was seen; nothing is stored.
        """
        _may_manage(viewer, project_id)
        with self._writing() as session:
            tasks = _locked_tasks(session, project_id)
            stored = next((one for one in tasks if one.task_id == task.task_id), None)
            if (task_mark(stored) if stored else None) != seen:
                raise CourseChanged("this task was changed meanwhile")
            put_task(session, project_id, _position(session, project_id, task.task_id), task)
            drop_draft(session, owner_id=viewer.person_id, subject=_subject(project_id, task.task_id if stored else ""))

    def remove_task(self, viewer: Viewer, project_id: str, task_id: str) -> None:
        """Remove a task that nobody has begun. Its criteria stay on record.

        Raises:
            NotFound: there is no such project or task.
            TaskInUse: there is work for it or talk about it, or it is the only one of its project.
        """
        _may_manage(viewer, project_id)
        with self._writing() as session:
            tasks = _locked_tasks(session, project_id)
            if task_id not in {one.task_id for one in tasks}:
                raise NotFound("there is no such task")
            if len(tasks) == 1 or _is_begun(session, project_id, task_id):
                raise TaskInUse("this task has a history, or is the only one")
            its = (col(TaskRow.project_id) == project_id, col(TaskRow.task_id) == task_id)
            session.execute(delete(TaskRow).where(*its))
            drop_draft(session, owner_id=viewer.person_id, subject=_subject(project_id, task_id))

    def move_task(self, viewer: Viewer, project_id: str, task_id: str, *, by: int) -> None:
        """Move a task so many places on among the tasks of its project, back if negative; it stops at the ends.

        Raises:
            NotFound: there is no such project or task.
        """
        _may_manage(viewer, project_id)
        with self._writing() as session:
            order = [one.task_id for one in _locked_tasks(session, project_id)]
            if task_id not in order:
                raise NotFound("there is no such task")
            place = order.index(task_id)
            order.insert(max(0, place + by), order.pop(place))
            for position, each in enumerate(order):
                session.get_one(TaskRow, (project_id, each)).position = position

    def rename(self, viewer: Viewer, project_id: str, *, course_title: str, project_title: str) -> None:
        """Give a project and the course around it these titles.

        Raises:
            NotFound: there is no such project.
        """
        _may_manage(viewer, project_id)
        with self._writing() as session:
            project = session.get(ProjectRow, project_id)
            if project is None:
                raise NotFound("there is no such project")
            project.title = project_title
            session.get_one(CourseRow, project.course_id).title = course_title

    def draft(self, viewer: Viewer, project_id: str, task_id: str) -> str | None:
        """What this person has typed and not saved yet; `task_id` is empty for a task that is new."""
        _may_manage(viewer, project_id)
        with self._reading() as session:
            row = session.get(DraftRow, (viewer.person_id, _subject(project_id, task_id)))
            return row.body if row else None

    def keep_draft(self, viewer: Viewer, project_id: str, task_id: str, body: str) -> None:
        """Keep what is being typed over what was kept before."""
        _may_manage(viewer, project_id)
        with self._writing() as session:
            subject = _subject(project_id, task_id)
            put_draft(session, owner_id=viewer.person_id, subject=subject, body=body, at=self._clock())

    def drop_draft(self, viewer: Viewer, project_id: str, task_id: str) -> None:
        """Forget what was typed; nothing happens where nothing was."""
        _may_manage(viewer, project_id)
        with self._writing() as session:
            drop_draft(session, owner_id=viewer.person_id, subject=_subject(project_id, task_id))


def _may_manage(viewer: Viewer, project_id: str) -> None:
    require(viewer, Action.MANAGE, Owned(learner_id=None, project_id=project_id))


def _subject(project_id: str, task_id: str) -> str:
    return f"task:{project_id}/{task_id}"


def _locked_tasks(session: Session, project_id: str) -> tuple[Task, ...]:
    """In their order, as the file would have them; until the transaction ends nobody else edits this project.

    Raises:
        NotFound: there is no such project.
    """
    project = session.get(ProjectRow, project_id, with_for_update=True)
    if project is None:
        raise NotFound("there is no such project")
    (course,) = read_courses(session, [session.get_one(CourseRow, project.course_id)])
    return next(one.tasks for one in course.projects if one.project_id == project_id)


def _position(session: Session, project_id: str, task_id: str) -> int:
    """Where a task stands; behind all others if it is new. Places may be missing, for tasks are removed."""
    stored = session.get(TaskRow, (project_id, task_id))
    if stored is not None:
        return stored.position
    last = session.scalar(select(func.max(col(TaskRow.position))).where(col(TaskRow.project_id) == project_id))
    return 0 if last is None else last + 1


def _by_slug(session: Session, course: Course) -> tuple[Project, ...]:
    slugs = {row.id: row.slug for row in session.scalars(select(ProjectRow))}
    return tuple(replace(project, project_id=slugs[project.project_id]) for project in course.projects)


def _is_begun(session: Session, project_id: str, task_id: str) -> bool:
    return any(
        session.scalar(select(exists().where(col(table.project_id) == project_id, col(table.task_id) == task_id)))
        for table in (SubmissionRow, VersionRow, ConversationRow)
    )
