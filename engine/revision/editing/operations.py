"""Changes of a text, block by block: checked one by one, applied together, everything else left byte for byte.

An operation names a block by its number and by how it begins, so that a wrong number is noticed. What is refused
is refused alone; the others are done.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.domain.text import clean, is_blank
from engine.revision.blocks import Block, BlockKind, Document, split_blocks
from engine.revision.editing.scope import Scope

QUOTED_CHARACTERS = 8
"""So much of a block's beginning must be quoted, space apart; all of a shorter one."""
REPEATED_CHARACTERS = 12
"""Shorter blocks may stand in a text twice by chance."""
MOST_TITLE = 200
"""Characters of a title."""


class Verb(StrEnum):
    """What is done to a block."""

    REPLACE = "replace"
    INSERT_BEFORE = "insert_before"
    INSERT_AFTER = "insert_after"
    DELETE = "delete"
    MOVE_BEFORE = "move_before"
    MOVE_AFTER = "move_after"
    TITLE = "title"
    """Of the whole; names no block."""


INSERTS = frozenset({Verb.INSERT_BEFORE, Verb.INSERT_AFTER})
MOVES = frozenset({Verb.MOVE_BEFORE, Verb.MOVE_AFTER})


class Refusal(StrEnum):
    """Why an operation was not done."""

    NO_SUCH_SUGGESTION = "no_such_suggestion"
    NO_SUCH_BLOCK = "no_such_block"
    DOES_NOT_MATCH = "does_not_match"
    """The block begins otherwise than was quoted."""
    OUTSIDE_SCOPE = "outside_scope"
    BREAKS_STRUCTURE = "breaks_structure"
    """A wish about tone may not change number, order or kinds of blocks."""
    OVERLAPS = "overlaps"
    """Another operation has changed this block already, or did the very same."""
    NOTHING_TO_WRITE = "nothing_to_write"
    CHANGES_NOTHING = "changes_nothing"
    NOT_A_TITLE = "not_a_title"
    """More than one line, too long, or with characters that cannot be seen or turn the text around."""
    RUNS_INTO_OTHERS = "runs_into_others"
    """What would be written swallows a block that nobody asked to change, such as by a fence that is not closed."""
    REPEATS_OTHERS = "repeats_others"
    """It holds the words of a block that stays, as when a whole text is given for one of its blocks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One change, as somebody asked for it."""

    suggestions: tuple[int, ...]
    """Places of the suggestions that it follows, from 1; at least one."""
    verb: Verb
    block: int
    """Number of the block; 0 for the title."""
    begins: str
    """How that block begins; empty for the title."""
    anchor: int = 0
    """Of a move: before or after which block, which need not be in scope, as it stays as it is; 0 of the others."""
    text: str = ""
    """What is written; empty for a deletion or a move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """An operation that was not done, and why."""

    operation: Operation
    reason: Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A text after all operations that were good."""

    title: str
    body: str
    done: tuple[Operation, ...]
    refused: tuple[Refused, ...]
    structure_kept: bool
    """Whether number, order and kinds of the blocks are as before."""

    @property
    def changed_blocks(self) -> frozenset[int]:
        """Numbers of the old blocks that were replaced, deleted or moved."""
        touching = frozenset({Verb.REPLACE, Verb.DELETE}) | MOVES
        return frozenset(operation.block for operation in self.done if operation.verb in touching)


def apply_operations(
    document: Document, title: str, operations: Sequence[Operation], scopes: Mapping[int, Scope]
) -> Edit:
    """Do what is good of `operations`, in the order given.

    Args:
        document: the text as it is.
        title: its title as it is.
        operations: what is asked; of two that collide the first counts.
        scopes: by the place of each suggestion, what may be changed for it.
    """
    operations = [_behind_front_matter(document, each) for each in operations]
    good: dict[int, list[Operation]] = {}
    reasons: list[Refusal | None] = []
    rewritten = {each.block for each in operations if each.verb in (Verb.REPLACE, Verb.DELETE)}
    staying = [block for block in document.blocks if block.number not in rewritten]
    for operation in operations:
        before = good.setdefault(_target(operation), [])
        reason = _refusal(document, title, operation, scopes, before) or _repetition(document, operation, staying)
        reasons.append(reason)
        if reason is None:
            before.append(operation)
    breaking = _breaking(document, good, scopes)
    told = [
        (each, Refusal.BREAKS_STRUCTURE if reason is None and each in breaking else reason)
        for each, reason in zip(operations, reasons, strict=True)
    ]
    done = [each for each, reason in told if reason is None]
    body = _written(document, done)
    titles = [operation.text.strip() for operation in done if operation.verb is Verb.TITLE]
    after = split_blocks(body, is_code=document.is_code)
    is_kept = _kinds(after) == _kinds(document) and not any(each.verb in MOVES for each in done)
    return Edit(
        title=titles[0] if titles else title,
        body=body,
        done=tuple(done),
        refused=tuple(Refused(operation=each, reason=reason) for each, reason in told if reason is not None),
        structure_kept=is_kept,
    )


