"""Names of students, or numbers in their place while the screen is shown to others."""

from collections.abc import Mapping

import streamlit as st

from engine.domain.people import Viewer
from engine.insight.names import shown_names
from engine.wiring import Space
from pages._widgets.address import name_in_address
from pages._widgets.words import _

ANONYMOUS = "anonymous"
"""In the address and the session: that names are hidden."""


def is_anonymous() -> bool:
    """Whether names are hidden; what the address says stays for the session, and the session writes it there."""
    if ANONYMOUS in st.query_params:
        st.session_state[ANONYMOUS] = st.query_params[ANONYMOUS] == "1"
    elif st.session_state.get(ANONYMOUS):
        name_in_address(ANONYMOUS, "1")
    return bool(st.session_state.get(ANONYMOUS))


def draw_names_switch() -> None:
    """Hide the names, or show them again; on every page, until it is switched back."""
    hidden = is_anonymous()
    st.button(
        _("Show names") if hidden else _("Hide names"),
        icon=":material/visibility:" if hidden else ":material/visibility_off:",
        type="tertiary",
        key="switch_names",
        on_click=_switch,
        help=_(
            "For demonstrations: students are shown by their number in the class list, in exports too. What they "
            "wrote themselves stays as it is."
        ),
    )


def names_in(viewer: Viewer, space: Space, course_id: str) -> Mapping[str, str]:
    """What each learner of a course is called on this page, by learner id; no two the same."""
    learners = space.courses.learners(viewer, course_id)
    return shown_names(learners, (lambda number: _("Student {n}", n=number)) if is_anonymous() else None)


def name_in(names: Mapping[str, str], learner_id: str, name: str) -> str:
    """What one learner is called; of one who is not in the class list any more the name, or that it is a student."""
    return names.get(learner_id) or (_("A student") if is_anonymous() else name)


def _switch() -> None:
    hidden = not is_anonymous()
    st.session_state[ANONYMOUS] = hidden
    name_in_address(ANONYMOUS, "1" if hidden else None)
