"""Answering chat completions without a server: what the offline and the scripted model share."""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass

import httpx2

from engine.domain.session import Usage

PIECE_CHARS = 8
"""So many characters come at once, unless it is said otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast an answer streams."""

    piece_chars: int = PIECE_CHARS
    """Characters a piece."""
    delay_s: float = 0.0
    """Seconds before each piece."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


AT_ONCE = Pace()
"""Without any delay."""
_UNCOUNTED = Usage()


class InProcessTransport(httpx2.AsyncBaseTransport, ABC):
    """A model that answers inside this process, through the same client as any server."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Decode the body and answer it."""
        body = await request.aread()
        return await self.answer(json.loads(body), body)

    @abstractmethod
    async def answer(self, request: dict[str, object], body: bytes) -> httpx2.Response:
        """The response to one request, given decoded and as its exact bytes."""


def text_response(
    request: Mapping[str, object], text: str, *, usage: Usage = _UNCOUNTED, pace: Pace = AT_ONCE
) -> httpx2.Response:
    """A completion that says `text`: streamed as server-sent events if the request asks for it, else whole.

    Usage is told only where it is known and, in a stream, asked for.
    """
    model = str(request.get("model", ""))
    if not request.get("stream"):
        return httpx2.Response(200, json=_completion(model, text, usage))
    events = _events(request, model, text, usage, pace)
    return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=_EventStream(events))


class _EventStream(httpx2.AsyncByteStream):
    def __init__(self, events: AsyncGenerator[bytes, None]) -> None:
        self._events = events

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for event in self._events:
            yield event

    async def aclose(self) -> None:
        await self._events.aclose()


async def _events(
    request: Mapping[str, object], model: str, text: str, usage: Usage, pace: Pace
) -> AsyncGenerator[bytes, None]:
    for start in range(0, len(text), pace.piece_chars):
        if pace.delay_s:
            await pace.sleep(pace.delay_s)
        piece = text[start : start + pace.piece_chars]
        yield sse_event(_chunk(model, [_choice({"content": piece}, None)]))
    yield sse_event(_chunk(model, [_choice({}, "stop")]))
    if _wants_usage(request) and usage != _UNCOUNTED:
        yield sse_event(_chunk(model, []) | {"usage": _counted(usage)})
    yield b"data: [DONE]\n\n"


def sse_event(payload: Mapping[str, object]) -> bytes:
    """One server-sent event that holds `payload` as JSON."""
    return f"data: {json.dumps(payload, ensure_ascii=False)}\n\n".encode()


def _wants_usage(request: Mapping[str, object]) -> bool:
    options = request.get("stream_options")
    return isinstance(options, dict) and bool(options.get("include_usage"))


def _choice(delta: Mapping[str, str], finish_reason: str | None) -> dict[str, object]:
    return {"index": 0, "delta": delta, "finish_reason": finish_reason}


def _chunk(model: str, choices: list[dict[str, object]]) -> dict[str, object]:
    return {"id": "in-process", "object": "chat.completion.chunk", "created": 0, "model": model, "choices": choices}


def _completion(model: str, text: str, usage: Usage) -> dict[str, object]:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    counted = {} if usage == _UNCOUNTED else {"usage": _counted(usage)}
    whole = {"id": "in-process", "object": "chat.completion", "created": 0, "model": model, "choices": [choice]}
    return whole | counted


def _counted(usage: Usage) -> dict[str, int]:
    given, written = usage.input_tokens or 0, usage.output_tokens or 0
    return {"prompt_tokens": given, "completion_tokens": written, "total_tokens": given + written}
