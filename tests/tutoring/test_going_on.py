"""Going on with a reply that broke off: what is sent, what is shown, and what is kept."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.data_message import DataKind, unwrap
from engine.domain.people import LOCAL_VIEWER, Viewer, ViewerKind
from engine.domain.session import PartKind, Turn
from engine.domain.states import ReplyKind, TurnState
from engine.errors import AccessDenied, NotFound
from engine.llm.scripted import Fault, Reply, ScriptedTransport
from engine.tutoring.receipt import shown_parts
from engine.tutoring.reply import ReplyReader, resume_at
from tests.tutoring.room import Room, a_gateway, contents, data_messages, opened_room, wait_until
from tests.tutoring.stream import Waiting, chunk

STREAM = {"content-type": "text/event-stream"}


def broken_off(*pieces: str) -> Fault:
    """A stream that stops without saying that it ends."""
    return Fault(status=200, headers=STREAM, body=b"".join(map(chunk, pieces)))


BROKEN_OFF = broken_off("Look at the", " READ")
PLAN = '\n\nplan:\n{"title": "A", "steps": [{"what": "begin", "done_when": "begun"}]}'


@contextmanager
def a_room(folder: Path, *replies: Reply) -> Iterator[tuple[Room, ScriptedTransport]]:
    transport = ScriptedTransport(replies)
    with opened_room(folder, a_gateway(transport)) as room:
        yield room, transport


def go_on(room: Room, turn: Turn) -> Turn:
    return room.ended(room.space.tutor.go_on(LOCAL_VIEWER, turn.turn_id, room.space.worker).turn_id)


def test_both_parts_are_one_reply_and_the_broken_turn_keeps_its_own_record(tmp_path: Path) -> None:
    with a_room(tmp_path, BROKEN_OFF, "README first.") as (room, _):
        conversation = room.open()
        broken = room.ask(conversation, "why?")
        whole = go_on(room, broken)
        assert (whole.state, whole.reply, whole.partial) == (TurnState.DONE, "Look at the README first.", None)
        assert (whole.question, whole.seq, whole.continues_id) == ("why?", broken.seq, broken.turn_id)
        assert room.turn(broken.turn_id) == broken and broken.partial == "Look at the READ"
        entries, _older = room.space.sessions.entries(LOCAL_VIEWER, conversation, last=9)
    assert [getattr(entry, "turn_id", None) for entry in entries] == [whole.turn_id]


def test_the_request_shows_the_words_as_the_tutors_own_and_says_that_they_broke_off(tmp_path: Path) -> None:
    with a_room(tmp_path, BROKEN_OFF, "README first.") as (room, transport):
        broken = room.ask(room.open(), "why?")
        room.review(room.hand_in("other.md"))
        whole = go_on(room, broken)
        block = room.block().text
        receipt = room.space.sessions.receipt(LOCAL_VIEWER, whole.turn_id)
    sent = contents(transport.requests[1])
    assert sent[-3:-1] == [("user", "why?"), ("assistant", "Look at the ")]
    assert (sent[-1][0], unwrap(sent[-1][1])) == ("user", (DataKind.GO_ON, {"broke_off": True}))
    assert data_messages(transport.requests[1], DataKind.FEEDBACK) == [block]
    assert [part.kind for part in receipt.facts.parts][-4:] == [
        PartKind.NOTES,
        PartKind.NEWEST,
        PartKind.BEGUN,
        PartKind.GO_ON,
    ]
    assert receipt.facts.continues_number == broken.number
    assert [part.text for part in shown_parts(receipt)][-2:] == [content for _, content in sent[-2:]]
    assert receipt.request == transport.bodies[1]


def test_what_comes_after_the_whole_reply_is_sent_it_as_one(tmp_path: Path) -> None:
    with a_room(tmp_path, BROKEN_OFF, "README first.", "yes") as (room, transport):
        conversation = room.open()
        go_on(room, room.ask(conversation, "why?"))
        room.ask(conversation, "really?")
    said = [content for role, content in contents(transport.requests[2]) if role == "assistant"]
    assert said == ["Look at the README first."]


@pytest.mark.parametrize(
    ("second", "state"),
    [
        pytest.param(broken_off("README, th"), TurnState.FAILED, id="breaks off again"),
        pytest.param(Fault(status=400), TurnState.FAILED, id="refused"),
        pytest.param("", TurnState.FAILED, id="empty"),
        pytest.param(" \n", TurnState.FAILED, id="blank"),
        pytest.param("kind: chat\n", TurnState.FAILED, id="a kind and nothing else"),
    ],
)
def test_a_rest_that_fails_too_loses_nothing_and_can_be_gone_on_with(
    tmp_path: Path, second: Reply, state: TurnState
) -> None:
    with a_room(tmp_path, BROKEN_OFF, second, "README first.") as (room, _):
        broken = room.ask(room.open(), "why?")
        again = go_on(room, broken)
        assert (again.state, again.reply) == (state, None)
        assert again.partial in ("Look at the READ", "Look at the README, th")
        assert go_on(room, again).reply in ("Look at the README first.", "Look at the README, README first.")


def test_a_process_that_dies_while_it_goes_on_leaves_the_first_part(room: Room) -> None:
    turn = room.space.tutor.begin(LOCAL_VIEWER, room.open(), "why?", room.space.worker.lease)
    room.space.leases.keep_progress(turn.turn_id, room.key.learner_id, "Look at the")
    room.space.tutor.interrupt(turn.turn_id)
    again, is_new = room.space.sessions.continue_turn(LOCAL_VIEWER, turn.turn_id, room.space.worker.lease)
    assert is_new and (again.state, again.partial) == (TurnState.OPEN, "Look at the")
    room.later(seconds=60)
    room.space.worker.recover()
    ended = room.turn(again.turn_id)
    assert (ended.state, ended.partial, ended.continues_id) == (TurnState.INTERRUPTED, "Look at the", turn.turn_id)


def test_a_stopped_reply_goes_on_and_a_stop_in_its_rest_keeps_both(tmp_path: Path) -> None:
    model = Waiting()
    with opened_room(tmp_path, a_gateway(model)) as room:
        first = room.send(room.open(), "why?")
        wait_until(lambda: room.turn(first).partial == "Look at the README")
        room.space.tutor.stop(LOCAL_VIEWER, first, room.space.worker)
        stopped = room.ended(first)
        again = room.space.tutor.go_on(LOCAL_VIEWER, stopped.turn_id, room.space.worker)
        assert again.partial == "Look at the README"
        wait_until(lambda: room.turn(again.turn_id).partial == "Look at the Look at the README")
        room.space.tutor.stop(LOCAL_VIEWER, again.turn_id, room.space.worker)
        ended = room.ended(again.turn_id)
    assert (ended.state, ended.partial) == (TurnState.STOPPED, "Look at the Look at the README")


def test_a_second_click_goes_on_once(tmp_path: Path) -> None:
    model = Waiting()
    with opened_room(tmp_path, a_gateway(model)) as room:
        turn = room.space.tutor.begin(LOCAL_VIEWER, room.open(), "why?", room.space.worker.lease)
        room.space.leases.keep_progress(turn.turn_id, room.key.learner_id, "First, ")
        room.space.tutor.interrupt(turn.turn_id)
        clicks = [room.space.tutor.go_on(LOCAL_VIEWER, turn.turn_id, room.space.worker) for _ in range(2)]
        model.go_on.set()
        ended = room.ended(clicks[0].turn_id)
        again = room.space.tutor.go_on(LOCAL_VIEWER, turn.turn_id, room.space.worker)
    assert clicks[0].turn_id == clicks[1].turn_id == again.turn_id
    assert (ended.reply, model.requests) == ("First, Look at the README, please.", 1)


def test_there_is_nothing_to_go_on_from_where_nothing_arrived_or_all_did(tmp_path: Path) -> None:
    with a_room(tmp_path, Fault(status=400), "all of it") as (room, transport):
        conversation = room.open()
        for turn in (room.ask(conversation, "first?"), room.ask(conversation, "second?")):
            with pytest.raises(NotFound):
                room.space.tutor.go_on(LOCAL_VIEWER, turn.turn_id, room.space.worker)
    assert len(transport.bodies) == 2


def test_nobody_goes_on_in_somebody_elses_conversation(tmp_path: Path) -> None:
    other = Viewer(kind=ViewerKind.STUDENT, person_id="bo", learner_ids=frozenset({"bo"}))
    with a_room(tmp_path, BROKEN_OFF) as (room, _):
        broken = room.ask(room.open(), "why?")
        with pytest.raises(AccessDenied):
            room.space.tutor.go_on(other, broken.turn_id, room.space.worker)


def test_a_plan_that_broke_off_in_its_words_comes_with_the_rest(tmp_path: Path) -> None:
    with a_room(tmp_path, broken_off("kind: plan\nHere is", " the wa"), f"way.{PLAN}") as (room, transport):
        broken = room.ask(room.open(), "a plan, please")
        whole = go_on(room, broken)
    assert (broken.kind, broken.partial) == (ReplyKind.PLAN, "Here is the wa")
    assert contents(transport.requests[1])[-2] == ("assistant", "kind: plan\nHere is the ")
    assert (whole.kind, whole.reply) == (ReplyKind.PLAN, "Here is the way.")
    assert whole.plan is not None and whole.plan.number == 1


def test_the_offline_tutor_writes_exactly_the_rest(room: Room) -> None:
    conversation = room.open()
    whole = room.ask(conversation, "Where should I begin?").reply
    other = room.open()
    turn = room.space.tutor.begin(LOCAL_VIEWER, other, "Where should I begin?", room.space.worker.lease)
    assert whole is not None
    room.space.leases.keep_progress(turn.turn_id, room.key.learner_id, whole[: len(whole) // 2])
    room.space.tutor.interrupt(turn.turn_id)
    assert go_on(room, turn).reply == whole


def test_an_offline_plan_goes_on_as_a_plan(room: Room) -> None:
    room.review(room.hand_in("other.md"))
    planned = room.ask(room.open(), "Make me a plan")
    assert planned.kind is ReplyKind.PLAN and planned.reply
    turn = room.space.tutor.begin(LOCAL_VIEWER, room.open(), "Make me a plan", room.space.worker.lease)
    room.space.leases.keep_progress(turn.turn_id, room.key.learner_id, planned.reply[:20])
    room.space.tutor.interrupt(turn.turn_id)
    whole = go_on(room, turn)
    assert (whole.kind, whole.reply) == (ReplyKind.PLAN, planned.reply)
    assert whole.plan is not None and planned.plan is not None and whole.plan.plan == planned.plan.plan


# The two parts as one text


@pytest.mark.parametrize(
    ("begun", "from_here"),
    [
        pytest.param("Look at the READ", "Look at the ", id="in a word"),
        pytest.param("Look at it. ", "Look at it. ", id="between words"),
        pytest.param("Look at it.", "Look at it.", id="after a full stop"),
        pytest.param("先看自述文", "先看自述文", id="Chinese has no gaps to cut at"),
        pytest.param("Loo", "Loo", id="nothing but the word"),
        pytest.param("- one\n- tw", "- one\n- ", id="in a list"),
    ],
)
def test_a_word_that_may_be_cut_in_half_is_written_again(begun: str, from_here: str) -> None:
    assert resume_at(begun) == from_here


@given(begun=st.text(min_size=1), rest=st.text(), kind=st.sampled_from([ReplyKind.CHAT, ReplyKind.ASK]))
@settings(max_examples=200)
def test_what_had_arrived_is_never_lost_but_for_its_last_word(begun: str, rest: str, kind: ReplyKind) -> None:
    reader, kept = ReplyReader(begun, kind), resume_at(begun).lstrip("\r\n")
    assert reader.shown == begun
    for character in rest:
        reader.take(character)
        assert reader.shown == begun or reader.shown.lstrip("\r\n").startswith(kept)
    said = reader.read()
    assert said.is_empty or said.text.lstrip("\r\n").startswith(kept)


def test_a_kind_that_is_named_again_is_not_shown_and_counts() -> None:
    reader = ReplyReader("Here is the", ReplyKind.CHAT)
    reader.take(f"kind: plan\nplan.{PLAN}")
    said = reader.read()
    assert (said.kind, said.text) == (ReplyKind.PLAN, "Here is plan.")
    assert said.plan is not None
