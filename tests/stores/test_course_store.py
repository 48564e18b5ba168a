"""Courses: kept again under the same ids, seen by those who take or teach them, judged by the rubric in force."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from sqlalchemy import event

from engine.courses.rubric import rubric_version
from engine.domain.course import CheckSpec, Course, Criterion, Project, Task
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER, Viewer, ViewerKind
from engine.domain.states import CriterionKind, Language, LearnerKind, Source
from engine.errors import NotFound
from tests.stores.builders import COURSE, CRITERIA, OTHER_COURSE, TASK, VERSIONS, Stores, criterion

CHECKED = Criterion(
    rubric_id="checked",
    kind=CriterionKind.ACCEPTANCE,
    text="有 README，“quoted” & <b>",
    decided_by=Source.CHECK,
    check=CheckSpec(name="file_exists", params={"paths": ("a.md", "b.md"), "count": 2, "strict": True, "share": 0.5}),
    next_step="Write it",
)


def _with(course: Course, task: Task) -> Course:
    return replace(course, projects=(replace(course.projects[0], tasks=(task, *course.projects[0].tasks[1:])),))


def _in_force(stores: Stores, course: Course, task_id: str = "first") -> tuple[str, tuple[Criterion, ...]]:
    found = stores.courses.task(LOCAL_VIEWER, course.projects[0].project_id, task_id)
    return found.rubric_version, found.task.criteria


def test_a_course_is_read_as_it_was_kept_but_for_the_ids_of_its_rows(stores: Stores) -> None:
    kept = stores.courses.keep_course(LOCAL_VIEWER, _with(COURSE, replace(TASK, criteria=(CHECKED, *CRITERIA))))
    assert stores.courses.courses(LOCAL_VIEWER) == (kept,)
    assert stores.courses.course_by_slug(LOCAL_VIEWER, "course") == kept
    assert kept.projects[0].tasks[0].criteria[0] == CHECKED
    assert stores.courses.course_by_slug(LOCAL_VIEWER, "unknown") is None


def test_a_task_comes_with_the_course_around_it(stores: Stores) -> None:
    course = stores.courses.keep_course(LOCAL_VIEWER, replace(COURSE, language=Language.ZH))
    found = stores.courses.task(LOCAL_VIEWER, course.projects[1].project_id, "first")
    assert (found.course_title, found.project_title, found.language) == ("Course", "Project two", Language.ZH)
    assert (found.task, found.rubric_version) == (TASK, VERSIONS.rubric)


def test_a_course_that_is_kept_again_keeps_its_ids_and_takes_the_new_words(stores: Stores) -> None:
    first = stores.courses.keep_course(LOCAL_VIEWER, COURSE)
    again = stores.courses.keep_course(LOCAL_VIEWER, replace(COURSE, title="Renamed", language=Language.ZH))
    assert again == replace(first, title="Renamed", language=Language.ZH)
    assert stores.courses.courses(LOCAL_VIEWER) == (again,)


def test_courses_come_in_the_order_they_came_in(stores: Stores) -> None:
    for course in (OTHER_COURSE, COURSE, OTHER_COURSE):
        stores.courses.keep_course(LOCAL_VIEWER, course)
    assert [course.title for course in stores.courses.courses(LOCAL_VIEWER)] == ["Other course", "Course"]


def test_a_changed_rubric_stands_beside_the_old_one(stores: Stores) -> None:
    changed = replace(TASK, criteria=(*CRITERIA, CHECKED))
    stores.courses.keep_course(LOCAL_VIEWER, COURSE)
    course = stores.courses.keep_course(LOCAL_VIEWER, _with(COURSE, changed))
    project_id = course.projects[0].project_id
    assert _in_force(stores, course) == (rubric_version(changed), changed.criteria)
    assert stores.courses.rubric(LOCAL_VIEWER, project_id, "first", VERSIONS.rubric) == CRITERIA
    stores.courses.keep_course(LOCAL_VIEWER, COURSE)
    assert _in_force(stores, course) == (VERSIONS.rubric, CRITERIA)


def test_a_changed_next_step_is_no_new_rubric(stores: Stores) -> None:
    stores.courses.keep_course(LOCAL_VIEWER, COURSE)
    advised = (replace(CRITERIA[0], next_step="Begin here"), *CRITERIA[1:])
    course = stores.courses.keep_course(LOCAL_VIEWER, _with(COURSE, replace(TASK, criteria=advised)))
    assert _in_force(stores, course) == (VERSIONS.rubric, advised)


def test_a_task_that_the_file_no_longer_names_stays(stores: Stores) -> None:
    course = stores.courses.keep_course(LOCAL_VIEWER, COURSE)
    stores.courses.keep_course(
        LOCAL_VIEWER, replace(COURSE, projects=(Project(project_id="one", title="Project one", tasks=(TASK,)),))
    )
    assert _in_force(stores, course, "second")[1] == CRITERIA
    assert len(stores.courses.courses(LOCAL_VIEWER)[0].projects) == 2


def test_a_rubric_under_a_label_of_ones_own_changes_nothing_in_force(stores: Stores) -> None:
    course = stores.courses.keep_course(LOCAL_VIEWER, COURSE)
    project_id = course.projects[0].project_id
    for criteria in (CRITERIA[:2], (criterion("late"),)):
        stores.courses.keep_rubric(LOCAL_VIEWER, project_id, "first", "imported", criteria)
    assert stores.courses.rubric(LOCAL_VIEWER, project_id, "first", "imported") == CRITERIA[:2]
    assert stores.courses.rubric(LOCAL_VIEWER, project_id, "second", "imported") == ()
    assert _in_force(stores, course) == (VERSIONS.rubric, CRITERIA)


@pytest.mark.parametrize("task_id", ["unknown", ""])
def test_a_task_that_is_not_there_is_not_found(stores: Stores, task_id: str) -> None:
    course = stores.courses.keep_course(LOCAL_VIEWER, COURSE)
    with pytest.raises(NotFound):
        stores.courses.task(LOCAL_VIEWER, course.projects[0].project_id, task_id)
    with pytest.raises(NotFound):
        stores.courses.task(LOCAL_VIEWER, "unknown", "first")


def _student(learner_ids: Iterable[str]) -> Viewer:
    return Viewer(kind=ViewerKind.STUDENT, person_id="student", learner_ids=frozenset(learner_ids))


def test_a_student_sees_the_courses_that_she_or_her_team_takes(stores: Stores, key: FeedbackKey) -> None:
    other = stores.courses.keep_course(LOCAL_VIEWER, OTHER_COURSE)
    team = stores.courses.add_learner(
        LOCAL_VIEWER, "Team", course_id=other.course_id, kind=LearnerKind.TEAM, members=[key.learner_id]
    )

    def seen(*learner_ids: str) -> list[str]:
        return [course.title for course in stores.courses.courses(_student(learner_ids))]

    assert [seen(key.learner_id), seen(team.learner_id)] == [["Course"], ["Other course"]]
    assert seen(key.learner_id, team.learner_id) == ["Course", "Other course"]
    assert seen() == []
    assert stores.ask("SELECT team_id, student_id FROM member") == [(team.learner_id, key.learner_id)]


def test_more_tasks_are_read_in_no_more_statements(stores: Stores) -> None:
    heard: list[str] = []

    def hear(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        heard.append(statement)

    def statements_for(course: Course) -> int:
        kept = stores.courses.keep_course(LOCAL_VIEWER, course)
        heard.clear()
        assert kept in stores.courses.courses(LOCAL_VIEWER)
        return len(heard)

    event.listen(stores.engine, "before_cursor_execute", hear)
    few = statements_for(COURSE)
    first, *others = COURSE.projects
    more = tuple(replace(TASK, task_id=f"task-{number}") for number in range(20))
    larger = replace(COURSE, projects=(replace(first, tasks=(*first.tasks, *more)), *others))
    assert statements_for(larger) == few


def test_the_class_list_stands_in_its_own_order(stores: Stores) -> None:
    course = stores.courses.keep_course(LOCAL_VIEWER, COURSE)
    names = ["Zoe", "Ada", "王五", "Bob"]
    for name in names:
        stores.courses.add_learner(LOCAL_VIEWER, name, course_id=course.course_id)
    stores.courses.add_learner(LOCAL_VIEWER, "Of no course")
    listed = stores.courses.learners(LOCAL_VIEWER, course.course_id)
    assert [learner.name for learner in listed] == names
    assert [each.name for each in stores.courses.learners(_student({listed[1].learner_id}), course.course_id)] == [
        "Ada"
    ]
    assert stores.courses.learners(LOCAL_VIEWER, "unknown") == ()


def test_a_name_is_given_as_the_database_holds_it(stores: Stores) -> None:
    course = stores.courses.keep_course(LOCAL_VIEWER, COURSE)
    given = stores.courses.add_learner(LOCAL_VIEWER, "A\0da\ud800", course_id=course.course_id)
    assert given.name == "A\ufffdda\ufffd"
    assert stores.courses.learners(LOCAL_VIEWER, course.course_id) == (given,)


def test_a_teacher_is_kept_with_the_courses_taught(stores: Stores) -> None:
    course = stores.courses.keep_course(LOCAL_VIEWER, COURSE)
    teacher_id = stores.courses.add_teacher(LOCAL_VIEWER, "Tom", course_ids=[course.course_id])
    assert stores.ask("SELECT teacher_id, course_id FROM teaching") == [(teacher_id, course.course_id)]
