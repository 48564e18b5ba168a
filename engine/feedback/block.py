"""How feedback is written down: the fields of a block, their order, and what says that something is missing."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.domain.data_message import DataKind, wrap
from engine.domain.feedback import Block, Feedback
from engine.domain.states import CriterionStatus, FeedbackState, Source

SCHEMA = "tutorloop.feedback/1"
"""Raised when a field changes its name or meaning."""
HASH_LENGTH = 12
"""Characters of a snapshot hash or version that are shown."""
BUDGET_EXCEEDED = "context_budget_exceeded"
"""The problem of a block for which not even its metadata fit. A fault of the system, never of the work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownText:
    """A text as the block shows it."""

    text: str | None
    """Cleaned and within its cap; None where there is nothing to show."""
    is_cut: bool = False
    """Whether it is less than the cleaned text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownItem:
    """An open item as the block shows it."""

    rubric_id: str
    """Whole, whatever its length."""
    status: CriterionStatus
    texts: Mapping[str, ShownText]
    """criterion, reason and evidence, in this order."""
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A block in the making."""

    feedback: Feedback
    model: ShownText
    next_step: ShownText
    items: tuple[ShownItem, ...] = ()

    @property
    def omitted_count(self) -> int:
        """How many open items are not shown."""
        return len(self.feedback.items) - len(self.items)

    @property
    def truncated_fields(self) -> tuple[str, ...]:
        """Paths of the texts that are shown in part or were left out for want of room, in the block's order."""
        head = {"model": self.model, "next_step": self.next_step}
        lines = {f"{index}.{name}": text for index, item in enumerate(self.items) for name, text in item.texts.items()}
        return tuple(path for path, text in (head | lines).items() if text.is_cut)

    def adding(self, item: ShownItem) -> "Draft":
        """The same with one more item at its end."""
        return replace(self, items=(*self.items, item))


def write_block(draft: Draft, limit: int) -> Block:
    """Serialise a draft, whatever its length; `limit` is only noted."""
    return Block(
        text=wrap(DataKind.FEEDBACK, _payload(draft)),
        limit=limit,
        state=draft.feedback.state,
        total_items=len(draft.feedback.items),
        omitted_count=draft.omitted_count,
        truncated_fields=draft.truncated_fields,
    )


def write_minimal_block(feedback: Feedback, limit: int) -> Block:
    """The block that is sent when nothing else fits: it says so, and claims nothing about the work."""
    payload = {"schema": SCHEMA, "state": FeedbackState.INVALID, "problem": BUDGET_EXCEEDED}
    return Block(
        text=wrap(DataKind.FEEDBACK, payload),
        limit=limit,
        state=FeedbackState.INVALID,
        total_items=len(feedback.items),
        omitted_count=len(feedback.items),
        truncated_fields=(),
    )


def _payload(draft: Draft) -> dict[str, object]:
    feedback = draft.feedback
    submission, attempt, versions = feedback.submission, feedback.attempt, feedback.versions
    return {
        "schema": SCHEMA,
        "state": feedback.state,
        "submission_id": submission and submission.submission_id,
        "submission_seq": submission and submission.submission_seq,
        "attempt_seq": attempt and attempt.attempt_seq,
        "snapshot_hash": submission and submission.snapshot_hash[:HASH_LENGTH],
        "rubric_version": versions.rubric[:HASH_LENGTH],
        "prompt_version": versions.prompt[:HASH_LENGTH],
        "engine_version": versions.engine[:HASH_LENGTH],
        "review_status": feedback.verdict,
        "model": draft.model.text,
        "next_step": draft.next_step.text,
        "total_items": len(feedback.items),
        "omitted_count": draft.omitted_count,
        "truncated_fields": draft.truncated_fields,
        "items": [_item(item) for item in draft.items],
    }


def _item(item: ShownItem) -> dict[str, object]:
    texts = {name: shown.text for name, shown in item.texts.items()}
    return {"rubric_id": item.rubric_id, "status": item.status, **texts, "source": item.source}
