"""Serves `probe_page.py` exactly as the product serves its pages."""

from pathlib import Path

import streamlit as st
from starlette.routing import Route

import app as product

app = st.App(
    Path(__file__).with_name("probe_page.py"),
    lifespan=product.lifespan,
    middleware=product.MIDDLEWARE,
    routes=[Route("/api/health", product.health)],
)
