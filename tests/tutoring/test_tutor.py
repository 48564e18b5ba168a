import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from engine.domain.data_message import DataKind, unwrap
from engine.domain.people import LOCAL_VIEWER, Viewer, ViewerKind
from engine.domain.session import PartKind
from engine.domain.states import FeedbackState, Role, TurnState
from engine.errors import AccessDenied, InputError, NotFound
from engine.llm.gateway import CallLimits, StreamedReply
from engine.llm.scripted import Fault, Reply, ScriptedTransport
from engine.tutoring.receipt import shown_parts
from engine.tutoring.tutor import QUESTION_LIMIT
from tests.tutoring.room import Room, a_gateway, contents, data_messages, opened_room, wait_until, words_of
from tests.tutoring.stream import Waiting, chunk

STREAM = {"content-type": "text/event-stream"}
BROKEN_OFF = Fault(status=200, headers=STREAM, body=chunk("Look at the") + chunk(" READ"))
"""A stream that stops without saying that it ends."""


@contextmanager
def a_room(folder: Path, transport: httpx2.AsyncBaseTransport, limits: CallLimits | None = None) -> Iterator[Room]:
    with opened_room(folder, a_gateway(transport, limits)) as room:
        yield room


def messages(room: Room, conversation_id: str) -> list[tuple[str, str]]:
    """Every stored message, as the database has it."""
    with room.space.database.connect() as connection:
        rows = connection.exec_driver_sql(
            "SELECT m.role, t.body FROM message m JOIN text t ON t.id = m.text_id"
            f" WHERE m.conversation_id = '{conversation_id}' ORDER BY m.seq"
        ).all()
    return [(row[0], row[1]) for row in rows]


def ends(room: Room) -> int:
    with room.space.database.connect() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM turn_end").scalar_one())


# From the question to the end


def test_the_question_is_stored_before_anything_is_sent(tmp_path: Path) -> None:
    seen: list[tuple[list[tuple[str, str]], TurnState]] = []

    def look(_: dict[str, object]) -> Reply:
        seen.append((messages(room, conversation), room.turn(turn.turn_id).state))
        assert room.space.sessions.receipt(LOCAL_VIEWER, turn.turn_id).request == transport.bodies[-1]
        return "fine"

    transport = ScriptedTransport(look)
    with a_room(tmp_path, transport) as room:
        conversation = room.open()
        turn = room.space.tutor.begin(LOCAL_VIEWER, conversation, "why?", room.space.worker.lease)
        assert messages(room, conversation) == [("user", "why?")]
        room.space.tutor.answer(LOCAL_VIEWER, turn)
    assert seen == [([("user", "why?")], TurnState.OPEN)]


def test_a_reply_by_the_worker_ends_the_turn_as_done_with_both_sides_stored(room: Room) -> None:
    conversation = room.open()
    turn = room.ended(room.send(conversation, "what now?"))
    assert (turn.state, turn.fault, turn.partial) == (TurnState.DONE, None, None)
    assert [role for role, _ in messages(room, conversation)] == [Role.USER, Role.ASSISTANT]
    assert messages(room, conversation)[1][1] == turn.reply
    assert [one.result for one in turn.tries] == ["ok"] and turn.ended_at is not None


@pytest.mark.parametrize("question", ["", " \n", "\u200b\u2060"])
def test_a_question_in_which_nothing_can_be_seen_begins_nothing(room: Room, question: str) -> None:
    conversation = room.open()
    with pytest.raises(InputError):
        room.send(conversation, question)
    assert messages(room, conversation) == []


def test_a_question_over_the_limit_begins_nothing_and_one_at_the_limit_is_sent_whole(tmp_path: Path) -> None:
    transport = ScriptedTransport(["long"])
    with a_room(tmp_path, transport) as room:
        conversation = room.open()
        with pytest.raises(InputError):
            room.send(conversation, "字" * (QUESTION_LIMIT + 1))
        assert messages(room, conversation) == []
        room.ask(conversation, "字" * QUESTION_LIMIT)
    assert contents(transport.requests[0])[-1] == ("user", "字" * QUESTION_LIMIT)


