"""Which drawer stands open beside Tutor, and what stands there before there is a course."""

import streamlit as st

from engine.domain.people import Viewer
from engine.wiring import Space
from engine.workbench import Workbench
from pages._widgets.asked import open_asked
from pages._widgets.evidence import is_open, open_evidence
from pages._widgets.hand_in import HandInDrawer, draw_hand_in_button, is_handing_in
from pages._widgets.saw import open_saw
from pages._widgets.words import _


def open_drawer(viewer: Viewer, space: Space) -> None:
    """Open the drawer that the address names; there is room for one, and handing in goes first."""
    if is_handing_in():
        return
    if "turn" in st.query_params:
        open_saw(viewer, space.sessions, st.query_params["turn"])
    elif is_open():
        open_evidence(viewer, space)
    else:
        open_asked(viewer, space.calls)


def draw_no_course(viewer: Viewer, workbench: Workbench) -> None:
    """Say how the first course comes about: by handing in."""
    st.info(_("There is no course yet. Hand in work: that makes *My course* for you. Or open the demo in Settings."))
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_hand_in_button()
        st.page_link("settings.py", label=_("Settings"), icon=":material/settings:")
    if is_handing_in():
        HandInDrawer(viewer=viewer, workbench=workbench, subject=None, begin_conversation=None).open()
