"""A teacher steps into a student's chat: a line under the teacher's name, which nothing answers."""

from collections.abc import Callable

import streamlit as st

from engine.domain.people import Viewer
from engine.domain.session import Conversation
from engine.errors import TutorloopError
from pages._widgets.draft_area import Draft, draw_draft, fill_draft
from pages._widgets.errors import show_error
from pages._widgets.subject import Subject
from pages._widgets.teacher import draft_of, draw_shown_name, shown_name, teaches
from pages._widgets.told import held, hold
from pages._widgets.words import _

AREA = "step_in_words"
REFUSED = "step_in_refused"
"""Where the session keeps why the words could not be sent."""


def draw_step_in(viewer: Viewer, subject: Subject, begin: Callable[[], Conversation]) -> None:
    """The form, for whoever teaches here; `begin` gives the conversation on the screen."""
    if not teaches(viewer, subject.key):
        return
    label = _("Write as the teacher")
    with st.popover(label, icon=":material/co_present:", type="tertiary", key="step_in", on_change="rerun") as form:
        if not form.open:
            return
        key = subject.key
        draft = draft_of(viewer, subject.space, key.project_id, f"chat:{key.learner_id}/{key.task_id}")
        draw_draft(_("Your words to the student"), AREA, draft)
        draw_shown_name(viewer, subject.space, key.project_id, key="step_in")
        st.caption(_("The student sees your name. The tutor does not answer it, and reads it with the next question."))
        refused = held(REFUSED, TutorloopError)
        if refused is not None:
            show_error(refused)
        st.button(
            _("Send as the teacher"),
            key="step_in_send",
            type="primary",
            on_click=_say,
            args=(viewer, subject, begin, draft),
        )


def _say(viewer: Viewer, subject: Subject, begin: Callable[[], Conversation], draft: Draft) -> None:
    st.session_state.pop(REFUSED, None)
    name = shown_name(viewer, subject.space, subject.key.project_id)
    try:
        subject.space.teaching.chats.say(viewer, begin().conversation_id, st.session_state.get(AREA, ""), name=name)
    except TutorloopError as error:
        hold(REFUSED, error)
        return
    fill_draft(AREA, draft, "")
