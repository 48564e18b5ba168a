"""The page of courses without a browser."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ButtonGroup

from engine.domain.course import Course, Task
from engine.domain.job import JobState
from engine.domain.keys import FeedbackKey, ReviewLogic
from engine.domain.people import LOCAL_VIEWER, Viewer
from engine.domain.states import Language
from engine.domain.work import take_snapshot
from engine.review.standing_store import HandInStanding, Standing, StandingStore
from engine.review.version import review_logic
from engine.scenarios.sample_courses import sample_course, sample_course_text
from engine.wiring import Space
from engine.work.decoding import read_file
from pages import _wiring
from pages._widgets import fields, told
from pages._widgets.course_files import IMPORTED
from pages._widgets.task_editor import IN_FORCE
from tests.pages.conftest import OpenPage
from tests.pages.test_tutor_page import words_of


def demo_course(language: Language = Language.EN) -> Course:
    courses = _wiring.workbench().demo.courses.courses(LOCAL_VIEWER)
    return next(course for course in courses if course.language is language)


def own() -> Space:
    return _wiring.workbench().own


def prefix(course: Course, task_id: str = "", lang: str = "en", edition: int = 0) -> str:
    """The beginning of the keys of a task's fields."""
    return f"edit_{lang}_{edition}_{course.projects[0].project_id}_{task_id}"


def standings(space: Space, course: Course, task_id: str) -> list[Standing]:
    found = space.course_desk.standings.standings(LOCAL_VIEWER, (course.projects[0].project_id,), review_logic())
    return [each.standing for each in found if each.task_id == task_id]


def section(at: AppTest) -> ButtonGroup[str]:
    """The choice of what the page shows."""
    return next(one for one in at.segmented_control if str(one.key).startswith("courses_section"))


def own_course(open_page: OpenPage) -> tuple[AppTest, Course]:
    """The page on the English sample course, imported in one click."""
    at = open_page("courses.py", lang="en")
    section(at).set_value("files").run()
    at.button(key="sample_course_en").click().run()
    assert not at.exception
    (course,) = own().courses.courses(LOCAL_VIEWER)
    assert section(at).value == "tasks"  # what was imported is seen at once
    return at, course


def hand_in(course: Course, name: str, body: str = "# Notes") -> str:
    learner = own().courses.add_learner(LOCAL_VIEWER, name, course_id=course.course_id)
    project = course.projects[0]
    key = FeedbackKey(learner_id=learner.learner_id, project_id=project.project_id, task_id=project.tasks[0].task_id)
    snapshot = take_snapshot((read_file("README.md", body.encode()),))
    return own().work.hand_in(LOCAL_VIEWER, key, snapshot)[0].submission_id


@pytest.mark.parametrize(("lang", "language"), [("en", Language.EN), ("zh", Language.ZH)])
def test_the_demo_course_is_there_to_be_edited(open_page: OpenPage, lang: str, language: Language) -> None:
    at = open_page("courses.py", lang=lang)
    assert not at.exception
    course = demo_course(language)
    first = course.projects[0].tasks[0]
    assert at.text_input(key=f"{prefix(course, first.task_id, lang)}_title").value == first.title
    assert len(at.radio(key="task_list_choice").options) == sum(len(project.tasks) for project in course.projects)
    assert {"en": "newest hand-ins", "zh": "份能达到"}[lang] in words_of(at)


def test_a_changed_criterion_tells_how_many_reviews_become_outdated_and_is_saved(open_page: OpenPage) -> None:
    at = open_page("courses.py", lang="en")
    course = demo_course()
    task = course.projects[0].tasks[0]
    key = prefix(course, task.task_id)
    demo = _wiring.workbench().demo
    before = standings(demo, course, task.task_id)
    reviewed = sum(each in IN_FORCE for each in before)
    at.text_input(key=f"{key}_0_text").set_value("There is a README that can be read").run()
    assert re.search(rf"This makes {reviewed} reviews? outdated\.", words_of(at))
    at.button(key=f"{key}_save").click().run()
    assert not at.exception
    assert demo_course().projects[0].tasks[0].criteria[0].text == "There is a README that can be read"
    after = standings(demo, course, task.task_id)
    assert reviewed > 0
    assert after.count(Standing.OUTDATED) == before.count(Standing.OUTDATED) + reviewed
    assert IN_FORCE.isdisjoint(after)
    assert "reviewed by other rules than today's" in words_of(at)


