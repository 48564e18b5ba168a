"""Courses as files: import with a preview, the two sample courses, and export."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from engine.courses.course_changes import Change, TaskChange, compare_courses
from engine.courses.course_file import read_course, write_course
from engine.domain.course import Course
from engine.domain.people import Viewer
from engine.domain.states import Language
from engine.errors import CourseFileError, TutorloopError
from engine.review.checks.registry import check_params
from engine.review.standing_store import HandInStanding
from engine.review.version import review_logic
from engine.scenarios.sample_courses import sample_course
from engine.wiring import Space
from pages._widgets.course_words import file_words
from pages._widgets.errors import show_error
from pages._widgets.fields import drop
from pages._widgets.markdown import literal
from pages._widgets.states import OUTDATED_MARK
from pages._widgets.subject import point_at
from pages._widgets.task_editor import IN_FORCE
from pages._widgets.words import N_, _, ngettext

CHANGES: Mapping[Change, str] = {
    Change.NEW: N_("New"),
    Change.RUBRIC: N_("Criteria change"),
    Change.WORDS: N_("Words change"),
    Change.SAME: N_("Unchanged"),
    Change.LEFT: N_("Not in the file: stays as it is"),
}
IMPORTED = "course_imported"
"""Where the session counts imports, so that the drop zone is empty after each, and the tasks are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseFiles:
    """What the section needs to know."""

    viewer: Viewer
    space: Space
    """Where courses are imported into."""

    def draw_import(self) -> None:
        """The drop zone, the sample courses, and the preview of what was dropped."""
        st.subheader(_("Import a course"), anchor=False)
        count = st.session_state.get(IMPORTED, 0)
        file = drop(_("Course file (YAML)"), ["yaml", "yml"], f"course_file_{count}")
        if file is not None:
            self._draw_dropped(file.getvalue())
        self._draw_samples()

    def _draw_dropped(self, content: bytes) -> None:
        try:
            course = read_course(content.decode("utf-8-sig"), known_checks=check_params)
        except UnicodeDecodeError:
            st.error(_("This file is not UTF-8 text. Nothing was changed. Save it as UTF-8 and import it again."))
            return
        except CourseFileError as error:
            st.error(file_words(error), icon=":material/error:")
            return
        course_id = self.space.course_desk.edits.find(self.viewer, course.course_id)
        stored = None if course_id is None else self.space.course_desk.edits.written(self.viewer, course_id)
        changes = compare_courses(stored, course)
        self._draw_preview(course, changes, self._outdated(course_id, changes))

    def _outdated(self, course_id: str | None, changes: Sequence[TaskChange]) -> int:
        """How many reviews stop being in force."""
        changed = {(one.project_id, one.task_id) for one in changes if one.change is Change.RUBRIC}
        if course_id is None or not changed:
            return 0
        written = self.space.course_desk.edits.written(self.viewer, course_id)
        rows = next(one for one in self.space.courses.courses(self.viewer) if one.course_id == course_id)
        slugs = {row.project_id: file.project_id for row, file in zip(rows.projects, written.projects, strict=True)}
        standings = self.space.course_desk.standings.standings(self.viewer, tuple(slugs), review_logic())
        return sum(_stops(each, slugs, changed) for each in standings)

    def _draw_preview(self, course: Course, changes: Sequence[TaskChange], outdated: int) -> None:
        counts = Counter(one.change for one in changes)
        told = [_("{what}: {n:,}", what=_(CHANGES[each]), n=counts[each]) for each in Change if counts[each]]
        st.markdown(_("**What the import does:** {steps}", steps=" · ".join(told)))
        shown = [one for one in changes if one.change is not Change.SAME]
        if shown:
            st.dataframe(
                {
                    _("Project"): [one.project_title for one in shown],
                    _("Task"): [one.title for one in shown],
                    _("What happens"): [_(CHANGES[one.change]) for one in shown],
                },
                height=min(38 + 35 * len(shown), 300),
                hide_index=True,
            )
        if outdated:
            st.markdown(
                f"{OUTDATED_MARK} "
                + ngettext("This makes {n:,} review outdated.", "This makes {n:,} reviews outdated.", outdated)
            )
        tasks = sum(len(project.tasks) for project in course.projects)
        label = ngettext("Import {n:,} task", "Import {n:,} tasks", tasks)
        if st.button(label, type="primary", icon=":material/upload_file:", key="course_import"):
            self._keep(course)

    def _draw_samples(self) -> None:
        st.caption(_("Or begin with a sample course; it can be edited like your own."))
        labels = {
            Language.ZH: _("Import the sample of 50 tasks in Chinese"),
            Language.EN: _("Import the sample of 12 tasks in English"),
        }
        with st.container(horizontal=True):
            for each, label in labels.items():
                if st.button(label, icon=":material/library_add:", key=f"sample_course_{each}"):
                    self._keep(sample_course(each))

    def _keep(self, course: Course) -> None:
        try:
            kept = self.space.courses.keep_course(self.viewer, course)
        except TutorloopError as error:
            show_error(error)
            return
        st.session_state[IMPORTED] = st.session_state.get(IMPORTED, 0) + 1
        project = kept.projects[0]
        point_at(course=kept.course_id, task=f"{project.project_id}/{project.tasks[0].task_id}")
        st.toast(_("Imported: {title}", title=literal(course.title)))
        st.rerun()

    def draw_export(self, course: Course) -> None:
        """A button that gives the stored course as a file."""
        st.subheader(_("Export this course"), anchor=False)
        written = self.space.course_desk.edits.written(self.viewer, course.course_id)
        st.caption(
            _("All tasks and criteria in one YAML file, without learners. It can be changed and imported again.")
        )
        if not all(project.tasks for project in written.projects):
            written = replace(written, projects=tuple(project for project in written.projects if project.tasks))
        st.download_button(
            _("Download the course file"),
            lambda: write_course(written),
            file_name=f"{written.course_id}.yaml",
            mime="application/yaml",
            key="course_export",
            icon=":material/download:",
            on_click="ignore",
        )


def _stops(each: HandInStanding, slugs: Mapping[str, str], changed: set[tuple[str, str]]) -> bool:
    return each.standing in IN_FORCE and (slugs[each.project_id], each.task_id) in changed
