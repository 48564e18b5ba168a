import asyncio
import json
import logging
import time
import traceback
from collections.abc import AsyncIterator, Sequence

import httpx2
import pytest

from engine.domain.session import ChatMessage, Usage
from engine.domain.states import Role
from engine.errors import ModelError, ProviderDown, RateLimited, StoreError
from engine.llm.gateway import CallLimits
from engine.llm.in_process import sse_event
from engine.llm.scripted import Fault, ScriptedTransport, ScriptEnded
from tests.llm.calls import KEY, MESSAGES, NOW, Played, Sleeps, gateway, play, server

BUSY = Fault(status=429)
DOWN = Fault(status=503)


def chunk(text: str | None = None, *, ends: bool = False, **more: object) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": "stop" if ends else None}
    return sse_event({"id": "1", "object": "chat.completion.chunk", "choices": [choice], **more})


def streamed(*events: bytes) -> Fault:
    return Fault(status=200, headers={"content-type": "text/event-stream"}, body=b"".join(events))


DONE = b"data: [DONE]\n\n"
END = chunk(ends=True) + DONE


def run(*replies: str | Fault, sleep: Sleeps | None = None, limits: CallLimits | None = None) -> Played:
    transport = ScriptedTransport(replies)
    played = asyncio.run(play(gateway(transport, sleep=sleep, limits=limits or CallLimits())))
    assert len(set(transport.bodies)) == 1
    assert played.recorded == transport.bodies[:1]
    return played


def test_the_answer_comes_in_pieces_and_the_exact_body_was_recorded_first() -> None:
    played = run("A reply long enough for several pieces. 也有中文。")
    assert played.text == "A reply long enough for several pieces. 也有中文。"
    assert len(played.pieces) > 2
    assert played.fault is None
    request = json.loads(played.recorded[0])
    assert request["messages"] == [{"role": m.role, "content": m.content} for m in MESSAGES]
    assert (request["model"], request["stream"]) == ("some-model", True)
    assert request["stream_options"] == {"include_usage": True}


def test_the_body_holds_no_key() -> None:
    assert KEY.encode() not in run("hello").recorded[0]


def test_one_good_try_is_told_as_such_with_the_counted_tokens() -> None:
    played = run("hello world")
    assert [(one.number, one.waited_s, one.result) for one in played.tries] == [(1, 0.0, "ok")]
    assert played.usage.output_tokens == 2
    assert played.usage.input_tokens is not None


@pytest.mark.parametrize(
    ("events", "usage"),
    [
        pytest.param((), Usage(), id="no usage is unknown, not 0"),
        pytest.param((sse_event({"choices": [], "usage": None}),), Usage(), id="null"),
        pytest.param(
            (sse_event({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}),),
            Usage(input_tokens=7, output_tokens=2),
            id="empty choices",
        ),
        pytest.param(
            (sse_event({"usage": {"prompt_tokens": 7}}),), Usage(input_tokens=7), id="half of it, no choices at all"
        ),
        pytest.param((sse_event({"choices": [], "usage": "many"}),), Usage(), id="nonsense"),
        pytest.param((sse_event({"choices": [], "usage": {"prompt_tokens": -1}}),), Usage(), id="negative"),
        pytest.param(
            (sse_event({"choices": [], "usage": {"prompt_tokens": 10**12, "completion_tokens": 2}}),),
            Usage(output_tokens=2),
            id="more than a database holds",
        ),
    ],
)
def test_usage_is_read_where_it_stands_and_unknown_where_it_does_not(events: Sequence[bytes], usage: Usage) -> None:
    played = run(streamed(chunk("hello"), chunk(ends=True), *events, DONE))
    assert (played.text, played.fault, played.usage) == ("hello", None, usage)


def test_a_model_s_reasoning_is_not_its_answer() -> None:
    choice = {"index": 0, "delta": {"reasoning_content": "hidden"}, "finish_reason": None}
    played = run(streamed(sse_event({"choices": [choice]}), chunk("seen"), END))
    assert played.text == "seen"


