"""See what was judged, by whom and on what evidence."""

import streamlit as st

from pages._guard import require_viewer
from pages._widgets.words import _

viewer = require_viewer()

st.title(_("Reviews"), anchor=False)
