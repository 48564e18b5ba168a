"""What an import would change, told before it is done."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from engine.courses.course_changes import Change, compare_courses
from engine.domain.course import Course, Task
from engine.domain.states import CriterionKind
from tests.stores.builders import COURSE, CRITERIA, TASK, criterion

CHANGED = [
    ("words", replace(TASK, goal="Do it well"), Change.WORDS),
    ("due", replace(TASK, due_at=datetime(2026, 3, 1, tzinfo=UTC)), Change.WORDS),
    ("order", replace(TASK, criteria=CRITERIA[::-1]), Change.WORDS),
    ("next-step", replace(TASK, criteria=(replace(CRITERIA[0], next_step="Go"), *CRITERIA[1:])), Change.WORDS),
    ("sentence", replace(TASK, criteria=(replace(CRITERIA[0], text="Other"), *CRITERIA[1:])), Change.RUBRIC),
    ("kind", replace(TASK, criteria=(replace(CRITERIA[0], kind=CriterionKind.LEARNING), *CRITERIA[1:])), Change.RUBRIC),
    ("one-more", replace(TASK, criteria=(*CRITERIA, criterion("more"))), Change.RUBRIC),
    ("nothing", TASK, Change.SAME),
]


def _first_task(task: Task) -> Course:
    project = COURSE.projects[0]
    return replace(COURSE, projects=(replace(project, tasks=(task, *project.tasks[1:])), *COURSE.projects[1:]))


@pytest.mark.parametrize(("task", "change"), [row[1:] for row in CHANGED], ids=[row[0] for row in CHANGED])
def test_a_task_of_the_file_is_told_by_what_changes(task: Task, change: Change) -> None:
    told = compare_courses(COURSE, _first_task(task))
    assert [one.change for one in told] == [change, Change.SAME, Change.SAME]


def test_tasks_that_are_new_or_not_named_are_told_and_the_same_id_elsewhere_is_another_task() -> None:
    file = replace(COURSE, projects=(replace(COURSE.projects[0], tasks=(replace(TASK, task_id="third"),)),))
    told = [(one.project_id, one.task_id, one.change) for one in compare_courses(COURSE, file)]
    assert told == [
        ("one", "third", Change.NEW),
        ("one", "first", Change.LEFT),
        ("one", "second", Change.LEFT),
        ("two", "first", Change.LEFT),
    ]
    assert {one.change for one in compare_courses(None, COURSE)} == {Change.NEW}