def _behind_front_matter(document: Document, operation: Operation) -> Operation:
    """What would come before front matter comes behind it, as nothing else can stand there."""
    is_headed = bool(document.blocks) and document.blocks[0].kind is BlockKind.FRONT_MATTER
    if is_headed and operation.verb is Verb.INSERT_BEFORE and operation.block == 1:
        return replace(operation, verb=Verb.INSERT_AFTER)
    if is_headed and operation.verb is Verb.MOVE_BEFORE and operation.anchor == 1:
        return replace(operation, verb=Verb.MOVE_AFTER)
    return operation


def _target(operation: Operation) -> int:
    """The block that it is about; 0 for the title."""
    return 0 if operation.verb is Verb.TITLE else operation.block


def _breaking(
    document: Document, good: Mapping[int, Sequence[Operation]], scopes: Mapping[int, Scope]
) -> list[Operation]:
    """Operations that must keep the structure and do so alone, but not among the blocks around them."""
    before = _kinds(document)

    def keeps(kept: Sequence[Operation]) -> bool:
        return _kinds(split_blocks(_written(document, kept), is_code=document.is_code)) == before

    replacing = [each for target in good.values() for each in target if each.verb is Verb.REPLACE]
    bound = [each for each in replacing if _must_keep(each, _followed(each, scopes))]
    if not bound or keeps(bound):
        return []
    kept: list[Operation] = []
    for each in bound:
        if keeps([*kept, each]):
            kept.append(each)
    return [each for each in bound if each not in kept]


def _followed(operation: Operation, scopes: Mapping[int, Scope]) -> list[Scope]:
    return [scopes[place] for place in operation.suggestions if place in scopes]


def _must_keep(operation: Operation, followed: Sequence[Scope]) -> bool:
    """Whether every scope that allows its block keeps the structure."""
    return all(scope.keeps_structure for scope in followed if scope.allows(operation.block))


def _refusal(
    document: Document, title: str, operation: Operation, scopes: Mapping[int, Scope], before: Sequence[Operation]
) -> Refusal | None:
    followed = _followed(operation, scopes)
    if not followed or len(followed) < len(operation.suggestions):
        return Refusal.NO_SUCH_SUGGESTION
    if operation.verb is Verb.TITLE:
        return _title_refusal(title, operation, followed, before)
    named = [operation.block, operation.anchor] if operation.verb in MOVES else [operation.block]
    if not all(1 <= number <= len(document.blocks) for number in named):
        return Refusal.NO_SUCH_BLOCK
    if not _matches(document.blocks[operation.block - 1], operation.begins):
        return Refusal.DOES_NOT_MATCH
    if not any(scope.allows(operation.block) for scope in followed):
        return Refusal.OUTSIDE_SCOPE
    if _must_keep(operation, followed) and not _keeps_structure(document, operation):
        return Refusal.BREAKS_STRUCTURE
    if _collides(operation, before):
        return Refusal.OVERLAPS
    return _useless(document, operation)


def _repetition(document: Document, operation: Operation, staying: Sequence[Block]) -> Refusal | None:
    """Whether the words of another block, which stays, would stand in the text twice."""
    if not operation.text or operation.verb is Verb.TITLE:
        return None
    had, text = document.blocks[operation.block - 1].text, _text_of(document, operation.text)
    repeated = (
        block.number != operation.block
        and len(block.text) >= REPEATED_CHARACTERS
        and block.text in text
        and block.text not in had
        for block in staying
    )
    return Refusal.REPEATS_OTHERS if any(repeated) else None


def _title_refusal(
    title: str, operation: Operation, followed: Sequence[Scope], before: Sequence[Operation]
) -> Refusal | None:
    if not any(scope.title for scope in followed):
        return Refusal.OUTSIDE_SCOPE
    if before:
        return Refusal.OVERLAPS
    written = operation.text.strip()
    if is_blank(written):
        return Refusal.NOTHING_TO_WRITE
    if len(written.splitlines()) > 1 or len(written) > MOST_TITLE or clean(written) != written:
        return Refusal.NOT_A_TITLE
    return Refusal.CHANGES_NOTHING if written == title else None


def quoted_beginning(text: str) -> str:
    """What has to be quoted of a block that reads `text`: its first visible characters, space and width evened out."""
    return _even(text)[:QUOTED_CHARACTERS]


def _matches(block: Block, begins: str) -> bool:
    quoted, whole = _even(begins), _even(block.text)
    is_long_enough = len(quoted) >= min(QUOTED_CHARACTERS, len(whole))
    return is_long_enough and whole.startswith(quoted)


