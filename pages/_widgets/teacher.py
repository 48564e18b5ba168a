"""The teacher who looks: whether there is one, under which name students see what is written, and its drafts."""

import streamlit as st

from engine.access import Action, may
from engine.domain.keys import FeedbackKey
from engine.domain.people import Owned, Viewer
from engine.domain.states import CriterionStatus
from engine.wiring import Space
from pages._widgets.draft_area import Draft, keep_or_tell
from pages._widgets.words import _

SHOWN_AS = "shown_as"
"""Subject of the draft that keeps the name, and where the session keeps it."""
NAME_CHARACTERS = 80
CHOICES = (CriterionStatus.PASS, CriterionStatus.FAIL, CriterionStatus.NEED_REVIEW)
"""What a teacher can say of a criterion, in the order of the keys 1, 2 and 3."""


def teaches(viewer: Viewer, key: FeedbackKey) -> bool:
    """Whether the viewer may decide and write as the teacher here."""
    return may(viewer, Action.DECIDE, Owned(learner_id=key.learner_id, project_id=key.project_id))


def draft_of(viewer: Viewer, space: Space, project_id: str, subject: str) -> Draft:
    """A teacher's draft about `subject`."""
    return Draft(
        read=lambda: space.teaching.notes.draft(viewer, project_id, subject),
        keep=lambda words: space.teaching.notes.save_draft(viewer, project_id, subject, words),
    )


def shown_name(viewer: Viewer, space: Space, project_id: str) -> str:
    """Under which name students see what this teacher writes."""
    typed = st.session_state.get(SHOWN_AS) or space.teaching.notes.draft(viewer, project_id, SHOWN_AS)
    return typed.strip() or _("Teacher")


def draw_shown_name(viewer: Viewer, space: Space, project_id: str, *, key: str) -> None:
    """Let the teacher change that name; it is kept for the next time."""
    name = f"{SHOWN_AS}_{key}"
    if name not in st.session_state:
        st.session_state[name] = shown_name(viewer, space, project_id)
    st.text_input(
        _("Shown to the student as"),
        key=name,
        max_chars=NAME_CHARACTERS,
        on_change=_keep,
        args=(name, viewer, space, project_id),
    )


def _keep(name: str, viewer: Viewer, space: Space, project_id: str) -> None:
    """Keep the name, unless its field is gone by now, or it is the one that was shown: nobody chose that."""
    typed = st.session_state.get(name)
    if typed is None or typed == shown_name(viewer, space, project_id):
        return
    st.session_state[SHOWN_AS] = typed
    keep_or_tell(draft_of(viewer, space, project_id, SHOWN_AS), typed)
