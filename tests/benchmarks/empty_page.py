"""A page of nothing, to measure what Streamlit itself costs."""

import streamlit as st

st.empty()
