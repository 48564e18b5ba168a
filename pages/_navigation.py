"""Which pages there are, for whom, and under which names and addresses."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import groupby

import streamlit as st
from streamlit.navigation.page import Page

from engine.domain.people import Viewer, ViewerKind
from engine.domain.states import Language
from pages._widgets.words import N_, _, language


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
        name="revisions",
        group=N_("Write"),
        title=N_("Revisions"),
        icon="difference",
        help=N_("Improve a text version by version, see what changed, and go back at will."),
    ),
    Entry(
        name="preferences",
        group=N_("Write"),
        title=N_("Writing style"),
        icon="style",
        help=N_("See which habits of style were learned, on what evidence, and decide about each."),
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


def navigation(viewer: Viewer) -> Page:
    """The page asked for; for nobody, every address leads to the sign-in page.

    Streamlit notes in a page that it may be run, and does so once: each run of the script gets copies of its own.
    """
    groups = {group: [copy(page) for page in pages] for group, pages in _groups(viewer.kind, language()).items()}
    return st.navigation(groups, position="hidden" if viewer.kind is ViewerKind.NOBODY else "top")


@cache
def _groups(kind: ViewerKind, reader: Language) -> Mapping[str, tuple[Page, ...]]:  # noqa: ARG001 - titles are in it
    """The pages by the titles of their groups; each file is looked for once."""
    if kind is ViewerKind.NOBODY:
        addresses = ["start", "sign_in", *(entry.name for entry in ENTRIES)]
        return {"": tuple(st.Page("sign_in.py", title=_("Sign in"), url_path=address) for address in addresses)}
    groups: dict[str, tuple[Page, ...]] = {"": ()}
    shown = [entry for entry in ENTRIES if not entry.for_teachers or kind is not ViewerKind.STUDENT]
    for group, entries in groupby(shown, key=lambda entry: entry.group):
        pages = tuple(_page(entry) for entry in entries)
        title = _(group) if len(pages) > 1 else ""
        groups[title] = (*groups.get(title, ()), *pages)
    groups[""] = (*groups[""], _start_by_name())
    return groups


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
