import asyncio
import json

import httpx2
import openai
import pytest

from engine.llm.scripted import Fault, ScriptedTransport, ScriptEnded


def ask(transport: ScriptedTransport, words: str = "hi") -> str | None:
    async def call() -> str | None:
        http_client = openai.DefaultAsyncHttpxClient(transport=transport)
        async with openai.AsyncOpenAI(
            api_key="none", base_url="http://model.invalid", max_retries=0, http_client=http_client
        ) as client:
            answer = await client.chat.completions.create(model="m", messages=[{"role": "user", "content": words}])
            return answer.choices[0].message.content

    return asyncio.run(call())


def test_a_request_that_is_not_streamed_is_answered_whole() -> None:
    assert ask(ScriptedTransport(["one 一"])) == "one 一"


def test_replies_come_in_order_and_requests_are_remembered() -> None:
    transport = ScriptedTransport(["one", "two"])
    assert [ask(transport, "a"), ask(transport, "b")] == ["one", "two"]
    assert [json.loads(body) for body in transport.bodies] == transport.requests
    assert transport.requests[1]["messages"] == [{"role": "user", "content": "b"}]


def test_a_function_answers_from_the_request() -> None:
    assert ask(ScriptedTransport(lambda request: f"you asked {request['model']}")) == "you asked m"


def test_a_script_that_has_ended_raises_through_the_sdk() -> None:
    with pytest.raises(ScriptEnded, match="request 1 came, but the script has 0"):
        ask(ScriptedTransport([]))


def test_a_fault_is_sent_as_it_stands() -> None:
    with pytest.raises(openai.RateLimitError) as caught:
        ask(ScriptedTransport([Fault(status=429, headers={"retry-after": "3"}, body=b"busy")]))
    response: httpx2.Response = caught.value.response
    assert (response.headers["retry-after"], response.text) == ("3", "busy")
