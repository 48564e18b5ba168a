import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.plan import Plan, PlanStep, PlanVersion, plan_json
from engine.domain.session import Turn
from engine.domain.states import ReplyKind
from engine.tutoring.reply import HELD_MOST, Reply, ReplyReader, read_reply, words_and_rest
from tests.tutoring.requests import a_turn

PLAN = Plan(title="Ship A", steps=(PlanStep(what="Write the page", done_when="One can read it"),))
OBJECT = plan_json(PLAN)


def a_plan(title: str = "t", what: str = "w", done_when: str = "d", steps: int = 1) -> str:
    """A plan as a model writes it."""
    return json.dumps({"title": title, "steps": [{"what": what, "done_when": done_when}] * steps})


@pytest.mark.parametrize(
    ("written", "kind", "text"),
    [
        pytest.param("Look here.", ReplyKind.CHAT, "Look here.", id="no line"),
        pytest.param("kind: chat\nLook here.", ReplyKind.CHAT, "Look here.", id="chat"),
        pytest.param("kind: ask\nWhich one?", ReplyKind.ASK, "Which one?", id="ask"),
        pytest.param(" \n**Kind: ASK**  \r\n\nWhich one?", ReplyKind.ASK, "Which one?", id="decorated"),
        pytest.param("kind：ask\n哪一个？", ReplyKind.ASK, "哪一个？", id="Chinese colon"),
        pytest.param("kind: ask", ReplyKind.ASK, "", id="nothing behind it"),
        pytest.param("kind: regards\nBo", ReplyKind.CHAT, "kind: regards\nBo", id="no kind of ours"),
        pytest.param("kind: fallback\nBo", ReplyKind.CHAT, "kind: fallback\nBo", id="a kind that is not said"),
        pytest.param("kind: ask me\nBo", ReplyKind.CHAT, "kind: ask me\nBo", id="the line goes on"),
        pytest.param("kind: a\u017fk\nBo", ReplyKind.CHAT, "kind: a\u017fk\nBo", id="a letter that folds to s"),
        pytest.param("Hm.\nkind: ask\nBo", ReplyKind.CHAT, "Hm.\nkind: ask\nBo", id="not the first line"),
        pytest.param("plan:\n" + OBJECT, ReplyKind.CHAT, "plan:\n" + OBJECT, id="a plan that is not announced"),
        pytest.param(" two\nlines \n", ReplyKind.CHAT, " two\nlines \n", id="edges of a chat"),
    ],
)
def test_the_first_line_says_of_what_kind_a_reply_is(written: str, kind: ReplyKind, text: str) -> None:
    assert read_reply(written) == Reply(kind=kind, text=text)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        pytest.param(f"Fine.\n\nplan:\n{OBJECT}", "Fine.", id="as the rules say"),
        pytest.param(f"Fine.\nPlan: {OBJECT}\n", "Fine.", id="on the same line"),
        pytest.param(f"Fine.\n**plan:**\n\n```json\n{OBJECT}\n```\n", "Fine.", id="fenced"),
        pytest.param(f"Fine.\nplan: ```json\n{OBJECT}\n```", "Fine.", id="fence on the line"),
        pytest.param(f"Fine.\n```json\n{OBJECT}\n```", "Fine.", id="fenced without the line"),
        pytest.param(f"Fine.\n{OBJECT}", "Fine.", id="the object alone"),
        pytest.param(f"Fine.\nplan:\n{OBJECT}\nGood luck.", "Fine.\n\nGood luck.", id="words behind it"),
        pytest.param(f"plan:\n{OBJECT}", "", id="no words"),
        pytest.param(f"plan: first A, then B\nplan:\n{OBJECT}", "plan: first A, then B", id="a sentence like the line"),
        pytest.param(
            f'Send\n```json\n{{"a": 1}}\n```\nplan:\n{OBJECT}', 'Send\n```json\n{"a": 1}\n```', id="other JSON first"
        ),
    ],
)
def test_a_plan_is_found_and_taken_out_of_the_words(written: str, text: str) -> None:
    assert read_reply("kind: plan\n" + written) == Reply(kind=ReplyKind.PLAN, text=text, plan=PLAN)


