"""Two requests side by side: which parts are the same, and what the feedback block said then and now."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.domain.session import PartKind, Receipt, SentFeedback
from engine.domain.states import FeedbackState, Role
from engine.tutoring.receipt import ShownPart, block_fields, block_items, shown_parts


class Change(StrEnum):
    """How something in the earlier request compares with the later one."""

    SAME = "same"
    CHANGED = "changed"
    ONLY_EARLIER = "only_earlier"
    ONLY_LATER = "only_later"
    UNKNOWN = "unknown"
    """Words of one of them were erased."""


class ItemFate(StrEnum):
    """What became of an open item from the earlier request to the later one."""

    SAME = "same"
    CHANGED = "changed"
    CLOSED = "closed"
    """A finished review by the same rules does not have it any more, and the later block holds all open items."""
    OPENED = "opened"
    """The same the other way round."""
    NOT_SHOWN = "not_shown"
    """It stands in one of them only, which says nothing: left out, no finished review, or other rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartPair:
    """The same part of two requests; None where one has none."""

    kind: PartKind
    earlier: ShownPart | None
    later: ShownPart | None
    change: Change

    @property
    def newest(self) -> ShownPart:
        """The later one, or the only one there is."""
        part = self.later or self.earlier
        if part is None:
            raise ValueError("a pair has at least one part")
        return part


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuePair:
    """A field of the block, then and now, as text; None where it had nothing."""

    name: str
    earlier: str | None
    later: str | None

    @property
    def is_same(self) -> bool:
        """Whether both have the same."""
        return self.earlier == self.later


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemPair:
    """One open item of the block, found by its criterion's id."""

    rubric_id: str
    fate: ItemFate
    values: tuple[ValuePair, ...]
    """Its fields but the id, in the block's order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two requests of one conversation, by the order of their turns."""

    parts: tuple[PartPair, ...]
    """In the order in which parts stand in a request; turns by number, the question before the reply."""
    fields: tuple[ValuePair, ...]
    """Those of the block beside its items, in the block's order; empty where both were erased."""
    items: tuple[ItemPair, ...]
    """Those of the later block in its order, then those that only the earlier one had."""


def compare_requests(earlier: Receipt, later: Receipt) -> Comparison:
    """Compare what two turns sent, part by part."""
    before, after = block_fields(earlier), block_fields(later)
    return Comparison(
        parts=tuple(_pairs(earlier, later)),
        fields=tuple(_values(_without_items(before), _without_items(after))),
        items=tuple(_items(earlier, later, before, after)),
    )


_Key = tuple[PartKind, int, Role]


def _pairs(earlier: Receipt, later: Receipt) -> Iterator[PartPair]:
    before, after = _by_key(earlier), _by_key(later)
    is_known = bool(earlier.request and later.request)
    for key in sorted(before.keys() | after.keys(), key=_place):
        one, other = before.get(key), after.get(key)
        yield PartPair(kind=key[0], earlier=one, later=other, change=_change(one, other, is_known=is_known))


def _by_key(receipt: Receipt) -> Mapping[_Key, ShownPart]:
    """Parts by what makes them the same one in another request; a summary is one, however far it reaches."""
    return {_key(part): part for part in shown_parts(receipt)}


def _key(part: ShownPart) -> _Key:
    number = part.turn_number if part.kind is PartKind.TURN else None
    # Where data stands is the placement's choice, so only a turn has two parts that the role tells apart.
    return part.kind, number or 0, part.role if part.kind is PartKind.TURN else Role.USER


def _place(key: _Key) -> tuple[int, int, bool]:
    kind, number, role = key
    return list(PartKind).index(kind), number, role is Role.ASSISTANT


def _change(earlier: ShownPart | None, later: ShownPart | None, *, is_known: bool) -> Change:
    if earlier is None:
        return Change.ONLY_LATER
    if later is None:
        return Change.ONLY_EARLIER
    if not is_known:
        return Change.UNKNOWN
    return Change.SAME if earlier.text == later.text else Change.CHANGED


def _without_items(fields: Mapping[str, object]) -> Mapping[str, object]:
    return {name: value for name, value in fields.items() if name != "items"}


def _values(before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[ValuePair]:
    for name in (*after, *(name for name in before if name not in after)):
        yield ValuePair(name=name, earlier=_text(before.get(name)), later=_text(after.get(name)))


def _text(value: object) -> str | None:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or None
    return None if value is None else str(value)


def _items(
    earlier: Receipt, later: Receipt, before: Mapping[str, object], after: Mapping[str, object]
) -> Iterator[ItemPair]:
    one, other = _by_id(before), _by_id(after)
    same_rules = before.get("rubric_version") == after.get("rubric_version")
    for rubric_id in (*other, *(each for each in one if each not in other)):
        values = tuple(_values(one.get(rubric_id, {}), other.get(rubric_id, {})))
        if rubric_id in one and rubric_id in other:
            fate = ItemFate.SAME if all(each.is_same for each in values) else ItemFate.CHANGED
        elif rubric_id in one:
            fate = ItemFate.CLOSED if same_rules and _is_all(later.facts.feedback) else ItemFate.NOT_SHOWN
        else:
            fate = ItemFate.OPENED if same_rules and _is_all(earlier.facts.feedback) else ItemFate.NOT_SHOWN
        yield ItemPair(rubric_id=rubric_id, fate=fate, values=values)


def _by_id(fields: Mapping[str, object]) -> Mapping[str, Mapping[str, object]]:
    return {
        str(item.get("rubric_id")): {name: value for name, value in item.items() if name != "rubric_id"}
        for item in block_items(fields)
    }


def _is_all(feedback: SentFeedback) -> bool:
    """Whether what the block does not name is not open."""
    return feedback.state in (FeedbackState.PASSED, FeedbackState.CURRENT) and not feedback.omitted_count
