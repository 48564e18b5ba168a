"""Operations on blocks: what is done, what is refused, and that nothing else changes."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.revision.blocks import split_blocks
from engine.revision.editing.operations import Edit, Operation, Refusal, Verb, apply_operations, quoted_beginning
from engine.revision.editing.scope import Scope
from engine.revision.editing.telling import measure_outside
from tests.revision.test_blocks import TEXTS
from tests.revision.texts import GUIDE, GUIDE_TITLE, PLAIN

EVERYTHING = Scope(blocks=None, title=True)
FIVE = "# T\n\nOne is here.\n\nTwo is here.\n\n- a\n- b\n\nLast is here.\n"


def operation(
    verb: Verb, block: int = 0, text: str = "", *, anchor: int = 0, begins: str = "", body: str = FIVE
) -> Operation:
    blocks = split_blocks(body, is_code=False).blocks
    quoted = begins or (quoted_beginning(blocks[block - 1].text) if 1 <= block <= len(blocks) else "")
    return Operation(suggestions=(1,), verb=verb, block=block, begins=quoted, text=text, anchor=anchor)


def applied(*operations: Operation, body: str = FIVE, title: str = "T", scope: Scope = EVERYTHING) -> Edit:
    return apply_operations(split_blocks(body, is_code=False), title, operations, {1: scope})


@pytest.mark.parametrize(
    ("asked", "body"),
    [
        (operation(Verb.REPLACE, 3, "New."), "# T\n\nOne is here.\n\nNew.\n\n- a\n- b\n\nLast is here.\n"),
        (operation(Verb.REPLACE, 5, "New.\n"), "# T\n\nOne is here.\n\nTwo is here.\n\n- a\n- b\n\nNew.\n"),
        (operation(Verb.DELETE, 3), "# T\n\nOne is here.\n\n- a\n- b\n\nLast is here.\n"),
        (operation(Verb.DELETE, 5), "# T\n\nOne is here.\n\nTwo is here.\n\n- a\n- b\n"),
        (operation(Verb.DELETE, 1), "One is here.\n\nTwo is here.\n\n- a\n- b\n\nLast is here.\n"),
        (operation(Verb.INSERT_AFTER, 5, "X."), FIVE + "\nX.\n"),
        (operation(Verb.INSERT_BEFORE, 1, "X."), "X.\n\n" + FIVE),
        (operation(Verb.MOVE_AFTER, 2, anchor=5), "# T\n\nTwo is here.\n\n- a\n- b\n\nLast is here.\n\nOne is here.\n"),
        (
            operation(Verb.MOVE_BEFORE, 5, anchor=2),
            "# T\n\nLast is here.\n\nOne is here.\n\nTwo is here.\n\n- a\n- b\n",
        ),
    ],
    ids=lambda value: value.verb if isinstance(value, Operation) else "",
)
def test_each_operation_does_what_it_says(asked: Operation, body: str) -> None:
    edit = applied(asked)
    assert (edit.body, edit.refused) == (body, ())


def test_a_swap_is_two_moves() -> None:
    swap = operation(Verb.MOVE_BEFORE, 5, anchor=2), operation(Verb.MOVE_AFTER, 2, anchor=4)
    assert applied(*swap).body == "# T\n\nLast is here.\n\nTwo is here.\n\n- a\n- b\n\nOne is here.\n"


def test_the_title_is_no_block() -> None:
    edit = applied(operation(Verb.TITLE, text=" New title "))
    assert (edit.title, edit.body, edit.structure_kept) == ("New title", FIVE, True)


def test_new_words_take_the_line_ends_of_the_text() -> None:
    windows = FIVE.replace("\n", "\r\n")
    edit = applied(operation(Verb.REPLACE, 3, "New\nlines.", body=windows), body=windows)
    assert edit.body == windows.replace("Two is here.", "New\r\nlines.")


def test_neighbours_that_only_a_line_end_parted_do_not_grow_together() -> None:
    tight = "## A\nOne wraps\n- a\n\nTwo.\n"
    edit = applied(operation(Verb.DELETE, 3, body=tight), body=tight)
    assert edit.body == "## A\nOne wraps\n\nTwo.\n"


def test_an_insertion_keeps_the_manner_of_a_text_without_blank_lines() -> None:
    edit = applied(operation(Verb.INSERT_AFTER, 1, "新的一段。", body=PLAIN), body=PLAIN)
    assert edit.body == "第一段话。\n新的一段。\n第二段话！\n第三段话？\n"


ONLY_TWO = Scope(blocks=frozenset({3}), title=False)
TONE = Scope(blocks=None, title=True, keeps_structure=True)


REFUSED = [
    (
        Operation(suggestions=(1, 2), verb=Verb.DELETE, block=3, begins="Two is here"),
        EVERYTHING,
        Refusal.NO_SUCH_SUGGESTION,
    ),
    (operation(Verb.DELETE, 9), EVERYTHING, Refusal.NO_SUCH_BLOCK),
    (operation(Verb.DELETE, 0), EVERYTHING, Refusal.NO_SUCH_BLOCK),
    (operation(Verb.MOVE_AFTER, 2, anchor=8), EVERYTHING, Refusal.NO_SUCH_BLOCK),
    (operation(Verb.DELETE, 3, begins="One is here"), EVERYTHING, Refusal.DOES_NOT_MATCH),
    (operation(Verb.DELETE, 3, begins="Two"), EVERYTHING, Refusal.DOES_NOT_MATCH),
    (operation(Verb.REPLACE, 2, "X."), ONLY_TWO, Refusal.OUTSIDE_SCOPE),
    (operation(Verb.MOVE_AFTER, 2, anchor=5), ONLY_TWO, Refusal.OUTSIDE_SCOPE),
    (operation(Verb.TITLE, text="X"), ONLY_TWO, Refusal.OUTSIDE_SCOPE),
    (operation(Verb.DELETE, 3), TONE, Refusal.BREAKS_STRUCTURE),
    (operation(Verb.MOVE_AFTER, 2, anchor=5), TONE, Refusal.BREAKS_STRUCTURE),
    (operation(Verb.REPLACE, 3, "X.\n\nY."), TONE, Refusal.BREAKS_STRUCTURE),
    (operation(Verb.REPLACE, 3, "- x"), TONE, Refusal.BREAKS_STRUCTURE),
    (operation(Verb.REPLACE, 3, " \n"), EVERYTHING, Refusal.NOTHING_TO_WRITE),
    (operation(Verb.INSERT_AFTER, 3, ""), EVERYTHING, Refusal.NOTHING_TO_WRITE),
    (operation(Verb.REPLACE, 3, "Two is here.\n"), EVERYTHING, Refusal.CHANGES_NOTHING),
    (operation(Verb.MOVE_AFTER, 3, anchor=2), EVERYTHING, Refusal.CHANGES_NOTHING),
    (operation(Verb.MOVE_BEFORE, 3, anchor=3), EVERYTHING, Refusal.CHANGES_NOTHING),
    (operation(Verb.TITLE, text="T"), EVERYTHING, Refusal.CHANGES_NOTHING),
    (operation(Verb.TITLE, text=" "), EVERYTHING, Refusal.NOTHING_TO_WRITE),
    (operation(Verb.TITLE, text="a\nb"), EVERYTHING, Refusal.NOT_A_TITLE),
    (operation(Verb.TITLE, text="x" * 201), EVERYTHING, Refusal.NOT_A_TITLE),
    (operation(Verb.TITLE, text="safe\u202etxt"), EVERYTHING, Refusal.NOT_A_TITLE),
    (operation(Verb.REPLACE, 3, "```\nopen"), EVERYTHING, Refusal.RUNS_INTO_OTHERS),
    (operation(Verb.INSERT_BEFORE, 1, "---\nopen: 1"), EVERYTHING, Refusal.RUNS_INTO_OTHERS),
    (operation(Verb.REPLACE, 3, FIVE), EVERYTHING, Refusal.REPEATS_OTHERS),
    (operation(Verb.INSERT_AFTER, 3, "Last is here."), EVERYTHING, Refusal.REPEATS_OTHERS),
]


@pytest.mark.parametrize(("asked", "scope", "reason"), REFUSED)
def test_each_reason_of_refusal(asked: Operation, scope: Scope, reason: Refusal) -> None:
    edit = applied(asked, scope=scope)
    assert [refused.reason for refused in edit.refused] == [reason]
    assert (edit.body, edit.title, edit.done) == (FIVE, "T", ())


def test_every_reason_is_tried_above() -> None:
    assert {reason for _asked, _scope, reason in REFUSED} | {Refusal.OVERLAPS} == set(Refusal)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (operation(Verb.REPLACE, 3, "X."), operation(Verb.REPLACE, 3, "Y.")),
        (operation(Verb.REPLACE, 3, "X."), operation(Verb.DELETE, 3)),
        (operation(Verb.DELETE, 3), operation(Verb.MOVE_AFTER, 3, anchor=5)),
        (operation(Verb.INSERT_AFTER, 3, "X."), operation(Verb.INSERT_AFTER, 3, "X.")),
        (operation(Verb.TITLE, text="X"), operation(Verb.TITLE, text="Y")),
    ],
)
def test_of_two_that_collide_the_first_counts(first: Operation, second: Operation) -> None:
    edit = applied(first, second)
    assert edit.done == (first,)
    assert [refused.reason for refused in edit.refused] == [Refusal.OVERLAPS]


def test_two_blocks_may_become_one() -> None:
    edit = applied(operation(Verb.REPLACE, 2, "One is here. Two is here."), operation(Verb.DELETE, 3))
    assert edit.body == "# T\n\nOne is here. Two is here.\n\n- a\n- b\n\nLast is here.\n"


def test_a_blank_line_behind_what_is_removed_stays_between_the_others() -> None:
    loose = "One.\n\n\n\nTwo.\n\nThree.\n"
    assert applied(operation(Verb.DELETE, 2, body=loose), body=loose).body == "One.\n\n\n\nThree.\n"


def test_a_scope_that_does_not_allow_the_block_binds_nothing_about_it() -> None:
    elsewhere, both = Scope(blocks=frozenset({2}), title=False, keeps_structure=True), (1, 2)
    delete = replace(operation(Verb.DELETE, 3), suggestions=both)
    edit = apply_operations(split_blocks(FIVE, is_code=False), "T", [delete], {1: elsewhere, 2: EVERYTHING})
    assert edit.done == (delete,)


def test_what_is_good_is_done_beside_what_is_refused() -> None:
    edit = applied(operation(Verb.REPLACE, 3, "New."), operation(Verb.REPLACE, 2, "Bad."), scope=ONLY_TWO)
    assert edit.body == FIVE.replace("Two is here.", "New.")
    assert [refused.reason for refused in edit.refused] == [Refusal.OUTSIDE_SCOPE]


def test_a_wish_about_tone_keeps_the_structure_of_the_whole_text() -> None:
    tight = PLAIN + "第四段话。\n"
    bad = operation(Verb.REPLACE, 2, "第二段呀", body=tight)  # without its mark the lines would be one paragraph
    good = operation(Verb.REPLACE, 3, "第三段呢？！", body=tight)
    edit = applied(good, bad, body=tight, scope=TONE)
    assert (edit.done, edit.structure_kept) == ((good,), True)
    assert [(each.operation, each.reason) for each in edit.refused] == [(bad, Refusal.BREAKS_STRUCTURE)]
    assert applied(bad, body=tight).done == (bad,)


def test_tone_keeps_the_structure_also_beside_a_wish_that_changes_it() -> None:
    tight, both = PLAIN + "第四段话。\n", {1: TONE, 2: EVERYTHING}
    bad = operation(Verb.REPLACE, 2, "第二段呀", body=tight)
    delete = replace(operation(Verb.DELETE, 4, body=tight), suggestions=(2,))
    edit = apply_operations(split_blocks(tight, is_code=False), "T", [bad, delete], both)
    assert (edit.done, edit.body) == ((delete,), PLAIN)


HEADED = "---\na: 1\n---\n\nOne is here.\n\nTwo is here.\n"


@pytest.mark.parametrize(
    ("asked", "body"),
    [
        (operation(Verb.INSERT_BEFORE, 1, "X.", body=HEADED), HEADED.replace("One", "X.\n\nOne")),
        (
            operation(Verb.MOVE_BEFORE, 3, anchor=1, body=HEADED),
            "---\na: 1\n---\n\nTwo is here.\n\nOne is here.\n",
        ),
    ],
    ids=["inserted", "moved"],
)
def test_nothing_comes_before_the_front_matter(asked: Operation, body: str) -> None:
    edit = applied(asked, body=HEADED)
    assert (edit.body, edit.refused) == (body, ())
    document, scopes = split_blocks(HEADED, is_code=False), {1: Scope(blocks=frozenset({asked.block}), title=False)}
    assert measure_outside(document, apply_operations(document, "T", [asked], scopes), scopes).changed == 0


def test_front_matter_stays_where_it_is() -> None:
    edit = applied(operation(Verb.MOVE_AFTER, 1, anchor=3, body=HEADED), body=HEADED)
    assert [each.reason for each in edit.refused] == [Refusal.RUNS_INTO_OTHERS]


@pytest.mark.parametrize("text", ["", "\r\n\r", "  \n"])
def test_a_text_without_blocks_stays_as_it_is(text: str) -> None:
    assert applied(operation(Verb.REPLACE, 1, "X.", body=text), body=text).body == text


def test_structure_is_told() -> None:
    assert applied(operation(Verb.REPLACE, 3, "New.")).structure_kept
    assert not applied(operation(Verb.REPLACE, 3, "New.\n\nMore.")).structure_kept
    assert not applied(operation(Verb.MOVE_AFTER, 2, anchor=3)).structure_kept


@pytest.mark.parametrize("begins", ["Two is here…", "Two  is\nhere...", "Ｔｗｏ is here"])
def test_a_beginning_may_differ_in_space_width_and_marks_of_omission(begins: str) -> None:
    assert applied(operation(Verb.DELETE, 3, begins=begins)).refused == ()


VERBS = st.sampled_from(list(Verb))


@settings(max_examples=120)
@given(data=st.data(), text=TEXTS)
def test_an_edit_inside_a_scope_leaves_every_other_block_byte_for_byte(data: st.DataObject, text: str) -> None:
    document = split_blocks(text, is_code=False)
    numbers = st.integers(0, len(document.blocks) + 1)
    allowed = frozenset(data.draw(st.sets(numbers, max_size=3)))
    asked = [
        operation(data.draw(VERBS), data.draw(numbers), data.draw(TEXTS), anchor=data.draw(numbers), body=text)
        for _ in range(data.draw(st.integers(0, 4)))
    ]
    edit = applied(*asked, body=text, scope=Scope(blocks=allowed, title=False))
    kept = [block.text for block in document.blocks if block.number not in allowed]
    place = 0
    for untouched in kept:
        place = edit.body.index(untouched, place) + len(untouched)
    assert edit.title == "T"
    assert len(edit.done) + len(edit.refused) == len(asked)


def test_a_guide_is_edited_as_a_whole() -> None:
    edit = applied(
        operation(Verb.REPLACE, 5, "Install Python.", body=GUIDE),
        operation(Verb.DELETE, 12, body=GUIDE),
        operation(Verb.INSERT_AFTER, 11, "Bye.", body=GUIDE),
        body=GUIDE,
        title=GUIDE_TITLE,
    )
    assert edit.body == GUIDE.replace("Install Python first.", "Install Python.").replace("Have fun with it.", "Bye.")
    assert edit.changed_blocks == {5, 12}
