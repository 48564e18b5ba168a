"""When a task is due, and whether work came after that: shown, and never part of a verdict."""

from datetime import datetime

import streamlit as st

from engine.domain.course import Task
from pages._widgets.moments import moment
from pages._widgets.words import _


def due_words(due_at: datetime, handed_in_at: datetime | None = None) -> str:
    """The due date in one short sentence; of work that came later it says so."""
    told = _("Due {when}.", when=moment(due_at))
    if handed_in_at is not None and handed_in_at > due_at:
        return _(
            "{due} Handed in after the date, {when}; this changes no verdict.", due=told, when=moment(handed_in_at)
        )
    return told


def draw_due(task: Task | None, handed_in_at: datetime | None = None) -> None:
    """A quiet line with the due date of `task`; nothing where there is none."""
    if task is not None and task.due_at is not None:
        st.caption(f":material/event: {due_words(task.due_at, handed_in_at)}", width="content")