@pytest.mark.parametrize(
    ("plan", "is_read"),
    [
        pytest.param(a_plan("x" * 80, "x" * 200, "x" * 200, steps=12), True, id="every limit reached"),
        pytest.param(a_plan(" \u200bTitle\u202e\n "), True, id="cleaned"),
        pytest.param(a_plan("\ud800x"), True, id="lone surrogate"),
        pytest.param(a_plan("x" * 81), False, id="title too long"),
        pytest.param(a_plan(what="x" * 201), False, id="step too long"),
        pytest.param(a_plan(done_when="x" * 201), False, id="end of a step too long"),
        pytest.param(a_plan(steps=13), False, id="too many steps"),
        pytest.param(a_plan(steps=0), False, id="no step"),
        pytest.param(a_plan(what=" \u200b"), False, id="blank step"),
        pytest.param('{"title": "t", "steps": [{"what": "w"}]}', False, id="a field is missing"),
        pytest.param('{"title": 3, "steps": [{"what": "w", "done_when": "d"}]}', False, id="wrong type"),
        pytest.param(OBJECT[:-3], False, id="cut off"),
        pytest.param('{"a":' * 50_000, False, id="very deep"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_a_plan_is_validated_and_one_that_does_not_hold_is_kept_whole_as_a_fallback(plan: str, is_read: bool) -> None:
    reply = read_reply(f"kind: plan\nFine.\nplan:\n{plan}")
    if is_read:
        assert reply.kind is ReplyKind.PLAN and reply.plan is not None
        assert "\u200b" not in reply.plan.title and "\u202e" not in reply.plan.title
        return
    assert reply == Reply(kind=ReplyKind.FALLBACK, text=f"Fine.\nplan:\n{plan}")
    assert words_and_rest(reply.text) == ("Fine.", f"plan:\n{plan}")


def test_a_plan_that_was_announced_and_never_came_is_a_fallback_of_words() -> None:
    reply = read_reply("kind: plan\nFirst A, then B.")
    assert reply == Reply(kind=ReplyKind.FALLBACK, text="First A, then B.")
    assert words_and_rest(reply.text) == ("First A, then B.", "")


@pytest.mark.parametrize("written", ["kind: ask", "kind: chat\n \n", "kind: plan\n\u200b"])
def test_a_kind_and_nothing_else_is_empty(written: str) -> None:
    assert read_reply(written).is_empty


def test_a_plan_without_words_is_not_empty() -> None:
    assert not read_reply(f"kind: plan\nplan:\n{OBJECT}").is_empty


# As it arrives

LINES = st.sampled_from(
    ["", " ", "kind", "kind: ", "kind: ask", "kind: plan", "kind: plans", "plan", "plan:", "plan: ```json", "Plan: A"]
)
ENDS = st.sampled_from(["", "\n", "\r\n", "\n\n", " "])
REST = st.sampled_from([OBJECT, OBJECT[:9], "```json", "```", "{", '{"', "{\n", "words", "字 👩‍🔬", "`", "pl"])
WRITTEN = st.lists(st.tuples(LINES | REST | st.text(max_size=5), ENDS), max_size=8).map(
    lambda parts: "".join(word + end for word, end in parts)
)
REPLIES = st.tuples(st.sampled_from(["", "kind: ask\n", "kind: plan\n", "Kind: PLAN\r\n"]), WRITTEN).map("".join)


@settings(max_examples=200)
@given(written=REPLIES, data=st.data())
def test_how_a_reply_is_cut_into_pieces_makes_no_difference(written: str, data: st.DataObject) -> None:
    places = data.draw(st.lists(st.integers(0, len(written)), max_size=6).map(sorted))
    reader = ReplyReader()
    for start, end in zip([0, *places], [*places, len(written)], strict=True):
        reader.take(written[start:end])
    assert reader.read() == read_reply(written)


@settings(max_examples=200)
@given(written=REPLIES)
def test_what_is_shown_on_the_way_is_always_the_beginning_of_what_is_shown_in_the_end(written: str) -> None:
    reply, reader, before = read_reply(written), ReplyReader(), ""
    for character in written:
        reader.take(character)
        assert reader.shown.startswith(before)
        before = reader.shown
        assert reply.text.startswith(before)


@settings(max_examples=200)
@given(
    first=st.sampled_from(["kind: chat", "**kind: ask**", "  Kind : Plan ", "kind：plan"]),
    end=st.sampled_from(["\n", "\r\n"]),
    rest=st.text(alphabet="abc \n字", max_size=30),
)
def test_nothing_of_the_line_of_its_kind_is_ever_shown(first: str, end: str, rest: str) -> None:
    reader = ReplyReader()
    for place, character in enumerate(first + end + rest, start=1):
        reader.take(character)
        if place <= len(first + end):
            assert reader.shown == ""
        assert (rest.lstrip("\r\n")).startswith(reader.shown)


def test_nothing_of_a_plan_is_shown_while_it_arrives() -> None:
    reader, shown = ReplyReader(), set()
    for character in f"kind: plan\nFine. A plan: now.\n\nplan:\n```json\n{OBJECT}\n```\n":
        reader.take(character)
        shown.add(reader.shown)
    assert max(shown, key=len) == "Fine. A plan: now."
    assert not [words for words in shown if words.endswith(("\n", "plan:\n", "{", "`"))]


@pytest.mark.parametrize("written", ["kindness matters", "kind: " + " " * 99, "\n" * 99 + "x", "`" * 99, "K" * 99])
def test_only_a_bounded_number_of_characters_is_held_back(written: str) -> None:
    reader = ReplyReader()
    reader.take(written[: HELD_MOST + 1])
    assert reader.shown == written[: HELD_MOST + 1]


# What later requests repeat


def _turn(reply: Reply) -> Turn:
    plan = PlanVersion(turn_id="turn-1", number=1, plan=reply.plan) if reply.plan else None
    made = a_turn(1, "why?", reply.text)
    return replace(made, kind=reply.kind, plan=plan)


@pytest.mark.parametrize(
    "written", ["Look.", "kind: ask\nWhich?", f"kind: plan\nFine.\n\nplan:\n{OBJECT}", "kind: plan\nplan:\n{broken"]
)
def test_a_stored_reply_is_repeated_in_the_form_in_which_the_model_wrote_it(written: str) -> None:
    reply = read_reply(written)
    repeated = _turn(reply).written
    assert repeated == (reply.text if reply.kind is ReplyKind.FALLBACK else written)


def test_of_an_erased_plan_nothing_is_repeated() -> None:
    turn = _turn(Reply(kind=ReplyKind.PLAN, text="", plan=PLAN))
    assert turn.plan is not None
    erased = replace(turn, plan=replace(turn.plan, plan=None))
    assert erased.written == "kind: plan\n"
