"""A new text from a brief, in the style of whoever it belongs to; and which rules a version was written by."""

import streamlit as st

from engine.domain.artifact import ArtifactKind, VersionLine, VersionReason
from engine.domain.learning import LearningState
from engine.domain.model_call import CallSubject, CallUse
from engine.domain.people import Owned, Viewer
from engine.domain.preference import (
    EvidenceKind,
    Persona,
    Rule,
    RuleEventKind,
    Standing,
    StyleRule,
)
from engine.errors import TutorloopError
from engine.revision.style.drafting import Brief, Drafted
from engine.revision.style.lessons import BY_HAND, SPOKEN
from engine.wiring import Space
from pages._widgets.asked import draw_asked_button
from pages._widgets.draft_area import Draft, draw_draft
from pages._widgets.errors import show_error
from pages._widgets.lessons import draw_try_now, idle
from pages._widgets.markdown import literal
from pages._widgets.subject import Subject
from pages._widgets.teacher import draft_of
from pages._widgets.text_choice import address_of_texts
from pages._widgets.told import tell
from pages._widgets.version_words import KINDS
from pages._widgets.words import _, in_a_row, ngettext


class BriefForm:
    """Asks for a brief and has a first draft written."""

    def __init__(self, viewer: Viewer, space: Space, subject: Subject, owned: Owned) -> None:
        self._viewer = viewer
        self._space = space
        self._subject = subject
        self._owned = owned
        self._place = f"brief_{owned.learner_id or 'teachers'}_{subject.key.task_id}"

    def draw(self, kinds: tuple[ArtifactKind, ...]) -> str | None:
        """The form; gives the id of the new artifact in the run in which it was made."""
        kind = ArtifactKind(
            st.segmented_control(
                _("Kind of text"),
                kinds,
                default=kinds[0],
                format_func=lambda one: _(KINDS[one]),
                required=True,
                key=f"{self._place}_kind",
            )
        )
        name = st.text_input(_("File name"), value=f"{kind.value}-draft.md", key=f"{self._place}_name_{kind.value}")
        key = f"{self._place}_words"
        label = _("What the text should say")
        draw_draft(label, key, self._draft(), height=180, placeholder=_("Facts, occasion, readers, in your own words"))
        rules = self._space.preferences.habits.for_text(self._viewer, self._owned, kind, self._task_id)
        address = address_of_texts(self._subject, self._owned)
        draw_rules(rules, _("These style rules will be followed:"), address)
        artifact_id = None
        if st.button(_("Write a draft"), key=f"{self._place}_go", type="primary", icon=":material/draft:"):
            artifact_id = self._write(
                Brief(owned=self._owned, kind=kind, file_name=name, words=st.session_state[key], task_id=self._task_id)
            )
        if artifact_id is None:
            self._draw_lost()
        return artifact_id

    def _draw_lost(self) -> None:
        """Where the last request for a draft brought no text: the way to what was asked and answered."""
        persona = self._space.preferences.personas.find(self._viewer, self._owned)
        if persona is None:
            return
        asked = self._space.calls.parts(self._viewer, CallUse.DRAFT, persona.persona_id)
        there = {one.artifact.artifact_id for one in self._space.artifacts.artifacts(self._viewer, self._owned)}
        if asked and asked[-1] not in there:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(_("The last request for a draft brought no text."))
                draw_asked_button(_draft_subject(persona, asked[-1]), key="draft_lost")

    @property
    def _task_id(self) -> str | None:
        return None if self._owned.learner_id is None else self._subject.key.task_id

    def _write(self, brief: Brief) -> str | None:
        try:
            with st.spinner(_("Writing the draft. What you typed is kept.")):
                drafted = self._space.preferences.drafter.draft(self._viewer, brief)
        except TutorloopError as error:
            show_error(error)
            return None
        self._draft().keep("")
        st.session_state.pop(f"{self._place}_words", None)
        tell(drafted_words(drafted))
        return drafted.artifact.artifact_id

    def _draft(self) -> Draft:
        """Where the brief is kept until a draft is written."""
        learner_id = self._owned.learner_id
        if learner_id is None:
            return draft_of(self._viewer, self._space, self._subject.key.project_id, self._place)
        sessions = self._space.sessions
        return Draft(
            read=lambda: sessions.draft(self._viewer, learner_id, self._place),
            keep=lambda words: sessions.save_draft(self._viewer, learner_id, self._place, words),
        )


