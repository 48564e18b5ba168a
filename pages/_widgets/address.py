"""Drawers that the address names: opened by naming something, closed for good when they are closed."""

import time

import streamlit as st

CATCHES_UP_S = 10.0
"""How long a browser may go on sending an address that is older than a closing; a click on *Back* counts again then."""
_CLOSED = "closed_addresses"


def name_in_address(name: str, value: str) -> None:
    """Let the address say `name=value`, whatever was closed before."""
    _closed().pop(name, None)
    st.query_params[name] = value


def close_in_address(*names: str) -> None:
    """Take the names out of the address, and out of the addresses that are still on their way."""
    for name in names:
        value = st.query_params.pop(name, None)
        if value is not None:
            _closed()[name] = (value, time.monotonic())


def drop_closed() -> None:
    """Forget what a part of the page that draws itself anew sent from before the closing.

    Such a part sends the address that its browser knew. Without this a drawer that was just closed
    would open again, over the words that somebody is typing.
    """
    for name, (value, closed_at) in list(_closed().items()):
        if time.monotonic() - closed_at > CATCHES_UP_S:
            del _closed()[name]
        elif st.query_params.get(name) == value:
            del st.query_params[name]


def _closed() -> dict[str, tuple[str, float]]:
    kept: dict[str, tuple[str, float]] = st.session_state.setdefault(_CLOSED, {})
    return kept
