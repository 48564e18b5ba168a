"""What a model was asked besides a tutor's reply, and what came back: judgements, summaries, and help with texts."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engine.domain.session import Try, Usage


class CallUse(StrEnum):
    """What a model was asked for."""

    JUDGEMENT = "judgement"
    """One criterion of a review attempt."""
    SUMMARY = "summary"
    """The older turns of a conversation."""
    EDIT = "edit"
    """A text, by conversation."""
    DRAFT = "draft"
    """A first text from a brief."""
    LEARN = "learn"
    """What a change says about a person's style."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallSubject:
    """What a call was about."""

    use: CallUse
    subject_id: str
    """Of the review attempt, of the conversation with the tutor or the editor, or of the persona."""
    part: str
    """The criterion's id, the number of the last turn that was to be summarised, the run that edited, the artifact that
    a draft was to become, or the version that was learned from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentCall:
    """One request that has ended, well or not."""

    request: bytes
    """The body as it went over the wire; no credentials are in it. Empty when it was erased."""
    answer: str | None
    """What the model wrote, as far as it came; None where nothing came. Empty when it was erased."""
    tries: tuple[Try, ...]
    usage: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """A stored request with what came back."""

    subject: CallSubject
    number: int
    """1, 2 … among the calls about the same attempt, conversation or persona."""
    model: str
    sent: SentCall
    sha256: str
    """Of the request's bytes; it outlives them."""
    ended_at: datetime
