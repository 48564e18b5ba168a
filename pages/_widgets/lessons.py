"""Which changes were looked at for habits of style, what came of each, and which are still to be looked at."""

from collections.abc import Collection, Mapping, Sequence

import streamlit as st

from engine.domain.learning import ChangeKind, Learning, LearningState, Unlearned
from engine.domain.model_call import CallSubject, CallUse
from engine.domain.people import Owned, Viewer
from engine.domain.preference import Persona, Standing
from engine.wiring import Space
from pages._widgets.asked import draw_asked_button
from pages._widgets.markdown import literal
from pages._widgets.moments import moment
from pages._widgets.states import Colour, StateLook, inline, quiet
from pages._widgets.words import N_, _, ngettext

WAIT_S = 20.0
"""How long a click on *Try now* is waited for; what takes longer goes on by itself."""
_SHOWN = 30
"""Changes that are listed; the newest ones."""
_LEARNED = StateLook(icon="school", colour=Colour.GREEN, word=N_("Learned"))
_NONE = StateLook(icon="remove", colour=Colour.GREY, word=N_("No habit in it"))
_FAILED = StateLook(icon="cloud_off", colour=Colour.VIOLET, word=N_("Not learned"))
_CHANGES: Mapping[ChangeKind, str] = {
    ChangeKind.FACT: N_("a fact was put right"),
    ChangeKind.ONE_OFF: N_("it belongs to this text alone"),
    ChangeKind.STYLE: N_("style, but no rule that could be shown"),
}


class Lessons:
    """What was looked at for one owner."""

    def __init__(
        self, viewer: Viewer, space: Space, owned: Owned, persona: Persona | None, rules: Sequence[Standing]
    ) -> None:
        self._viewer = viewer
        self._space = space
        self._owned = owned
        self._persona = persona
        self._sentences = {one.rule.rule_id: one.sentence for one in rules}
        personas = space.preferences.personas
        self._tries = personas.learnings(viewer, persona.persona_id) if persona else ()
        self._left = space.preferences.lessons.waiting(viewer, owned)

    def draw_left(self) -> None:
        """Say what was not learned; the texts themselves were stored before learning began."""
        waiting = idle(self._left)
        given_up = sum(one.is_given_up for one in self._tries)
        if given_up:
            told = ngettext(
                "Nothing was learned from {n} change: every try failed. The text is as you saved it. Say the wish "
                "once more in words if it matters.",
                "Nothing was learned from {n} changes: every try failed. The texts are as you saved them. Say the "
                "wishes once more in words if they matter.",
                given_up,
            )
            st.info(told, icon=":material/cloud_off:")
        failed = sum(one.tries > 0 for one in waiting)
        if failed:
            told = ngettext(
                "Not learned from {n} change: the model did not answer as it should. The text is as you saved it. "
                "After the next change it is tried again.",
                "Not learned from {n} changes: the model did not answer as it should. The texts are as you saved "
                "them. After the next change it is tried again.",
                failed,
            )
            st.info(told, icon=":material/cloud_off:")
        if len(waiting) > failed:
            told = ngettext(
                "{n} change was not looked at yet, because the program ended before. The text is as you saved it. "
                "After the next change it is looked at.",
                "{n} changes were not looked at yet, because the program ended before. The texts are as you saved "
                "them. After the next change they are looked at.",
                len(waiting) - failed,
            )
            st.info(told, icon=":material/hourglass_top:")
        if waiting:
            draw_try_now(self._viewer, self._space, self._owned)

    def draw_all(self, texts: Mapping[str, str]) -> None:
        """Every change that was looked at, the newest first, behind one click; `texts` names artifacts by id."""
        if self._persona is None or not self._tries:
            return
        label = ngettext("{n} change looked at", "{n} changes looked at", len(self._tries))
        with st.expander(label, icon=":material/school:", key="lessons_all", on_change="rerun") as expander:
            if not expander.open:
                return
            asked = self._space.calls.parts(self._viewer, CallUse.LEARN, self._persona.persona_id)
            for one in self._tries[: -_SHOWN - 1 : -1]:
                self._draw_try(one, texts, asked)

    def _draw_try(self, one: Learning, texts: Mapping[str, str], asked: Collection[str]) -> None:
        lines = self._space.artifacts.versions(self._viewer, one.artifact_id)
        number = next((line.number for line in lines if line.version_id == one.version_id), 0)
        name = texts.get(one.artifact_id, "")
        with st.container(horizontal=True, vertical_alignment="center"):
            told = f"{inline(self._look(one))} **{literal(name)} V{number}** {literal(self._became(one))}"
            st.markdown(f"{told} {quiet(moment(one.at))}", width="stretch")
            if self._persona is not None and one.version_id in asked:
                draw_asked_button(lesson_subject(self._persona, one.version_id), key=f"lesson_{one.version_id}")

    def _look(self, one: Learning) -> StateLook:
        if one.state is LearningState.FAILED:
            return _FAILED
        return _LEARNED if any(each in self._sentences for each in one.rule_ids) else _NONE

    def _became(self, one: Learning) -> str:
        sentences = [self._sentences[each] for each in one.rule_ids if each in self._sentences]
        if sentences or one.change is None:
            return " · ".join(sentences)
        return _(_CHANGES[one.change])


def idle(left: Sequence[Unlearned]) -> list[Unlearned]:
    """What nobody is at, nor is about to be."""
    return [one for one in left if not (one.is_under_way or one.is_fresh)]


def draw_try_now(viewer: Viewer, space: Space, owned: Owned) -> None:
    """The button that tries what waits, without waiting for the next change."""
    if st.button(_("Try now"), key="lessons_try_now", icon=":material/refresh:", type="tertiary"):
        with st.spinner(_("Looking for habits of style. The texts stay as they are.")):
            space.preferences.learner.try_now(viewer, owned, wait_s=WAIT_S)
        st.rerun()


def lesson_subject(persona: Persona, version_id: str) -> CallSubject:
    """What a model was asked about a version."""
    return CallSubject(use=CallUse.LEARN, subject_id=persona.persona_id, part=version_id)
