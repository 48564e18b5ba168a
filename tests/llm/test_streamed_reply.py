import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

import httpx2
import openai
import pytest

from engine.llm.retry import CallLimits
from engine.llm.scripted import Fault, ScriptedTransport
from engine.llm.streamed_reply import Call, OpenClient, StreamedReply
from engine.llm.transport import BeforeSend, RecordingTransport
from tests.llm.calls import NOW, Sleeps
from tests.llm.test_gateway import END, chunk


def call(open_client: OpenClient) -> Call:
    return Call(
        model="m",
        messages=({"role": "user", "content": "hi"},),
        open_client=open_client,
        before_send=lambda _: None,
        limits=CallLimits(),
        sleep=Sleeps(),
        clock=lambda: NOW,
    )


def client(transport: httpx2.AsyncBaseTransport) -> openai.AsyncOpenAI:
    http_client = openai.DefaultAsyncHttpxClient(transport=transport)
    return openai.AsyncOpenAI(api_key="none", base_url="http://m.invalid", max_retries=0, http_client=http_client)


def test_a_further_try_that_would_send_other_bytes_than_were_recorded_is_not_sent() -> None:
    inner = ScriptedTransport([Fault(status=503), "never asked for"])

    @asynccontextmanager
    async def altering(before_send: BeforeSend) -> AsyncIterator[openai.AsyncOpenAI]:
        number = count()
        async with client(RecordingTransport(inner, lambda body: before_send(body + b" " * next(number)))) as opened:
            yield opened

    async def read() -> None:
        with pytest.raises(RuntimeError, match="other bytes"):
            await anext(StreamedReply(call(altering)))

    asyncio.run(read())
    assert len(inner.bodies) == 1


def test_leaving_early_closes_the_response_and_not_only_the_client() -> None:
    closed: list[bool] = []

    class Stream(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield chunk("first")
            yield chunk("second") + END

        async def aclose(self) -> None:
            closed.append(True)

    class Streaming(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            await request.aread()
            return httpx2.Response(200, stream=Stream())

    @asynccontextmanager
    async def opened(before_send: BeforeSend) -> AsyncIterator[openai.AsyncOpenAI]:
        async with client(RecordingTransport(Streaming(), before_send)) as made:
            yield made
        assert closed == [True]

    async def leave() -> None:
        reply = StreamedReply(call(opened))
        assert await anext(reply) == "first"
        assert closed == []
        await reply.aclose()

    asyncio.run(leave())
    assert closed == [True]
