"""See which habits of style were learned, on what evidence, and decide about each."""

from collections.abc import Sequence

import streamlit as st

from engine.domain.model_call import CallUse
from engine.domain.people import Owned, Viewer
from engine.domain.preference import RuleState, Standing
from engine.errors import TutorloopError
from engine.revision.showing.diff_html import STYLE
from engine.revision.style.preferences import MOST_CHARACTERS, MOST_RULES
from pages import _wiring
from pages._guard import require_viewer
from pages._widgets.asked import open_asked
from pages._widgets.drawers import draw_no_course
from pages._widgets.errors import show_error
from pages._widgets.lessons import Lessons
from pages._widgets.markdown import literal
from pages._widgets.rule_card import RuleCard, RuleSetting, draw_gone
from pages._widgets.strip import draw_strip
from pages._widgets.subject import Subject, choose_subject
from pages._widgets.text_choice import address_of_texts, choose_owner, name_to_others
from pages._widgets.version_words import title_of
from pages._widgets.words import _, ngettext

viewer = require_viewer()


class PreferencesPage:
    """One run of the page, on one persona."""

    def __init__(self, viewer: Viewer, subject: Subject, owned: Owned) -> None:
        self._viewer = viewer
        self._space = space = subject.space
        self._owned = owned
        self._address = address_of_texts(subject, owned)
        name = name_to_others(viewer, subject, owned)
        self._persona = space.preferences.personas.find(viewer, owned)
        persona = self._persona
        self._all = space.preferences.habits.standings(viewer, persona.persona_id) if persona else ()
        texts = {
            entry.artifact.artifact_id: title_of(entry.newest, entry.artifact.file_name)
            for entry in space.artifacts.artifacts(viewer, owned)
        }
        asked = space.calls.parts(viewer, CallUse.LEARN, persona.persona_id) if persona else ()
        self._setting = RuleSetting(name=name, texts=texts, address=self._address, asked=asked)

    def draw(self) -> None:
        """What is still to be learned, the rules, and every change that was looked at."""
        st.html(f"<style>{STYLE}</style>")
        lessons = Lessons(self._viewer, self._space, self._owned, self._persona, self._all)
        lessons.draw_left()
        self._draw_rules()
        lessons.draw_all(self._setting.texts)

    def _draw_rules(self) -> None:
        """Rules in force, then those seen once, then the muted ones, folded."""
        if self._persona is not None:
            draw_gone(self._viewer, self._space, self._persona.persona_id)
        if not self._all:
            self._draw_empty()
            return
        self._draw_about()
        active, waiting, muted = (self._of(state) for state in (RuleState.ACTIVE, RuleState.CANDIDATE, RuleState.MUTED))
        self._draw_group(_("In force"), active)
        if active:
            told = _(
                "A new draft follows the rules that hold for it, from the top of this list: at most {rules} rules and "
                "{characters} characters in all.",
                rules=MOST_RULES,
                characters=MOST_CHARACTERS,
            )
            st.caption(told)
        self._draw_group(_("Not yet in force"), waiting)
        if muted:
            with st.expander(ngettext("{n} muted", "{n} muted", len(muted)), icon=":material/volume_off:"):
                self._draw_cards(muted)

    def _draw_about(self) -> None:
        """What this page holds, and what for."""
        name = self._setting.name
        st.caption(
            _("How {name} writes, learned from wishes and changes. New drafts and edits follow it.", name=literal(name))
            if name
            else _("How you write, learned from your wishes and changes. New drafts and edits follow it.")
        )

    def _of(self, state: RuleState) -> list[Standing]:
        return [one for one in self._all if one.state is state]

    def _draw_group(self, title: str, rules: Sequence[Standing]) -> None:
        if rules:
            st.subheader(f"{title} · {len(rules)}", anchor=False)
            self._draw_cards(rules)

    def _draw_cards(self, rules: Sequence[Standing]) -> None:
        if self._persona is None:
            return
        for one in rules:
            RuleCard(self._viewer, self._space, self._persona, one, self._setting).draw()

    def _draw_empty(self) -> None:
        told = _(
            "Nothing is known about this style yet. Say how you want a text, such as “livelier” or “short sentences”, "
            "or change one by hand. What you would want in every text then stands here, with the change that showed it."
        )
        st.info(told, icon=":material/style:")
        st.page_link("revisions.py", label=_("Revisions"), icon=":material/edit_note:", query_params=self._address)


def draw() -> None:
    """The page, for the viewer it was opened for."""
    workbench = _wiring.workbench()
    subject = choose_subject(viewer, workbench)
    if subject is None:
        draw_no_course(viewer, workbench)
        return
    draw_strip(is_demo=subject.is_demo, is_offline=workbench.is_offline, can_hand_in=False)
    owned = choose_owner(viewer, subject)
    open_asked(viewer, subject.space.calls)
    PreferencesPage(viewer, subject, owned).draw()


try:
    draw()
except TutorloopError as error:
    show_error(error)
