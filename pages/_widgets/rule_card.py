"""One style rule: its sentence, why it stands as it does, the very change behind it, and what can be done to it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

import streamlit as st

from engine.domain.people import Viewer
from engine.domain.preference import (
    Evidence,
    EvidenceKind,
    Persona,
    RuleEventKind,
    RuleState,
    Standing,
)
from engine.errors import TutorloopError
from engine.revision.diff import compare
from engine.revision.showing.diff_html import DiffLook, View, title_html
from engine.revision.showing.pieces import Grain
from engine.revision.style.allowed import SENTENCE_CHARACTERS
from engine.wiring import Space
from pages._widgets.asked import draw_asked_button
from pages._widgets.diff_sentences import diff_words
from pages._widgets.errors import show_error
from pages._widgets.lessons import lesson_subject
from pages._widgets.markdown import literal
from pages._widgets.rule_words import LOOKS, PINNED, evidence_title, reach, why
from pages._widgets.states import badge, quiet
from pages._widgets.words import _, language, ngettext

GONE = "rule_gone"
"""Where the session keeps the rule that was removed last and whose it was, so that it can be put back."""
_SHOWN = 5
"""Pieces of evidence that are drawn; the newest ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSetting:
    """What a card needs to know of whoever its rule belongs to."""

    name: str
    """How that one is called; empty for the viewer's own rules."""
    texts: Mapping[str, str]
    """Names of the artifacts, by id."""
    address: Mapping[str, str]
    """How an address names whose texts these are."""
    asked: Collection[str]
    """The versions about which a model was asked."""


