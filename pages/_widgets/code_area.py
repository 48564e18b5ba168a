"""Where a text area is drawn: one for code has letters of one width, and lines wrap only where somebody wants it."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages._widgets.words import _

_STYLE = """<style>
.st-key-code_area textarea {
  font-family: "Source Code", "PingFang SC", "Microsoft YaHei", "Noto Sans Mono CJK SC", monospace;
  font-size: 0.8125rem; line-height: 1.35rem; white-space: SPACE; overflow-x: auto; tab-size: 4;
}
</style>"""


def text_place(*, is_code: bool) -> DeltaGenerator:
    """A container for one text area; once a page."""
    if not is_code:
        return st.container()
    wraps = st.toggle(_("Wrap long lines"), key="edit_wrap_code", persist_state="session")
    place = st.container(key="code_area")
    place.html(_STYLE.replace("SPACE", "pre-wrap" if wraps else "pre"))
    return place
