"""Talk about the work with a tutor that has the current review."""

import streamlit as st

from pages._guard import require_viewer
from pages._widgets.words import _

viewer = require_viewer()

st.title(_("Tutor"), anchor=False)
