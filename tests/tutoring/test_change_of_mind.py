"""A student says A, then "no, rather B": both must stand in the next request, whatever became of the first."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.domain.people import LOCAL_VIEWER
from engine.domain.plan import Plan
from engine.domain.session import PartKind, Turn
from engine.domain.states import ReplyKind, Role, TurnState
from engine.llm.scripted import Fault, Reply, ScriptedTransport
from engine.tutoring.receipt import shown_parts
from tests.tutoring.room import Room, a_gateway, contents, opened_room, wait_until, words_of
from tests.tutoring.stream import Waiting

A = "Plan A: I want to sell paper books."
B = "No, rather B: only audio books."


def a_plan(title: str) -> str:
    """What a model writes after the line of its kind."""
    step = {"what": f"Begin {title}", "done_when": f"{title} can be seen"}
    return f"Here is {title}.\n\nplan:\n" + json.dumps({"title": title, "steps": [step]})


PATHS = {
    ReplyKind.CHAT: "Paper books it is.",
    ReplyKind.ASK: "kind: ask\nPaper books for whom?",
    ReplyKind.PLAN: f"kind: plan\n{a_plan('A')}",
    ReplyKind.FALLBACK: 'kind: plan\nHere is A.\n\nplan:\n{"title": "A", "steps": [',
}
REFUSED = Fault(status=400)


@contextmanager
def a_room(folder: Path, replies: list[Reply]) -> Iterator[tuple[Room, ScriptedTransport]]:
    transport = ScriptedTransport(replies)
    with opened_room(folder, a_gateway(transport)) as room:
        yield room, transport


def stored(room: Room, conversation_id: str) -> list[tuple[str, str]]:
    """Every message as the database has it."""
    with room.space.database.connect() as connection:
        rows = connection.exec_driver_sql(
            "SELECT m.role, t.body FROM message m JOIN text t ON t.id = m.text_id"
            f" WHERE m.conversation_id = '{conversation_id}' ORDER BY m.seq"
        ).all()
    return [(row[0], row[1]) for row in rows]


def sent(body: bytes) -> list[tuple[str, str]]:
    """Role and content of each message of the exact bytes."""
    return contents(json.loads(body))


def the_student_is_heard(messages: list[tuple[str, str]]) -> bool:
    """Whether A and B stand in messages of the student, each once, A before B, and B last."""
    said = [content for role, content in messages if role == Role.USER]
    text = "\n".join(said)
    return text.count(A) == text.count(B) == 1 and text.index(A) < text.index(B) and said[-1].endswith(B)


@pytest.mark.parametrize("kind", PATHS)
def test_on_every_path_of_a_reply_both_sides_are_stored_and_sent(tmp_path: Path, kind: ReplyKind) -> None:
    with a_room(tmp_path, [PATHS[kind], "Then B."]) as (room, transport):
        first = room.ask(conversation := room.open(), A)
        room.ask(conversation, B)
        assert (first.state, first.kind) == (TurnState.DONE, kind)
        assert [role for role, _ in stored(room, conversation)] == [Role.USER, Role.ASSISTANT] * 2
        assert stored(room, conversation)[:2] == [("user", A), ("assistant", first.reply)]
    messages = sent(transport.bodies[1])
    assert the_student_is_heard(messages)
    assert [content for role, content in messages if role == Role.ASSISTANT] == [first.written]
    assert words_of(messages)[1:] == [A, first.written, B]


def _fail(room: Room, conversation: str, question: str) -> Turn:
    """By another process, whose model refuses."""
    return room.beside(a_gateway(ScriptedTransport([REFUSED]))).ask(conversation, question)


def _interrupt(room: Room, conversation: str, question: str) -> Turn:
    """By a process that is gone, after some words had arrived."""
    turn = room.space.tutor.begin(LOCAL_VIEWER, conversation, question, room.space.worker.lease)
    room.space.leases.keep_progress(turn.turn_id, room.key.learner_id, "Half a rep")
    room.space.tutor.interrupt(turn.turn_id)
    return room.turn(turn.turn_id)


END = {"failed": (_fail, TurnState.FAILED), "interrupted": (_interrupt, TurnState.INTERRUPTED)}
ends = pytest.mark.parametrize(("ask", "state"), END.values(), ids=END)
Ask = Callable[[Room, str, str], Turn]


@ends
def test_a_first_wish_that_got_no_reply_is_sent_with_the_second(tmp_path: Path, ask: Ask, state: TurnState) -> None:
    with a_room(tmp_path, ["Then B."]) as (room, transport):
        conversation = room.open()
        assert ask(room, conversation, A).state is state
        room.ask(conversation, B)
        assert stored(room, conversation) == [("user", A), ("user", B), ("assistant", "Then B.")]
    assert the_student_is_heard(sent(transport.bodies[-1]))
    assert b"Half a rep" not in transport.bodies[-1]


@ends
@pytest.mark.parametrize("kind", PATHS)
def test_a_change_of_mind_that_got_no_reply_is_still_heard_when_it_is_said_again(
    tmp_path: Path, kind: ReplyKind, ask: Ask, state: TurnState
) -> None:
    with a_room(tmp_path, [PATHS[kind], "Then B."]) as (room, transport):
        first = room.ask(conversation := room.open(), A)
        assert ask(room, conversation, B).state is state
        room.ask(conversation, "Did you hear me?")
    messages = sent(transport.bodies[-1])
    assert words_of(messages)[1:] == [A, first.written, f"{B}\n\nDid you hear me?"]


def assistant_only(messages: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The request of a history into which only the assistant's side of a turn was written (seed 003)."""
    newest = messages[-1]
    earlier = [(role, content) for role, content in messages[:-1] if role == Role.ASSISTANT]
    return [messages[0], *earlier, newest]


