"""A server on this machine that answers requests one after the other with raw bytes."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from engine.settings import ModelServer
from tests.llm.calls import server

ResultT = TypeVar("ResultT")


class Host:
    """Answers with the next of `answers`, closes each connection after it, and remembers the bodies."""

    def __init__(self, answers: Sequence[bytes]) -> None:
        self._answers = iter(answers)
        self.bodies: list[bytes] = []

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.split(b"content-length: ")[1].split(b"\r\n")[0])
        self.bodies.append(await reader.readexactly(length))
        writer.write(next(self._answers))
        await writer.drain()
        writer.close()


async def at_loopback(host: Host, use: Callable[[ModelServer], Awaitable[ResultT]]) -> ResultT:
    """Let `use` work with the server while it runs."""
    listening = await asyncio.start_server(host, "127.0.0.1", 0)
    try:
        return await use(server(f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"))
    finally:
        listening.close()
