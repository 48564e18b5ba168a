"""What the address names, kept against addresses that are older than what was last written into it.

A browser sends the address that it knows with every click, and it learns a new one only from the answer to the
click before. Two choices in quick succession, or a part of the page that draws itself anew, therefore bring an
address from before the first choice along. Without what stands here the first choice would be lost: the page would
jump back to another task, or a drawer that was just closed would open over the words that somebody is typing.
"""

import time
from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

CATCHES_UP_S = 10.0
"""How long a browser may go on sending an address that is older than a writing."""
_WRITTEN, _PAGE = "written_addresses", "page_of_written_addresses"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """What was last written under a name."""

    value: str | None
    """None where the name was taken out."""
    before: frozenset[str | None]
    """What an older address may say."""
    at: float
    """On the clock of `time.monotonic`."""

    @property
    def is_past(self) -> bool:
        """Whether every browser knows it by now."""
        return time.monotonic() - self.at > CATCHES_UP_S


def name_in_address(name: str, value: str | None) -> None:
    """Let the address say `name=value`, or nothing under this name."""
    _write(name, value)


def close_in_address(*names: str) -> None:
    """Take the names out of the address."""
    for name in names:
        _write(name, None)


def keep_written() -> None:
    """Put right what an address says from before the last writing; at the beginning of every run.

    Going back or forward in the browser and going to another page are no older addresses but new ones.
    """
    if _is_new_address():
        _all_written().clear()
    for name, written in list(_all_written().items()):
        if written.is_past:
            del _all_written()[name]
        elif st.query_params.get(name) in written.before:
            _put(name, written.value)


def stand_on_page() -> None:
    """Remember which page this is, once that is settled: the first run of all begins without knowing it."""
    run = get_script_run_ctx()
    if run is not None:
        st.session_state[_PAGE] = run.page_script_hash


def _is_new_address() -> bool:
    run = get_script_run_ctx()
    if run is None:
        return False
    return run.is_history_navigation or st.session_state.get(_PAGE, run.page_script_hash) != run.page_script_hash


def _write(name: str, value: str | None) -> None:
    now, last = st.query_params.get(name), _all_written().get(name)
    older = last.before if last is not None and not last.is_past else frozenset()
    true = last.value if last is not None and now in older else now
    if true == value:
        return
    before = {now, true} | older
    _all_written()[name] = _Written(value=value, before=frozenset(before - {value}), at=time.monotonic())
    _put(name, value)


def _put(name: str, value: str | None) -> None:
    if value is None:
        st.query_params.pop(name, None)
    else:
        st.query_params[name] = value


def _all_written() -> dict[str, _Written]:
    kept: dict[str, _Written] = st.session_state.setdefault(_WRITTEN, {})
    return kept
