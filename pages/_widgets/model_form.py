"""The model of one use: address, name and key, saving, and testing the connection."""

from dataclasses import dataclass

import streamlit as st

from engine.domain.people import Viewer
from engine.errors import TutorloopError
from engine.llm.probe import ProbeReport
from engine.settings import ModelUse
from engine.settings_store import ModelReport, Origin
from engine.workbench import Workbench
from pages._widgets.errors import show_error
from pages._widgets.moments import moment
from pages._widgets.probe_words import fault, findings, listed
from pages._widgets.states import OURS
from pages._widgets.words import N_, _

USES = {
    ModelUse.TUTOR: N_("Tutor"),
    ModelUse.REVIEW: N_("Reviews"),
    ModelUse.EDIT: N_("Edits"),
    ModelUse.LEARN: N_("Writing style"),
}
ASKED_FOR = {
    ModelUse.TUTOR: N_("Answers students and writes summaries. It also does what no model of its own is set for."),
    ModelUse.REVIEW: N_("Judges the criteria that must be read for their meaning."),
    ModelUse.EDIT: N_("Changes texts by conversation, and writes first drafts."),
    ModelUse.LEARN: N_("Looks for habits of style in every change, after it is saved."),
}
"""What each use is, in a sentence."""
ORIGINS = {
    Origin.ENVIRONMENT: N_(
        "Set by the environment (TUTORLOOP_MODEL_URL), which wins over this page. "
        "To set it here, start the server without that variable."
    ),
    Origin.STORED: N_("In use since it was saved here."),
    Origin.SHARED: N_("Nothing of its own: the tutor's model is asked."),
}
WITHOUT = {
    ModelUse.TUTOR: N_("No model is connected: the offline tutor answers by fixed rules."),
    ModelUse.REVIEW: N_("No model is connected: such criteria wait for a person."),
    ModelUse.EDIT: N_("No model is connected: the offline editor does what fixed rules can."),
    ModelUse.LEARN: N_("No model is connected: habits are learned by fixed rules."),
}
"""What happens where nothing is connected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelForm:
    """What the form needs to know."""

    viewer: Viewer
    workbench: Workbench
    use: ModelUse

    def draw(self) -> None:
        """Where the model comes from, the fields, the buttons, and what the last test found."""
        report = self.workbench.model_report(self.viewer, self.use)
        st.markdown(_(ASKED_FOR[self.use]))
        st.caption(_(WITHOUT[self.use] if report.origin is Origin.NOWHERE else ORIGINS[report.origin]))
        if report.origin is Origin.ENVIRONMENT:
            st.markdown(_("Model `{name}` at `{address}`", name=report.name, address=report.address))
        else:
            self._draw_fields(report)
        self._draw_test(report)

    def _draw_fields(self, report: ModelReport) -> None:
        own = report if report.origin is Origin.STORED else None
        address, model = (own.address or "", own.name or "") if own else ("", "")
        with st.form(f"model_{self.use}", border=False):
            url = st.text_input(
                _("Address"),
                value=address,
                placeholder="https://api.example.com/v1",
                max_chars=500,
                key=self._field("url"),
            )
            name = st.text_input(_("Model"), value=model, max_chars=200, key=self._field("name"))
            key = st.text_input(
                _("Key"),
                type="password",
                placeholder=_key_line(own),
                help=_("Kept in your own database and sent to this server only. It is never shown again."),
                max_chars=2000,
                key=self._field("key"),
                autocomplete="new-password",
            )
            st.caption(_("Takes effect with the next reply; a reply that is being written ends with the old model."))
            if st.form_submit_button(_("Save"), type="primary", icon=":material/save:", key=f"model_save_{self.use}"):
                self._save(url, name, key)

    def _field(self, what: str) -> str:
        """New fields after each change, so that they show what is stored and no key stays in the session."""
        return f"model_{what}_{self.use}_{st.session_state.get(self._changes, 0)}"

    @property
    def _changes(self) -> str:
        return f"model_changes_{self.use}"

    @property
    def _found(self) -> str:
        return f"model_found_{self.use}"

    def _save(self, url: str, name: str, key: str) -> None:
        try:
            self.workbench.keep_model(self.viewer, self.use, url=url, name=name, key=key)
        except TutorloopError as error:
            show_error(error)
            return
        st.toast(_("Saved. The next reply uses it."))
        self._show_anew()

    def _forget(self) -> None:
        self.workbench.forget_model(self.viewer, self.use)
        self._show_anew()

    def _show_anew(self) -> None:
        st.session_state.pop(self._found, None)
        st.session_state[self._changes] = st.session_state.get(self._changes, 0) + 1
        st.rerun()

    def _draw_test(self, report: ModelReport) -> None:
        if report.origin is Origin.NOWHERE:
            return
        with st.container(horizontal=True):
            if st.button(_("Test connection"), icon=":material/network_check:", key=f"model_test_{self.use}"):
                with st.spinner(_("Asking the server a few short questions, up to two minutes …")):
                    st.session_state[self._found] = self.workbench.probe_model(self.viewer, self.use)
            if report.origin is Origin.STORED and st.button(
                _("Forget this model"),
                icon=":material/link_off:",
                key=f"model_forget_{self.use}",
                help=_("Removes address, name and key. Takes effect with the next reply."),
            ):
                self._forget()
        found: ProbeReport | None = st.session_state.get(self._found)
        if found is not None:
            _draw_found(found, report)


def _draw_found(found: ProbeReport, report: ModelReport) -> None:
    if found.fault is None:
        st.success(findings(found), icon=":material/check_circle:")
        return
    with st.container(border=True):
        st.markdown(f"{OURS} {fault(found, report)}")
        if found.models:
            st.markdown(listed(found))
        if report.origin is Origin.STORED:
            st.caption(_("Replies fail until this is mended; forgetting the model brings the offline tutor back."))


def _key_line(own: ModelReport | None) -> str:
    """What is told of a stored key, and what an empty field means."""
    if own is None or own.key_set_at is None:
        return _("None is stored; many servers of your own need none.")
    when = moment(own.key_set_at)
    if own.key_ends is None:
        return _("Set {when}. Leave empty to keep it.", when=when)
    return _("Set {when}, ends …{ends}. Leave empty to keep it.", when=when, ends=own.key_ends)
