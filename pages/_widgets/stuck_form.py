"""From where on the class board points at a task as stuck: three numbers in plain words."""

from dataclasses import dataclass

import streamlit as st

from engine.domain.people import Viewer
from engine.errors import TutorloopError
from engine.settings import DEFAULT_STUCK, MOST_STUCK, StuckLimits
from engine.workbench import Workbench
from pages._widgets.errors import show_error
from pages._widgets.words import _

CHANGES = "stuck_changes"
"""Where the session counts changes, so that the fields show what is in force after each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StuckForm:
    """What the form needs to know."""

    viewer: Viewer
    workbench: Workbench

    def draw(self) -> None:
        """What the rule is for, its numbers, and the two buttons."""
        st.caption(
            _(
                "The class board points at a task as stuck when one of these holds and the task is not passed. "
                "It is a pointer for teachers, never a judgement; students do not see it."
            )
        )
        with st.form("stuck", border=False):
            wanted = self._draw_fields(self.workbench.stuck_limits)
            with st.container(horizontal=True):
                is_saved = st.form_submit_button(_("Save the rule"), icon=":material/save:", key="stuck_save")
                is_reset = st.form_submit_button(
                    _("Back to the usual rule"), icon=":material/restart_alt:", key="stuck_reset"
                )
        if is_saved or is_reset:
            self._save(DEFAULT_STUCK if is_reset else wanted)

    def _draw_fields(self, now: StuckLimits) -> StuckLimits:
        first, second, third = st.columns(3, vertical_alignment="bottom")
        with first:
            fails = _field("fails", _("The same criterion not met in so many hand-ins in a row"), now.fails_in_a_row, 2)
        with second:
            days = _field("days", _("Something to fix, and so many days without a hand-in"), now.idle_days, 1)
        with third:
            turns = _field("turns", _("So many questions to the tutor since the last hand-in"), now.turns, 2)
        return StuckLimits(fails_in_a_row=fails, idle_days=days, turns=turns)

    def _save(self, wanted: StuckLimits) -> None:
        try:
            self.workbench.keep_stuck_limits(self.viewer, wanted)
        except TutorloopError as error:
            show_error(error)
            return
        st.toast(_("Saved. The class board goes by it from now on."))
        st.session_state[CHANGES] = st.session_state.get(CHANGES, 0) + 1
        st.rerun()


def _field(name: str, label: str, value: int, least: int) -> int:
    key = f"stuck_{name}_{st.session_state.get(CHANGES, 0)}"
    return st.number_input(label, min_value=least, max_value=MOST_STUCK, value=value, step=1, key=key)
