"""A message that could not be sent: its words come back into the input, and the reason stands beside it.

A run that another one cuts short may never be seen, so both are kept until a run has drawn the page to its end.
"""

import streamlit as st

from engine.errors import TutorloopError
from pages._widgets.errors import show_error

_WORDS, _WHY = "refused_words", "refused_why"


def refuse(error: TutorloopError, words: str | None) -> None:
    """Keep why a message was not sent, and the words where a person typed them."""
    if words is not None:
        st.session_state[_WORDS] = words
    st.session_state[_WHY] = error


def is_refused() -> bool:
    """Whether something is to be given back."""
    return _WHY in st.session_state


def give_back(field: str) -> None:
    """Say the reason and put the words into the input of this key, unless they were just sent from it."""
    if st.session_state.get(field) is not None:
        forget_refused()
    if _WORDS in st.session_state:
        st.session_state[field] = st.session_state[_WORDS]
    error = st.session_state.get(_WHY)
    if error is not None:
        show_error(error)


def forget_refused() -> None:
    """Leave what stands in the input to whoever types there; called once the page is drawn to its end."""
    st.session_state.pop(_WORDS, None)
    st.session_state.pop(_WHY, None)
