"""Which text a page is about: a student's or the teachers', chosen from those that there are, or a new one."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from engine.access import Action, may
from engine.domain.artifact import ArtifactEntry, VersionAuthor
from engine.domain.people import Owned, Viewer, ViewerKind
from pages._widgets.address import close_in_address, name_in_address
from pages._widgets.anonymous import name_in, names_in
from pages._widgets.markdown import literal
from pages._widgets.subject import Subject, address_of
from pages._widgets.told import held, hold
from pages._widgets.version_choice import NEW, OLD
from pages._widgets.version_words import entry_name
from pages._widgets.words import _

TEXT = "text"
"""In the address: the id of the artifact on the screen, or `BEGIN`; without it the one saved last."""
BEGIN = "new"
WHOSE = "whose"
"""In the address: `TEACHERS` for the texts of the teachers."""
TEACHERS = "teachers"
EDIT, DRAFT, BRANCH, CONFLICT = "edit", "draft", "branch", "conflict"
"""In the address: number of the version that is edited, the form it is typed in, that a branch is meant, and that
the version was overtaken meanwhile."""
FROM = "from"
"""In the address: the file of the newest submission that a new text begins with."""
_MISSING = "text_missing"
"""Where the session keeps for a while that the address named a text that is not here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextChoice:
    """Whose texts, which there are, and which one is on the screen."""

    subject: Subject
    owned: Owned
    entries: Sequence[ArtifactEntry]
    chosen: ArtifactEntry | None
    """None: a new one is begun."""

    @property
    def is_teachers(self) -> bool:
        """Whether these are the teachers' own texts."""
        return self.owned.learner_id is None

    def author(self, viewer: Viewer) -> VersionAuthor:
        """Who this viewer is as an author here."""
        is_teacher = self.is_teachers or viewer.kind is ViewerKind.TEACHER
        return VersionAuthor.TEACHER if is_teacher else VersionAuthor.STUDENT


def choose_text(viewer: Viewer, subject: Subject) -> TextChoice:
    """Draw the choice and give it."""
    key = subject.key
    teachers = Owned(learner_id=None, project_id=key.project_id)
    whose, which, begin = st.columns([3, 5, 2], vertical_alignment="bottom")
    with whose:
        owned = choose_owner(viewer, subject)
    is_teachers = owned == teachers
    found = subject.space.artifacts.artifacts(viewer, owned)
    wanted = st.query_params.get(TEXT) or None  # an address may name a text and leave out its task
    entries = [
        one
        for one in found
        if is_teachers or one.artifact.task_id in (None, key.task_id) or one.artifact.artifact_id == wanted
    ]
    chosen = _chosen(entries)
    if wanted not in (None, BEGIN, chosen.artifact.artifact_id if chosen else None):
        _leave_missing(chosen)
    if held(_MISSING, bool):
        told = _("The text that the address names is not among these. It may belong to another course or student.")
        st.info(told, icon=":material/info:")
    if entries:
        with which:
            _draw_which(entries, chosen)
        with begin:
            st.button(_("New text"), key="text_begin", icon=":material/add:", on_click=point_at_text, args=(BEGIN,))
    return TextChoice(subject=subject, owned=owned, entries=entries, chosen=chosen)


def choose_owner(viewer: Viewer, subject: Subject) -> Owned:
    """Whose texts: the student's, or those of the teachers, which only teachers are asked about."""
    key = subject.key
    teachers = Owned(learner_id=None, project_id=key.project_id)
    if may(viewer, Action.TEACH, teachers) and _draw_whose(viewer, subject):
        return teachers
    return Owned(learner_id=key.learner_id, project_id=key.project_id)


def name_to_others(viewer: Viewer, subject: Subject, owned: Owned) -> str:
    """What whoever the texts belong to is called before this viewer; empty where they are the viewer's own."""
    if owned.learner_id is None or viewer.kind is ViewerKind.STUDENT:
        return ""
    names = names_in(viewer, subject.space, subject.course.course_id)
    return name_in(names, owned.learner_id, subject.learner.name)


def address_of_texts(subject: Subject, owned: Owned) -> dict[str, str]:
    """How an address names whose texts these are, so that another page is about the same ones."""
    return address_of(subject) | ({WHOSE: TEACHERS} if owned.learner_id is None else {})


def point_at_text(artifact_id: str) -> None:
    """Let the address name a text, and nothing of the one before."""
    forget_text()
    name_in_address(TEXT, artifact_id)


def forget_text() -> None:
    """Let the address name no text."""
    close_in_address(TEXT, OLD, NEW, EDIT, DRAFT, BRANCH, CONFLICT, FROM)


def _chosen(entries: Sequence[ArtifactEntry]) -> ArtifactEntry | None:
    wanted = st.query_params.get(TEXT, "")
    if wanted == BEGIN or not entries:
        return None
    return next((one for one in entries if one.artifact.artifact_id == wanted), entries[0])


def _leave_missing(chosen: ArtifactEntry | None) -> None:
    """Let the address name what is shown in place of a text that is not here; what it said of that text is no more."""
    forget_text()
    if chosen is not None:
        name_in_address(TEXT, chosen.artifact.artifact_id)
    hold(_MISSING, value=True)


def _draw_whose(viewer: Viewer, subject: Subject) -> bool:
    names = names_in(viewer, subject.space, subject.course.course_id)
    student = name_in(names, subject.key.learner_id, subject.learner.name)
    labels = {"": literal(student), TEACHERS: _("Teachers")}
    told = TEACHERS if st.query_params.get(WHOSE) == TEACHERS else ""
    st.session_state["text_whose"] = told
    st.segmented_control(
        _("Whose texts"),
        list(labels),
        key="text_whose",
        format_func=lambda one: labels.get(one, ""),
        required=True,
        on_change=_change_whose,
        args=(told,),
    )
    return told == TEACHERS


def _change_whose(shown: str) -> None:
    chosen = st.session_state["text_whose"]
    if chosen == shown:  # see `pick` of subject.py
        return
    forget_text()
    if chosen == TEACHERS:
        name_in_address(WHOSE, TEACHERS)
    else:
        close_in_address(WHOSE)


def _draw_which(entries: Sequence[ArtifactEntry], chosen: ArtifactEntry | None) -> None:
    names = {one.artifact.artifact_id: entry_name(one) for one in entries}
    if chosen is None:
        names = {BEGIN: _("A new text"), **names}
    shown = chosen.artifact.artifact_id if chosen else BEGIN
    # A browser keeps the words that it showed, so a name that changes with the newest version is another field.
    key = f"text_which_{chosen.newest.version_id if chosen else BEGIN}"
    st.session_state[key] = shown
    st.selectbox(
        _("Text"),
        list(names),
        key=key,
        format_func=lambda one: names.get(one, ""),
        on_change=_change_which,
        args=(key, frozenset(names) - {shown}),
    )


def _change_which(key: str, others: frozenset[str]) -> None:
    chosen = st.session_state[key]
    if chosen in others:
        point_at_text(chosen)