def test_other_words_are_saved_without_outdating_anything(open_page: OpenPage) -> None:
    at = open_page("courses.py", lang="en")
    course = demo_course()
    task = course.projects[0].tasks[0]
    key = prefix(course, task.task_id)
    before = standings(_wiring.workbench().demo, course, task.task_id)
    at.text_area(key=f"{key}_goal").set_value("Another goal").run()
    assert "outdated" not in words_of(at)
    at.button(key=f"{key}_save").click().run()
    assert [each.value for each in at.toast] == ["Saved."]
    assert demo_course().projects[0].tasks[0].goal == "Another goal"
    assert standings(_wiring.workbench().demo, course, task.task_id) == before


def test_what_is_wrong_is_told_beside_its_field_and_nothing_typed_is_lost(open_page: OpenPage) -> None:
    at = open_page("courses.py", lang="en")
    course = demo_course()
    key = prefix(course, course.projects[0].tasks[0].task_id)
    at.text_input(key=f"{key}_0_id").set_value("not an id").run()
    assert "An id has 1 to 64" in words_of(at)
    assert at.button(key=f"{key}_save_review").disabled
    again = open_page("courses.py", lang="en")
    assert again.text_input(key=f"{key}_0_id").value == "not an id"
    again.button(key=f"{key}_discard").click().run()
    assert again.text_input(key=f"{prefix(course, course.projects[0].tasks[0].task_id, edition=1)}_0_id").value == (
        course.projects[0].tasks[0].criteria[0].rubric_id
    )


def test_criteria_are_added_moved_and_removed_with_what_stands_in_them(open_page: OpenPage) -> None:
    at = open_page("courses.py", lang="en")
    course = demo_course()
    task = course.projects[0].tasks[0]
    key = prefix(course, task.task_id)
    at.button(key=f"{key}_add").click().run()
    new = len(task.criteria)
    at.text_input(key=f"{key}_{new}_id").set_value("spoken").run()
    at.text_input(key=f"{key}_{new}_text").set_value("Is told in class").run()
    at.button(key=f"{key}_0_down").click().run()
    at.button(key=f"{key}_2_remove").click().run()
    at.button(key=f"{key}_save").click().run()
    assert not at.exception
    before = [line.rubric_id for line in task.criteria]
    saved = [line.rubric_id for line in demo_course().projects[0].tasks[0].criteria]
    assert saved == [before[1], before[0], *before[3:], "spoken"]


def test_a_new_task_is_written_and_stands_last(open_page: OpenPage) -> None:
    at = open_page("courses.py", lang="en")
    course = demo_course()
    at.button(key="task_add").click().run()
    key = prefix(course)
    at.text_input(key=f"{key}_id").set_value(course.projects[0].tasks[1].task_id).run()
    assert "This id is used twice." in words_of(at)
    for field, value in (("id", "talk"), ("title", "A talk"), ("0_id", "told"), ("0_text", "The talk was given")):
        at.text_input(key=f"{key}_{field}").set_value(value).run()
    at.text_area(key=f"{key}_goal").set_value("Say what you built").run()
    at.button(key=f"{key}_save").click().run()
    assert not at.exception
    assert demo_course().projects[0].tasks[-1].title == "A talk"
    assert at.text_input(key=f"{prefix(course, 'talk', edition=1)}_title").value == "A talk"