def test_leading_blanks_come_with_the_first_visible_character() -> None:
    played = run(streamed(chunk("\n"), chunk("  "), chunk("hi"), chunk(" \n"), END))
    assert played.pieces == ["\n  hi", " \n"]


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        pytest.param(Fault(status=401), "key_refused", id="401"),
        pytest.param(Fault(status=404), "model_unknown", id="404"),
        pytest.param(Fault(status=400), "request_refused", id="400"),
        pytest.param(Fault(status=307, headers={"location": "http://elsewhere.invalid/"}), "request_refused", id="307"),
        pytest.param(streamed(END), "reply_empty", id="no content"),
        pytest.param(streamed(chunk(" \n\u200b"), END), "reply_empty", id="nothing visible"),
        pytest.param(streamed(chunk("half")), "reply_broken", id="stops without an end"),
        pytest.param(streamed(chunk("half"), DONE), "reply_broken", id="done without a reason"),
        pytest.param(streamed(), "reply_broken", id="no event at all"),
        pytest.param(streamed(b"data: {oops\n\n"), "reply_broken", id="no JSON"),
        pytest.param(streamed(b"data: 5\n\n"), "reply_broken", id="a number"),
        pytest.param(streamed(b"data: \xff\n\n"), "reply_broken", id="no UTF-8"),
        pytest.param(streamed(b"data: " + b"[" * 100_000 + b"\n\n"), "reply_broken", id="nested without end"),
        pytest.param(streamed(sse_event({"choices": [{"delta": {"content": 5}}]})), "reply_broken", id="wrong types"),
        pytest.param(streamed(chunk("half"), b"data: {oops\n\n"), "reply_broken", id="no JSON in the middle"),
        pytest.param(
            streamed(chunk("half"), sse_event({"error": {"message": "x"}})), "reply_broken", id="error inside"
        ),
        pytest.param(Fault(status=200, body=b"<html>login</html>"), "reply_broken", id="a web page"),
    ],
)
def test_these_faults_are_told_at_once_and_never_tried_again(fault: Fault, code: str) -> None:
    sleep = Sleeps()
    played = run(fault, "never asked for", sleep=sleep)
    assert played.fault is not None
    assert (played.fault.code, played.results, sleep.asked) == (code, [code], [])


def test_what_came_before_a_break_is_kept_with_its_usage() -> None:
    played = run(streamed(chunk("half"), sse_event({"choices": [], "usage": {"prompt_tokens": 3}})))
    assert (played.text, played.usage.input_tokens, played.results) == ("half", 3, ["reply_broken"])


def test_an_error_after_the_end_takes_nothing_from_the_answer() -> None:
    played = run(streamed(chunk("whole"), chunk(ends=True), b"data: {oops\n\n"))
    assert (played.text, played.fault, played.results) == ("whole", None, ["ok"])


def test_passing_faults_are_tried_again_after_4_8_and_16_seconds() -> None:
    sleep = Sleeps()
    played = run(BUSY, DOWN, streamed(sse_event({"error": {"message": "overloaded"}})), "hello", sleep=sleep)
    assert played.text == "hello"
    assert sleep.asked == [4.0, 8.0, 16.0]
    assert [(one.number, one.waited_s, one.result) for one in played.tries] == [
        (1, 0.0, "rate_limited"),
        (2, 4.0, "provider_down"),
        (3, 8.0, "provider_down"),
        (4, 16.0, "ok"),
    ]


def test_after_the_fourth_try_it_is_told() -> None:
    played = run(DOWN, DOWN, DOWN, BUSY, "never asked for")
    assert isinstance(played.fault, RateLimited)
    assert played.results == ["provider_down", "provider_down", "provider_down", "rate_limited"]


def test_the_time_that_the_service_names_is_waited() -> None:
    sleep = Sleeps()
    run(Fault(status=429, headers={"Retry-After": "Mon, 30 Nov 2026 12:00:11 GMT"}), "hello", sleep=sleep)
    assert sleep.asked == [11.0]


def test_a_named_time_longer_than_the_time_left_ends_it_at_once_and_is_kept() -> None:
    sleep = Sleeps()
    played = run(Fault(status=503, headers={"Retry-After": "300"}), "never asked for", sleep=sleep)
    assert isinstance(played.fault, ProviderDown)
    assert (played.fault.retry_after_s, sleep.asked, len(played.tries)) == (300.0, [], 1)


