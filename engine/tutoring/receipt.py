"""A receipt as people read it: the request's own bytes, cut where its parts begin and end."""

import json
from dataclasses import dataclass

from engine.domain.session import Part, PartKind, Receipt
from engine.domain.states import Role
from engine.tutoring.context import JOINT


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPart:
    """One part of a request with its text."""

    kind: PartKind
    role: Role
    text: str
    """As the model was given it; empty when it was erased."""
    tokens: int
    turn_number: int | None


def sent_messages(receipt: Receipt) -> tuple[tuple[str, str], ...]:
    """Role and content of each message in the bytes; nothing when they were erased."""
    try:
        body = json.loads(receipt.request)
    except ValueError:
        return ()
    return tuple((message["role"], message["content"]) for message in body["messages"])


def shown_parts(receipt: Receipt) -> tuple[ShownPart, ...]:
    """The parts of a request in their order, each with the text that the exact bytes hold at its place."""
    messages = sent_messages(receipt)
    places: dict[int, int] = {}
    return tuple(_shown(part, messages, places) for part in receipt.facts.parts)


def _shown(part: Part, messages: tuple[tuple[str, str], ...], places: dict[int, int]) -> ShownPart:
    role, content = messages[part.message] if part.message < len(messages) else (Role.USER.value, "")
    start = places.get(part.message, 0)
    places[part.message] = start + part.chars + len(JOINT)
    return ShownPart(
        kind=part.kind,
        role=Role(role),
        text=content[start : start + part.chars],
        tokens=part.tokens,
        turn_number=part.turn_number,
    )
