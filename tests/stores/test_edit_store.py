"""Courses as they are edited: nobody's words are overwritten, and what has a history stays."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from engine.courses.course_file import read_course, write_course
from engine.courses.edit_store import task_mark
from engine.domain.course import Task
from engine.domain.people import LOCAL_VIEWER
from engine.errors import CourseChanged, NotFound, TaskInUse
from engine.review.checks.registry import check_params
from tests.stores.builders import COURSE, CRITERIA, TASK, Stores, at_once, enrol, hand_in

DUE = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def project_id(stores: Stores) -> str:
    return stores.courses.keep_course(LOCAL_VIEWER, COURSE).projects[0].project_id


def _written(stores: Stores) -> tuple[Task, ...]:
    course_id = stores.edits.find(LOCAL_VIEWER, "course")
    assert course_id is not None
    return stores.edits.written(LOCAL_VIEWER, course_id).projects[0].tasks


def test_what_is_exported_is_what_was_imported(stores: Stores, project_id: str) -> None:
    course_id = stores.edits.find(LOCAL_VIEWER, "course") or ""
    written = stores.edits.written(LOCAL_VIEWER, course_id)
    assert written == COURSE
    assert read_course(write_course(written), known_checks=check_params) == COURSE
    assert stores.edits.find(LOCAL_VIEWER, "unknown") is None


def test_a_task_is_saved_whole_with_its_due_date_and_the_new_order_of_its_criteria(
    stores: Stores, project_id: str
) -> None:
    edited = replace(TASK, title="Other", due_at=DUE, criteria=CRITERIA[::-1])
    stores.edits.keep_draft(LOCAL_VIEWER, project_id, "first", "half written")
    stores.edits.save_task(LOCAL_VIEWER, project_id, edited, seen=task_mark(TASK))
    assert _written(stores)[0] == edited
    assert stores.courses.task(LOCAL_VIEWER, project_id, "first").task == edited
    assert stores.edits.draft(LOCAL_VIEWER, project_id, "first") is None


def test_what_somebody_else_saved_meanwhile_is_never_overwritten(stores: Stores, project_id: str) -> None:
    theirs = replace(TASK, goal="Theirs")
    stores.edits.save_task(LOCAL_VIEWER, project_id, theirs, seen=task_mark(TASK))
    stores.edits.keep_draft(LOCAL_VIEWER, project_id, "first", "mine")
    for seen in (task_mark(TASK), None):
        with pytest.raises(CourseChanged):
            stores.edits.save_task(LOCAL_VIEWER, project_id, replace(TASK, goal="Mine"), seen=seen)
    assert _written(stores)[0] == theirs
    assert stores.edits.draft(LOCAL_VIEWER, project_id, "first") == "mine"


def test_tasks_are_added_moved_and_removed_while_nobody_has_begun_them(stores: Stores, project_id: str) -> None:
    stores.edits.save_task(LOCAL_VIEWER, project_id, replace(TASK, task_id="third"), seen=None)
    stores.edits.move_task(LOCAL_VIEWER, project_id, "third", by=-1)
    assert [task.task_id for task in _written(stores)] == ["first", "third", "second"]
    stores.edits.move_task(LOCAL_VIEWER, project_id, "first", by=-1)
    stores.edits.remove_task(LOCAL_VIEWER, project_id, "second")
    assert [task.task_id for task in _written(stores)] == ["first", "third"]
    with pytest.raises(NotFound):
        stores.edits.move_task(LOCAL_VIEWER, project_id, "second", by=1)


def test_a_task_with_a_history_stays_and_so_does_the_last_one(stores: Stores) -> None:
    key = enrol(stores)
    hand_in(stores, key)
    with pytest.raises(TaskInUse):
        stores.edits.remove_task(LOCAL_VIEWER, key.project_id, "first")
    stores.edits.remove_task(LOCAL_VIEWER, key.project_id, "second")
    with pytest.raises(TaskInUse):
        stores.edits.remove_task(LOCAL_VIEWER, key.project_id, "first")
    with pytest.raises(NotFound):
        stores.edits.remove_task(LOCAL_VIEWER, key.project_id, "second")
    assert [task.task_id for task in _written(stores)] == ["first"]


def test_titles_change_and_ids_stay(stores: Stores, project_id: str) -> None:
    stores.edits.rename(LOCAL_VIEWER, project_id, course_title="New course", project_title="New project")
    course = stores.edits.written(LOCAL_VIEWER, stores.edits.find(LOCAL_VIEWER, "course") or "")
    assert (course.course_id, course.title) == ("course", "New course")
    assert (course.projects[0].project_id, course.projects[0].title) == ("one", "New project")


def test_a_new_task_stands_last_although_one_before_it_was_removed(stores: Stores, project_id: str) -> None:
    stores.edits.save_task(LOCAL_VIEWER, project_id, replace(TASK, task_id="third"), seen=None)
    stores.edits.remove_task(LOCAL_VIEWER, project_id, "second")
    stores.edits.save_task(LOCAL_VIEWER, project_id, replace(TASK, task_id="a-new-one"), seen=None)
    assert [task.task_id for task in _written(stores)] == ["first", "third", "a-new-one"]


def test_saving_a_task_moves_no_task(stores: Stores, project_id: str) -> None:
    for new in ("third", "fourth"):
        stores.edits.save_task(LOCAL_VIEWER, project_id, replace(TASK, task_id=new), seen=None)
    stores.edits.remove_task(LOCAL_VIEWER, project_id, "second")
    fourth = replace(TASK, task_id="fourth")
    stores.edits.save_task(LOCAL_VIEWER, project_id, replace(fourth, title="Other"), seen=task_mark(fourth))
    assert [task.task_id for task in _written(stores)] == ["first", "third", "fourth"]


def test_of_two_who_save_one_task_at_one_time_one_is_told(stores: Stores, project_id: str) -> None:
    def save(number: int) -> bool:
        try:
            stores.edits.save_task(LOCAL_VIEWER, project_id, replace(TASK, goal=f"goal {number}"), seen=task_mark(TASK))
        except CourseChanged:
            return False
        return True

    assert sorted(at_once(4, save)) == [False, False, False, True]


def test_of_two_who_make_one_task_at_one_time_one_is_told(stores: Stores, project_id: str) -> None:
    def make(number: int) -> bool:
        try:
            stores.edits.save_task(
                LOCAL_VIEWER, project_id, replace(TASK, task_id="new", goal=f"goal {number}"), seen=None
            )
        except CourseChanged:
            return False
        return True

    assert sorted(at_once(4, make)) == [False, False, False, True]
