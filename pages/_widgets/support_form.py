"""How much the tutor gives away when it begins by itself after a review: set for each course."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from engine.domain.course import Course
from engine.domain.people import Viewer
from engine.domain.states import SupportLevel
from engine.errors import TutorloopError
from engine.wiring import Space
from engine.workbench import Workbench
from pages._widgets.errors import show_error
from pages._widgets.words import N_, _

LEVELS: Mapping[SupportLevel, tuple[str, str]] = {
    SupportLevel.OFF: (N_("Never"), N_("The tutor waits until the student writes.")),
    SupportLevel.LOW: (N_("Little help"), N_("It names the first criterion that is not met and asks a question.")),
    SupportLevel.MODERATE: (
        N_("Some help"),
        N_("It names the criterion, says why it is not met and where that shows, and asks a question."),
    ),
    SupportLevel.HIGH: (
        N_("Much help"),
        N_("It names the criterion, says why, where and the next step, and asks a question."),
    ),
}
"""Name and meaning of each level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportForm:
    """What the form needs to know."""

    viewer: Viewer
    workbench: Workbench

    def draw(self) -> None:
        """A course, and the level that holds there; a click on another one keeps it."""
        places = [(space, course) for space in self.workbench.spaces for course in space.courses.courses(self.viewer)]
        st.caption(
            _(
                "After a review in which something is not met, the tutor asks one question by itself. "
                "Not when everything is met, and never twice for one review."
            )
        )
        if not places:
            st.caption(_("There is no course yet."))
            return
        number = st.selectbox(
            _("Course"), range(len(places)), format_func=lambda one: places[one][1].title, key="support_course"
        )
        self._draw_level(*places[number])

    def _draw_level(self, space: Space, course: Course) -> None:
        level = space.supports.level(self.viewer, course.projects[0].project_id)
        chosen = st.segmented_control(
            _("How much it gives away"),
            list(SupportLevel),
            format_func=lambda one: _(LEVELS[one][0]),
            default=level,
            required=True,
            key=f"support_{course.course_id}_{level}",  # another key: it starts from what holds
        )
        st.caption(_(LEVELS[level][1]))
        st.caption(_("Takes effect with the next review; no review becomes outdated."))
        if chosen != level:
            self._keep(space, course, SupportLevel(chosen))

    def _keep(self, space: Space, course: Course, level: SupportLevel) -> None:
        try:
            space.supports.keep(self.viewer, course.course_id, level)
        except TutorloopError as error:
            show_error(error)
            return
        st.rerun()