def draw_brief(
    viewer: Viewer, space: Space, subject: Subject, owned: Owned, kinds: tuple[ArtifactKind, ...]
) -> str | None:
    """The form for a new text from a brief; gives the id of the new artifact in the run in which it was made."""
    return BriefForm(viewer, space, subject, owned).draw(kinds)


def draw_style_of(viewer: Viewer, subject: Subject, owned: Owned, line: VersionLine) -> None:
    """Under a version: the rules that it was written by, what the person's words in it made a rule, what failed."""
    space, preferences = subject.space, subject.space.preferences
    used = preferences.habits.used_in(viewer, owned, line.version_id)
    label = (
        _("These style rules went along with the request for V{n}:", n=line.number)
        if line.reason is VersionReason.ASKED
        else _("V{n} was written with these style rules:", n=line.number)
    )
    draw_rules(used, label, address_of_texts(subject, owned))
    persona = preferences.personas.find(viewer, owned)
    if persona is not None:
        if line.reason is VersionReason.BRIEF:
            _draw_asked(viewer, space, persona, line.artifact_id)
        for one in preferences.habits.standings(viewer, persona.persona_id):
            if _was_said_in(one.rule, line):
                _draw_said(viewer, space, one)
    _draw_not_learned(viewer, space, owned, persona, line)


def _draw_not_learned(viewer: Viewer, space: Space, owned: Owned, persona: Persona | None, line: VersionLine) -> None:
    """Say that nothing was learned from a version, where something might have been."""
    tried = space.preferences.personas.learnings(viewer, persona.persona_id) if persona else ()
    newest = next((each for each in tried if each.version_id == line.version_id), None)
    if newest is not None and newest.state is LearningState.DONE:
        return
    if newest is not None and newest.is_given_up:
        st.caption(_("Nothing was learned from this change: every try failed."))
    left = idle(space.preferences.lessons.waiting(viewer, owned)) if line.reason in SPOKEN | BY_HAND else []
    for each in left:
        if each.version_id == line.version_id:
            told = (
                _("Not learned from this change. It is tried again after the next one.")
                if each.tries
                else _("This change was not looked at for habits of style yet. It will be after the next one.")
            )
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(told, width="content")
                draw_try_now(viewer, space, owned)


def _draw_asked(viewer: Viewer, space: Space, persona: Persona, artifact_id: str) -> None:
    """The way to what a model was asked for a draft, where it was kept."""
    if artifact_id in space.calls.parts(viewer, CallUse.DRAFT, persona.persona_id):
        draw_asked_button(_draft_subject(persona, artifact_id), key=f"draft_{artifact_id}")


def _draft_subject(persona: Persona, artifact_id: str) -> CallSubject:
    return CallSubject(use=CallUse.DRAFT, subject_id=persona.persona_id, part=artifact_id)


def _was_said_in(rule: Rule, line: VersionLine) -> bool:
    return any(each.kind is EvidenceKind.SAID and each.version_id == line.version_id for each in rule.evidence)


def _draw_said(viewer: Viewer, space: Space, one: Standing) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(_("From the next draft on: {sentence}", sentence=literal(one.sentence)))
        if st.button(_("Undo"), key=f"said_undo_{one.rule.rule_id}", icon=":material/undo:", type="tertiary"):
            space.preferences.personas.mark(viewer, one.rule.rule_id, RuleEventKind.UNDONE)
            st.rerun()


def draw_rules(rules: tuple[StyleRule, ...], label: str, address: dict[str, str]) -> None:
    """A line that names the rules, with the way to their evidence."""
    if rules:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(in_a_row([label, " · ".join(literal(rule.sentence) for rule in rules)]))
            st.page_link("preferences.py", label=_("Writing style"), icon=":material/style:", query_params=address)


def drafted_words(drafted: Drafted) -> str:
    """What became of a brief, in a sentence or two."""
    told = ngettext(
        "The draft follows {n} style rule and is saved as V1.",
        "The draft follows {n} style rules and is saved as V1.",
        len(drafted.rules),
    )
    if not drafted.rules:
        told = _("The draft is saved as V1. There are no style rules for it yet.")
    if not drafted.is_offline:
        return told
    outline = _("No model is connected: this is an outline of your own sentences, made by fixed rules.")
    n = len(drafted.left_to_a_model)
    left = ngettext("{n} rule needs a model and was not applied.", "{n} rules need a model and were not applied.", n)
    return in_a_row([told, outline, left if n else ""])
