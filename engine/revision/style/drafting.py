"""A new text from a brief, written by the rules of the person whose text it will be."""

import asyncio
import logging
from dataclasses import dataclass

from engine.domain.artifact import (
    Artifact,
    ArtifactKind,
    ArtifactVersion,
    NewVersion,
    VersionAuthor,
    VersionReason,
)
from engine.domain.clock import NewId
from engine.domain.data_message import DataKind, wrap
from engine.domain.model_call import CallSubject, CallUse
from engine.domain.people import Owned, Viewer
from engine.domain.preference import Persona, StyleRule, preferences_payload
from engine.domain.session import ChatMessage
from engine.domain.states import Role
from engine.domain.text import is_blank
from engine.errors import WordsRefused
from engine.llm.models import Models
from engine.llm.offline_style import can_apply
from engine.llm.prompts.draft import DRAFT_RULES, Draft
from engine.llm.structured import ask_structured
from engine.revision.style.habits import Habits
from engine.revision.style.persona_store import PersonaStore
from engine.revision.style.traits import language_of
from engine.sessions.call_store import CallStore
from engine.settings import ModelUse
from engine.work.artifact_store import ArtifactStore

_log = logging.getLogger(__name__)

BRIEF_CHARACTERS = 2_000
"""As long as the note of a version may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What is to be written, for whom."""

    owned: Owned
    kind: ArtifactKind
    file_name: str
    words: str
    """What the person wants in the text."""
    task_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """What became of a brief."""

    artifact: Artifact
    version: ArtifactVersion
    rules: tuple[StyleRule, ...]
    """That went along."""
    left_to_a_model: tuple[StyleRule, ...]
    """Of these, those that the offline model cannot apply; none where a model wrote."""
    is_offline: bool


class Drafter:
    """Writes first drafts. What a model was asked is kept under the id that the artifact was to have."""

    def __init__(
        self,
        *,
        artifacts: ArtifactStore,
        personas: PersonaStore,
        calls: CallStore,
        habits: Habits,
        models: Models,
        new_id: NewId,
    ) -> None:
        self._artifacts = artifacts
        self._personas = personas
        self._calls = calls
        self._habits = habits
        self._models = models
        self._new_id = new_id

    def draft(self, viewer: Viewer, brief: Brief) -> Drafted:
        """Write the text and keep it as V1 of a new artifact, with the rules that it was written by.

        Raises:
            WordsRefused: there is no brief, or it is too long.
            ModelError: the model did not answer as it should; nothing was kept but what it was asked.
            ArtifactRefused: the same owners have another text of this name.
            HandInError: the file name leads outside, or is none.
        """
        words = _checked(brief.words)
        gateway = self._models.gateway(ModelUse.EDIT)
        rules = self._habits.for_text(viewer, brief.owned, brief.kind, brief.task_id)
        persona = self._personas.of_owner(viewer, brief.owned, language_of(words))
        artifact_id = self._new_id()
        subject = CallSubject(use=CallUse.DRAFT, subject_id=persona.persona_id, part=artifact_id)
        asked = asyncio.run(
            ask_structured(
                gateway,
                build_request(brief.kind, words, rules),
                Draft,
                before_send=lambda body: _log.debug("asking for a draft, %d bytes", len(body)),
                after_call=lambda sent: self._calls.keep(viewer, subject, gateway.model, sent),
            )
        )
        artifact, version = self._keep(viewer, brief, words, asked.value, persona, artifact_id, rules)
        left = tuple(rule for rule in rules if gateway.is_offline and not can_apply(rule))
        return Drafted(
            artifact=artifact, version=version, rules=rules, left_to_a_model=left, is_offline=gateway.is_offline
        )

    def _keep(
        self,
        viewer: Viewer,
        brief: Brief,
        words: str,
        draft: Draft,
        persona: Persona,
        artifact_id: str,
        rules: tuple[StyleRule, ...],
    ) -> tuple[Artifact, ArtifactVersion]:
        first = NewVersion(
            title=" ".join(draft.title.split())[:200],
            body=draft.text,
            author=VersionAuthor.MODEL,
            reason=VersionReason.BRIEF,
            note=words,
        )
        return self._artifacts.begin(
            viewer,
            brief.owned,
            first,
            kind=brief.kind,
            file_name=brief.file_name,
            task_id=brief.task_id,
            persona_id=persona.persona_id,
            artifact_id=artifact_id,
            rules=[rule.rule_id for rule in rules],
        )


def build_request(kind: ArtifactKind, words: str, rules: tuple[StyleRule, ...]) -> tuple[ChatMessage, ...]:
    """Our rules, then the brief and the person's rules as data in one message."""
    brief = wrap(DataKind.BRIEF, {"kind": kind.value, "brief": words})
    preferences = wrap(DataKind.PREFERENCES, preferences_payload(rules))
    return (
        ChatMessage(role=Role.SYSTEM, content=DRAFT_RULES),
        ChatMessage(role=Role.USER, content=f"{brief}\n{preferences}"),
    )


def _checked(words: str) -> str:
    if is_blank(words):
        raise WordsRefused("there is no brief yet", reason="blank")
    if len(words) > BRIEF_CHARACTERS:
        raise WordsRefused("this brief is too long", reason="too_long", limit=BRIEF_CHARACTERS)
    return words.strip()