def test_a_course_file_is_imported_after_a_preview_and_exported_as_it_is(open_page: OpenPage) -> None:
    at, course = own_course(open_page)
    hand_in(course, "Ada")
    own().reviewer.start(LOCAL_VIEWER, hand_in(course, "Bob"), own().worker)
    text = sample_course_text(Language.EN)
    first = sample_course(Language.EN).projects[0].tasks[0].criteria[0]
    changed = text.replace(first.text, f"{first.text} now", 1)
    section(at).set_value("files").run()
    at.file_uploader[0].upload("course.yaml", changed.encode(), "application/yaml").run()
    assert not at.exception
    assert "Criteria change: 1" in words_of(at)
    assert "This makes 1 review outdated." in words_of(at)
    at.button(key="course_import").click().run()
    (kept,) = own().courses.courses(LOCAL_VIEWER)
    assert kept.projects[0].tasks[0].criteria[0].text == f"{first.text} now"


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["Line 2, title", "This is missing", "The course is unchanged"]),
        ("zh", ["第 2 行，title", "这一项没有填", "课程没有改动"]),
    ],
)
def test_a_mistake_in_a_course_file_is_told_with_line_and_field(
    open_page: OpenPage, lang: str, words: list[str]
) -> None:
    at = open_page("tutor.py", lang=lang)
    at.session_state["courses_section_0"] = "files"  # a test reads choices of the editor in English only
    at = at.switch_page("courses.py").run()
    at.file_uploader[0].upload("course.yaml", b"id: web\ntitle:\nlanguage: en\nprojects: []\n", "text/yaml").run()
    assert all(each in words_of(at) for each in words), words_of(at)


def cutting(begin_with: Callable[[str, object], None]) -> Callable[[str, object], None]:
    """Cuts a run short after the second import, once the choice of a section has been given its value."""

    def begin(key: str, value: object) -> None:
        begin_with(key, value)
        if st.session_state.get(IMPORTED) == 2:
            st.stop()

    return begin


