"""The part of the hand-in drawer that fetches a git repository: begun, followed, stopped, taken."""

from collections.abc import Callable

import streamlit as st

from engine.domain.people import Viewer
from engine.errors import TutorloopError
from engine.work.git_source import FetchedRepository
from engine.work.repositories import FetchPhase, FetchReport, RepositoryDesk
from engine.work.unpack import MIB
from pages._widgets.errors import show_error
from pages._widgets.evidence_link import commit_words
from pages._widgets.words import N_, _, ngettext

LOOK_EVERY = 0.5
"""Seconds between two looks at a repository that comes in."""
_ENDED = frozenset({FetchPhase.DONE, FetchPhase.FAILED})
_PHASES = {
    FetchPhase.WAITING: N_("Waiting for others to finish … {seconds} s"),
    FetchPhase.RECEIVING: N_("Fetching … {mb:.1f} MB, {seconds} s"),
    FetchPhase.READING: N_("Reading the files … {seconds} s"),
}


class RepositoryField:
    """The fields, the progress or what was fetched, whichever it is at this moment."""

    def __init__(self, viewer: Viewer, desk: RepositoryDesk, token: str) -> None:
        self._viewer = viewer
        self._desk = desk
        self._token = token

    def draw(self) -> FetchedRepository | None:
        """Draw it; gives the repository once it is there."""
        report = self._desk.look(self._viewer, self._token)
        if report is None:
            self._draw_form()
        elif report.fetched is not None:
            self._draw_fetched(report.fetched)
            return report.fetched
        elif report.phase in _ENDED:
            self._draw_form()
            if report.error is not None:
                show_error(report.error)
        else:
            self._follow()
        return None

    def _draw_form(self) -> None:
        with st.form("repository", border=False):
            address = st.text_input(_("Address"), key="repository_address", max_chars=1000, help=self._help())
            name = st.text_input(_("Branch, tag or commit (empty: the default branch)"), key="repository_name")
            pressed = st.form_submit_button(_("Fetch"), icon=":material/download:")
        if pressed:
            try:
                self._desk.begin(self._viewer, self._token, address, name)
            except TutorloopError as error:
                show_error(error)
                return
            st.rerun()

    def _help(self) -> str:
        if self._desk.policy.local:
            return _("An https address, or the path of a folder on this machine. Only what is committed is fetched.")
        return _("An https address of a public repository. Only what is committed is fetched.")

    def _follow(self) -> None:
        """Look again until it has ended, then draw the page anew."""

        @st.fragment(run_every=LOOK_EVERY)
        def watch() -> None:
            report = self._desk.look(self._viewer, self._token)
            if report is None or report.phase in _ENDED:
                st.rerun()
            else:
                _draw_progress(report, self._stop)

        watch()

    def _stop(self) -> None:
        self._desk.forget(self._viewer, self._token)

    def _draw_fetched(self, fetched: FetchedRepository) -> None:
        st.success(commit_words(fetched.provenance), icon=":material/commit:")
        if fetched.not_followed:
            st.caption(
                ngettext(
                    "{n} link or repository inside it is not followed.",
                    "{n} links or repositories inside it are not followed.",
                    len(fetched.not_followed),
                )
            )
        st.button(
            _("Fetch another"), key="repository_again", icon=":material/undo:", type="tertiary", on_click=self._stop
        )


def _draw_progress(report: FetchReport, stop: Callable[[], None]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        words = _(_PHASES[report.phase], mb=report.received_bytes / MIB, seconds=report.seconds)
        st.markdown(f":material/progress_activity: {words}", width="stretch")
        st.button(_("Stop"), key="repository_stop", icon=":material/stop_circle:", on_click=stop)
