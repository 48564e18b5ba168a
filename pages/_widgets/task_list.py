"""The tasks of a course to choose from: a list at the left, a select box where the window is narrow."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from engine.domain.course import Project, Task
from pages._widgets.markdown import literal
from pages._widgets.subject import pick, point_at, task_id_of, task_name
from pages._widgets.words import _, ngettext

STYLE = Path(__file__).with_name("task_list.css")
"""Which of the two is seen, by the width of the window."""
NEW_IN = "new_task_in"
"""Where the session keeps the id of the project for which a new task is being written."""

Pair = tuple[Project, Task]


def draw_task_select(pairs: Sequence[Pair]) -> Pair:
    """The select box, which also settles which task it is."""
    st.html(STYLE)
    with st.container(key="task_select"):
        return pick("task", _("Task"), pairs, task_id_of, task_name, page="courses")


def draw_task_list(pairs: Sequence[Pair], chosen: Pair) -> None:
    """The list, with the number of criteria and the project below each title."""
    names = {task_id_of(pair): pair for pair in pairs}
    shown = None if NEW_IN in st.session_state else task_id_of(chosen)
    st.session_state["task_list_choice"] = shown
    with st.container(key="task_list", height=720, border=False):
        st.radio(
            _("Tasks"),
            list(names),
            key="task_list_choice",
            format_func=lambda one: literal(names[one][1].title) if one in names else "",
            captions=[_caption(pair) for pair in pairs],
            on_change=_chosen,
            args=(shown,),
        )


def _caption(pair: Pair) -> str:
    count = len(pair[1].criteria)
    return ngettext("{project} · {n} criterion", "{project} · {n} criteria", count, project=literal(pair[0].title))


def _chosen(shown: str | None) -> None:
    chosen = st.session_state["task_list_choice"]
    if chosen in (None, shown):  # see `pick` of subject.py
        return
    st.session_state.pop(NEW_IN, None)
    point_at(task=chosen)
