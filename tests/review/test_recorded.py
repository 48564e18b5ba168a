"""What the reviewer asked a model is kept, and keeping it decides nothing."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from engine.domain.model_call import CallSubject, CallUse, ModelCall
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import FeedbackState
from engine.llm.gateway import CallLimits
from engine.llm.scripted import Fault, Reply, ScriptedTransport
from tests.llm.calls import KEY, gateway
from tests.review.desk import GOOD, MEANING, README, Desk, opened_desk
from tests.review.test_semantic import FOUND, TEACHES, asking_desk, current


def kept(desk: Desk) -> tuple[ModelCall, ...]:
    """The calls of the newest attempt."""
    attempt = desk.rows()[0].attempt
    assert attempt is not None
    return desk.space.calls.calls(LOCAL_VIEWER, CallUse.JUDGEMENT, attempt.attempt_id)


def exactly(calls: tuple[ModelCall, ...], transport: ScriptedTransport) -> bool:
    """Whether what is kept is what the server was sent, each body once and in order."""
    sent = list(dict.fromkeys(transport.bodies))
    return [call.sent.request for call in calls] == sent and [call.sha256 for call in calls] == [
        sha256(body).hexdigest() for body in sent
    ]


def test_each_judgement_is_kept_with_its_exact_request_answer_and_tries(tmp_path: Path) -> None:
    transport = ScriptedTransport([Fault(status=429), FOUND, FOUND])
    door = gateway(transport, limits=CallLimits(waits_s=(0.0,)))
    with opened_desk(tmp_path, (MEANING, README, TEACHES), gateway=door) as desk:
        desk.hand_in(GOOD)
        calls = kept(desk)
        attempt = desk.rows()[0].attempt
    assert attempt is not None and exactly(calls, transport)
    assert [call.subject for call in calls] == [
        CallSubject(use=CallUse.JUDGEMENT, subject_id=attempt.attempt_id, part=part) for part in ("meaning", "teaches")
    ]
    assert [[one.result for one in call.sent.tries] for call in calls] == [["rate_limited", "ok"], ["ok"]]
    assert [call.sent.answer for call in calls] == [FOUND, FOUND]
    assert all(KEY.encode() not in call.sent.request for call in calls)


def test_an_answer_that_had_to_be_repaired_is_two_calls_each_with_its_own_tries(tmp_path: Path) -> None:
    with asking_desk(tmp_path, ["red", FOUND], MEANING) as (desk, transport):
        desk.hand_in(GOOD)
        calls = kept(desk)
    assert exactly(calls, transport)
    assert [(call.number, call.sent.answer) for call in calls] == [(1, "red"), (2, FOUND)]
    assert [[one.number for one in call.sent.tries] for call in calls] == [[1], [1]]


@pytest.mark.parametrize(
    ("reply", "results"),
    [(Fault(status=503), ["provider_down"]), (Fault(status=200, body=b"data: {"), ["reply_broken"])],
    ids=["down", "garbage"],
)
def test_what_failed_is_kept_too_without_an_answer(tmp_path: Path, reply: Reply, results: list[str]) -> None:
    with asking_desk(tmp_path, [reply], MEANING) as (desk, _):
        desk.hand_in(GOOD)
        (call,) = kept(desk)
        assert current(desk).state is FeedbackState.UNAVAILABLE
    assert call.sent.answer is None and [one.result for one in call.sent.tries] == results
    assert json.loads(call.sent.request)["messages"]


def test_a_database_that_cannot_keep_a_request_costs_no_verdict(tmp_path: Path) -> None:
    with asking_desk(tmp_path, [FOUND], MEANING, README) as (desk, _):
        with desk.space.database.begin() as connection:
            connection.exec_driver_sql(
                "CREATE TRIGGER refuse BEFORE INSERT ON model_call BEGIN SELECT RAISE(ABORT, 'no'); END"
            )
        desk.hand_in(GOOD)
        assert current(desk).state is FeedbackState.PASSED
        assert kept(desk) == ()
