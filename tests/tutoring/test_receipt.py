import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import PartKind, Turn
from engine.domain.states import Role
from engine.llm.scripted import Fault, ScriptedTransport
from engine.tutoring.context import Context
from engine.tutoring.receipt import sent_messages, shown_parts
from tests.feedback.builders import HOSTILE, texts
from tests.tutoring.requests import a_request, a_turn, received, whole
from tests.tutoring.room import Room, a_gateway

FAMILY = "👨‍👩‍👧‍👦"


def body_of(context: Context) -> bytes:
    messages = [{"role": message.role, "content": message.content} for message in context.messages]
    return json.dumps({"model": "some-model", "messages": messages}).encode()


def test_each_part_is_shown_with_its_role_and_exactly_its_text() -> None:
    turns = [a_turn(1, f"{FAMILY}?", None), a_turn(2, "b\n\n?", f"yes {FAMILY}"), a_turn(3, "", None)]
    context = a_request(turns, newest=f"\n\n{FAMILY} 字")
    shown = shown_parts(received(context, body_of(context)))
    assert [(part.kind, part.role, part.text, part.turn_number) for part in shown if part.turn_number] == [
        (PartKind.TURN, Role.USER, f"{FAMILY}?", 1),
        (PartKind.TURN, Role.USER, "b\n\n?", 2),
        (PartKind.TURN, Role.ASSISTANT, f"yes {FAMILY}", 2),
        (PartKind.TURN, Role.USER, "", 3),
    ]
    assert (shown[-1].kind, shown[-1].text) == (PartKind.NEWEST, f"\n\n{FAMILY} 字")
    assert (shown[0].role, shown[0].text) == (Role.SYSTEM, "our rules")


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(texts(), st.none() | texts()), max_size=6), texts())
def test_whatever_was_said_each_part_comes_back_as_it_was_sent(said: list[tuple[str, str | None]], newest: str) -> None:
    turns: list[Turn] = [a_turn(number, *pair) for number, pair in enumerate(said, start=1)]
    context = a_request(turns, newest, history=whole(turns))
    shown = shown_parts(received(context, body_of(context)))
    of_turns = [part.text for part in shown if part.kind is PartKind.TURN]
    assert of_turns == [text for pair in said for text in pair if text is not None]
    assert shown[-1].text == newest
    assert [part.tokens for part in shown] == [len(part.text) for part in shown]


@pytest.mark.parametrize("erased", [b"", b"not json"])
def test_of_an_erased_request_the_parts_are_shown_without_their_text(erased: bytes) -> None:
    context = a_request([a_turn(1, "a?")])
    receipt = received(context, erased)
    assert sent_messages(receipt) == ()
    shown = shown_parts(receipt)
    assert [part.kind for part in shown] == [part.kind for part in context.facts.parts]
    assert {part.text for part in shown} == {""}


def test_a_receipt_read_back_from_the_store_shows_what_the_server_was_sent(room: Room) -> None:
    transport = ScriptedTransport([Fault(status=400), f"an answer {FAMILY}", "last"])
    beside = room.beside(a_gateway(transport))
    room.review(room.hand_in("other.md"))
    conversation = beside.open()
    questions = [f"first {HOSTILE}?", f"second {FAMILY}?", "third?"]
    turns = [beside.ask(conversation, question) for question in questions]
    receipt = beside.space.sessions.receipt(LOCAL_VIEWER, turns[-1].turn_id)
    assert receipt.request == transport.bodies[-1]
    shown = shown_parts(receipt)
    spoken = [part.text for part in shown if part.kind in (PartKind.TURN, PartKind.NEWEST)]
    assert spoken == [turns[0].question, questions[1], f"an answer {FAMILY}", questions[2]]
    assert next(part for part in shown if part.kind is PartKind.FEEDBACK).text == room.block().text


def test_an_erased_persons_receipt_keeps_its_facts_and_loses_its_words(room: Room) -> None:
    turn = room.ask(room.open(), "the words of a person")
    room.space.work.erase_person(LOCAL_VIEWER, room.key.learner_id)
    receipt = room.space.sessions.receipt(LOCAL_VIEWER, turn.turn_id)
    assert receipt.request == b"" and receipt.facts.parts
    assert {part.text for part in shown_parts(receipt)} == {""}
