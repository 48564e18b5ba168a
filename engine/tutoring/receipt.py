"""A receipt as people read it: the request's own bytes, cut where its parts begin and end."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from engine.domain.data_message import unwrap
from engine.domain.session import Part, PartKind, Receipt, RequestFacts
from engine.domain.states import Role
from engine.settings import DataPlacement
from engine.tutoring.context import JOINT


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPart:
    """One part of a request with its text."""

    kind: PartKind
    role: Role
    text: str
    """As the model was given it; empty when it was erased."""
    chars: int
    """Of the text as it was sent."""
    tokens: int
    turn_number: int | None


def sent_messages(receipt: Receipt) -> tuple[tuple[str, str], ...]:
    """Role and content of each message in the bytes; nothing when they were erased."""
    return read_messages(receipt.request)


def read_messages(request: bytes) -> tuple[tuple[str, str], ...]:
    """The same of the bytes of any request of ours."""
    try:
        body = json.loads(request)
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
        chars=part.chars,
        tokens=part.tokens,
        turn_number=part.turn_number,
    )


def block_fields(receipt: Receipt) -> Mapping[str, object]:
    """The fields of the feedback block as they were sent; nothing when they were erased."""
    block = next((part for part in shown_parts(receipt) if part.kind is PartKind.FEEDBACK), None)
    data = unwrap(block.text) if block else None
    return data[1] if data else {}


def block_items(fields: Mapping[str, object]) -> tuple[Mapping[str, object], ...]:
    """The open items among the fields of a block."""
    items = fields.get("items")
    return tuple(item for item in items if isinstance(item, dict)) if isinstance(items, list) else ()


def placement_of(facts: RequestFacts) -> DataPlacement | None:
    """Where data stood in the request, told from the message that holds the block; None without a block."""
    of_block = [part.message for part in facts.parts if part.kind is PartKind.FEEDBACK]
    if not of_block:
        return None
    if of_block[0] == 0:
        return DataPlacement.SYSTEM_SECTION
    shared = sum(part.message == of_block[0] for part in facts.parts)
    return DataPlacement.MERGED if shared > 1 else DataPlacement.SEPARATE
