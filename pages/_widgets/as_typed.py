"""Sends what is typed into a text area after a short pause; by itself Streamlit waits until the field is left."""

from pathlib import Path

import streamlit as st

_component = st.components.v2.component(
    "tutorloop_as_typed", js=Path(__file__).with_name("as_typed.js").read_text(encoding="utf-8")
)


def send_as_typed(key: str, *, enter: bool = False) -> None:
    """Let the text area of this key send its text while it is being typed into. Draw it after the text area.

    With `enter` typing can begin at once when it is first drawn, unless something else has the keyboard.

    Without scripts in the browser the text area works as ever.
    """
    _component(key=f"as_typed_{key}", data={"key": key, "enter": enter}, height="content")