def test_what_was_imported_is_shown_also_where_the_run_after_it_is_never_seen(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, _course = own_course(open_page)
    section(at).set_value("files").run()
    seen = at.run()._tree
    with monkeypatch.context() as cut:
        cut.setattr(fields, "begin_with", cutting(fields.begin_with))
        at.button(key="sample_course_en").click().run()
    at._tree = seen
    at.button(key="sample_course_en").set_value(False)
    section(at).set_value("files")  # as the browser knows it
    assert section(at.run()).value == "tasks"
    assert len(own().courses.courses(LOCAL_VIEWER)) == 1


def test_a_class_list_is_previewed_then_imported(open_page: OpenPage) -> None:
    at, course = own_course(open_page)
    section(at).set_value("class").run()
    rows = "姓名;学号;小组\n李明;001;甲组\n王芳;001;甲组\n王芳;002;甲组\n".encode("gb18030")
    at.file_uploader[0].upload("list.csv", rows, "text/csv").run()
    assert "Row 3: the student number 001 stands in row 2 too" in words_of(at)
    at.button(key="class_import").click().run()
    assert not at.exception
    people = own().course_desk.classes.class_list(LOCAL_VIEWER, course.course_id)
    assert [(one.name, one.number, len(one.members)) for one in people] == [
        ("李明", "001", 0),
        ("甲组", None, 2),
        ("王芳", "002", 0),
    ]
    assert "Students: 2 · Teams: 1" in words_of(at)


def test_a_key_is_shown_once_with_a_command_and_can_be_revoked(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, course = own_course(open_page)
    section(at).set_value("keys").run()
    at.text_input(key="report_key_name").set_value("shop")
    at.button(key="report_key_make").click().run()
    assert not at.exception
    key, command = (str(block.value) for block in at.code)
    assert key.startswith("tl_")
    assert f"Bearer {key}" in command
    assert at.run().code[0].value == key  # the first drawing may have been cut short
    monkeypatch.setattr(told, "STAYS_S", -1.0)
    at.run()
    assert key not in words_of(at) + repr(at.session_state)
    (token,) = own().tokens.tokens(LOCAL_VIEWER, course.course_id)
    at.button(key=f"revoke_{token.token_id}").click().run()
    at.button(key=f"revoke_now_{token.token_id}").click().run()
    (token,) = own().tokens.tokens(LOCAL_VIEWER, course.course_id)
    assert token.revoked_at is not None


def test_the_demo_has_no_keys_since_no_report_ever_goes_there(open_page: OpenPage) -> None:
    at = open_page("courses.py", lang="en")
    section(at).set_value("keys").run()
    assert not at.exception
    assert "no report ever goes into the demo" in words_of(at)
    assert not [field for field in at.text_input if field.key == "report_key_name"]


def test_while_names_are_hidden_there_is_no_class_list(open_page: OpenPage) -> None:
    at = open_page("courses.py", lang="en", anonymous="1")
    section(at).set_value("class").run()
    assert not at.exception
    learners = _wiring.workbench().demo.courses.learners(LOCAL_VIEWER, demo_course().course_id)
    told = words_of(at) + repr([frame.value.to_dict() for frame in at.dataframe])
    assert "Names are hidden now" in told
    assert not [one.name for one in learners if one.name in told]


def test_saving_and_reviewing_again_asks_for_one_job_that_can_be_cancelled_and_gone_on_with(
    open_page: OpenPage,
) -> None:
    at, course = own_course(open_page)
    for name in ("Ada", "Bob"):
        own().reviewer.start(LOCAL_VIEWER, hand_in(course, name), own().worker)
    hand_in(course, "Cy")  # never reviewed, so there is nothing to outdate
    at.run()
    project = course.projects[0]
    key = prefix(course, project.tasks[0].task_id)
    at.text_input(key=f"{key}_0_text").set_value("Reads otherwise now").run()
    assert "This makes 2 reviews outdated." in words_of(at)
    at.button(key=f"{key}_save_review").click().run()
    assert not at.exception
    (job,) = own().jobs.recent(LOCAL_VIEWER, project.project_id, limit=9)
    assert (job.total, job.state) == (2, JobState.WAITING)
    assert "0 of 2 reviewed again" in words_of(at)
    assert "No worker is running" in words_of(at)
    at.button(key=f"job_cancel_{job.job_id}").click().run()
    assert own().jobs.progress(LOCAL_VIEWER, job.job_id).state is JobState.CANCELLED
    at.button(key=f"job_resume_{job.job_id}").click().run()
    assert own().jobs.progress(LOCAL_VIEWER, job.job_id).state is JobState.WAITING


def test_what_a_job_changed_is_counted_also_where_it_ends_while_the_page_is_read(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, course = own_course(open_page)
    project_id = course.projects[0].project_id
    job = own().jobs.ask_review(LOCAL_VIEWER, project_id, [hand_in(course, "Ada")])
    read = StandingStore.standings
    states: list[JobState] = []

    def read_slowly(
        store: StandingStore, viewer: Viewer, project_ids: tuple[str, ...], logic: ReviewLogic
    ) -> tuple[HandInStanding, ...]:
        states.append(own().jobs.progress(LOCAL_VIEWER, job).state)
        found = read(store, viewer, project_ids, logic)
        own().jobs.cancel(LOCAL_VIEWER, job)
        return found

    monkeypatch.setattr(StandingStore, "standings", read_slowly)
    at.run()
    assert not at.exception
    assert (states[0], states[-1]) == (JobState.WAITING, JobState.CANCELLED)


def test_a_due_date_is_told_to_the_student_and_late_work_is_told_without_a_verdict(open_page: OpenPage) -> None:
    at, course = own_course(open_page)
    project = course.projects[0]
    task = project.tasks[0]
    submission_id = hand_in(course, "Ada")
    handed_in_at = own().work.submission(LOCAL_VIEWER, submission_id).handed_in_at
    stored = own().courses.task(LOCAL_VIEWER, project.project_id, task.task_id).task
    due = replace(stored, due_at=handed_in_at.replace(year=2025))
    own().courses.keep_course(LOCAL_VIEWER, _with_task(due))
    at = open_page("tutor.py", lang="en", course=course.course_id, task=f"{project.project_id}/{task.task_id}")
    assert not at.exception
    assert "Handed in after the date" in words_of(at)
    assert "this changes no verdict" in words_of(at)


def _with_task(task: Task) -> Course:
    course = sample_course(Language.EN)
    first = course.projects[0]
    tasks = (task, *first.tasks[1:])
    return replace(course, projects=(replace(first, tasks=tasks), *course.projects[1:]))