def test_a_try_without_a_first_character_is_interrupted_and_tried_again() -> None:
    began = time.monotonic()
    slow = Fault(status=200, delay_s=30.0)
    played = run(slow, "hello", limits=CallLimits(first_character_s=1.0))
    assert (played.text, played.results) == ("hello", ["timed_out", "ok"])
    assert time.monotonic() - began < 5


def test_the_whole_turn_is_interrupted_in_the_middle_of_a_try() -> None:
    began = time.monotonic()
    limits = CallLimits(first_character_s=30.0, whole_turn_s=0.2)
    played = run(Fault(status=200, delay_s=30.0), limits=limits)
    assert played.results == ["timed_out"]
    assert time.monotonic() - began < 5


def test_the_whole_turn_is_interrupted_in_the_middle_of_a_wait() -> None:
    limits = CallLimits(whole_turn_s=0.3, waits_s=(0.2,))

    async def oversleep(_: float) -> None:
        await asyncio.sleep(30)

    transport = ScriptedTransport([DOWN])
    played = asyncio.run(play(gateway(transport, sleep=oversleep, limits=limits)))
    assert played.fault is not None
    assert (played.fault.code, played.results) == ("timed_out", ["provider_down"])


class Broken(httpx2.AsyncBaseTransport):
    """A network that fails."""

    def __init__(self, error: Exception, after: bytes = b"") -> None:
        self._error, self._after = error, after

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        await request.aread()
        if not self._after:
            raise self._error
        return httpx2.Response(200, content=self._body())

    async def _body(self) -> AsyncIterator[bytes]:
        yield self._after
        raise self._error


@pytest.mark.parametrize(
    ("error", "after", "code", "tries"),
    [
        pytest.param(httpx2.ConnectError("no"), b"", "provider_down", 4, id="no connection"),
        pytest.param(httpx2.ReadError("cut"), b": ping\n\n", "provider_down", 4, id="cut before the first character"),
        pytest.param(httpx2.ReadError("cut"), chunk("half"), "reply_broken", 1, id="cut in the middle"),
        pytest.param(httpx2.ReadTimeout("cut"), chunk("half"), "reply_broken", 1, id="silent in the middle"),
        pytest.param(httpx2.RemoteProtocolError("x"), chunk("half"), "reply_broken", 1, id="garbled in the middle"),
    ],
)
def test_after_the_first_character_nothing_is_sent_again(error: Exception, after: bytes, code: str, tries: int) -> None:
    played = asyncio.run(play(gateway(Broken(error, after))))
    assert played.fault is not None
    assert (played.fault.code, len(played.tries)) == (code, tries)


@pytest.mark.parametrize("error", [StoreError("locked"), ValueError("bug"), TimeoutError("bug")], ids=repr)
def test_what_cannot_be_recorded_is_not_sent_and_its_error_is_told_as_itself(error: Exception) -> None:
    transport = ScriptedTransport(["never asked for"])

    def refuse(_: bytes) -> None:
        raise error

    async def read() -> None:
        reply = gateway(transport).stream(MESSAGES, before_send=refuse)
        with pytest.raises(type(error)) as caught:
            await anext(reply)
        assert caught.value is error
        assert reply.tries == ()

    asyncio.run(read())
    assert transport.bodies == []


def test_the_end_of_a_script_is_not_taken_for_a_fault_of_the_provider() -> None:
    with pytest.raises(ScriptEnded, match="request 2 came, but the script has 1"):
        run(BUSY)


def test_leaving_early_closes_the_stream_and_says_so() -> None:
    async def leave() -> None:
        reply = gateway(ScriptedTransport(["a long answer with many pieces"])).stream(
            MESSAGES, before_send=lambda _: None
        )
        assert await anext(reply) == "a long a"
        await reply.aclose()
        await reply.aclose()
        assert [one.result for one in reply.tries] == ["stopped"]
        with pytest.raises(StopAsyncIteration):
            await anext(reply)

    asyncio.run(leave())


def test_a_reply_that_nobody_reads_sends_nothing() -> None:
    async def ignore() -> None:
        reply = gateway(transport).stream(MESSAGES, before_send=lambda _: None)
        await reply.aclose()
        assert reply.tries == ()

    transport = ScriptedTransport(["never asked for"])
    asyncio.run(ignore())
    assert transport.bodies == []


