"""A text area whose words are kept while they are typed, and are there again after a reload or elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from engine.errors import TutorloopError
from pages._widgets.as_typed import send_as_typed
from pages._widgets.errors import show_error


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Where the words of one text area are kept; keeping nothing forgets them."""

    read: Callable[[], str]
    keep: Callable[[str], None]


def draw_draft(label: str, key: str, draft: Draft, *, height: int = 100, placeholder: str | None = None) -> None:
    """Draw the text area; its words stand in the session under `key`."""
    if key not in st.session_state:
        st.session_state[key] = draft.read()
    st.text_area(label, key=key, height=height, placeholder=placeholder, on_change=_keep, args=(key, draft))
    send_as_typed(key)


def fill_draft(key: str, draft: Draft, words: str) -> None:
    """Put `words` into the text area, in a callback."""
    st.session_state[key] = words
    keep_or_tell(draft, words)


def _keep(key: str, draft: Draft) -> None:
    """Keep the words, unless they were saved while the last of them were still on their way."""
    if key in st.session_state:
        keep_or_tell(draft, st.session_state[key])


def keep_or_tell(draft: Draft, words: str) -> None:
    """Keep `words`; where they cannot be kept now they stand in the field, and that is told."""
    try:
        draft.keep(words)
    except TutorloopError as error:
        show_error(error)
