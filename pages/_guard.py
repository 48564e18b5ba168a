"""The lock on every page: closed unless `_main` opened it for a viewer in this very run."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import streamlit as st

from engine.domain.people import NOBODY, Viewer, ViewerKind
from engine.errors import AccessDenied
from pages._widgets import closed

_admitted: ContextVar[Viewer] = ContextVar("admitted", default=NOBODY)


@contextmanager
def admitted(viewer: Viewer) -> Iterator[None]:
    """Open the pages for `viewer` while the page that is drawn inside runs, and not a moment longer."""
    token = _admitted.set(viewer)
    try:
        yield
    finally:
        _admitted.reset(token)


def require_viewer() -> Viewer:
    """The viewer for whom this page is drawn; for nobody, show that it is closed and end the run.

    Call it first on every page, outside fragments: a fragment that runs again alone was not opened
    by `_main`, so it uses the viewer that the page gave it.
    """
    viewer = _admitted.get()
    if viewer.kind is ViewerKind.NOBODY:
        closed.draw()
        st.stop()
    return viewer


def require_teacher() -> Viewer:
    """As `require_viewer`, for a page that students do not have.

    Raises:
        AccessDenied: the viewer is a student.
    """
    viewer = require_viewer()
    if viewer.kind is ViewerKind.STUDENT:
        raise AccessDenied("this page is for teachers")
    return viewer
