"""A page with nothing but a drawn diff, of the pair of texts that is chosen, from the file COMPARED_TEXTS."""

import json
import os
from pathlib import Path

import streamlit as st

from engine.domain.artifact import ArtifactKind
from pages._widgets.diff_view import DiffSide, draw_diff

st.set_page_config(layout="wide")
pairs = json.loads(Path(os.environ["COMPARED_TEXTS"]).read_text(encoding="utf-8"))
names = list(pairs)
asked = st.query_params.get("pair", names[0])
name = st.segmented_control("Pair", names, default=asked, required=True) or asked
older, newer = (
    DiffSide(label=label, title=title, body=body)
    for label, (title, body) in zip(("V1", "V2"), pairs[name], strict=True)
)
draw_diff(older, newer, key="compared", kind=ArtifactKind.REPORT, file_name="report.md")
