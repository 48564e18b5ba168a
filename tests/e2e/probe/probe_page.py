"""Shared parts of the pages, drawn alone: `?show=` says which."""

import json
import os
from pathlib import Path

import streamlit as st

from engine.domain.artifact import ArtifactKind
from pages._widgets.diff_view import DiffSide, draw_diff
from pages._widgets.follow import follow
from pages._widgets.markdown import safe_markdown
from pages._widgets.words import choose, settle


def show_markdown() -> None:
    """The texts in the file PROBE_TEXTS, each made safe and drawn like a chat message."""
    for text in json.loads(Path(os.environ["PROBE_TEXTS"]).read_text(encoding="utf-8")):
        with st.container(border=True):
            st.markdown(safe_markdown(text))
    st.caption("all drawn")


def show_follow() -> None:
    """A conversation that grows by a button, with the chat box where the tutor page has it."""
    turns = st.session_state.setdefault("turns", 40)
    for number in range(turns):
        with st.chat_message("assistant"):
            st.markdown(f"turn {number}")
            st.markdown("and some more of it")
    follow(st.query_params.get("conversation", "a"))
    with st.bottom, st.container(key="ask"):
        st.chat_input("Ask")

    @st.fragment(run_every="0.3s")
    def grow() -> None:
        grown = st.session_state.setdefault("grown", 0)
        st.session_state["grown"] = grown + 1
        st.markdown("\n\n".join(f"line {line}" for line in range(grown)))

    grow()


def show_bare() -> None:
    """Streamlit's own page, with those of its parts that axe finds at fault wherever they stand."""
    st.file_uploader("Files")
    st.caption("all drawn")


def show_diff() -> None:
    """Two texts in the file PROBE_TEXTS under `?pair=`, below a field to type in and a line while that is empty."""
    st.set_page_config(layout="wide")
    if not st.session_state.get("notes"):
        st.caption("no notes yet")
    pairs = json.loads(Path(os.environ["PROBE_TEXTS"]).read_text(encoding="utf-8"))
    settle(choose(st.query_params.get("lang")))
    kind = ArtifactKind(st.query_params.get("kind", "report"))
    name = st.query_params.get("pair") or st.selectbox("Pair", list(pairs))
    st.text_area("Notes", key="notes")
    older, newer = (
        DiffSide(label=label, title=title, body=body)
        for label, (title, body) in zip(("V2", "V4"), pairs[name], strict=True)
    )
    draw_diff(older, newer, key="probe", kind=kind, file_name="report.md")
    st.caption("all drawn")


{"markdown": show_markdown, "follow": show_follow, "bare": show_bare, "diff": show_diff}[st.query_params["show"]]()