def test_cancelling_the_reader_ends_the_request_at_once() -> None:
    async def cancel() -> list[str]:
        slow = ScriptedTransport([Fault(status=200, delay_s=30.0)])
        reply = gateway(slow).stream(MESSAGES, before_send=lambda _: None)
        task = asyncio.ensure_future(anext(reply))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return [one.result for one in reply.tries]

    began = time.monotonic()
    assert asyncio.run(cancel()) == ["stopped"]
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
def test_the_key_shows_in_no_error_and_no_log(status: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    body = json.dumps({"error": {"message": f"Incorrect API key: {KEY}", "code": KEY, "type": KEY}}).encode()
    played = run(*[Fault(status=status, headers={"content-type": "application/json"}, body=body)] * 4)
    assert isinstance(played.fault, ModelError)
    written = "".join(traceback.format_exception(played.fault)) + caplog.text
    assert KEY not in f"{written}{played.fault!r}{played.fault.values}"
    assert played.fault.__context__ is None


@pytest.mark.parametrize(
    "key", ["", "   ", "密钥", "sk-a\nb", "sk-\x00"], ids=["empty", "blank", "Chinese", "two lines", "NUL"]
)
def test_a_key_that_no_header_can_carry_is_refused_before_anything_is_sent(key: str) -> None:
    transport = ScriptedTransport(["never asked for"])
    played = asyncio.run(play(gateway(transport, at=server(key=key))))
    assert played.fault is not None
    assert (played.fault.code, played.tries, transport.bodies) == ("key_refused", (), [])


def test_a_key_with_a_line_end_behind_it_is_sent_without() -> None:
    seen: list[str] = []

    class Look(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            seen.append(request.headers["authorization"])
            return httpx2.Response(401)

    asyncio.run(play(gateway(Look(), at=server(key=f"{KEY}\n"))))
    assert seen == [f"Bearer {KEY}"]


def test_variables_meant_for_openai_do_not_reach_another_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-mine")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-mine")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere.invalid/v1")
    seen: list[str] = []

    class Look(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            seen.append(f"{request.url} {request.headers}")
            return httpx2.Response(401)

    asyncio.run(play(gateway(Look())))
    assert seen[0].startswith("http://model.invalid/v1/chat/completions")
    assert "mine" not in seen[0]


def test_half_a_character_in_a_message_is_sent_as_its_replacement() -> None:
    transport = ScriptedTransport(["hello"])
    broken = [ChatMessage(role=Role.USER, content="a\ud83d")]
    assert asyncio.run(play(gateway(transport), broken)).text == "hello"
    assert transport.requests[0]["messages"] == [{"role": "user", "content": "a\ufffd"}]


def test_a_gateway_serves_many_calls_at_once_and_again_in_another_loop() -> None:
    door = gateway(ScriptedTransport(lambda request: str(request["model"])))

    async def many() -> list[Played]:
        return list(await asyncio.gather(*(play(door) for _ in range(5))))

    assert {played.text for played in asyncio.run(many()) + asyncio.run(many())} == {"some-model"}


def test_each_try_tells_when_it_began_how_long_it_took_what_was_counted_and_why_the_answer_ended() -> None:
    counted = chunk("so", ends=True, usage={"prompt_tokens": 7, "completion_tokens": 3})
    played = run(BUSY, streamed(counted, DONE))
    first, second = played.tries
    assert {first.started_at, second.started_at} == {NOW}
    assert first.seconds is not None and second.seconds is not None and 0 <= first.seconds < 10
    assert (first.usage, first.finish_reason) == (Usage(), None)
    assert (second.usage, second.finish_reason) == (Usage(input_tokens=7, output_tokens=3), "stop")


def test_a_word_by_which_an_answer_ends_is_kept_short_whatever_the_server_says() -> None:
    odd = sse_event({"id": "1", "choices": [{"index": 0, "delta": {"content": "so"}, "finish_reason": "x" * 9000}]})
    (only,) = run(streamed(odd, DONE)).tries
    assert only.finish_reason == "x" * 40
