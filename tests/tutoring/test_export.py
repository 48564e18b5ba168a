"""One request as a file that somebody else can check."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import cast

import pytest

from engine.domain.model_call import CallSubject, CallUse, ModelCall, SentCall
from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import Try, Usage
from engine.domain.states import TurnState
from engine.llm.scripted import Fault, Reply, ScriptedTransport
from engine.tutoring.export import SCHEMA, Exported, export_call, export_reply
from tests.feedback.builders import HOSTILE, NOON
from tests.llm.calls import KEY
from tests.tutoring.room import Room, a_gateway

Told = dict[str, object]


def read(exported: Exported) -> Told:
    return cast(Told, json.loads(exported.content))


def part(told: Told, name: str) -> Told:
    return cast(Told, told[name])


def asked(room: Room, *replies: Reply, question: str = f"why {HOSTILE}? 👩‍🔬") -> tuple[Exported, ScriptedTransport]:
    """One turn through a model, and its file as it is read back from the store."""
    transport = ScriptedTransport(replies)
    beside = room.beside(a_gateway(transport))
    turn = beside.ask(beside.open(), question)
    return export_reply(turn, beside.space.sessions.receipt(LOCAL_VIEWER, turn.turn_id)), transport


def test_the_bytes_of_the_file_have_the_hash_that_was_stored_and_are_those_the_server_was_sent(room: Room) -> None:
    exported, transport = asked(room, "because")
    told = read(exported)
    request = part(told, "request")
    body = str(request["text"]).encode()
    assert body == transport.bodies[0]
    (stored,) = {
        digest
        for (digest,) in room.space.database.connect().exec_driver_sql(
            "SELECT sha256 FROM text JOIN receipt ON receipt.request_text_id = text.id"
        )
    }
    assert sha256(body).hexdigest() == request["sha256"] == stored
    assert request["bytes"] == len(body)
    reply = part(told, "reply")
    assert (reply["text"], reply["sha256"]) == ("because", sha256(b"because").hexdigest())
    assert told["schema"] == SCHEMA


def test_every_try_is_told_with_its_wait_and_its_end(room: Room) -> None:
    told = read(asked(room, Fault(status=429, headers={"retry-after": "3"}), "because")[0])
    tries = cast(Sequence[Told], told["tries"])
    assert [(one["number"], one["result"], one["waited_s"], one["retry_after_s"]) for one in tries] == [
        (1, "rate_limited", 0.0, 3.0),
        (2, "ok", 3.0, None),
    ]
    assert all(one["started_at"] and one["seconds"] is not None for one in tries)
    assert tries[1]["finish_reason"] == "stop"


def test_no_key_is_in_the_file(room: Room) -> None:
    exported, _ = asked(room, "because")
    assert KEY.encode() not in exported.content and b"authorization" not in exported.content.lower()


def test_facts_and_placement_go_along(room: Room) -> None:
    facts = part(read(asked(room, "because")[0]), "facts")
    assert facts["placement"] == "separate"
    kinds = [each["kind"] for each in cast(Sequence[Told], facts["parts"])]
    assert kinds == ["rules", "task", "feedback", "newest"]
    assert part(facts, "feedback")["state"] == "none"


def test_of_a_failed_turn_there_is_no_reply_and_its_fault_is_told(room: Room) -> None:
    told = read(asked(room, Fault(status=401))[0])
    reply = part(told, "reply")
    assert (reply["text"], reply["sha256"], reply["state"]) == (None, None, TurnState.FAILED)
    assert reply["fault"] == "key_refused"


def test_of_an_erased_person_the_hash_stays_and_no_text_is_made_up(room: Room) -> None:
    turn = room.ask(room.open(), "mine")
    room.space.work.erase_person(LOCAL_VIEWER, room.key.learner_id)
    receipt = room.space.sessions.receipt(LOCAL_VIEWER, turn.turn_id)
    request = part(read(export_reply(turn, receipt)), "request")
    assert (request["text"], request["bytes"]) == (None, None)
    assert re.fullmatch("[0-9a-f]{64}", str(request["sha256"]))


@pytest.mark.parametrize("rubric_id", ["../../etc/passwd", 'a"; rm', "标准", "x" * 64])
def test_a_file_name_is_safe_whatever_an_author_wrote(rubric_id: str) -> None:
    body = b'{"messages":[]}'
    call = ModelCall(
        subject=CallSubject(use=CallUse.JUDGEMENT, subject_id="a", part=rubric_id),
        number=2,
        model=HOSTILE,
        sent=SentCall(request=body, answer="{}", tries=(Try(number=1, waited_s=0, result="ok"),), usage=Usage()),
        sha256=sha256(body).hexdigest(),
        ended_at=NOON,
    )
    exported = export_call(call)
    assert re.fullmatch(r"tutorloop-receipt-judgement-2-[0-9a-f]{12}\.json", exported.name)
    told = read(exported)
    assert part(told, "subject")["part"] == rubric_id and told["use"] == "judgement"
    assert sha256(str(part(told, "request")["text"]).encode()).hexdigest() == call.sha256
    assert export_call(replace(call, number=3)).name != exported.name
