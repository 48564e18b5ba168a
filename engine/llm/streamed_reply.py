"""One answer while it streams: its tries, its deadlines, its end."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass
from datetime import datetime

import openai
from openai.types.chat import ChatCompletionMessageParam
from openai.types.chat.completion_create_params import ResponseFormat

from engine.domain.clock import Clock
from engine.domain.session import Try, Usage
from engine.errors import ModelError, ProviderTimedOut
from engine.llm.answer import Answer, read_text
from engine.llm.error_map import SENDING_FAULTS, map_error
from engine.llm.retry import CallLimits, named_wait, next_wait
from engine.llm.transport import BeforeSend

Sleep = Callable[[float], Awaitable[None]]
"""Waits so many seconds."""
OpenClient = Callable[[BeforeSend], AbstractAsyncContextManager[openai.AsyncOpenAI]]
"""Opens a client that shows each body before it is sent, and closes it afterwards."""

STOPPED = "stopped"
"""Result of a try that the caller gave up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What to send, through what, and within what time."""

    model: str
    messages: tuple[ChatCompletionMessageParam, ...]
    open_client: OpenClient
    before_send: BeforeSend
    """Called once, with the bytes that every try sends."""
    limits: CallLimits
    sleep: Sleep
    clock: Clock
    response_format: ResponseFormat | None = None
    """None: the request does not speak of it."""


class StreamedReply:
    """An async iterator over the pieces of one answer; the call begins with the first piece asked for.

    Whoever leaves it early calls `aclose`, or is cancelled; both end the request. Iterating raises
    `ModelError` when the service fails, and whatever `before_send` raises, in which case nothing was sent.
    """

    def __init__(self, call: Call) -> None:
        self._call = call
        self._pieces = self._run()
        self._deadline: float | None = None
        self._answer = Answer()
        self._sent: bytes | None = None
        self._wait_s = 0.0
        self._is_try_open = False
        self._sent_at: tuple[datetime, float] | None = None
        self._tries: list[Try] = []

    @property
    def tries(self) -> tuple[Try, ...]:
        """The tries that have ended; complete once the iteration has ended, by an error too."""
        return tuple(self._tries)

    @property
    def usage(self) -> Usage:
        """What the service counted, as far as it has said."""
        return self._answer.usage

    def __aiter__(self) -> "StreamedReply":
        return self

    async def __anext__(self) -> str:
        try:
            return await self._within_whole_turn()
        except StopAsyncIteration:
            self._end_try("ok")
            raise
        except ModelError as error:
            self._end_try(error.code, named_wait(error))
            raise
        except asyncio.CancelledError:
            self._end_try(STOPPED)
            raise

    async def aclose(self) -> None:
        """End the request, if it is still under way, and close its connection."""
        await self._pieces.aclose()
        self._end_try(STOPPED)

    async def _within_whole_turn(self) -> str:
        limit_s = self._call.limits.whole_turn_s
        if self._deadline is None:
            self._deadline = _now() + limit_s
        scope = asyncio.timeout_at(self._deadline)
        try:
            async with scope:
                return await anext(self._pieces)
        except TimeoutError:
            if not scope.expired():
                raise
        raise ProviderTimedOut(f"the answer had no end within {limit_s:g} s")

    async def _run(self) -> AsyncGenerator[str, None]:
        async with self._call.open_client(self._record) as client:
            first, rest = await self._begin(client)
            async with aclosing(rest):
                yield first
                async for piece in rest:
                    yield piece

    async def _begin(self, client: openai.AsyncOpenAI) -> tuple[str, AsyncGenerator[str, None]]:
        number = 1
        while isinstance(begun := await self._try(client), ModelError):
            wait_s = next_wait(number, begun, self._time_left_s(), self._call.limits.waits_s)
            if wait_s is None:
                raise begun
            self._end_try(begun.code, named_wait(begun))
            await self._call.sleep(wait_s)
            self._wait_s = wait_s
            number += 1
        return begun

    async def _try(self, client: openai.AsyncOpenAI) -> tuple[str, AsyncGenerator[str, None]] | ModelError:
        limit_s = self._call.limits.first_character_s
        scope = asyncio.timeout(limit_s)
        try:
            async with scope:
                return await self._first_piece(client)
        except ModelError as error:
            return error
        except SENDING_FAULTS as error:
            return map_error(error, now=self._call.clock())
        except TimeoutError:
            if not scope.expired():
                raise
        return ProviderTimedOut(f"no first character within {limit_s:g} s")

    async def _first_piece(self, client: openai.AsyncOpenAI) -> tuple[str, AsyncGenerator[str, None]]:
        self._answer = Answer()
        stream = await client.chat.completions.create(
            model=self._call.model,
            messages=self._call.messages,
            stream=True,
            stream_options={"include_usage": True},
            response_format=openai.omit if self._call.response_format is None else self._call.response_format,
        )
        text = read_text(stream, self._answer, self._call.clock)
        return await anext(text), text

    def _record(self, body: bytes) -> None:
        if self._sent is None:
            self._call.before_send(body)
            self._sent = body
        elif body != self._sent:
            raise RuntimeError("a further try would send other bytes than were recorded")
        self._is_try_open = True
        self._sent_at = self._call.clock(), _now()

    def _end_try(self, result: str, retry_after_s: float | None = None) -> None:
        if self._is_try_open:
            started_at, at = self._sent_at or (None, None)
            ended = Try(
                number=len(self._tries) + 1,
                waited_s=self._wait_s,
                result=result,
                retry_after_s=retry_after_s,
                started_at=started_at,
                seconds=None if at is None else round(_now() - at, 3),
                usage=self._answer.usage,
                finish_reason=self._answer.finish_reason,
            )
            self._tries.append(ended)
            self._is_try_open = False

    def _time_left_s(self) -> float:
        return 0.0 if self._deadline is None else self._deadline - _now()


def _now() -> float:
    return asyncio.get_running_loop().time()
