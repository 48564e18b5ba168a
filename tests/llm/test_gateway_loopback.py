"""The gateway against a real server on this machine: what only real sockets show."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest

from engine.llm.gateway import CallLimits
from tests.llm.calls import Played, gateway, play, server
from tests.llm.test_gateway import END, chunk

pytestmark = pytest.mark.enable_socket

Serve = Callable[[asyncio.StreamWriter], Awaitable[None]]
CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
UNTIL_CLOSED = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


class Host:
    """A server that answers every request by `serve` and remembers the bodies."""

    def __init__(self, serve: Serve) -> None:
        self._serve = serve
        self.bodies: list[bytes] = []
        self.open = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = int(head.split(b"content-length: ")[1].split(b"\r\n")[0])
                self.bodies.append(await reader.readexactly(length))
                await self._serve(writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.open -= 1
            writer.close()


def played_at(serve: Serve, limits: CallLimits) -> tuple[Played, Host]:
    async def both() -> tuple[Played, Host]:
        host = Host(serve)
        listening = await asyncio.start_server(host, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        played = await play(gateway(None, at=server(f"http://127.0.0.1:{port}/v1"), limits=limits))
        listening.close()
        for _ in range(100):
            if not host.open:
                break
            await asyncio.sleep(0.01)
        return played, host

    return asyncio.run(both())


async def send(writer: asyncio.StreamWriter, piece: bytes) -> None:
    writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
    await writer.drain()


def test_a_whole_answer_arrives_and_its_connection_is_closed() -> None:
    async def serve(writer: asyncio.StreamWriter) -> None:
        writer.write(CHUNKED)
        for text in ("你", "好", " there"):
            await send(writer, chunk(text))
        await send(writer, END)
        writer.write(b"0\r\n\r\n")
        await writer.drain()

    played, host = played_at(serve, CallLimits())
    assert (played.text, played.fault, played.results) == ("你好 there", None, ["ok"])
    assert played.recorded == host.bodies
    assert host.open == 0


def test_a_dripping_answer_is_interrupted_when_the_turn_is_over() -> None:
    async def serve(writer: asyncio.StreamWriter) -> None:
        writer.write(CHUNKED)
        for _ in range(400):
            await send(writer, chunk("drip "))
            await asyncio.sleep(0.05)

    began = time.monotonic()
    played, host = played_at(serve, CallLimits(whole_turn_s=0.5))
    assert played.fault is not None
    assert (played.fault.code, played.results) == ("timed_out", ["timed_out"])
    assert played.text.startswith("drip drip ")
    assert time.monotonic() - began < 3
    assert host.open == 0


def test_dripping_blanks_and_pings_are_no_first_character() -> None:
    async def serve(writer: asyncio.StreamWriter) -> None:
        writer.write(CHUNKED)
        for _ in range(400):
            await send(writer, b": ping\n\n" + chunk(" "))
            await asyncio.sleep(0.05)

    began = time.monotonic()
    played, host = played_at(serve, CallLimits(first_character_s=0.6, waits_s=(0.01,)))
    assert played.fault is not None
    assert (played.fault.code, played.results, played.text) == ("timed_out", ["timed_out", "timed_out"], "")
    assert time.monotonic() - began < 3
    assert played.recorded == host.bodies[:1]
    assert host.bodies[0] == host.bodies[1]


@pytest.mark.parametrize("head", [CHUNKED, UNTIL_CLOSED], ids=["chunked", "ended by closing"])
def test_an_answer_cut_in_the_middle_is_broken_and_not_asked_for_again(head: bytes) -> None:
    async def serve(writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        await (send(writer, chunk("half")) if head is CHUNKED else write(writer, chunk("half")))
        writer.close()

    async def write(writer: asyncio.StreamWriter, piece: bytes) -> None:
        writer.write(piece)
        await writer.drain()

    played, host = played_at(serve, CallLimits())
    assert played.fault is not None
    assert (played.fault.code, played.text, len(host.bodies)) == ("reply_broken", "half", 1)


def test_a_server_that_nobody_runs_is_down() -> None:
    async def unused_port() -> int:
        listening = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
        port: int = listening.sockets[0].getsockname()[1]
        listening.close()
        await listening.wait_closed()
        return port

    async def call() -> Played:
        return await play(gateway(None, at=server(f"http://127.0.0.1:{await unused_port()}/v1")))

    played = asyncio.run(call())
    assert played.results == ["provider_down"] * 4
