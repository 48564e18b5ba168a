"""The one strip above a page: the most serious thing that a person should know, and no more."""

import streamlit as st

from pages._widgets.words import _


def draw_strip(*, is_demo: bool, is_offline: bool, can_hand_in: bool = True) -> None:
    """Say that this is demo data, or else that no model is connected; nothing where neither is so.

    `can_hand_in` says whether the page has a button for it.
    """
    if is_demo and can_hand_in:
        text = _("Demo data. Yours is one hand-in away: press *Hand in work*.")
        icon = ":material/science:"
    elif is_demo:
        text = _("Demo data. Yours is one hand-in away, on the *Tutor* page.")
        icon = ":material/science:"
    elif is_offline:
        text = _("No model connected: the offline tutor answers by fixed rules, from the review only.")
        icon = ":material/cloud_off:"
    else:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{icon} {text}", width="content")
        if is_offline and not is_demo:
            st.page_link("settings.py", label=_("Connect a model"), icon=":material/settings:")
