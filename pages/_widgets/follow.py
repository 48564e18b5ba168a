"""Keeps the newest turn in sight, and lets go as soon as the reader scrolls away."""

from pathlib import Path

import streamlit as st

_component = st.components.v2.component(
    "tutorloop_follow", js=Path(__file__).with_name("follow.js").read_text(encoding="utf-8")
)


def follow(place: str) -> None:
    """Go to the end of the page when `place` changes; after that, follow while the reader stays at the end.

    `place` names what the reader looks at: give the conversation and the number of own messages in it, so
    that opening another conversation and sending a message both go to the newest turn. Draw it once a page,
    after the last turn.
    """
    _component(key="follow", data={"place": place}, height="content")
