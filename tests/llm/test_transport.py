import asyncio

import httpx2
import pytest

from engine.llm.transport import RecordingTransport


class Echo(httpx2.AsyncBaseTransport):
    def __init__(self) -> None:
        self.got: list[bytes] = []
        self.is_closed = False

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.got.append(await request.aread())
        return httpx2.Response(200)

    async def aclose(self) -> None:
        self.is_closed = True


async def _post(transport: httpx2.AsyncBaseTransport, body: bytes) -> None:
    async with httpx2.AsyncClient(transport=transport) as client:
        await client.post("http://model.invalid", content=body, headers={"authorization": "Bearer secret"})


def test_the_body_is_shown_byte_for_byte_and_before_it_leaves() -> None:
    inner, shown = Echo(), []

    def before_send(body: bytes) -> None:
        assert inner.got == []
        shown.append(body)

    asyncio.run(_post(RecordingTransport(inner, before_send), '{"a":  "评\\u0041"}'.encode()))
    assert shown == inner.got == ['{"a":  "评\\u0041"}'.encode()]


def test_headers_are_not_shown() -> None:
    shown: list[bytes] = []
    asyncio.run(_post(RecordingTransport(Echo(), shown.append), b"{}"))
    assert b"secret" not in b"".join(shown)


def test_nothing_is_sent_when_it_cannot_be_recorded() -> None:
    inner = Echo()

    def refuse(_: bytes) -> None:
        raise LookupError("disk is full")

    with pytest.raises(LookupError):
        asyncio.run(_post(RecordingTransport(inner, refuse), b"{}"))
    assert inner.got == []


def test_the_wrapped_transport_stays_open() -> None:
    inner = Echo()
    asyncio.run(_post(RecordingTransport(inner, lambda _: None), b"{}"))
    assert not inner.is_closed