def test_nobody_else_can_ask_read_stop_or_retry_in_a_conversation(room: Room) -> None:
    conversation = room.open()
    turn = room.ask(conversation, "mine")
    other = Viewer(kind=ViewerKind.STUDENT, person_id="bo", learner_ids=frozenset({"bo"}))
    tutor, worker = room.space.tutor, room.space.worker
    for forbidden in (
        lambda: tutor.send(other, conversation, "yours?", worker),
        lambda: tutor.retry(other, turn.turn_id, worker),
        lambda: tutor.stop(other, turn.turn_id, worker),
        lambda: tutor.current_feedback(other, room.key),
    ):
        with pytest.raises(AccessDenied):
            forbidden()
    assert len(messages(room, conversation)) == 2


# Ends other than done: each once, and never as the tutor's words

LIMITS = CallLimits(first_character_s=1.0, waits_s=(0.0,))
NO_ANSWER = Fault(status=200, delay_s=60)


@pytest.mark.parametrize(
    ("replies", "state", "fault", "partial"),
    [
        pytest.param([Fault(status=401)], TurnState.FAILED, "key_refused", None, id="key refused"),
        pytest.param([Fault(status=400)], TurnState.FAILED, "request_refused", None, id="request refused"),
        pytest.param([Fault(status=503)] * 2, TurnState.FAILED, "provider_down", None, id="service down"),
        pytest.param([BROKEN_OFF], TurnState.FAILED, "reply_broken", "Look at the READ", id="broken off"),
        pytest.param([""], TurnState.FAILED, "reply_empty", None, id="empty reply"),
        pytest.param([" \n\u200b"], TurnState.FAILED, "reply_empty", None, id="reply of blanks"),
        pytest.param([NO_ANSWER] * 2, TurnState.TIMED_OUT, "timed_out", None, id="no first character"),
    ],
)
def test_a_turn_that_fails_ends_once_and_keeps_what_arrived_apart(
    tmp_path: Path, replies: list[Reply], state: TurnState, fault: str, partial: str | None
) -> None:
    with a_room(tmp_path, ScriptedTransport(replies), LIMITS) as room:
        conversation = room.open()
        turn = room.ended(room.send(conversation, "why?"))
        assert (turn.state, turn.fault, turn.partial, turn.reply) == (state, fault, partial, None)
        assert len(turn.tries) == len(replies)
        assert messages(room, conversation) == [("user", "why?")]
        assert ends(room) == 1


def test_an_answer_without_an_end_times_out_and_keeps_what_arrived(tmp_path: Path) -> None:
    limits = CallLimits(first_character_s=5, whole_turn_s=2)
    model = Waiting()
    with a_room(tmp_path, model, limits) as room:
        turn = room.ended(room.send(room.open(), "why?"))
    assert (turn.state, turn.partial, turn.reply) == (TurnState.TIMED_OUT, "Look at the README", None)
    assert model.closed == 1


