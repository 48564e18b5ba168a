"""Room for an answer: as much as may change, in several requests where it must be, and told where it cannot be."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.data_message import DataKind, unwrap_all
from engine.domain.edit import MessageKind, SuggestionState
from engine.domain.states import Role
from engine.errors import ContextTooLarge
from engine.llm.in_process import sse_event
from engine.llm.scripted import Fault, Reply
from engine.llm.tokens import count_tokens
from engine.revision.blocks import split_blocks
from engine.revision.editing.edit_request import BESIDE_TEXT, EarlierMessage, EditTask
from engine.revision.editing.reply_room import (
    ANSWER_TOKENS,
    GROWTH,
    MOST_REQUESTS,
    OPERATION_TOKENS,
    Asking,
    plan_requests,
)
from engine.revision.editing.scope import Scope, resolve_scope
from engine.settings import DEFAULT_BUDGETS, Budgets
from tests.revision.editing import answer, data_of, op, scripted_desk
from tests.revision.texts import GUIDE

PARAGRAPH = "We went to the lab on Friday and looked at what the others had built there. " * 4


def long_text(paragraphs: int) -> str:
    return "".join(f"Day {number}: {PARAGRAPH}\n\n" for number in range(1, paragraphs + 1))


LONG = long_text(80)
"""About 6,000 tokens, so that more than one answer is needed to write it anew."""
TONE = "make it friendlier"


def task(body: str, *wishes: str, earlier: Sequence[EarlierMessage] = ()) -> EditTask:
    document = split_blocks(body, is_code=False)
    scopes = {place: resolve_scope(words, document, "T") for place, words in enumerate(wishes, start=1)}
    clear = {place: scope for place, scope in scopes.items() if isinstance(scope, Scope)}
    assert len(clear) == len(scopes)
    return EditTask(document=document, title="T", suggestions=wishes, scopes=clear, earlier=tuple(earlier))


def plan(given: EditTask, budgets: Budgets | None = DEFAULT_BUDGETS) -> tuple[Asking, ...]:
    return plan_requests(given, budgets, count_tokens)


def shown(asking: Asking) -> list[int]:
    (payload,) = [data for kind, data in unwrap_all(asking.messages[1].content) if kind is DataKind.TEXT]
    blocks = payload["blocks"]
    assert isinstance(blocks, list)
    return [block["number"] for block in blocks if not block.get("is_cut")]


def may_change(asking: Asking) -> list[list[int]]:
    scopes = asking.task.scopes.values()
    return [[block.number for block in asking.task.document.blocks if scope.allows(block.number)] for scope in scopes]


def rewritten(asking: Asking) -> int:
    """Tokens of everything that may change, as it stands, with the operations around it."""
    (numbers,) = may_change(asking)
    blocks = asking.task.document.blocks
    return sum(count_tokens(blocks[number - 1].text) + OPERATION_TOKENS for number in numbers)


def test_a_wish_on_tone_that_one_answer_can_hold_is_one_request() -> None:
    (asking,) = plan(task(long_text(30), TONE))
    assert asking.task.scopes[1].blocks is None and asking.task.scopes[1].title


def test_a_wish_on_tone_about_a_long_text_is_several_requests_over_runs_of_blocks() -> None:
    askings = plan(task(LONG, TONE))
    assert 1 < len(askings) <= MOST_REQUESTS
    assert [number for asking in askings for (run,) in [may_change(asking)] for number in run] == list(range(1, 81))
    assert [asking.task.scopes[1].title for asking in askings] == [True] + [False] * (len(askings) - 1)
    assert all(asking.task.scopes[1].keeps_structure and rewritten(asking) < ANSWER_TOKENS for asking in askings)
    assert all(shown(asking) == list(range(1, 81)) for asking in askings)


def test_no_run_needs_more_than_one_answer_even_where_its_words_grow() -> None:
    for asking in plan(task(LONG, TONE)):
        (run,) = may_change(asking)
        words = sum(count_tokens(asking.task.document.blocks[number - 1].text) for number in run)
        assert words * GROWTH + OPERATION_TOKENS * len(run) <= ANSWER_TOKENS


def test_no_run_gives_a_wish_more_than_it_named() -> None:
    askings = plan(task(LONG, "make paragraphs 1 to 50 friendlier", "make paragraphs 51 to 80 friendlier"))
    given = [{number for asking in askings for number in may_change(asking)[place]} for place in range(2)]
    assert len(askings) > 1 and given == [set(range(1, 51)), set(range(51, 81))]


def test_a_smaller_window_makes_shorter_runs() -> None:
    assert len(plan(task(LONG, TONE), Budgets(window_tokens=6_000))) > len(plan(task(LONG, TONE)))


@settings(max_examples=40, deadline=None)
@given(
    lengths=st.lists(st.integers(1, 900), min_size=1, max_size=60),
    window=st.integers(4_096, 40_000),
    reserved=st.integers(256, 2_048),
)
def test_request_and_answer_fit_the_window_together_or_nothing_is_asked(
    lengths: list[int], window: int, reserved: int
) -> None:
    given_task = task("\n\n".join("word " * length for length in lengths) + "\n", TONE)
    try:
        askings = plan(given_task, Budgets(window_tokens=window, reserved_tokens=reserved))
    except ContextTooLarge as error:
        assert not error.values or 0 < int(error.values["limit"]) < int(error.values["count"])
        return
    for asking in askings:
        asked = sum(count_tokens(message.content) for message in asking.messages)
        assert asked + BESIDE_TEXT + max(reserved, rewritten(asking)) <= window
    assert [number for asking in askings for (run,) in [may_change(asking)] for number in run] == [
        block.number for block in given_task.document.blocks
    ]


def test_without_a_window_there_is_one_request() -> None:
    assert len(plan(task(LONG, TONE), None)) == 1


def test_a_longer_room_for_replies_in_the_settings_makes_fewer_requests() -> None:
    roomy = Budgets(window_tokens=40_000, reserved_tokens=12_000)
    assert len(plan(task(LONG, TONE), roomy)) == 1
    assert len(plan(task(LONG, TONE), Budgets(window_tokens=40_000))) > 1


@pytest.mark.parametrize("wishes", [("add a summary at the end",), (TONE, "add a summary at the end")])
def test_what_may_move_parts_is_never_asked_for_twice(wishes: tuple[str, ...]) -> None:
    assert len(plan(task(LONG, *wishes))) == 1


def test_a_named_part_has_room_to_be_written_anew_before_the_rest_is_shown_whole() -> None:
    named = "rewrite paragraphs 1 to 25 in your own words"
    (asking,) = plan(task(LONG, named), Budgets(window_tokens=11_000))
    assert shown(asking) == list(range(1, 26))
    (asking,) = plan(task(LONG, named), Budgets(window_tokens=16_000))
    assert shown(asking) == list(range(1, 81))


@pytest.mark.parametrize(
    ("body", "window"),
    [(long_text(1_200), 16_000), (PARAGRAPH * 60, 4_096), ("Word. " * 30_000, 16_000)],
    ids=["a book", "one long paragraph and a small window", "one endless paragraph"],
)
def test_what_cannot_be_done_is_refused_with_how_long_it_is_and_may_be(body: str, window: int) -> None:
    with pytest.raises(ContextTooLarge) as refused:
        plan(task(body, TONE), Budgets(window_tokens=window))
    assert refused.value.values["count"] == sum(len(block.text) for block in split_blocks(body, is_code=False).blocks)
    limit = int(refused.value.values["limit"])
    assert 0 < limit < len(body) and limit % 100 == 0
    assert plan(task(f"{body[: limit - limit // 4].strip()}\n", TONE), Budgets(window_tokens=window))


def test_where_nothing_of_the_text_would_fit_no_number_is_named() -> None:
    earlier = [EarlierMessage(role=Role.USER, text="以前说过的话" * 100)] * 12
    with pytest.raises(ContextTooLarge) as refused:
        plan(task(LONG, TONE, earlier=earlier), Budgets(window_tokens=4_096))
    assert "limit" not in refused.value.values


NOTHING = [answer()] * MOST_REQUESTS


def by_runs(request: dict[str, object]) -> Reply:
    """Writes every block anew that may be changed."""
    asked = data_of(request, DataKind.ASKED)["suggestions"]
    assert isinstance(asked, list)
    numbers = range(1, 81) if asked[0]["may_change"] == "everything" else asked[0]["may_change"]
    return answer(*(op("replace", number, f"{number}: Hi!", body=LONG) for number in numbers))


def test_a_long_text_is_made_friendlier_run_by_run_and_stored_as_one_version(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, by_runs, body=LONG) as desk:
        asked = desk.ask(TONE)
        assert (asked.state, len(desk.versions)) == (SuggestionState.APPLIED, 2)
        assert desk.newest.body == "".join(f"{number}: Hi!\n\n" for number in range(1, 81))
        assert len(desk.calls) == len(plan(task(LONG, TONE))) > 1
        assert {call.subject.part for call in desk.calls} == {desk.record.run_id}
        facts = desk.record.facts
        assert (facts.answers, len(facts.done), facts.structure_kept, facts.is_scoped) == (1, 80, True, False)


def test_a_run_in_which_nothing_is_to_be_done_costs_no_second_answer(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, [answer(op("replace", 1, "1: Hi!", body=LONG)), *NOTHING], body=LONG) as desk:
        assert desk.ask(TONE).state is SuggestionState.APPLIED
        assert desk.newest.body == LONG.replace(f"Day 1: {PARAGRAPH}", "1: Hi!", 1)


def test_what_reaches_out_of_its_run_is_refused_and_told(tmp_path: Path) -> None:
    both = answer(op("replace", 1, "1: Hi!", body=LONG), op("replace", 80, "80: Hi!", body=LONG))
    with scripted_desk(tmp_path, [both, *NOTHING], body=LONG) as desk:
        desk.ask(TONE)
        assert [each.block for each in desk.record.facts.done] == [1]
        assert [(each.block, each.refusal) for each in desk.record.facts.refused] == [(80, "outside_scope")]


def test_where_one_run_fails_the_text_stays_as_it_is(tmp_path: Path) -> None:
    first = answer(op("replace", 1, "1: Hi!", body=LONG))
    with scripted_desk(tmp_path, [first, Fault(status=401, body=b"{}")], body=LONG) as desk:
        asked = desk.ask(TONE)
        assert (asked.state, asked.fault, len(desk.versions)) == (SuggestionState.FAILED, "key_refused", 1)


def test_a_question_in_one_run_is_passed_on_and_ends_the_asking(tmp_path: Path) -> None:
    first = answer(op("replace", 1, "1: Hi!", body=LONG))
    replies = [answer(question="How friendly?"), first]
    with scripted_desk(tmp_path, replies, body=LONG) as desk:
        assert desk.ask(TONE).state is SuggestionState.NEEDS_SCOPE
        assert (desk.last.kind, desk.last.words, len(desk.calls)) == (MessageKind.ASKED, "How friendly?", 1)
    (tmp_path / "later").mkdir()
    with scripted_desk(tmp_path / "later", replies[::-1], body=LONG) as desk:
        assert desk.ask(TONE).state is SuggestionState.NEEDS_SCOPE
        assert len(desk.versions) == 1


def test_what_is_too_long_is_refused_before_the_model_is_asked_and_kept(tmp_path: Path) -> None:
    book = long_text(1_200)
    with scripted_desk(tmp_path, [], body=book) as desk:
        asked = desk.ask(TONE)
        assert (asked.state, asked.fault, asked.words) == (SuggestionState.FAILED, "too_long", TONE)
        facts = desk.last.facts
        assert (facts.fault, desk.calls) == ("too_long", ())
        assert 0 < facts.limit < facts.count < len(book)


def _cut(words: str) -> Fault:
    """An answer that the service ended at its limit of length."""
    chunks = [{"choices": [{"index": 0, "delta": {"content": words}, "finish_reason": None}]}]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]})
    return Fault(status=200, headers={"content-type": "text/event-stream"}, body=b"".join(map(sse_event, chunks)))


SHORTER = op("replace", 5, "Install Python.")


@pytest.mark.parametrize("words", [answer(SHORTER)[:-9], "", "<think>so much to"], ids=["cut", "nothing", "thoughts"])
def test_an_answer_that_was_cut_is_told_as_such_and_not_asked_for_again(tmp_path: Path, words: str) -> None:
    with scripted_desk(tmp_path, [_cut(words)], body=GUIDE) as desk:
        asked = desk.ask("make the third paragraph shorter")
        assert (asked.state, asked.fault, desk.last.facts.fault) == (SuggestionState.FAILED, "cut", "cut")
        assert (len(desk.calls), desk.newest.body) == (1, GUIDE)


def test_what_was_right_at_first_stays_right_when_the_second_answer_is_cut(tmp_path: Path) -> None:
    first = answer(SHORTER, op("replace", 5, "Again."))
    with scripted_desk(tmp_path, [first, _cut(json.dumps(first)[:40])], body=GUIDE) as desk:
        assert desk.ask("make the third paragraph shorter").state is SuggestionState.APPLIED


def test_one_request_for_everything_that_brings_nothing_is_asked_once_more(tmp_path: Path) -> None:
    with scripted_desk(tmp_path, [answer(), answer(SHORTER)], body=GUIDE) as desk:
        assert desk.ask("make the third paragraph shorter").state is SuggestionState.APPLIED
