"""What came of a click, kept for the next drawings of the page: one that another cuts short may never be seen."""

import time
from typing import TypeVar

import streamlit as st

STAYS_S = 5.0
"""How long it is drawn again when the page is drawn anew."""
_TOLD = "told"
Kind = TypeVar("Kind")


def tell(sentence: str) -> None:
    """Say this above the page when it is drawn next, in place of what was said before."""
    hold(_TOLD, sentence)


def draw_told() -> None:
    """Say what was done, if anything was."""
    sentence = held(_TOLD, str)
    if sentence is not None:
        st.success(sentence, icon=":material/check_circle:")


def hold(name: str, value: object) -> None:
    """Keep a value in the session for a while."""
    st.session_state[name] = (value, time.monotonic())


def held(name: str, kind: type[Kind]) -> Kind | None:
    """What is kept under the name; None where nothing is, or any more."""
    value, since = st.session_state.get(name, (None, 0.0))
    if time.monotonic() - since > STAYS_S:
        st.session_state.pop(name, None)
        return None
    return value if isinstance(value, kind) else None