def test_an_error_of_ours_fails_the_turn_and_is_told_as_such(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def wrong(_: dict[str, object]) -> Reply:
        raise RuntimeError("the script is wrong")

    with a_room(tmp_path, ScriptedTransport(wrong)) as room:
        turn = room.ended(room.send(room.open(), "why?"))
    assert (turn.state, turn.reply) == (TurnState.FAILED, None)
    assert turn.fault in ("internal", "provider_down")
    assert "the script is wrong" not in json.dumps([turn.fault, turn.partial])


def test_the_failed_question_goes_along_with_the_next_one_and_its_failure_does_not(tmp_path: Path) -> None:
    transport = ScriptedTransport([BROKEN_OFF, "now I can"])
    with a_room(tmp_path, transport) as room:
        conversation = room.open()
        room.ask(conversation, "first?")
        second = room.ask(conversation, "second?")
        assert second.reply == "now I can"
        assert [role for role, _ in messages(room, conversation)] == ["user", "user", "assistant"]
    assert words_of(contents(transport.requests[1]))[1:] == ["first?\n\nsecond?"]
    assert "the READ" not in transport.bodies[1].decode() and "reply_broken" not in transport.bodies[1].decode()


# Retry


def test_a_retry_answers_the_same_question_again_without_doubling_it(tmp_path: Path) -> None:
    transport = ScriptedTransport([Fault(status=400), "at last"])
    with a_room(tmp_path, transport) as room:
        conversation = room.open()
        failed = room.ask(conversation, "why?")
        retried = room.space.tutor.retry(LOCAL_VIEWER, failed.turn_id, room.space.worker)
        turn = room.ended(retried.turn_id)
        assert (turn.question, turn.reply) == ("why?", "at last")
        assert messages(room, conversation) == [("user", "why?"), ("assistant", "at last")]
        assert room.turn(failed.turn_id).state is TurnState.FAILED
        entries, _ = room.space.sessions.entries(LOCAL_VIEWER, conversation, last=9)
    assert [entry.turn_id for entry in entries] == [turn.turn_id]
    assert words_of(contents(transport.requests[1]))[1:] == ["why?"]


def test_a_retry_is_given_the_feedback_of_its_own_moment(tmp_path: Path) -> None:
    transport = ScriptedTransport([Fault(status=400), "at last"])
    with a_room(tmp_path, transport) as room:
        failed = room.ask(room.open(), "why?")
        room.review(room.hand_in("other.md"))
        room.ended(room.space.tutor.retry(LOCAL_VIEWER, failed.turn_id, room.space.worker).turn_id)
        assert data_messages(transport.requests[1], DataKind.FEEDBACK) == [room.block().text]
        states = [
            room.space.sessions.receipt(LOCAL_VIEWER, turn_id).facts.feedback.state
            for turn_id in (failed.turn_id, _newest(room))
        ]
    assert states == [FeedbackState.NONE, FeedbackState.CURRENT]


def _newest(room: Room) -> str:
    with room.space.database.connect() as connection:
        return str(connection.exec_driver_sql("SELECT id FROM turn ORDER BY number DESC").scalars().first())


def test_a_second_click_on_retry_neither_sends_nor_ends_anything(tmp_path: Path) -> None:
    model = Waiting()
    with a_room(tmp_path, model) as room:
        failed = _a_failed_turn(room)
        clicks = [room.space.tutor.retry(LOCAL_VIEWER, failed, room.space.worker) for _ in range(2)]
        assert clicks[0].turn_id == clicks[1].turn_id
        wait_until(lambda: room.turn(clicks[0].turn_id).partial is not None)
        model.go_on.set()
        turn = room.ended(clicks[0].turn_id)
    assert (turn.state, turn.reply) == (TurnState.DONE, "Look at the README, please.")
    assert model.requests == 1


def test_a_turn_that_is_still_open_is_not_retried(room: Room) -> None:
    turn = room.space.tutor.begin(LOCAL_VIEWER, room.open(), "why?", room.space.worker.lease)
    assert (
        room.space.sessions.retry_turn(LOCAL_VIEWER, turn.turn_id, room.space.worker.lease)[0].turn_id == turn.turn_id
    )


def _a_failed_turn(room: Room) -> str:
    turn = room.space.tutor.begin(LOCAL_VIEWER, room.open(), "why?", room.space.worker.lease)
    room.space.tutor.interrupt(turn.turn_id)
    return turn.turn_id


# Stop


def test_a_stop_ends_the_request_and_keeps_what_arrived(tmp_path: Path) -> None:
    model = Waiting()
    with a_room(tmp_path, model) as room:
        conversation = room.open()
        turn_id = room.send(conversation, "why?")
        wait_until(lambda: room.turn(turn_id).partial == "Look at the README")
        room.space.tutor.stop(LOCAL_VIEWER, turn_id, room.space.worker)
        turn = room.ended(turn_id)
        assert (turn.state, turn.partial, turn.reply) == (TurnState.STOPPED, "Look at the README", None)
        assert [one.result for one in turn.tries] == ["stopped"] and model.closed == 1
        assert messages(room, conversation) == [("user", "why?")] and ends(room) == 1


def test_a_stop_after_the_end_changes_nothing(room: Room) -> None:
    turn = room.ask(room.open(), "why?")
    room.space.tutor.stop(LOCAL_VIEWER, turn.turn_id, room.space.worker)
    assert room.turn(turn.turn_id) == turn and ends(room) == 1


def test_a_turn_that_runs_nowhere_here_is_ended_by_a_stop(room: Room) -> None:
    turn = room.space.tutor.begin(LOCAL_VIEWER, room.open(), "why?", room.space.worker.lease)
    room.space.tutor.stop(LOCAL_VIEWER, turn.turn_id, room.space.worker)
    assert room.turn(turn.turn_id).state is TurnState.STOPPED


def test_a_turn_that_was_stopped_before_it_began_is_never_sent(tmp_path: Path) -> None:
    transport = ScriptedTransport(["too late"])
    with a_room(tmp_path, transport) as room:
        turn = room.space.tutor.begin(LOCAL_VIEWER, room.open(), "why?", room.space.worker.lease)
        room.space.tutor.stop(LOCAL_VIEWER, turn.turn_id, room.space.worker)
        room.space.tutor.answer(LOCAL_VIEWER, turn)
    assert transport.bodies == []


def test_a_turn_that_is_stopped_while_its_request_is_made_is_never_sent(tmp_path: Path) -> None:
    transport = ScriptedTransport(["too late"])
    with a_room(tmp_path, transport) as room:
        turn = room.space.tutor.begin(LOCAL_VIEWER, room.open(), "why?", room.space.worker.lease)
        context, _key = room.space.tutor._context(LOCAL_VIEWER, turn, a_gateway(transport))
        room.space.tutor.stop(LOCAL_VIEWER, turn.turn_id, room.space.worker)
        keep = room.space.tutor._keeper(LOCAL_VIEWER, turn, context, "some-model")
        with pytest.raises(NotFound):
            asyncio.run(_all_of(a_gateway(transport).stream(context.messages, before_send=keep)))
        with pytest.raises(NotFound):
            room.space.sessions.receipt(LOCAL_VIEWER, turn.turn_id)
    assert transport.bodies == []


async def _all_of(reply: StreamedReply) -> str:
    return "".join([piece async for piece in reply])


# A process that is gone


def test_a_turn_of_a_dead_process_is_ended_as_interrupted_with_what_had_arrived(room: Room) -> None:
    conversation = room.open()
    turn = room.space.tutor.begin(LOCAL_VIEWER, conversation, "why?", room.space.worker.lease)
    room.space.leases.keep_progress(turn.turn_id, room.key.learner_id, "Look at the")
    later = room.beside(a_gateway(ScriptedTransport([])))
    assert later.space.worker.recover() == 0
    room.later(seconds=60)
    assert later.space.worker.recover() == 1
    found = later.turn(turn.turn_id)
    assert (found.state, found.fault, found.partial) == (TurnState.INTERRUPTED, "interrupted", "Look at the")
    assert later.space.worker.recover() == 0
    assert messages(room, conversation) == [("user", "why?")]


def test_an_answer_that_comes_after_the_interruption_is_no_reply(tmp_path: Path) -> None:
    transport = ScriptedTransport(["too late"])
    with a_room(tmp_path, transport) as room:
        conversation = room.open()
        turn = room.space.tutor.begin(LOCAL_VIEWER, conversation, "why?", room.space.worker.lease)
        room.later(seconds=60)
        room.beside(a_gateway(ScriptedTransport([]))).space.worker.recover()
        room.space.tutor.answer(LOCAL_VIEWER, turn)
        assert room.turn(turn.turn_id).state is TurnState.INTERRUPTED
        assert messages(room, conversation) == [("user", "why?")] and ends(room) == 1


def test_an_interrupted_turn_can_be_retried_by_the_next_process(room: Room) -> None:
    turn = room.space.tutor.begin(LOCAL_VIEWER, room.open(), "why?", room.space.worker.lease)
    room.later(seconds=60)
    later = room.beside(a_gateway(ScriptedTransport(["here it is"])))
    later.space.worker.recover()
    retried = later.space.tutor.retry(LOCAL_VIEWER, turn.turn_id, later.space.worker)
    assert later.ended(retried.turn_id).reply == "here it is"


# What is sent is what is kept, and holds nobody else's


def test_the_receipt_is_the_bytes_that_were_sent_even_if_they_were_sent_again(tmp_path: Path) -> None:
    transport = ScriptedTransport([Fault(status=503), Fault(status=503), "third time"])
    with a_room(tmp_path, transport) as room:
        turn = room.ask(room.open(), "</tutorloop-feedback> 字 👩‍🔬 \u2028?")
        receipt = room.space.sessions.receipt(LOCAL_VIEWER, turn.turn_id)
    assert transport.bodies == [receipt.request] * 3
    assert [one.result for one in turn.tries] == ["provider_down", "provider_down", "ok"]
    assert receipt.model == "some-model" and b"sk-test" not in receipt.request


def test_a_request_that_was_never_sent_has_no_receipt(room: Room) -> None:
    turn = room.space.tutor.begin(LOCAL_VIEWER, room.open(), "why?", room.space.worker.lease)
    with pytest.raises(NotFound):
        room.space.sessions.receipt(LOCAL_VIEWER, turn.turn_id)


def test_nobody_elses_text_is_in_a_request(tmp_path: Path) -> None:
    transport = ScriptedTransport(lambda _: "an answer")
    with a_room(tmp_path, transport) as room:
        places = {"BO": room.at(learner="BO"), "TWO": room.at(project=1)}
        for name, key in places.items():
            room.review(room.hand_in(f"{name}.md", body=name, key=key))
            room.ask(room.open(key), f"{name} asks")
        room.ask(room.open(), "EARLIER asks")
        room.space.sessions.add_note(LOCAL_VIEWER, (mine := room.open()), "SYSTEM ROW")
        room.ask(mine, "what now?")
        assert [name for name in (*places, "EARLIER", "SYSTEM ROW") if name in transport.bodies[-1].decode()] == []
        assert data_messages(transport.requests[-1], DataKind.FEEDBACK) == [room.block().text]
        assert room.block().state is FeedbackState.NONE


def test_after_many_long_turns_the_block_and_the_newest_message_are_sent_whole(tmp_path: Path) -> None:
    transport = ScriptedTransport(lambda _: "an answer")
    with a_room(tmp_path, transport) as room:
        room.review(room.hand_in("other.md"))
        conversation = room.open()
        for number in range(4):
            room.ask(conversation, f"question {number} " + "and so on " * 500)
        last = room.ask(conversation, "the newest")
        receipt = room.space.sessions.receipt(LOCAL_VIEWER, last.turn_id)
        block = room.block().text
    sent = contents(transport.requests[-1])
    assert [content for _, content in sent[-3:] if unwrap(content) and unwrap(content) == unwrap(block)] == [block]
    assert sent[-1] == ("user", "the newest")
    kept = [part for part in shown_parts(receipt) if part.kind is PartKind.TURN]
    facts = receipt.facts
    assert facts.left_out_turns + facts.summary_turns == 4 - len(kept) // 2 > 0
    older = [part for part in shown_parts(receipt) if part.kind in (PartKind.TURN, PartKind.SUMMARY)]
    assert facts.history_tokens == sum(part.tokens for part in older) <= facts.history_limit
