"""A file that becomes a text: its characters, or why there are none."""

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from engine.domain.states import FileState
from engine.errors import ArtifactRefused
from engine.work.decoding import read_file
from pages._widgets.words import _

_LAID_OUT = (".docx", ".doc", ".odt", ".rtf", ".pages", ".pdf", ".wps")
"""Ends of the names of files of word processors, which keep their words in a form of their own."""


def draw_upload(key: str) -> UploadedFile | None:
    """The field for one file."""
    st.html(f"<style>.st-key-{key} [data-testid='stFileUploaderDropzoneInstructions'] {{display: none}}</style>")
    return st.file_uploader(_("A text file"), key=key)


def read_text(upload: UploadedFile) -> str:
    """The text of an uploaded file, in whatever encoding it is.

    Raises:
        ArtifactRefused: there is nothing in it, it is no text, or its characters cannot be read.
    """
    content = upload.getvalue()
    if not content.strip():
        raise ArtifactRefused("there is nothing in this file", reason="empty_file", name=upload.name)
    if upload.name.lower().endswith(_LAID_OUT):
        raise ArtifactRefused("this is a laid-out document", reason="laid_out", name=upload.name)
    read = read_file(upload.name, content)
    if read.state is not FileState.TEXT or read.body is None:
        raise ArtifactRefused("this is no text", reason="not_text", name=upload.name)
    return read.body
