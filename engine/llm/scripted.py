"""A model that says what a script tells it to, for scenarios and tests."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import httpx2

from engine.domain.session import Usage
from engine.llm.in_process import InProcessTransport, text_response
from engine.llm.tokens import count_tokens


class ScriptEnded(AssertionError):
    """More requests came than the script has replies.

    It means that whoever wrote the script was wrong, so it goes through the gateway as itself and is
    never taken for a fault of a provider.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A raw HTTP response, for what goes wrong below the words of an answer."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    delay_s: float = 0.0
    """Seconds before it comes."""


Reply = str | Fault
"""The words of an answer, or a raw response."""


class ScriptedTransport(InProcessTransport):
    """Answers each request with the next reply, or with what a function makes of the decoded request.

    Usage is told as the o200k estimate of what was sent and answered.
    """

    def __init__(self, replies: Sequence[Reply] | Callable[[dict[str, object]], Reply]) -> None:
        self._replies = replies
        self.requests: list[dict[str, object]] = []
        """Every request, decoded, in the order of coming."""
        self.bodies: list[bytes] = []
        """The exact bytes of the same requests."""

    async def answer(self, request: dict[str, object], body: bytes) -> httpx2.Response:
        """The script's next reply.

        Raises:
            ScriptEnded: there is none.
        """
        self.requests.append(request)
        self.bodies.append(body)
        reply = self._next_reply(request)
        if isinstance(reply, Fault):
            await asyncio.sleep(reply.delay_s)
            return httpx2.Response(reply.status, headers=dict(reply.headers), content=reply.body)
        return text_response(request, reply, usage=_estimate(body, reply))

    def _next_reply(self, request: dict[str, object]) -> Reply:
        if callable(self._replies):
            return self._replies(request)
        number = len(self.requests)
        if number > len(self._replies):
            raise ScriptEnded(f"request {number} came, but the script has {len(self._replies)} replies")
        return self._replies[number - 1]


def _estimate(body: bytes, reply: str) -> Usage:
    return Usage(input_tokens=count_tokens(body.decode()), output_tokens=count_tokens(reply))
