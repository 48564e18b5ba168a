"""What tests of calls to a model share."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import httpx2

from engine.domain.session import ChatMessage, Try, Usage
from engine.domain.states import Role
from engine.errors import ModelError
from engine.llm.gateway import CallLimits, Gateway
from engine.settings import ModelServer, Secret

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
KEY = "sk-test-7f3a"
MESSAGES = (
    ChatMessage(role=Role.SYSTEM, content="rules"),
    ChatMessage(role=Role.USER, content="为什么 <b> & “it” fails?"),
)


def server(url: str = "http://model.invalid/v1", key: str = KEY) -> ModelServer:
    return ModelServer(url=url, name="some-model", key=Secret(key))


class Sleeps:
    """Waits for nothing and remembers how long it was asked to."""

    def __init__(self) -> None:
        self.asked: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.asked.append(seconds)


def gateway(
    transport: httpx2.AsyncBaseTransport | None,
    *,
    sleep: Callable[[float], Awaitable[None]] | None = None,
    limits: CallLimits = CallLimits(),  # noqa: B008
    at: ModelServer | None = None,
) -> Gateway:
    return Gateway(
        server=at or server(), transport=transport, limits=limits, sleep=sleep or Sleeps(), clock=lambda: NOW
    )


@dataclass
class Played:
    """A call that has ended."""

    pieces: list[str] = field(default_factory=list)
    recorded: list[bytes] = field(default_factory=list)
    fault: ModelError | None = None
    tries: tuple[Try, ...] = ()
    usage: Usage = field(default_factory=Usage)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def results(self) -> list[str]:
        return [one.result for one in self.tries]


async def play(door: Gateway, messages: Sequence[ChatMessage] = MESSAGES) -> Played:
    """Read a whole answer, or as much of it as came."""
    played = Played()
    reply = door.stream(messages, before_send=played.recorded.append)
    try:
        async for piece in reply:
            played.pieces.append(piece)
    except ModelError as error:
        played.fault = error
    finally:
        await reply.aclose()
    played.tries, played.usage = reply.tries, reply.usage
    return played
