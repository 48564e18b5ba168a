"""Edit the tasks and criteria of a course, its class list, its files and its keys."""

from collections.abc import Sequence

import streamlit as st

from engine.domain.course import Project, Task
from engine.domain.people import Viewer
from engine.errors import TutorloopError
from engine.review.standing_store import HandInStanding
from engine.review.version import review_logic
from engine.settings import ModelUse
from engine.settings_store import Origin
from engine.workbench import Workbench
from pages import _wiring
from pages._guard import require_teacher
from pages._widgets.address import close_in_address
from pages._widgets.class_panel import ClassPanel
from pages._widgets.course_files import IMPORTED, CourseFiles
from pages._widgets.errors import show_error
from pages._widgets.fields import begin_with
from pages._widgets.jobs import newest_jobs
from pages._widgets.markdown import literal
from pages._widgets.report_keys import ReportKeys
from pages._widgets.review_again import ReviewAgain
from pages._widgets.strip import draw_strip
from pages._widgets.subject import Place, choose_place, point_at
from pages._widgets.task_editor import TaskEditor
from pages._widgets.task_list import NEW_IN, draw_task_list, draw_task_select
from pages._widgets.words import N_, _

SECTIONS = {
    "tasks": N_("Tasks and criteria"),
    "class": N_("Class list and teams"),
    "files": N_("Import and export"),
    "keys": N_("Build servers"),
}
SECTION = "courses_section"
"""What the choice of a section is called, with the number of imports: after each it is a new one."""

viewer = require_teacher()


class CoursesPage:
    """One run of the page."""

    def __init__(self, viewer: Viewer, workbench: Workbench, place: Place) -> None:
        self._viewer = viewer
        self._workbench = workbench
        self._place = place
        self._space = place.space
        self._course = place.course

    def draw(self) -> None:
        """The chosen section; after an import what was imported is to be seen, not the drop zone again."""
        key = f"{SECTION}_{st.session_state.get(IMPORTED, 0)}"
        begin_with(key, "tasks")
        section = st.segmented_control(
            _("Section"),
            list(SECTIONS),
            format_func=lambda each: _(SECTIONS[each]),
            required=True,
            key=key,
            label_visibility="collapsed",
        )
        match section:
            case "class":
                ClassPanel(viewer=self._viewer, space=self._space, course_id=self._course.course_id).draw()
            case "files":
                CourseFiles(viewer=self._viewer, space=self._workbench.own).draw_import()
                CourseFiles(viewer=self._viewer, space=self._space).draw_export(self._course)
            case "keys":
                ReportKeys(
                    viewer=self._viewer, space=self._space, is_demo=self._place.is_demo, course=self._course
                ).draw()
            case _:
                self._draw_tasks()

    def _draw_tasks(self) -> None:
        pairs = [(project, task) for project in self._course.projects for task in project.tasks]
        if not pairs:
            st.info(_("This course has no tasks yet. Import a course file under *Import and export*."))
            return
        project, task = chosen = draw_task_select(pairs)
        left, right = st.columns([1, 3])
        with left:
            draw_task_list(pairs, chosen)
        with right:
            again = self._review_again(project)
            again.draw()
            is_new = st.session_state.get(NEW_IN) == project.project_id
            self._draw_head(project, None if is_new else task)
            self._draw_editor(project, None if is_new else task, again)

    def _draw_head(self, project: Project, task: Task | None) -> None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.subheader(literal(task.title) if task else _("A new task"), anchor=False, width="stretch")
            if task is None:
                st.button(_("Back to the tasks"), icon=":material/arrow_back:", key="task_back", on_click=_leave_new)
                return
            st.button(
                _("Add a task"), icon=":material/add:", key="task_add", on_click=_begin_new, args=(project.project_id,)
            )
            with st.popover(_("More"), icon=":material/more_horiz:", type="tertiary"):
                self._draw_more(project, task)

    def _draw_more(self, project: Project, task: Task) -> None:
        """Moving and removing the task, and the titles of project and course."""
        for by, label, icon in (
            (-1, _("Move the task up"), "arrow_upward"),
            (1, _("Move the task down"), "arrow_downward"),
        ):
            if st.button(label, key=f"task_move_{by}", icon=f":material/{icon}:", type="tertiary"):
                self._space.course_desk.edits.move_task(self._viewer, project.project_id, task.task_id, by=by)
                st.rerun()
        if st.button(_("Remove the task"), key="task_remove", icon=":material/delete:", type="tertiary"):
            self._remove(project, task)
        with st.form(f"titles_{project.project_id}", border=False):
            course_title = st.text_input(_("Title of the course"), value=self._course.title, max_chars=200)
            project_title = st.text_input(_("Title of the project"), value=project.title, max_chars=200)
            is_saved = st.form_submit_button(_("Save the titles"), key="titles_save")
        if is_saved and course_title.strip() and project_title.strip():
            self._space.course_desk.edits.rename(
                self._viewer,
                project.project_id,
                course_title=course_title.strip(),
                project_title=project_title.strip(),
            )
            st.rerun()

    def _remove(self, project: Project, task: Task) -> None:
        try:
            self._space.course_desk.edits.remove_task(self._viewer, project.project_id, task.task_id)
        except TutorloopError as error:
            show_error(error)
            return
        close_in_address("task")
        st.rerun()

    def _review_again(self, project: Project) -> ReviewAgain:
        model = self._workbench.model_report(self._viewer, ModelUse.REVIEW)
        return ReviewAgain(
            viewer=self._viewer,
            space=self._space,
            is_demo=self._place.is_demo,
            project=project,
            jobs=newest_jobs(self._viewer, self._space, project.project_id),
            standings=self._space.course_desk.standings.standings(self._viewer, (project.project_id,), review_logic()),
            has_model=model.origin is not Origin.NOWHERE,
        )

    def _draw_editor(self, project: Project, task: Task | None, again: ReviewAgain) -> None:
        TaskEditor(
            viewer=self._viewer,
            space=self._space,
            project_id=project.project_id,
            task=task,
            taken=frozenset(each.task_id for each in project.tasks),
            standings=_of(task, again.standings),
            on_saved=lambda task_id: _saved(project, task_id),
            review=again.ask,
        ).draw()


def _of(task: Task | None, standings: Sequence[HandInStanding]) -> Sequence[HandInStanding]:
    return [each for each in standings if task is not None and each.task_id == task.task_id]


def _begin_new(project_id: str) -> None:
    st.session_state[NEW_IN] = project_id


def _leave_new() -> None:
    st.session_state.pop(NEW_IN, None)


def _saved(project: Project, task_id: str) -> None:
    """Go on with the task that was saved, which may be new."""
    _leave_new()
    point_at(task=f"{project.project_id}/{task_id}")


def draw() -> None:
    """The page, for the viewer it was opened for."""
    workbench = _wiring.workbench()
    column, _rest = st.columns([2, 3])
    with column:
        place = choose_place(viewer, workbench)
    if place is None:
        st.info(_("There is no course yet. Import a course file, or begin with a sample course."))
        CourseFiles(viewer=viewer, space=workbench.own).draw_import()
        return
    draw_strip(is_demo=place.is_demo, is_offline=workbench.is_offline, can_hand_in=False)
    CoursesPage(viewer, workbench, place).draw()


try:
    draw()
except TutorloopError as error:
    show_error(error)
