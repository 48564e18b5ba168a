"""A model that says something, then waits, so that a test can look at a turn while it runs."""

import asyncio
import threading
from collections.abc import AsyncIterator

import httpx2

from engine.llm.in_process import InProcessTransport, sse_event

FLUSHED_AFTER_S = 0.3
"""Longer than the tutor takes before it keeps what has arrived."""


class Waiting(InProcessTransport):
    """Says `first` and `second`, then nothing until `go_on` is set; what comes after is its last word."""

    def __init__(self, first: str = "Look at ", second: str = "the README", last: str = ", please.") -> None:
        self._words = (first, second, last)
        self.go_on = threading.Event()
        self.requests = 0
        self.closed = 0

    async def answer(self, request: dict[str, object], body: bytes) -> httpx2.Response:  # noqa: ARG002
        self.requests += 1
        return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=_Stream(self, self._words))


class Pausing(InProcessTransport):
    """Says its first words and then nothing more until `go_on` is set."""

    def __init__(self, first: str, last: str) -> None:
        self._first = first
        self._last = last
        self.go_on = threading.Event()

    async def answer(self, request: dict[str, object], body: bytes) -> httpx2.Response:  # noqa: ARG002
        return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=_Paused(self._said()))

    async def _said(self) -> AsyncIterator[bytes]:
        yield chunk(self._first)
        while not self.go_on.is_set():
            await asyncio.sleep(0.01)
        yield chunk(self._last)
        yield END


class _Paused(httpx2.AsyncByteStream):
    def __init__(self, said: AsyncIterator[bytes]) -> None:
        self._said = said

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._said


class _Stream(httpx2.AsyncByteStream):
    def __init__(self, model: Waiting, words: tuple[str, str, str]) -> None:
        self._model = model
        self._words = words

    async def __aiter__(self) -> AsyncIterator[bytes]:
        first, second, last = self._words
        yield chunk(first)
        await asyncio.sleep(FLUSHED_AFTER_S)
        yield chunk(second)
        while not self._model.go_on.is_set():
            await asyncio.sleep(0.01)
        yield chunk(last)
        yield END

    async def aclose(self) -> None:
        self._model.closed += 1


def chunk(words: str, finish_reason: str | None = None) -> bytes:
    """One event of a streamed answer."""
    choice = {"index": 0, "delta": {"content": words}, "finish_reason": finish_reason}
    return sse_event({"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]})


END = chunk("", "stop") + b"data: [DONE]\n\n"
