from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.data_message import DataKind, unwrap
from engine.domain.session import PartKind, Turn
from engine.errors import ContextTooLarge
from engine.settings import DataPlacement
from engine.tutoring.context import Context, ContextInputs, build_context
from engine.tutoring.history import History
from engine.tutoring.window import MESSAGE_TOKENS, RESERVED_TOKENS, Window, build_within
from tests.feedback.builders import texts
from tests.tutoring.requests import OPEN, TASK, a_request, a_summary, a_turn, by_length, the_inputs, whole


def window(tokens: int) -> Window:
    return Window(tokens=tokens, count_tokens=by_length, token_bound=lambda text: len(text.encode("utf-8", "replace")))


def size(context: Context) -> int:
    """Everything sent and the reserve, counted from the messages themselves."""
    return sum(len(message.content) + MESSAGE_TOKENS for message in context.messages) + RESERVED_TOKENS


def inputs(turns: list[Turn], material: str = "", waiting: Turn | None = None, newest: str = "now?") -> ContextInputs:
    task = replace(TASK, task=replace(TASK.task, material=material))
    history = History(turns=tuple(turns), waiting=waiting, tokens=sum(map(length, turns)), limit=4000)
    given = the_inputs(turns, newest, history=history, task=task)
    return replace(given, earlier_turns=len(turns) + (1 if waiting else 0))


def length(turn: Turn) -> int:
    return len(turn.question) + len(turn.reply or "")


def material_of(context: Context) -> str:
    data = unwrap(context.messages[1].content)
    assert data is not None and data[0] is DataKind.TASK
    return str(data[1]["material"])


TURNS = [a_turn(number, "q" * 50, "a" * 50) for number in range(1, 6)]
BARE = size(build_context(inputs([]), by_length))
"""Of a request without history and material."""
EACH = 100 + 2 * MESSAGE_TOKENS


def test_what_fits_to_the_last_token_goes_along_whole_and_is_measured() -> None:
    context = build_within(inputs(TURNS, "m" * 100), window(BARE + 5 * EACH + 100))
    assert context.facts.left_out_turns == 0 and not context.facts.is_material_cut
    assert size(context) == context.facts.window_tokens == (context.facts.total_tokens or 0) + RESERVED_TOKENS


def test_one_token_less_and_the_oldest_turn_goes_as_a_whole() -> None:
    context = build_within(inputs(TURNS, "m" * 100), window(BARE + 5 * EACH + 99))
    numbers = [part.turn_number for part in context.facts.parts if part.kind is PartKind.TURN]
    assert numbers == [number for number in (2, 3, 4, 5) for _ in range(2)]
    assert context.facts.left_out_turns == 1 and material_of(context) == "m" * 100
    assert context.facts.history_tokens == 400


def test_material_gives_way_once_no_turn_is_left() -> None:
    context = build_within(inputs(TURNS, "m" * 100), window(BARE + 60))
    assert context.facts.left_out_turns == 5 and context.facts.is_material_cut
    assert material_of(context) == "m" * 59 + "…"


def test_then_the_question_that_nobody_answered_and_last_comes_an_error() -> None:
    waiting = a_turn(9, "w" * 300, None)
    context = build_within(inputs([], "m" * 100, waiting), window(BARE + 1))
    assert context.messages[-1].content == "now?" and material_of(context) == "…"
    assert context.facts.left_out_turns == 1
    with pytest.raises(ContextTooLarge):
        build_within(inputs([], "m" * 100, waiting), window(BARE))
    assert size(build_within(inputs([]), window(BARE))) == BARE


def test_neither_block_nor_newest_message_is_cut_before_the_error() -> None:
    newest = "n" * 8000
    with pytest.raises(ContextTooLarge):
        build_within(inputs(TURNS, newest=newest), window(8000))
    kept = build_within(inputs(TURNS, newest=newest), window(BARE + 8000))
    assert kept.messages[-1].content == newest and "the reason of now" in kept.messages[-2].content


def test_the_facts_tell_the_bound_that_holds_for_every_vocabulary() -> None:
    context = build_within(inputs([], newest="字" * 10), window(90_000))
    facts = context.facts
    assert facts.total_tokens is not None and facts.bound_tokens is not None
    assert facts.bound_tokens >= facts.total_tokens + 20
    assert facts.bound_tokens == sum(len(each.content.encode()) + MESSAGE_TOKENS for each in context.messages)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(texts(), st.none() | texts()), max_size=6),
    texts(),
    texts(),
    st.integers(0, 3000),
    st.sampled_from(DataPlacement),
    st.booleans(),
)
def test_whatever_was_said_a_request_fits_with_block_and_newest_whole_or_is_not_made(
    said: list[tuple[str, str | None]], material: str, newest: str, room: int, placement: DataPlacement, is_long: bool
) -> None:
    turns = [a_turn(number, *pair) for number, pair in enumerate(said, start=2)]
    task = replace(TASK, task=replace(TASK.task, material=material * (9 if is_long else 1)))
    given_inputs = the_inputs(
        turns, newest, history=whole(turns, a_summary(1)), task=task, placement=placement, feedback=OPEN
    )
    bare = size(a_request([], newest, placement=placement, history=whole([], a_summary(1))))
    try:
        context = build_within(given_inputs, window(bare + room))
    except ContextTooLarge:
        assert room <= 1 + len("…")
        return
    assert size(context) <= bare + room
    sent = [part for part in context.facts.parts if part.kind is PartKind.TURN]
    kept = turns[len(turns) - len({part.turn_number for part in sent}) :]
    assert [part.chars for part in sent] == [
        len(text) for turn in kept for text in (turn.question, turn.reply) if text is not None
    ]
    assert context.messages[-1].content.endswith(newest)
    assert sum("the reason of now" in message.content for message in context.messages) == 1
    assert kept == turns or not context.facts.is_material_cut or kept == []
