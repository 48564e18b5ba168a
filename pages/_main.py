"""The script behind every page: language first, then who looks, then the navigation, then the page."""

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import Page

from engine.domain.people import Viewer, ViewerKind
from engine.domain.states import Language
from pages import _guard, _wiring
from pages._widgets import words
from pages._widgets.address import drop_closed
from pages._widgets.anonymous import draw_names_switch
from pages._widgets.words import N_, _

ICON = Path(__file__).parent / "_widgets" / "icon.svg"
"""A picture of ours: a Material icon in the browser's tab would be fetched from another host."""
STYLE = Path(__file__).parent / "_widgets" / "selected.css"
"""What no setting of the theme can say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One page of the navigation; its address is the name of its file."""

    name: str
    group: str
    title: str
    icon: str
    help: str
    for_teachers: bool = False
    """Whether students have no such page."""


ENTRIES = (
    Entry(
        name="tutor",
        group=N_("Learn"),
        title=N_("Tutor"),
        icon="forum",
        help=N_("Hand in work, read its review and talk about it with the tutor."),
    ),
    Entry(
        name="board",
        group=N_("Teach"),
        title=N_("Class board"),
        icon="grid_view",
        help=N_("See at one look who is where, who may be stuck, and who needs you."),
        for_teachers=True,
    ),
    Entry(
        name="reviews",
        group=N_("Teach"),
        title=N_("Reviews"),
        icon="fact_check",
        help=N_("See what was judged, by whom and on what evidence."),
    ),
    Entry(
        name="review_queue",
        group=N_("Teach"),
        title=N_("Queue"),
        icon="playlist_add_check",
        help=N_("Work off what only a person can decide."),
        for_teachers=True,
    ),
    Entry(
        name="courses",
        group=N_("Teach"),
        title=N_("Courses"),
        icon="menu_book",
        help=N_("Edit tasks and criteria, class lists and teams, and keys for build servers."),
        for_teachers=True,
    ),
    Entry(
        name="settings",
        group=N_("Settings"),
        title=N_("Settings"),
        icon="settings",
        help=N_("Connect a model, see where data lies, switch the demo on or off."),
    ),
)


def settle_language() -> None:
    """Keep the language of this run: the address, else the session, else the browser, else English."""
    chosen = words.choose(st.query_params.get("lang"), st.session_state.get(words.SESSION_KEY), st.context.locale)
    words.settle(chosen)


def navigation(viewer: Viewer) -> Page:
    """The page asked for; for nobody, every address leads to the sign-in page."""
    if viewer.kind is ViewerKind.NOBODY:
        addresses = ["start", "sign_in", *(entry.name for entry in ENTRIES)]
        sign_in = [st.Page("sign_in.py", title=_("Sign in"), url_path=address) for address in addresses]
        return st.navigation(sign_in, position="hidden")
    groups: dict[str, list[Page]] = {"": []}
    shown = [entry for entry in ENTRIES if not entry.for_teachers or viewer.kind is not ViewerKind.STUDENT]
    for group, entries in groupby(shown, key=lambda entry: entry.group):
        pages = [_page(entry) for entry in entries]
        groups.setdefault(_(group) if len(pages) > 1 else "", []).extend(pages)
    groups[""].append(_start_by_name())
    return st.navigation(groups, position="top")


def _start_by_name() -> Page:
    """The first page under its own name too: Streamlit serves it at `/` only, and people type what they saw."""
    first = ENTRIES[0]
    return st.Page(f"{first.name}.py", title=_(first.title), url_path=first.name, visibility="hidden")


def _page(entry: Entry) -> Page:
    first = entry is ENTRIES[0]
    return st.Page(
        f"{entry.name}.py",
        title=_(entry.title),
        icon=f":material/{entry.icon}:",
        url_path="start" if first else entry.name,
        default=first,
        help=_(entry.help),
    )


def draw_switches(viewer: Viewer) -> None:
    """At the right end: names or numbers, for who sees others; the other language by its own name.

    The rest of the address stays as it is.
    """
    other = Language.EN if words.language() is Language.ZH else Language.ZH
    with st.container(horizontal=True, horizontal_alignment="right"):
        if viewer.kind in (ViewerKind.LOCAL, ViewerKind.TEACHER):
            draw_names_switch()
        st.button(
            words.OWN_NAMES[other],
            icon=":material/translate:",
            type="tertiary",
            key="switch_language",
            on_click=words.switch,
            args=(other,),
        )


st.set_page_config(layout="wide", page_icon=ICON)
st.html(STYLE)
settle_language()
drop_closed()
viewer = _wiring.viewer()
page = navigation(viewer)
draw_switches(viewer)
with _guard.admitted(viewer):
    page.run()
