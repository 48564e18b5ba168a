"""Two requests side by side: parts by what they are, items by their criterion, nothing claimed that is unknown."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.feedback import Feedback
from engine.domain.keys import Versions
from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import PartKind, Receipt, Turn
from engine.domain.states import FeedbackState
from engine.settings import DataPlacement
from engine.tutoring.compare import Change, Comparison, ItemFate, compare_requests
from engine.tutoring.receipt import placement_of
from tests.feedback.builders import current, item, texts
from tests.tutoring.requests import OPEN, a_request, a_turn, received
from tests.tutoring.room import Room
from tests.tutoring.test_receipt import body_of

TESTS, DOCS = item("tests", reason="2 of 5 fail"), item("docs", reason="no README")


def sent(feedback: Feedback = OPEN, turns: tuple[Turn, ...] = (), newest: str = "and now?") -> Receipt:
    """What a request with this feedback left behind."""
    context = a_request(list(turns), newest, feedback=feedback)
    return received(context, body_of(context))


def fates(comparison: Comparison) -> dict[str, ItemFate]:
    return {pair.rubric_id: pair.fate for pair in comparison.items}


def changes(comparison: Comparison) -> list[tuple[PartKind, Change]]:
    return [(pair.kind, pair.change) for pair in comparison.parts]


def test_parts_are_the_same_changed_or_in_one_of_the_two_only() -> None:
    first = sent(newest="why?")
    second = sent(turns=(a_turn(1, "why?", "because"),), newest="and now?")
    expected = [
        (PartKind.RULES, Change.SAME),
        (PartKind.TASK, Change.SAME),
        (PartKind.TURN, Change.ONLY_LATER),
        (PartKind.TURN, Change.ONLY_LATER),
        (PartKind.FEEDBACK, Change.SAME),
        (PartKind.NEWEST, Change.CHANGED),
    ]
    assert changes(compare_requests(first, second)) == expected
    back = compare_requests(second, first)
    assert [pair.change for pair in back.parts if pair.kind is PartKind.TURN] == [Change.ONLY_EARLIER] * 2
    assert [pair.newest.text for pair in back.parts if pair.kind is PartKind.TURN] == ["why?", "because"]


def test_an_item_that_a_later_review_does_not_have_any_more_is_closed_and_its_words_stay() -> None:
    comparison = compare_requests(sent(current([TESTS, DOCS])), sent(current([DOCS])))
    assert fates(comparison) == {"docs": ItemFate.SAME, "tests": ItemFate.CLOSED}
    closed = {value.name: value for value in comparison.items[-1].values}
    assert (closed["reason"].earlier, closed["reason"].later) == ("2 of 5 fail", None)
    fields = {pair.name: pair for pair in comparison.fields}
    assert (fields["total_items"].earlier, fields["total_items"].later) == ("2", "1")
    assert fields["state"].is_same and not fields["total_items"].is_same and "items" not in fields


def test_an_item_that_reads_otherwise_is_changed_and_a_new_one_is_newly_open() -> None:
    comparison = compare_requests(sent(current([TESTS])), sent(current([replace(TESTS, reason="1 of 5 fails"), DOCS])))
    assert fates(comparison) == {"tests": ItemFate.CHANGED, "docs": ItemFate.OPENED}
    changed = [value.name for pair in comparison.items[:2] for value in pair.values if not value.is_same]
    assert changed[0] in ("reason", "status") and "reason" in changed


def other_rules(feedback: Feedback) -> Feedback:
    return replace(feedback, versions=Versions(rubric="b" * 64, prompt="p", engine="e"))


def omitting(receipt: Receipt) -> Receipt:
    facts = replace(receipt.facts, feedback=replace(receipt.facts.feedback, omitted_count=1))
    return replace(receipt, facts=facts)


def pending() -> Feedback:
    return replace(current([DOCS]), state=FeedbackState.PENDING, items=(), verdict=None, next_step=None)


@pytest.mark.parametrize(
    "later",
    [
        pytest.param(sent(pending()), id="no finished review"),
        pytest.param(omitting(sent(current([DOCS]))), id="it may have been left out"),
        pytest.param(sent(other_rules(current([DOCS]))), id="other criteria"),
    ],
)
def test_what_no_review_closed_is_not_told_as_closed(later: Receipt) -> None:
    comparison = compare_requests(sent(current([TESTS, DOCS])), later)
    assert fates(comparison)["tests"] is ItemFate.NOT_SHOWN
    assert fates(compare_requests(later, sent(current([TESTS, DOCS]))))["tests"] is ItemFate.NOT_SHOWN


@pytest.mark.parametrize("swapped", [False, True])
def test_of_erased_words_nobody_can_tell_whether_they_changed(swapped: bool) -> None:
    pair = [replace(sent(), request=b""), sent()]
    comparison = compare_requests(*(reversed(pair) if swapped else pair))
    assert {pair.change for pair in comparison.parts} == {Change.UNKNOWN}


def test_a_retry_of_the_same_question_compares_the_same_parts() -> None:
    assert {change for _, change in changes(compare_requests(sent(), sent()))} == {Change.SAME}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(texts(), st.none() | texts()), max_size=4), st.lists(texts(), min_size=2, max_size=2))
def test_a_request_is_the_same_as_itself_and_swapping_two_mirrors_the_comparison(
    said: list[tuple[str, str | None]], newest: list[str]
) -> None:
    turns = tuple(a_turn(number, *pair) for number, pair in enumerate(said, start=1))
    one, other = sent(current([TESTS, DOCS]), turns, newest[0]), sent(current([DOCS]), turns[1:], newest[1])
    assert {pair.change for pair in compare_requests(one, one).parts} == {Change.SAME}
    there, back = compare_requests(one, other), compare_requests(other, one)
    mirrored = {Change.ONLY_EARLIER: Change.ONLY_LATER, Change.ONLY_LATER: Change.ONLY_EARLIER}
    assert [(pair.kind, mirrored.get(pair.change, pair.change)) for pair in there.parts] == changes(back)
    assert [(pair.earlier, pair.later) for pair in there.parts] == [(pair.later, pair.earlier) for pair in back.parts]


@pytest.mark.parametrize("placement", DataPlacement)
def test_where_data_stood_is_told_from_the_request_itself(placement: DataPlacement) -> None:
    context = a_request([a_turn(1, "why?")], placement=placement)
    assert placement_of(context.facts) is placement


def test_real_turns_before_and_after_a_hand_in_show_what_the_review_closed(room: Room) -> None:
    conversation = room.open()
    room.review(room.hand_in("notes.md"))
    first = room.ask(conversation, "what is missing?")
    room.review(room.hand_in("notes.md", "README.md"))
    second = room.ask(conversation, "and now?")
    receipts = [room.space.sessions.receipt(LOCAL_VIEWER, turn.turn_id) for turn in (first, second)]
    comparison = compare_requests(*receipts)
    assert fates(comparison) == {"readme": ItemFate.CLOSED}
    numbers = {pair.name: (pair.earlier, pair.later) for pair in comparison.fields}
    assert numbers["submission_seq"] == ("1", "2")
    assert numbers["state"] == ("current", "passed")