class RuleCard:
    """Draws one rule of a persona."""

    def __init__(self, viewer: Viewer, space: Space, persona: Persona, one: Standing, setting: RuleSetting) -> None:
        self._viewer = viewer
        self._space = space
        self._persona = persona
        self._one = one
        self._texts = setting.texts
        self._name = setting.name
        self._address = setting.address
        self._asked = setting.asked

    def draw(self) -> None:
        """The whole card."""
        one = self._one
        with st.container(border=True, gap="xsmall", key=f"rule_{_key(one)}"):
            with st.container(horizontal=True, vertical_alignment="center"):
                badge(LOOKS[one.state])
                if one.is_pinned:
                    badge(PINNED)
                st.markdown(f"**{literal(one.sentence)}**", width="stretch")
            st.markdown(f"{literal(why(one, self._name, self._texts))} {quiet(reach(one))}")
            self._draw_change()
            self._draw_uses()
            self._draw_actions()

    def _draw_change(self) -> None:
        """The newest change that speaks for the rule; all evidence is one click away."""
        speaking = [each for each in self._one.rule.evidence if each.kind is not EvidenceKind.AGAINST]
        drawn = next((each for each in reversed(speaking) if _has_quote(each)), None)
        if drawn is not None:
            self._draw_evidence(drawn, "newest")
        evidence = self._one.rule.evidence
        if len(evidence) < 2:
            return
        label = ngettext("{n} piece of evidence", "{n} pieces of evidence", len(evidence))
        with st.expander(label, key=f"evidence_{_key(self._one)}", on_change="rerun") as expander:
            if expander.open:
                for each in evidence[: -_SHOWN - 1 : -1]:
                    self._draw_evidence(each, "all")

    def _draw_evidence(self, evidence: Evidence, where: str) -> None:
        told = quiet(literal(evidence_title(evidence, self._name, self._texts)))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"“{literal(evidence.words)}” {told}" if evidence.words else told)
            if evidence.version_id in self._asked:
                subject = lesson_subject(self._persona, evidence.version_id)
                draw_asked_button(subject, key=f"{where}_{evidence.version_id}_{_key(self._one)}")
        if evidence.before or evidence.after:
            st.html(_change_html(evidence.before, evidence.after, language().value, _key(self._one)))

    def _draw_uses(self) -> None:
        """The newest texts that it went along with and the versions that came of it, each with the way there."""
        used: dict[str, list[str]] = {}
        for use in self._one.rule.uses:
            if use.artifact_id in self._texts:
                used.setdefault(use.artifact_id, []).append(f"V{use.number}")
        if not used:
            return
        comma = _(", ")
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.caption(_("Used in:"), width="content")
            for each, numbers in [*used.items()][-_SHOWN:]:
                versions = comma.join(numbers[-_SHOWN:])
                st.page_link(
                    "revisions.py",
                    label=_("{name} ({versions})", name=literal(self._texts[each]), versions=versions),
                    icon=":material/draft:",
                    query_params={**self._address, "text": each},
                    width="content",
                )

    def _draw_actions(self) -> None:
        one = self._one
        with st.container(horizontal=True, vertical_alignment="center"):
            if one.state is RuleState.CANDIDATE:
                self._button(_("Keep to it now"), "check", RuleEventKind.CONFIRMED)
                self._button(_("Never use it"), "block", RuleEventKind.MUTED)
            elif one.state is RuleState.ACTIVE:
                told = _("It is no longer followed. It stays in this list and can be used again.")
                self._button(_("Mute"), "volume_off", RuleEventKind.MUTED, told)
            else:
                self._button(_("Use it again"), "volume_up", RuleEventKind.UNMUTED)
            if one.is_pinned:
                self._button(_("Unpin"), "keep_off", RuleEventKind.UNPINNED)
            elif one.state is not RuleState.CANDIDATE:
                told = _("It is followed before all others, and does not fade with time.")
                self._button(_("Pin"), "keep", RuleEventKind.PINNED, told)
            self._draw_edit()
            if one.rule.evidence and one.rule.evidence[-1].kind is EvidenceKind.SAID:
                told = _("Takes this wish back. What it had replaced holds again.")
                self._button(_("Undo"), "undo", RuleEventKind.UNDONE, told)
            self._button(_("Delete"), "delete", RuleEventKind.DELETED)

    def _button(self, label: str, icon: str, kind: RuleEventKind, told: str | None = None) -> None:
        key = f"rule_{kind.value}_{_key(self._one)}"
        if st.button(label, key=key, icon=f":material/{icon}:", type="tertiary", help=told):
            self._mark(kind)

    def _draw_edit(self) -> None:
        key = _key(self._one)
        with st.popover(_("Edit"), icon=":material/edit:", key=f"rule_edit_{key}", type="tertiary"):
            words = st.text_input(
                _("The rule in one sentence"),
                value=self._one.sentence,
                max_chars=SENTENCE_CHARACTERS,
                key=f"rule_sentence_{key}",
            )
            st.caption(_("About style only: length, tone, format, structure, examples, language."))
            if st.button(_("Save the rule"), key=f"rule_save_{key}", type="primary", icon=":material/save:"):
                self._mark(RuleEventKind.EDITED, words)

    def _mark(self, kind: RuleEventKind, sentence: str = "") -> None:
        try:
            self._space.preferences.personas.mark(self._viewer, self._one.rule.rule_id, kind, sentence)
        except TutorloopError as error:
            show_error(error)
            return
        if kind in (RuleEventKind.DELETED, RuleEventKind.UNDONE):
            st.session_state[GONE] = (self._persona.persona_id, self._one.rule.rule_id, self._one.sentence)
        st.rerun()


def draw_gone(viewer: Viewer, space: Space, persona_id: str) -> None:
    """Offer to put back what was removed from this persona last."""
    owner_id, rule_id, sentence = st.session_state.get(GONE) or ("", "", "")
    if owner_id != persona_id:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(_("Removed: {sentence}", sentence=literal(sentence)))
        if st.button(_("Put it back"), key="rule_put_back", icon=":material/undo:", type="tertiary"):
            space.preferences.personas.mark(viewer, rule_id, RuleEventKind.PUT_BACK)
            st.session_state.pop(GONE)
            st.rerun()


def _key(one: Standing) -> str:
    return one.rule.rule_id.replace("-", "_")


def _has_quote(evidence: Evidence) -> bool:
    return bool(evidence.words or evidence.before or evidence.after)


@lru_cache(maxsize=256)
def _change_html(before: str, after: str, reader: str, key: str) -> str:  # noqa: ARG001 - words are in the reader's language
    look = DiffLook(
        view=View.INLINE, grain=Grain.WORD, wraps=True, hides_spaces=False, counts_lines=False, prefix=f"r{key}"
    )
    return title_html(compare(before, after), look, diff_words(counts_lines=False))