@pytest.mark.parametrize("kind", PATHS)
def test_a_history_of_the_assistants_side_alone_loses_what_the_student_wanted(tmp_path: Path, kind: ReplyKind) -> None:
    with a_room(tmp_path, [PATHS[kind], "Then B."]) as (room, transport):
        first = room.ask(conversation := room.open(), A)
        room.ask(conversation, B)
    ours = sent(transport.bodies[1])
    theirs = assistant_only(ours)
    assert the_student_is_heard(ours) and not the_student_is_heard(theirs)
    assert [role for role, _ in theirs] == [Role.SYSTEM, Role.ASSISTANT, Role.USER]
    assert [content for _, content in theirs[1:]] == [first.written, B]


# Plans


def test_a_change_of_mind_makes_the_next_version_and_the_model_is_told_the_earlier_one(tmp_path: Path) -> None:
    plan_a, plan_b = (f"kind: plan\n{a_plan(title)}" for title in "AB")
    with a_room(tmp_path, [plan_a, "Go on.", plan_b, "Done.", plan_a]) as (room, transport):
        conversation = room.open()
        turns = [room.ask(conversation, words) for words in (A, "And?", B, "Thanks")]
        plans = room.space.sessions.plans(LOCAL_VIEWER, conversation)
        receipt = room.space.sessions.receipt(LOCAL_VIEWER, turns[-1].turn_id)
        other = room.ask(room.open(), A)
        assert other.plan is not None and other.plan.number == 1
        assert room.space.sessions.plans(LOCAL_VIEWER, other.conversation_id) == (other.plan,)
    assert [(plan.number, plan.turn_id) for plan in plans] == [(1, turns[0].turn_id), (2, turns[2].turn_id)]
    assert [plan.plan.title for plan in plans if isinstance(plan.plan, Plan)] == ["A", "B"]
    assert [turn.plan for turn in turns] == [plans[0], None, plans[1], None]
    assert turns[0].reply == "Here is A."
    replies = [content for role, content in sent(receipt.request) if role == Role.ASSISTANT]
    assert receipt.request == transport.bodies[3] and replies == [plan_a, "Go on.", plan_b]
    shown = [part for part in shown_parts(receipt) if part.kind is PartKind.TURN and part.role is Role.ASSISTANT]
    assert [part.text for part in shown] == replies


def test_a_reply_that_is_only_a_kind_is_a_failed_turn(tmp_path: Path) -> None:
    with a_room(tmp_path, ["kind: ask\n \n"]) as (room, _):
        turn = room.ask(conversation := room.open(), A)
        assert (turn.state, turn.fault, turn.reply) == (TurnState.FAILED, "reply_empty", None)
        assert stored(room, conversation) == [("user", A)]


def test_a_plan_that_is_stopped_on_its_way_shows_its_words_only_and_makes_no_version(tmp_path: Path) -> None:
    model = Waiting("kind: plan\nHere is A.\n", 'plan:\n{"title": "A",', "}")
    with opened_room(tmp_path, a_gateway(model)) as room:
        turn_id = room.send(conversation := room.open(), A)
        wait_until(lambda: room.turn(turn_id).partial == "Here is A.")
        room.space.tutor.stop(LOCAL_VIEWER, turn_id, room.space.worker)
        turn = room.ended(turn_id)
        assert (turn.state, turn.partial, turn.plan) == (TurnState.STOPPED, "Here is A.", None)
        assert room.space.sessions.plans(LOCAL_VIEWER, conversation) == ()


def test_an_erased_plan_keeps_its_place_and_loses_its_words(tmp_path: Path) -> None:
    with a_room(tmp_path, [f"kind: plan\n{a_plan('A')}"]) as (room, _):
        turn = room.ask(conversation := room.open(), A)
        room.space.work.erase_person(LOCAL_VIEWER, room.key.learner_id)
        plans = room.space.sessions.plans(LOCAL_VIEWER, conversation)
    assert [(plan.number, plan.turn_id, plan.plan) for plan in plans] == [(1, turn.turn_id, None)]


@pytest.mark.parametrize("words", ["Please make me a plan", "给我列个计划"])
def test_the_offline_tutor_plans_the_open_items_in_their_order(tmp_path: Path, words: str) -> None:
    with opened_room(tmp_path) as room:
        room.review(room.hand_in("other.md"))
        items = json.loads(room.block().text.split("\n")[1])["items"]
        turn = room.ask(room.open(), words)
    assert turn.kind is ReplyKind.PLAN and turn.plan is not None and turn.plan.plan is not None
    assert len(turn.plan.plan.steps) == len(items) == 2
    for step, item in zip(turn.plan.plan.steps, items, strict=True):
        assert item["criterion"] in step.what
