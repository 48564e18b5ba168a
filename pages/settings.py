"""Connect a model, set limits, see where data lies and how the server is, and switch the demo on or off."""

import streamlit as st

from engine.domain.clock import utc_now
from engine.domain.people import Viewer
from engine.domain.states import Language
from engine.errors import TutorloopError
from engine.settings import ModelUse
from engine.workbench import Workbench
from pages import _wiring
from pages._guard import require_viewer
from pages._widgets.budget_form import BudgetForm
from pages._widgets.errors import show_error
from pages._widgets.health import draw_health
from pages._widgets.model_form import USES, ModelForm
from pages._widgets.stuck_form import StuckForm
from pages._widgets.support_form import SupportForm
from pages._widgets.words import N_, OWN_NAMES, _, language, switch

MB = 1_000_000
KINDS = {"sqlite": N_("SQLite, in one file"), "postgresql": N_("PostgreSQL, on a database server")}
MODEL_USE = "model_use"
RENEWING = "renewing_demo"
"""Where the session keeps that the question before making the demo anew is open."""

viewer = require_viewer()


class SettingsPage:
    """One run of the page."""

    def __init__(self, viewer: Viewer, workbench: Workbench) -> None:
        self._viewer = viewer
        self._workbench = workbench

    def draw(self) -> None:
        """A section each for model, budgets, the tutor's beginning, stuck rule, language, data, demo and health."""
        self._draw_model()
        self._draw_budgets()
        self._draw_support()
        self._draw_stuck()
        self._draw_language()
        self._draw_data()
        self._draw_demo()
        self._draw_health()

    def _draw_model(self) -> None:
        st.subheader(_("Model"), anchor=False)
        use = st.segmented_control(
            _("Asked for"),
            list(ModelUse),
            format_func=lambda each: _(USES[each]),
            default=ModelUse.TUTOR,
            required=True,
            key=MODEL_USE,
        )
        with st.container(border=True, width=736):
            ModelForm(viewer=self._viewer, workbench=self._workbench, use=ModelUse(use)).draw()

    def _draw_budgets(self) -> None:
        st.subheader(_("Budgets"), anchor=False)
        with st.container(border=True, width=736):
            BudgetForm(viewer=self._viewer, workbench=self._workbench).draw()

    def _draw_support(self) -> None:
        st.subheader(_("The tutor begins by itself"), anchor=False)
        with st.container(border=True, width=736):
            SupportForm(viewer=self._viewer, workbench=self._workbench).draw()

    def _draw_stuck(self) -> None:
        st.subheader(_("Stuck rule"), anchor=False)
        with st.container(border=True, width=736):
            StuckForm(viewer=self._viewer, workbench=self._workbench).draw()

    def _draw_language(self) -> None:
        st.subheader(_("Language"), anchor=False)
        st.session_state["settings_language"] = language()
        st.segmented_control(
            _("Language of the pages in this tab; takes effect at once"),
            list(Language),
            format_func=OWN_NAMES.__getitem__,
            required=True,
            key="settings_language",
            on_change=_choose_language,
            args=(language(),),
        )

    def _draw_data(self) -> None:
        st.subheader(_("Data"), anchor=False)
        data = self._workbench.data_report(self._viewer)
        kind = _(KINDS[data.kind])
        if data.own_file is None or data.own_bytes is None:
            st.markdown(_("Your own database: {kind}. How large it is only that server knows.", kind=kind))
            st.caption(_("A backup is made by that server's own tool, `pg_dump`."))
        else:
            st.markdown(_("Your own database: {kind}, {size:.1f} MB.", kind=kind, size=data.own_bytes / MB))
            st.code(str(data.own_file), language=None)
            self._draw_backup()
        st.caption(_("Another place takes effect at the next start, by `TUTORLOOP_DATA` or `TUTORLOOP_DATABASE_URL`."))

    def _draw_backup(self) -> None:
        day = utc_now().date().isoformat()
        st.download_button(
            _("Download a backup"),
            lambda: self._workbench.back_up(self._viewer),
            file_name=f"tutorloop-{day}.db",
            mime="application/vnd.sqlite3",
            key="backup",
            icon=":material/download:",
            on_click="ignore",
            help=_("Everything as it is at this moment, in one file; without the addresses and keys of models."),
        )

    def _draw_demo(self) -> None:
        st.subheader(_("Demo"), anchor=False)
        size = self._workbench.data_report(self._viewer).demo_bytes
        is_on = size is not None
        label = _("Show the demo course; takes effect at once")
        if st.toggle(label, value=is_on, key=f"demo_on_{is_on}") != is_on:  # another key: it starts from what is so
            self._switch_demo(not is_on)
        if size is None:
            st.caption(_("The demo is off, and its file is removed. Your own courses are all that is shown."))
            return
        st.caption(_("The demo lies in a file of its own, {size:.1f} MB. Switching it off removes it.", size=size / MB))
        st.button(_("Make the demo anew"), icon=":material/restart_alt:", key="renew_demo", on_click=_ask_to_renew)
        if RENEWING in st.session_state:
            st.dialog(_("Make the demo anew"), on_dismiss=_close_question)(self._draw_question)()

    def _draw_question(self) -> None:
        st.markdown(
            _(
                "What was said and handed in inside the demo is lost; it cannot be brought back. "
                "Your own courses stay as they are."
            )
        )
        if st.button(_("Make it anew and lose the demo's conversations"), key="renew_demo_now"):
            _close_question()
            self._switch_demo(True)

    def _switch_demo(self, is_on: bool) -> None:
        """Make it anew, whether it was there or not, or remove it."""
        if is_on:
            with st.spinner(_("Playing the demo's histories; this takes some seconds …")):
                self._workbench.renew_demo(self._viewer, utc_now())
        else:
            self._workbench.remove_demo(self._viewer)
        st.rerun()

    def _draw_health(self) -> None:
        st.subheader(_("Health"), anchor=False)
        draw_health(self._workbench.health_report(self._viewer))


def _choose_language(shown: Language) -> None:
    chosen = st.session_state.get("settings_language")
    if chosen not in (None, shown):  # see `pick` of subject.py
        switch(Language(chosen))


def _ask_to_renew() -> None:
    st.session_state[RENEWING] = True


def _close_question() -> None:
    st.session_state.pop(RENEWING, None)


try:
    SettingsPage(viewer, _wiring.workbench()).draw()
except TutorloopError as error:
    show_error(error)
