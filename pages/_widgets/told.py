"""What was done by a click, said once on the next drawing of the page."""

import streamlit as st

_TOLD = "told"
"""Where the session keeps the sentence until it is drawn."""


def tell(sentence: str) -> None:
    """Say this above the page when it is drawn next."""
    st.session_state[_TOLD] = sentence


def draw_told() -> None:
    """Say what was done, if anything was."""
    sentence = st.session_state.pop(_TOLD, None)
    if sentence:
        st.success(sentence, icon=":material/check_circle:")