def _even(text: str) -> str:
    """Without space, and without marks of omission at the end, which a model likes to add to a beginning."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text)).rstrip(".…")


def _keeps_structure(document: Document, operation: Operation) -> bool:
    """Only a block of the same kind in the place of one."""
    if operation.verb is not Verb.REPLACE:
        return False
    old = document.blocks[operation.block - 1]
    new = split_blocks(operation.text, is_code=document.is_code).blocks
    return [(block.kind, block.level) for block in new] == [(old.kind, old.level)]


def _collides(operation: Operation, before: Sequence[Operation]) -> bool:
    """A block is changed once; several things may be inserted beside it, and moved beside it."""
    if operation.verb in INSERTS:
        return any(replace(other, suggestions=operation.suggestions) == operation for other in before)
    return any(other.verb not in INSERTS for other in before)


def _useless(document: Document, operation: Operation) -> Refusal | None:
    old = document.blocks[operation.block - 1].text
    if operation.verb in MOVES:
        beside = operation.anchor - 1 if operation.verb is Verb.MOVE_BEFORE else operation.anchor + 1
        if operation.block in (operation.anchor, beside):
            return Refusal.CHANGES_NOTHING
        is_head = document.blocks[operation.block - 1].kind is BlockKind.FRONT_MATTER
        return Refusal.RUNS_INTO_OTHERS if is_head else None
    if operation.verb is Verb.DELETE:
        return None
    if is_blank(operation.text):
        return Refusal.NOTHING_TO_WRITE
    if operation.verb is Verb.REPLACE and _text_of(document, operation.text) == old:
        return Refusal.CHANGES_NOTHING
    return Refusal.RUNS_INTO_OTHERS if _runs_into_others(document, operation) else None


def _text_of(document: Document, text: str) -> str:
    """What is written, with the line ends of the text around it."""
    return _LINE_END.sub(document.line_end, text.strip("\r\n"))


_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class _Part:
    """One stretch of the new text: an old block, or new words."""

    text: str
    gap: str
    """What stood behind it, or behind what it replaces."""
    place: int
    """Number of the old block whose place this is; 0 of what was inserted."""


def _written(document: Document, operations: Sequence[Operation]) -> str:
    if not document.blocks:
        return document.lead
    parts = _arranged(document, operations)
    if not parts:
        return ""
    pieces = [document.lead]
    for at, part in enumerate(parts):
        pieces.append(part.text)
        pieces.append(_gap(document, part, parts[at + 1] if at + 1 < len(parts) else None))
    return "".join(pieces)


def _gap(document: Document, part: _Part, after: _Part | None) -> str:
    """The old gap between two that were neighbours before; the usual one between those that were not."""
    if after is None:
        return document.blocks[-1].gap
    were_neighbours = part.place > 0 and after.place == part.place + 1
    if were_neighbours or len(_LINE_END.findall(part.gap)) > 1:
        return part.gap
    return document.usual_gap


def _arranged(document: Document, operations: Sequence[Operation]) -> list[_Part]:
    replaced = {each.block: each.text for each in operations if each.verb is Verb.REPLACE}
    deleted = {each.block for each in operations if each.verb is Verb.DELETE}
    order = [block.number for block in document.blocks]
    for each in operations:
        if each.verb in MOVES:
            order.remove(each.block)
            order.insert(order.index(each.anchor) + (each.verb is Verb.MOVE_AFTER), each.block)
    before, after = (
        _inserted(document, operations, Verb.INSERT_BEFORE),
        _inserted(document, operations, Verb.INSERT_AFTER),
    )
    parts: list[_Part] = []
    for number in order:
        parts += before.get(number, ())
        if number not in deleted:
            parts.append(_part(document, number, replaced.get(number)))
        parts += after.get(number, ())
    return parts


def _part(document: Document, number: int, text: str | None) -> _Part:
    block = document.blocks[number - 1]
    if text is None:
        return _Part(text=block.text, gap=block.gap, place=number)
    return _Part(text=_text_of(document, text), gap=block.gap, place=number)


def _inserted(document: Document, operations: Sequence[Operation], verb: Verb) -> dict[int, list[_Part]]:
    """What is inserted beside each block, by its number."""
    parts: dict[int, list[_Part]] = {}
    for each in operations:
        if each.verb is verb:
            parts.setdefault(each.block, []).append(_Part(text=_text_of(document, each.text), gap="", place=0))
    return parts


def _runs_into_others(document: Document, operation: Operation) -> bool:
    """Whether the words would go on into what stands behind them, as an open fence or front matter does."""
    text = _text_of(document, operation.text)
    behind = split_blocks(f"{text}\n\nx", is_code=document.is_code).blocks
    if behind[-1].text != "x":
        return True
    is_first = operation.block == 1 and operation.verb is not Verb.INSERT_AFTER
    opens = is_first and not document.is_code and text.splitlines()[0].rstrip() == "---"
    return opens and behind[0].kind is not BlockKind.FRONT_MATTER


def _kinds(document: Document) -> list[tuple[BlockKind, int]]:
    return [(block.kind, block.level) for block in document.blocks]
