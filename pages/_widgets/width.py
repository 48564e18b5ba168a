"""How much room a page has across, which only the browser knows."""

from pathlib import Path

import streamlit as st

USUAL = 1200
"""Pixels; taken for so many until the browser has told."""
NARROW = 900
"""Pixels; below this a page shows less at a time."""
_KEPT = "page_width"
_component = st.components.v2.component(
    "tutorloop_width", js=Path(__file__).with_name("width.js").read_text(encoding="utf-8")
)


def page_width() -> int:
    """Pixels inside the page's margins, rounded down. Draws an element without a look; call it once a page.

    Where it is not what was taken for granted the page is drawn once more, and again whenever it changes.
    """
    taken = int(st.session_state.get(_KEPT, USUAL))
    told = _component(key="width", data={"width": taken}, height="content", on_width_change=_keep)
    width = told.get("width")
    return int(width) if width else taken


def _keep() -> None:
    """Remember it for the next page, which then needs no second drawing."""
    width = st.session_state["width"].get("width")
    if width:
        st.session_state[_KEPT] = int(width)
