"""What is told of an edit: beginnings of texts, and its facts without words of the text."""

from collections.abc import Mapping, Sequence

import regex

from engine.domain.edit import PREVIEW_CHARACTERS, ChangeFacts, RevisionFacts
from engine.revision.blocks import Document
from engine.revision.diff import raw_script
from engine.revision.editing.operations import MOVES, Edit, Operation, Refusal, Refused, Verb
from engine.revision.editing.scope import Scope
from engine.revision.locality import Outside, changed_outside


def preview(text: str) -> str:
    """At most `PREVIEW_CHARACTERS` of a text, and “…” only where it is longer; no grapheme is split."""
    if len(text) <= PREVIEW_CHARACTERS:
        return text
    whole = regex.findall(r"\X", text[: PREVIEW_CHARACTERS + 1])[:-1]
    return "".join(whole) + "…"


def revision_facts(
    document: Document,
    edit: Edit,
    scopes: Mapping[int, Scope],
    suggestion_ids: Sequence[str],
    *,
    mended: Sequence[Refused],
    answers: int,
    is_offline: bool,
) -> RevisionFacts:
    """The facts of an applied edit.

    Args:
        document: the text before.
        edit: what was done.
        scopes: what each suggestion allowed.
        suggestion_ids: of those that were followed.
        mended: what the answer before had wrong.
        answers: how many of the model it took.
        is_offline: whether fixed rules made it.
    """
    outside = measure_outside(document, edit, scopes)
    paragraphs = {block.number: place for place, block in enumerate(document.paragraphs, start=1)}
    return RevisionFacts(
        suggestion_ids=tuple(suggestion_ids),
        done=tuple(_told(paragraphs, operation) for operation in edit.done),
        refused=tuple(_told(paragraphs, each.operation, each.reason) for each in edit.refused),
        mended=tuple(_told(paragraphs, each.operation, each.reason) for each in mended),
        answers=answers,
        is_scoped=all(scope.is_named for scope in scopes.values()),
        changed_outside=outside.changed,
        characters_outside=outside.characters,
        structure_kept=edit.structure_kept,
        characters=len(edit.body) - len(document.join()),
        is_offline=is_offline,
    )


def measure_outside(document: Document, edit: Edit, scopes: Mapping[int, Scope]) -> Outside:
    """How much changed outside the blocks that were allowed, by the raw script of both texts.

    The blank lines around an allowed block belong to it, and so does the place to which one is moved.
    """
    before = document.join()
    spans = [(0, 0), *_spans(document), (len(before), len(before))]
    ranges = [
        (spans[block.number - 1][1], spans[block.number + 1][0])
        for block in document.blocks
        if any(scope.allows(block.number) for scope in scopes.values())
    ]
    if len(ranges) == len(document.blocks):
        return Outside(changed=0, characters=0)
    for each in edit.done:
        if each.verb in MOVES:
            left = each.anchor - 1 if each.verb is Verb.MOVE_BEFORE else each.anchor
            ranges.append((spans[left][1], spans[left + 1][0]))
    return changed_outside(raw_script(before, edit.body), ranges)


def _spans(document: Document) -> list[tuple[int, int]]:
    """Where each block begins and ends."""
    spans: list[tuple[int, int]] = []
    place = len(document.lead)
    for block in document.blocks:
        spans.append((place, place + len(block.text)))
        place += len(block.text) + len(block.gap)
    return spans


def _told(paragraphs: Mapping[int, int], operation: Operation, refusal: Refusal | None = None) -> ChangeFacts:
    return ChangeFacts(
        verb=operation.verb,
        block=operation.block,
        paragraph=paragraphs.get(operation.block, 0),
        refusal=refusal or "",
    )
