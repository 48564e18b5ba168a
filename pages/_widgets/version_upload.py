"""A file that becomes a text: its characters, or why there are none."""

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from engine.domain.states import FileState
from engine.errors import ArtifactRefused
from engine.work.decoding import read_file
from pages._widgets.words import _


def draw_upload(key: str) -> UploadedFile | None:
    """The field for one file."""
    st.html(f"<style>.st-key-{key} [data-testid='stFileUploaderDropzoneInstructions'] {{display: none}}</style>")
    return st.file_uploader(_("A text file"), key=key)


def read_text(upload: UploadedFile) -> str:
    """The text of an uploaded file, in whatever encoding it is.

    Raises:
        ArtifactRefused: it is no text, or its characters cannot be read.
    """
    read = read_file(upload.name, upload.getvalue())
    if read.state is not FileState.TEXT or read.body is None:
        raise ArtifactRefused("this is no text", reason="not_text", name=upload.name)
    return read.body
