"""Two texts side by side."""

import streamlit as st


def draw_two_texts(old: str, new: str, *, old_name: str, new_name: str) -> None:
    """Each in a column of its own, as plain text."""
    for column, name, body in zip(st.columns(2), (old_name, new_name), (old, new), strict=True):
        with column:
            st.markdown(f"**{name}**")
            st.code(body, language=None, wrap_lines=True, height=360)
