"""How wide columns of a table must be whose cells are mostly empty or in Chinese: the browser guesses too little."""

from collections.abc import Iterable, Mapping, Sequence

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

PADDING, LATIN, WIDE = 20, 8, 14
"""Pixels of a cell beside its text, of a Latin character, and of a Chinese character or a sign."""
FIRST_WIDE = "\u2000"
MOST = 400
"""Pixels; a longer text is cut, and shown whole by a click on it."""


def wide_enough(columns: Mapping[str, Iterable[object]]) -> dict[str, ColumnConfig]:
    """A configuration for each column, named with its cells, in which its head and all of them have room."""
    return {name: st.column_config.Column(width=_width([name, *map(str, cells)])) for name, cells in columns.items()}


def _width(texts: Sequence[str]) -> int:
    return min(MOST, PADDING + max(sum(LATIN if one < FIRST_WIDE else WIDE for one in text) for text in texts))
