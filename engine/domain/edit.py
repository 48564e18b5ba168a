"""Editing by conversation: what was suggested, what became of it, and what was said about it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engine.domain.states import Role

PREVIEW_CHARACTERS = 200
"""Of a text in a message; the whole of it stands in its version."""


class SuggestionState(StrEnum):
    """What became of a suggestion so far."""

    WAITING = "waiting"
    """To be applied as soon as the edit that is under way has ended."""
    COLLECTED = "collected"
    """To be applied together with others, when the person says so."""
    APPLYING = "applying"
    APPLIED = "applied"
    FAILED = "failed"
    """Nothing was changed for it; it can be tried again."""
    NEEDS_SCOPE = "needs_scope"
    """Something was asked back."""
    WITHDRAWN = "withdrawn"
    """Put away by the person."""


class MessageKind(StrEnum):
    """What a message of the conversation is about."""

    WELCOME = "welcome"
    SUGGESTION = "suggestion"
    COLLECTED = "collected"
    APPLIED = "applied"
    FAILED = "failed"
    ASKED = "asked"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageFacts:
    """What a message says besides words, so that it can be told in both languages."""

    number: int = 0
    """The version that it speaks of; 0 where it speaks of none."""
    other: int = 0
    """Of an edit or an undoing: the version that came of it."""
    count: int = 0
    """Collected suggestions, how many parts there are of the kind that was asked about, or characters of what is too
    long."""
    limit: int = 0
    """About how many characters can be changed at one time; 0 where that is not what it is about."""
    fault: str = ""
    """Code of what went wrong, or of what has to be asked back; empty where nothing did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditMessage:
    """One row of the conversation."""

    message_id: str
    seq: int
    """1, 2 … inside the conversation."""
    role: Role
    kind: MessageKind
    words: str
    """At most `PREVIEW_CHARACTERS` of what was said or written, “…” behind it only where it was longer; of a question
    the name in question, and a line each for what may be meant. Empty once they were erased."""
    facts: MessageFacts
    suggestion_id: str | None
    revision_id: str | None
    written_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """What a person asked for."""

    suggestion_id: str
    number: int
    """1, 2 … inside the conversation."""
    words: str
    """In full; empty once they were erased."""
    state: SuggestionState
    fault: str
    """Why it failed, as a code; empty where it did not."""
    run_id: str | None
    """The run that took it last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFacts:
    """One operation that was done, or was not."""

    verb: str
    block: int
    """Number of the block in the old text; 0 for the title."""
    paragraph: int
    """The number that people count it by; 0 where it is no paragraph."""
    refusal: str = ""
    """Why it was not done; empty where it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionFacts:
    """What a revision did, without words of the text."""

    suggestion_ids: tuple[str, ...]
    done: tuple[ChangeFacts, ...]
    refused: tuple[ChangeFacts, ...]
    """Of the answer that was used."""
    mended: tuple[ChangeFacts, ...]
    """What an answer before had wrong, so that it was asked once more."""
    answers: int
    """Of the model, that it took: 2 where the first could not be used."""
    is_scoped: bool
    """Whether every suggestion named its part."""
    changed_outside: int
    """Characters that changed outside the part that was asked for; 0 by construction where a part was named."""
    characters_outside: int
    """Characters that stand there; 0 where everything was asked for."""
    structure_kept: bool
    characters: int
    """By how many characters the text is longer now; negative where it is shorter."""
    is_offline: bool
    """Whether the offline editor made it, by fixed rules."""

    @property
    def locality(self) -> float | None:
        """Share of the text outside the asked part that stayed as it was; None where nothing stands outside."""
        return 1 - self.changed_outside / self.characters_outside if self.characters_outside else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionRecord:
    """One applied edit: from which version to which, and how."""

    revision_id: str
    run_id: str
    """By which its requests to the model are found."""
    from_version_id: str
    from_number: int
    to_version_id: str
    to_number: int
    facts: RevisionFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class EditConversation:
    """The one conversation of an artifact, as it is now."""

    conversation_id: str | None
    """None: nothing was asked for yet."""
    persona_id: str | None
    messages: tuple[EditMessage, ...] = ()
    """In their order."""
    suggestions: tuple[Suggestion, ...] = ()
    """By number."""
    revisions: tuple[RevisionRecord, ...] = ()
    """In the order of the versions that came of them."""

    @property
    def running(self) -> tuple[Suggestion, ...]:
        """Those that are being applied now."""
        return tuple(each for each in self.suggestions if each.state is SuggestionState.APPLYING)

    @property
    def collected(self) -> tuple[Suggestion, ...]:
        """Those that wait for the person, or for the edit under way."""
        open_states = (SuggestionState.COLLECTED, SuggestionState.WAITING)
        return tuple(each for each in self.suggestions if each.state in open_states)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditRun:
    """Suggestions that were taken together, to be applied in one edit."""

    run_id: str
    artifact_id: str
    conversation_id: str
    suggestions: tuple[Suggestion, ...]
