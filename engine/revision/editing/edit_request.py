"""What the editor is asked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.domain.data_message import DataKind, wrap
from engine.domain.preference import StyleRule, preferences_payload
from engine.domain.session import ChatMessage
from engine.domain.states import Role
from engine.errors import ContextTooLarge
from engine.llm.prompts.edit import EDIT_RULES
from engine.revision.blocks import Block, BlockKind, Document
from engine.revision.editing.scope import Scope

MOST_RULES = 8
RULE_CHARACTERS = 600
"""So much of the rules of style goes along, whole rules only."""
MOST_EARLIER = 12
EARLIER_CHARACTERS = 500
"""Of each earlier message."""
CUT_CHARACTERS = 80
"""What is shown of a block that may not be changed, where the whole text does not fit."""
NEAR_BLOCKS = 3
"""So many blocks on each side of one that may be changed are shown also of a text that does not fit even then."""
BESIDE_TEXT = 1_500
"""Tokens for the form, the markers and the numbers around the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierMessage:
    """Something that was said in this conversation before."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EditTask:
    """Everything that one request is made of."""

    document: Document
    title: str
    suggestions: tuple[str, ...]
    scopes: Mapping[int, Scope]
    """By the place of the suggestion, from 1."""
    earlier: tuple[EarlierMessage, ...] = ()
    """Oldest first."""
    rules: tuple[StyleRule, ...] = ()
    """The most important first."""


def build_edit_request(
    task: EditTask, *, room_tokens: int | None, count_tokens: Callable[[str], int]
) -> tuple[ChatMessage, ...]:
    """Our rules, then everything else as data in one message.

    Where the text does not fit, blocks that may not be changed are shown by their beginnings only; where that does
    not fit, only those near a block that may be changed, and the headings. `room_tokens` is what is left of the window
    beside the answer; None: everything fits.

    Raises:
        ContextTooLarge: what may be changed does not fit either.
    """
    for shown in (_whole, _with_cuts, _near):
        data = _data(task, shown(task))
        if room_tokens is None or count_tokens(data) <= _room_for_data(room_tokens, count_tokens):
            return ChatMessage(role=Role.SYSTEM, content=EDIT_RULES), ChatMessage(role=Role.USER, content=data)
    raise ContextTooLarge("the text is too long to be edited as a whole")


def room_for_text(task: EditTask, *, room_tokens: int, count_tokens: Callable[[str], int]) -> int:
    """Tokens that are left for blocks in such a request; below 0 where it is too large without any."""
    return _room_for_data(room_tokens, count_tokens) - count_tokens(_data(task, ()))


def _room_for_data(room_tokens: int, count_tokens: Callable[[str], int]) -> int:
    return room_tokens - BESIDE_TEXT - count_tokens(EDIT_RULES)


_Shown = Sequence[Mapping[str, object]]


def _whole(task: EditTask) -> _Shown:
    return [_block(block, is_cut=False) for block in task.document.blocks]


def _with_cuts(task: EditTask) -> _Shown:
    return [_block(block, is_cut=not _may_change(task, block)) for block in task.document.blocks]


def _near(task: EditTask) -> _Shown:
    changing = [block.number for block in task.document.blocks if _may_change(task, block)]
    near = {number + by for number in changing for by in range(-NEAR_BLOCKS, NEAR_BLOCKS + 1)}
    shown = (block for block in task.document.blocks if block.number in near or block.kind is BlockKind.HEADING)
    return [_block(block, is_cut=not _may_change(task, block)) for block in shown]


def _data(task: EditTask, blocks: _Shown) -> str:
    return "\n".join(wrap(kind, payload) for kind, payload in _payloads(task, blocks))


def _payloads(task: EditTask, blocks: _Shown) -> list[tuple[DataKind, Mapping[str, object]]]:
    payloads: list[tuple[DataKind, Mapping[str, object]]] = [
        (DataKind.TEXT, {"title": task.title, "is_code": task.document.is_code, "blocks": blocks})
    ]
    if task.earlier:
        said = [
            {"from": "editor" if each.role is Role.ASSISTANT else "writer", "text": each.text[:EARLIER_CHARACTERS]}
            for each in task.earlier[-MOST_EARLIER:]
        ]
        payloads.append((DataKind.EARLIER, {"messages": said}))
    if rules := chosen_rules(task.rules):
        payloads.append((DataKind.PREFERENCES, preferences_payload(rules)))
    asked = [_suggestion(place, words, task.scopes[place]) for place, words in enumerate(task.suggestions, start=1)]
    payloads.append((DataKind.ASKED, {"suggestions": asked}))
    return payloads


def _may_change(task: EditTask, block: Block) -> bool:
    return any(scope.allows(block.number) for scope in task.scopes.values())


def _block(block: Block, *, is_cut: bool) -> dict[str, object]:
    shown: dict[str, object] = {"number": block.number, "kind": block.kind, "text": block.text}
    if is_cut and len(block.text) > CUT_CHARACTERS:
        shown |= {"text": block.text[:CUT_CHARACTERS], "is_cut": True}
    return shown


def _suggestion(place: int, words: str, scope: Scope) -> dict[str, object]:
    return {
        "number": place,
        "text": words,
        "may_change": "everything" if scope.blocks is None else sorted(scope.blocks),
        "may_change_title": scope.title,
        "keeps_structure": scope.keeps_structure,
    }


def chosen_rules(rules: Sequence[StyleRule]) -> tuple[StyleRule, ...]:
    """The first rules that fit: whole ones, at most `MOST_RULES` and `RULE_CHARACTERS` together."""
    chosen: list[StyleRule] = []
    room = RULE_CHARACTERS
    for rule in rules[:MOST_RULES]:
        room -= len(rule.sentence)
        if room < 0:
            break
        chosen.append(rule)
    return tuple(chosen)
