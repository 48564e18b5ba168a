"""The context bar: which course, task and student the page is about, kept in the address."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TypeVar

import streamlit as st

from engine.domain.course import Course, Learner, Project, Task
from engine.domain.keys import FeedbackKey
from engine.domain.people import Viewer
from engine.wiring import Space
from engine.workbench import Workbench
from pages._widgets.address import close_in_address, name_in_address
from pages._widgets.anonymous import names_in
from pages._widgets.words import _, language

Option = TypeVar("Option")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a page is about."""

    space: Space
    is_demo: bool
    course: Course
    project: Project
    task: Task
    learner: Learner
    key: FeedbackKey


CONVERSATION = "conversation"
"""In the address: the id of the conversation on the screen; without one it is the newest."""


def address_of(subject: Subject) -> dict[str, str]:
    """How an address names this subject."""
    key = subject.key
    return {
        "course": subject.course.course_id,
        "task": f"{key.project_id}/{key.task_id}",
        "student": key.learner_id,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One course and the space it stands in."""

    space: Space
    is_demo: bool
    course: Course


def point_at(**values: str) -> None:
    """Make this subject the one of every page: into the address and the session."""
    for name, value in values.items():
        name_in_address(name, value)
        st.session_state[f"subject_{name}"] = value
        st.session_state.pop(f"choose_{name}", None)


def choose_subject(viewer: Viewer, workbench: Workbench) -> Subject | None:
    """Draw the context bar and give what was chosen; None where there is nothing to choose from."""
    course_column, task_column, student_column = st.columns([3, 4, 3], vertical_alignment="bottom")
    with course_column:
        place = choose_place(viewer, workbench)
    if place is None:
        return None
    learners = place.space.courses.learners(viewer, place.course.course_id)
    if not learners:
        return None
    with student_column:
        names = names_in(viewer, place.space, place.course.course_id)
        learner = pick("student", _("Student"), learners, lambda one: one.learner_id, lambda one: names[one.learner_id])
    tasks = [(project, task) for project in place.course.projects for task in project.tasks]
    with task_column:
        project, task = pick(
            "task",
            _("Task"),
            tasks,
            task_id_of,
            task_name,
            start=_latest_task(viewer, place, learner),
        )
    return Subject(
        space=place.space,
        is_demo=place.is_demo,
        course=place.course,
        project=project,
        task=task,
        learner=learner,
        key=FeedbackKey(learner_id=learner.learner_id, project_id=project.project_id, task_id=task.task_id),
    )


def choose_place(viewer: Viewer, workbench: Workbench) -> Place | None:
    """Draw the choice of a course; None where the viewer has none."""
    places = _places(viewer, workbench)
    if not places:
        return None
    return pick("course", _("Course"), places, lambda one: one.course.course_id, _place_name)


def _places(viewer: Viewer, workbench: Workbench) -> list[Place]:
    """Own courses, then the demo in the reader's language, if there is a demo."""
    own, *demo = workbench.spaces
    places = [Place(space=own, is_demo=False, course=course) for course in own.courses.courses(viewer)]
    return places + [
        Place(space=space, is_demo=True, course=course)
        for space in demo
        for course in space.courses.courses(viewer)
        if course.language is language()
    ]


def _place_name(place: Place) -> str:
    return _("Demo: {title}", title=place.course.title) if place.is_demo else place.course.title


def _latest_task(viewer: Viewer, place: Place, learner: Learner) -> str | None:
    projects = [project.project_id for project in place.course.projects]
    key = place.space.work.latest_key(viewer, learner.learner_id, projects)
    return f"{key.project_id}/{key.task_id}" if key else None


def task_name(pair: tuple[Project, Task]) -> str:
    """Project and task as one line."""
    return f"{pair[0].title} › {pair[1].title}"


def task_id_of(pair: tuple[Project, Task]) -> str:
    """A task's id across projects, as addresses hold it."""
    project, task = pair
    return f"{project.project_id}/{task.task_id}"


def pick(
    name: str,
    label: str,
    options: Sequence[Option],
    id_of: Callable[[Option], str],
    name_of: Callable[[Option], str],
    start: str | None = None,
    page: str = "tutor",
) -> Option:
    """A choice bound to the address, else to the session, else what is shown already, else `start`, else the first.

    The browser is told in every run: what it is told in a run that another one cuts short may never reach it, and it
    would take the first of the options then. What is shown already is no choice: a field that was new in a run that
    another one cut short tells of a change with the next click, although nobody touched it.

    What was chosen goes along to other pages. What is merely shown stays on its `page`, although `start`
    changes: else work that another tab hands in would move this one.
    """
    by_id = {id_of(option): option for option in options}
    names = _told_apart({one: name_of(option) for one, option in by_id.items()})
    wished = st.query_params.get(name) or st.session_state.get(f"subject_{name}")
    shown = st.session_state.get(f"shown_{page}_{name}")
    chosen = next(one for one in (wished, shown, start, *by_id) if one in by_id)
    st.session_state[f"shown_{page}_{name}"] = chosen
    key = f"choose_{name}"
    st.session_state[key] = chosen
    st.selectbox(
        label,
        list(by_id),
        key=key,
        format_func=lambda value: names.get(value, ""),
        on_change=_chosen,
        args=(name, frozenset(by_id) - {chosen}),
    )
    return by_id[chosen]


def _told_apart(names: Mapping[str, str]) -> dict[str, str]:
    """Number equal names: the browser sends a choice back by the text that was shown."""
    taken: set[str] = set()
    told: dict[str, str] = {}
    for one, name in names.items():
        numbered = (name if number == 1 else f"{name} ({number})" for number in count(1))
        told[one] = next(each for each in numbered if each not in taken)
        taken.add(told[one])
    return told


def _chosen(name: str, others: frozenset[str]) -> None:
    """Keep a choice. A text of the other language, which a switch leaves behind, is none, nor is a field gone."""
    value = st.session_state.get(f"choose_{name}")
    if value is None or value not in others:
        return
    name_in_address(name, value)
    st.session_state[f"subject_{name}"] = value
    close_in_address(  # else what the choice leaves out would stay on the screen
        "review",
        "submission",
        "file",
        CONVERSATION,
        "text",
        "old",
        "new",
        "edit",
        "draft",
        "branch",
        "conflict",
        "from",
    )
    if name == "course":
        close_in_address("task", "student")
    if name in ("course", "student"):
        st.session_state.pop("shown_tutor_task", None)
