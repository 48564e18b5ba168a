"""The empty page on a server that sends at once, as the product's does: else waiting for the network is compared."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from pages import _at_once

app = st.App(Path(__file__).with_name("empty_page.py"), middleware=[Middleware(_at_once.SendsAtOnce)])
