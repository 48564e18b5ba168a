"""How large a request may be: four sizes with their bounds, in plain words."""

from dataclasses import dataclass

import streamlit as st

from engine.domain.people import Viewer
from engine.errors import TutorloopError
from engine.settings import (
    LEAST_HISTORY_TOKENS,
    LEAST_RESERVED_TOKENS,
    LEAST_WINDOW_TOKENS,
    MOST_WINDOW_TOKENS,
    Budgets,
)
from engine.workbench import BudgetReport, Workbench
from pages._widgets.errors import show_error
from pages._widgets.words import _

CHANGES = "budget_changes"
"""Where the session counts changes, so that the fields show what is in force after each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetForm:
    """What the form needs to know."""

    viewer: Viewer
    workbench: Workbench

    def draw(self) -> None:
        """What the sizes mean, the fields, and the two buttons."""
        report = self.workbench.budget_report(self.viewer)
        st.caption(
            _(
                "In tokens, by estimate: a token is about four letters of English or one Chinese character. "
                "Feedback and the newest message are always sent whole."
            )
        )
        with st.form("budgets", border=False):
            wanted = self._draw_fields(report)
            st.caption(_("Takes effect with the next request."))
            with st.container(horizontal=True):
                is_saved = st.form_submit_button(_("Save sizes"), icon=":material/save:", key="budgets_save")
                is_reset = st.form_submit_button(
                    _("Back to the defaults"), icon=":material/restart_alt:", key="budgets_reset"
                )
        if is_saved:
            self._save(wanted)
        elif is_reset:
            self.workbench.forget_budgets(self.viewer)
            self._show_anew()

    def _draw_fields(self, report: BudgetReport) -> Budgets:
        now, is_fixed = report.in_force, report.is_window_by_environment
        if is_fixed:
            st.caption(
                _(
                    "The window is set by the environment (TUTORLOOP_WINDOW_TOKENS), which wins over this page. "
                    "To set it here, start the server without that variable."
                )
            )
        upper, lower = st.columns(2, vertical_alignment="bottom"), st.columns(2)
        with upper[0]:
            window = _field(
                "window",
                _("Window: what the model takes in at once, request and reply together"),
                now.window_tokens,
                LEAST_WINDOW_TOKENS,
                is_fixed=is_fixed,
            )
        with upper[1]:
            reserved = _field(
                "reserved",
                _("Kept free for the reply, half of the window at most"),
                now.reserved_tokens,
                LEAST_RESERVED_TOKENS,
            )
        with lower[0]:
            trigger = _field(
                "trigger",
                _("From here on older turns are summarised"),
                now.history_trigger,
                LEAST_HISTORY_TOKENS,
            )
        with lower[1]:
            limit = _field(
                "limit",
                _("Summary and turns together, never more than this"),
                now.history_limit,
                LEAST_HISTORY_TOKENS,
            )
        return Budgets(window_tokens=window, reserved_tokens=reserved, history_trigger=trigger, history_limit=limit)

    def _save(self, wanted: Budgets) -> None:
        try:
            self.workbench.keep_budgets(self.viewer, wanted)
        except TutorloopError as error:
            show_error(error)
            return
        st.toast(_("Saved. The next request keeps to these sizes."))
        self._show_anew()

    def _show_anew(self) -> None:
        st.session_state[CHANGES] = st.session_state.get(CHANGES, 0) + 1
        st.rerun()


def _field(name: str, label: str, value: int, least: int, *, is_fixed: bool = False) -> int:
    key = f"budget_{name}_{st.session_state.get(CHANGES, 0)}"
    bounds = _("From {least:,} on.", least=least)
    return st.number_input(
        label,
        min_value=least,
        max_value=MOST_WINDOW_TOKENS,
        value=value,
        step=256,
        key=key,
        help=bounds,
        disabled=is_fixed,
    )
