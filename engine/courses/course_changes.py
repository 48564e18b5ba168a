"""What importing a course file would change, told before it is done."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from engine.courses.edit_store import task_mark
from engine.courses.rubric import rubric_version
from engine.domain.course import Course, Project, Task


class Change(StrEnum):
    """What becomes of a task."""

    NEW = "new"
    RUBRIC = "rubric"
    """What decides changes, so its reviews become outdated."""
    WORDS = "words"
    """Something else changes: title, goal, steps, material, next steps, order of criteria or due date."""
    SAME = "same"
    LEFT = "left"
    """The file does not name it, and it stays as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskChange:
    """One task of the file or of the stored course, by the author's ids."""

    project_id: str
    task_id: str
    project_title: str
    title: str
    change: Change


def compare_courses(stored: Course | None, read: Course) -> tuple[TaskChange, ...]:
    """Task by task in the order of the file, then what is left. Both courses have their author's ids."""
    known = {key: task for key, (_project, task) in _tasks(stored)} if stored else {}
    named = {key for key, _found in _tasks(read)}
    told = [_told(key, project, task, _change(known.get(key), task)) for key, (project, task) in _tasks(read)]
    left = [
        _told(key, project, task, Change.LEFT)
        for key, (project, task) in (_tasks(stored) if stored else ())
        if key not in named
    ]
    return (*told, *left)


def _tasks(course: Course) -> Iterator[tuple[tuple[str, str], tuple[Project, Task]]]:
    for project in course.projects:
        for task in project.tasks:
            yield (project.project_id, task.task_id), (project, task)


def _change(before: Task | None, after: Task) -> Change:
    if before is None:
        return Change.NEW
    if rubric_version(before) != rubric_version(after):
        return Change.RUBRIC
    return Change.SAME if task_mark(before) == task_mark(after) else Change.WORDS


def _told(key: tuple[str, str], project: Project, task: Task, change: Change) -> TaskChange:
    return TaskChange(project_id=key[0], task_id=key[1], project_title=project.title, title=task.title, change=change)
