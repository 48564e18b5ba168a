"""To which reviews the table is narrowed: by task, student and state."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.domain.course import Course
from engine.domain.states import CriterionStatus, OutcomeKind
from engine.review.review_store import ReviewFilter
from pages._widgets.address import close_in_address
from pages._widgets.subject import pick, task_id_of, task_name
from pages._widgets.words import N_, _

ALL = ""
STATES: Mapping[str, tuple[str, ReviewFilter]] = {
    ALL: (N_("All states"), ReviewFilter()),
    "fail": (N_("To fix"), ReviewFilter(verdict=CriterionStatus.FAIL)),
    "need_review": (N_("With the teacher"), ReviewFilter(verdict=CriterionStatus.NEED_REVIEW)),
    "pass": (N_("Passed"), ReviewFilter(verdict=CriterionStatus.PASS)),
    "unavailable": (N_("Could not be reviewed"), ReviewFilter(outcome=OutcomeKind.UNAVAILABLE)),
    "invalid": (N_("Faulty record"), ReviewFilter(faulty_only=True)),
    "open": (N_("Not finished"), ReviewFilter(open_only=True)),
}


def draw_filters(course: Course, learners: Mapping[str, str], places: Sequence[DeltaGenerator]) -> ReviewFilter:
    """A box each for task, student and state in `places`; gives what was chosen.

    Args:
        course: whose reviews they are.
        learners: names, as they are shown, by learner id.
        places: three.
    """
    pairs = [(project, task) for project in course.projects for task in project.tasks]
    names = {task_id_of(pair): task_name(pair) for pair in pairs}
    with places[0]:
        task = pick("task", _("Task"), [ALL, *names], str, lambda one: names.get(one, _("All tasks")), page="reviews")
    with places[1]:
        student = pick(
            "student",
            _("Student"),
            [ALL, *learners],
            str,
            lambda one: learners.get(one, _("All students")),
            page="reviews",
        )
    with places[2]:
        state = pick("state", _("State"), list(STATES), str, lambda one: _(STATES[one][0]), page="reviews")
    project_id, _slash, task_id = task.partition("/")
    return replace(
        STATES[state][1],
        project_ids=(project_id,) if task else tuple(project.project_id for project in course.projects),
        task_id=task_id or None,
        learner_id=student or None,
    )


def clear_filters() -> None:
    """Show everything again."""
    for name in ("task", "student", "state"):
        close_in_address(name)
        for kept in ("subject", "shown_reviews"):
            st.session_state.pop(f"{kept}_{name}", None)
