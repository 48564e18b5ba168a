"""The script behind every page: language first, then who looks, then the navigation, then the page."""

from pathlib import Path

import streamlit as st

from engine.domain.people import Viewer, ViewerKind
from engine.domain.states import Language
from pages import _guard, _navigation, _wiring
from pages._widgets import words
from pages._widgets.address import keep_written, stand_on_page
from pages._widgets.anonymous import draw_names_switch

ICON = Path(__file__).parent / "_widgets" / "icon.svg"
"""A picture of ours: a Material icon in the browser's tab would be fetched from another host."""
STYLE = Path(__file__).parent / "_widgets" / "selected.css"
"""What no setting of the theme can say."""


def settle_language() -> None:
    """Keep the language of this run: the address, else the session, else the browser, else English."""
    chosen = words.choose(st.query_params.get("lang"), st.session_state.get(words.SESSION_KEY), st.context.locale)
    words.settle(chosen)


def draw_switches(viewer: Viewer) -> None:
    """At the right end: names or numbers, for who sees others; the other language by its own name.

    The rest of the address stays as it is.
    """
    other = Language.EN if words.language() is Language.ZH else Language.ZH
    with st.container(horizontal=True, horizontal_alignment="right"):
        if viewer.kind in (ViewerKind.LOCAL, ViewerKind.TEACHER):
            draw_names_switch()
        st.button(
            words.OWN_NAMES[other],
            icon=":material/translate:",
            type="tertiary",
            key="switch_language",
            on_click=words.switch,
            args=(other,),
        )


st.set_page_config(layout="wide", page_icon=ICON)
st.html(STYLE)
keep_written()
settle_language()
viewer = _wiring.viewer()
page = _navigation.navigation(viewer)
stand_on_page()
draw_switches(viewer)
with _guard.admitted(viewer):
    page.run()
