"""One version alone, to be read: its paragraphs numbered as a request names them, its lines where it is code."""

from functools import lru_cache

import streamlit as st

from engine.domain.artifact import ArtifactKind, ArtifactVersion
from engine.revision.showing.comparison import Comparison, compare_for_reading
from engine.revision.showing.diff_html import STYLE, DiffDrawing, DiffLook, View
from engine.revision.showing.pieces import Grain
from pages._widgets.diff_sentences import diff_words
from pages._widgets.words import _

STEP = 200
"""So many lines are shown at first, and so many more with every press."""


def draw_text(version: ArtifactVersion, kind: ArtifactKind) -> None:
    """Draw it; whoever reads code can have its long lines wrapped."""
    is_code = kind is ArtifactKind.CODE
    wraps = not is_code or st.toggle(_("Wrap long lines"), key="text_wrap_code", persist_state="session")
    rows = len(_laid_out(version.body).rows)
    key = f"text_shown_{version.version_id}"
    shown = min(st.session_state.get(key, STEP), rows)
    st.html(f"<style>{STYLE}</style>")
    st.html(text_html(version.body, shown, is_code=is_code, wraps=wraps))
    if shown < rows:
        st.button(
            _("Show more ({n:,} of {all:,} lines are shown)", n=shown, all=rows),
            key="text_more",
            icon=":material/expand_more:",
            on_click=st.session_state.update,
            args=({key: shown + STEP},),
        )


def text_html(body: str, rows: int, *, is_code: bool, wraps: bool) -> str:
    """The first rows of a text as escaped HTML, or all where it has no more."""
    laid_out = _laid_out(body)
    look = DiffLook(
        view=View.INLINE, grain=Grain.WORD, wraps=wraps, hides_spaces=False, counts_lines=is_code, prefix="text"
    )
    shown = range(min(rows, len(laid_out.rows)))
    return DiffDrawing(laid_out, look, diff_words(counts_lines=is_code)).part(shown)


@lru_cache(maxsize=8)
def _laid_out(body: str) -> Comparison:
    return compare_for_reading(body, body)
