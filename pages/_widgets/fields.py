"""Fields of an editor that begin with what a form holds, keep what is typed, and say what is wrong beside it."""

import json
from collections.abc import Callable, Mapping, Sequence

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages._widgets.states import field_fault
from pages._widgets.words import _


def begin_with(key: str, value: object) -> None:
    """Let the field of this key show `value` when it is drawn for the first time."""
    if key not in st.session_state:
        st.session_state[key] = value


def line(
    label: str, value: str, key: str, *, faults: Sequence[str] = (), tip: str | None = None, places: str = ""
) -> str:
    """A line of text; `places` is an example in its place while it is empty."""
    begin_with(key, value)
    typed = st.text_input(label, key=key, help=tip, placeholder=places)
    say(faults)
    return typed or ""


def area(label: str, value: str, key: str, *, faults: Sequence[str] = (), height: int = 100) -> str:
    """Several lines of text."""
    begin_with(key, value)
    typed = st.text_area(label, key=key, height=height)
    say(faults)
    return typed or ""


def choice(
    label: str,
    options: Sequence[str],
    value: str,
    key: str,
    name_of: Callable[[str], str],
    *,
    faults: Sequence[str] = (),
) -> str:
    """One of `options`; the first where `value` is none of them."""
    begin_with(key, value if value in options else options[0])
    chosen = st.selectbox(label, list(options), key=key, format_func=name_of)
    say(faults)
    return chosen if chosen in options else options[0]


def drop(label: str, types: Sequence[str], key: str) -> UploadedFile | None:
    """A file of one of these endings; what is read says its limit."""
    st.html(uploader_style({key: _("Choose a file")}))
    return st.file_uploader(label, type=list(types), key=key)


def uploader_style(words: Mapping[str, str]) -> str:
    """CSS for file uploaders, by key: this word on the button in place of Streamlit's, which is English only.

    Streamlit's line on sizes goes, too: it tells what it carries to us, which is more than we take.
    """
    rules = [
        f".st-key-{key} [data-testid='stFileUploaderDropzoneInstructions'] {{display: none}}"
        f".st-key-{key} [data-testid='stFileUploaderDropzone'] > span button p {{font-size: 0}}"
        f".st-key-{key} [data-testid='stFileUploaderDropzone'] > span button p::after"
        f" {{content: {json.dumps(word, ensure_ascii=False)}; font-size: 0.875rem}}"
        for key, word in words.items()
    ]
    return f"<style>{''.join(rules)}</style>"


def say(faults: Sequence[str]) -> None:
    """What is wrong with the field above, each in a line."""
    for fault in faults:
        st.markdown(field_fault(fault))
