"""Which two versions are looked at: chosen in two fields, kept in the address."""

from collections.abc import Sequence

import streamlit as st

from engine.domain.artifact import VersionLine
from pages._widgets.address import close_in_address, name_in_address
from pages._widgets.words import _

OLD, NEW = "old", "new"
"""In the address: the numbers of the two versions; without them the newest and what it was made from."""


def shown_versions(lines: Sequence[VersionLine]) -> tuple[VersionLine, VersionLine]:
    """The two versions that the address names, the earlier side first; there is at least one version."""
    by_number = {line.number: line for line in lines}
    new = by_number.get(_number(NEW), lines[-1])
    return by_number.get(_number(OLD), before(new, lines)), new


def before(line: VersionLine, lines: Sequence[VersionLine]) -> VersionLine:
    """What a version was made from; the first one itself."""
    return next((one for one in lines if one.version_id == line.parent_id), line)


def show_version(line: VersionLine, lines: Sequence[VersionLine]) -> None:
    """Let the address name a version beside the one that it was made from."""
    name_in_address(NEW, str(line.number))
    name_in_address(OLD, str(before(line, lines).number))


def show_newest() -> None:
    """Let the address name no version, so that the newest is shown."""
    close_in_address(OLD, NEW)


def draw_version_choice(lines: Sequence[VersionLine], old: VersionLine, new: VersionLine) -> None:
    """Two fields, the earlier side left."""
    names = {line.number: _name(line) for line in lines}
    left, right = st.columns(2)
    for column, name, label, shown in ((left, OLD, _("Compare"), old), (right, NEW, _("with"), new)):
        key = f"version_{name}_{lines[0].artifact_id}"
        st.session_state[key] = shown.number
        with column:
            st.selectbox(
                label,
                list(names),
                key=key,
                format_func=lambda number: names.get(number, ""),
                on_change=_chosen,
                args=(key, name, shown.number),
            )


def _chosen(key: str, name: str, shown: int) -> None:
    if st.session_state[key] != shown:  # see `pick` of subject.py
        name_in_address(name, str(st.session_state[key]))


def _name(line: VersionLine) -> str:
    name = f"V{line.number}"
    return f"{name} · {line.title}" if line.title else name


def _number(name: str) -> int:
    written = st.query_params.get(name, "")
    return int(written) if written.isdecimal() and len(written) <= 9 else 0
