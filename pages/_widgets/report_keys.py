"""Keys for build servers: made once, shown once, revoked."""

from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

import streamlit as st

from engine.courses.ci_token_store import CiToken
from engine.domain.course import Course
from engine.domain.people import Viewer
from engine.errors import TutorloopError
from engine.wiring import Space
from pages._widgets.errors import show_error
from pages._widgets.markdown import literal
from pages._widgets.moments import moment
from pages._widgets.told import held, hold
from pages._widgets.words import _

MADE = "report_key_made"
"""Where the session keeps the key that was just made, until the page is drawn without it."""
ASKED = "report_key_to_revoke"
"""Where the session keeps the id of the key that is asked about."""
PROJECT_EXAMPLE, LEARNER_EXAMPLE = "first", "Ada"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportKeys:
    """What the section needs to know."""

    viewer: Viewer
    space: Space
    is_demo: bool
    """The door for build servers leads to the own database alone."""
    course: Course

    def draw(self) -> None:
        """The new key, if one was just made, the field for another, and the keys there are."""
        st.subheader(_("Keys for build servers"), anchor=False)
        st.caption(
            _(
                "With a key a build server hands in test reports for the learners of this course. It is shown once, "
                "when it is made; only its hash is kept."
            )
        )
        if self.is_demo:
            st.info(_("Keys are for your own courses: no report ever goes into the demo. Choose one of yours above."))
            return
        self._draw_made()
        with st.form("report_key", border=False, clear_on_submit=True):
            name = st.text_input(_("What the key is for, such as a repository"), max_chars=100, key="report_key_name")
            if st.form_submit_button(_("Make a key"), icon=":material/key:", key="report_key_make"):
                self._make(name.strip())
        for token in self.space.tokens.tokens(self.viewer, self.course.course_id):
            self._draw_token(token)

    def _make(self, name: str) -> None:
        if not name:
            st.error(
                _("A key needs a name, so that you know later which one to revoke. Nothing was changed. Write one.")
            )
            return
        try:
            _token, key = self.space.tokens.issue(self.viewer, self.course.course_id, name)
        except TutorloopError as error:
            show_error(error)
            return
        hold(MADE, key)
        st.rerun()

    def _draw_made(self) -> None:
        key = held(MADE, str)
        if key is None:
            return
        with st.container(border=True):
            st.markdown(_("**Copy this key now.** It is shown this once."))
            st.code(key, language=None)
            st.markdown(_("To try it, with a report beside you:"))
            st.code(curl_line(self.course, key, _own_address()), language="bash")

    def _draw_token(self, token: CiToken) -> None:
        with st.container(horizontal=True, vertical_alignment="center"):
            name, ends = literal(token.name), literal(token.ends_with)
            if token.revoked_at is not None:
                st.markdown(
                    _("{name}, ends …{ends}: revoked {when}", name=name, ends=ends, when=moment(token.revoked_at))
                )
                return
            st.markdown(_("{name}, ends …{ends}: made {when}", name=name, ends=ends, when=moment(token.made_at)))
            if st.session_state.get(ASKED) != token.token_id:
                st.button(
                    _("Revoke"),
                    key=f"revoke_{token.token_id}",
                    icon=":material/key_off:",
                    on_click=_ask,
                    args=(token.token_id,),
                )
                return
            st.button(
                _("Revoke it: reports with this key are refused from now on"),
                key=f"revoke_now_{token.token_id}",
                icon=":material/key_off:",
                on_click=self._revoke,
                args=(token.token_id,),
            )
            st.button(_("Keep it"), key=f"keep_{token.token_id}", on_click=_ask, args=(None,))

    def _revoke(self, token_id: str) -> None:
        _ask(None)
        try:
            self.space.tokens.revoke(self.viewer, token_id)
        except TutorloopError as error:
            show_error(error)


def _ask(token_id: str | None) -> None:
    st.session_state[ASKED] = token_id


def _own_address() -> str:
    """Where the reader's browser reached this server."""
    parts = urlsplit(st.context.url or "")
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else "http://localhost:8501"


def curl_line(course: Course, key: str, address: str) -> str:
    """A command that hands in `report.xml` for the course's first task."""
    task_id = course.projects[0].tasks[0].task_id if course.projects[0].tasks else PROJECT_EXAMPLE
    query = urlencode({"learner": LEARNER_EXAMPLE, "task": task_id})
    return (
        f'curl --fail-with-body -X POST "{address}/api/v1/ci-reports?{query}" \\\n'
        f'  -H "Authorization: Bearer {key}" -H "X-Delivery-Id: first-try" \\\n'
        f'  -H "Content-Type: application/xml" --data-binary @report.xml'
    )
