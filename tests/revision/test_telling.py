"""What is told of an edit: beginnings that are cut well, and numbers that are true."""

import pytest

from engine.revision.blocks import split_blocks
from engine.revision.editing.operations import Operation, Verb, apply_operations
from engine.revision.editing.scope import Scope
from engine.revision.editing.telling import measure_outside, preview, revision_facts
from tests.revision.test_operations import FIVE, operation

FAMILY = "👩‍👩‍👧"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("x" * 200, "x" * 200),
        ("x" * 201, "x" * 200 + "…"),
        ("字" * 300, "字" * 200 + "…"),
        ("x" * 198 + FAMILY + "yz", "x" * 198 + "…"),
        ("x" * 199 + "e\u0301" + "yz", "x" * 199 + "…"),
    ],
)
def test_a_preview_has_two_hundred_characters_at_most_and_splits_none(text: str, shown: str) -> None:
    assert preview(text) == shown


@pytest.mark.parametrize(
    ("asked", "allowed"),
    [
        (operation(Verb.REPLACE, 3, "New."), {3}),
        (operation(Verb.DELETE, 5), {5}),
        (operation(Verb.DELETE, 1), {1}),
        (operation(Verb.INSERT_AFTER, 5, "X."), {5}),
        (operation(Verb.MOVE_AFTER, 2, anchor=5), {2}),
        (operation(Verb.MOVE_BEFORE, 5, anchor=2), {5}),
    ],
    ids=lambda value: value.verb if isinstance(value, Operation) else "",
)
def test_nothing_changes_outside_a_named_part(asked: Operation, allowed: set[int]) -> None:
    document, scopes = split_blocks(FIVE, is_code=False), {1: Scope(blocks=frozenset(allowed), title=False)}
    edit = apply_operations(document, "T", [asked], scopes)
    assert edit.done == (asked,)
    outside = measure_outside(document, edit, scopes)
    assert (outside.changed, outside.share) == (0, 0.0)
    facts = revision_facts(document, edit, scopes, ["s"], mended=(), answers=1, is_offline=False)
    assert facts.locality == 1.0


def test_a_change_outside_would_be_measured() -> None:
    document, named = split_blocks(FIVE, is_code=False), {1: Scope(blocks=frozenset({2}), title=False)}
    edit = apply_operations(document, "T", [operation(Verb.REPLACE, 3, "New.")], {1: Scope(blocks=None, title=True)})
    outside = measure_outside(document, edit, named)
    assert outside.changed > 0


def test_without_a_named_part_nothing_is_outside() -> None:
    document, scopes = split_blocks(FIVE, is_code=False), {1: Scope(blocks=None, title=True)}
    edit = apply_operations(document, "T", [operation(Verb.REPLACE, 3, "New.")], scopes)
    facts = revision_facts(document, edit, scopes, ["s"], mended=(), answers=1, is_offline=True)
    assert (facts.locality, facts.is_scoped, facts.characters) == (None, False, len("New.") - len("Two is here."))
    assert [(each.verb, each.block, each.paragraph) for each in facts.done] == [("replace", 3, 2)]
