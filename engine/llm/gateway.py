"""The one door to a model server: any that speaks OpenAI's chat completions."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import httpx2
import openai
from openai.types.chat import ChatCompletionMessageParam
from openai.types.chat.completion_create_params import ResponseFormat

from engine.domain.clock import Clock, utc_now
from engine.domain.session import ChatMessage
from engine.domain.states import Role
from engine.errors import KeyRefused
from engine.llm.output_form import OutputForm
from engine.llm.proxy import proxy_for
from engine.llm.retry import CallLimits
from engine.llm.streamed_reply import Call, Sleep, StreamedReply
from engine.llm.transport import BeforeSend, RecordingTransport
from engine.settings import ModelServer

__all__ = ["DEFAULT_LIMITS", "CallLimits", "Gateway", "StreamedReply"]

DEFAULT_LIMITS = CallLimits()
"""20 s to the first character, 120 s for the whole turn, waits of 4, 8 and 16 s."""

_LONE_SURROGATES = re.compile("[\ud800-\udfff]")


class Gateway:
    """Sends requests to one model of one server. May be shared by threads; each call has its own client."""

    def __init__(
        self,
        *,
        server: ModelServer,
        transport: httpx2.AsyncBaseTransport | None = None,
        limits: CallLimits = DEFAULT_LIMITS,
        sleep: Sleep = asyncio.sleep,
        clock: Clock = utc_now,
        is_offline: bool = False,
        output_form: OutputForm = OutputForm.JSON_SCHEMA,
    ) -> None:
        """Make a door to `server`.

        Args:
            server: address, model and key.
            transport: answers instead of the network; stays open and belongs to the caller.
            limits: how long a call may take.
            sleep: waits between tries.
            clock: reads dates in Retry-After.
            is_offline: whether no model is behind it, so that pages can say so.
            output_form: how to ask for an answer of a fixed form at first.
        """
        self._server = server
        self._transport = transport
        self._limits = limits
        self._sleep = sleep
        self._clock = clock
        self._is_offline = is_offline
        self._output_form = output_form

    @property
    def model(self) -> str:
        """The name that requests ask for."""
        return self._server.name

    @property
    def is_offline(self) -> bool:
        """Whether the offline tutor answers, by fixed rules."""
        return self._is_offline

    @property
    def output_form(self) -> OutputForm:
        """How this server is asked for an answer of a fixed form; what was tried with success stays."""
        return self._output_form

    def settle_output_form(self, form: OutputForm) -> None:
        """Remember, for as long as this process runs, that the server answers to `form`."""
        self._output_form = form

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        before_send: BeforeSend,
        response_format: ResponseFormat | None = None,
    ) -> StreamedReply:
        """Prepare a call; it begins when the first piece is asked for.

        `before_send` is called once, with the exact bytes of the body, before they leave; every further
        try sends the same bytes.
        """
        call = Call(
            model=self._server.name,
            messages=tuple(_as_sent(message) for message in messages),
            open_client=self.open_client,
            before_send=before_send,
            limits=self._limits,
            sleep=self._sleep,
            clock=self._clock,
            response_format=response_format,
        )
        return StreamedReply(call)

    @asynccontextmanager
    async def open_client(self, before_send: BeforeSend) -> AsyncIterator[openai.AsyncOpenAI]:
        """A client of the server for other requests than streamed ones; closed at the end.

        Raises:
            KeyRefused: the key is none that can be sent.
            SettingsError: the environment names a proxy that cannot be used.
        """
        key = _sendable(self._server.key.reveal())
        transport = self._transport or httpx2.AsyncHTTPTransport(proxy=proxy_for(self._server.url))
        # A redirect would carry a student's words to a host that nobody configured.
        http_client = openai.DefaultAsyncHttpxClient(
            transport=RecordingTransport(transport, before_send), follow_redirects=False
        )
        try:
            yield _client(self._server.url, key, http_client)
        finally:
            await http_client.aclose()
            if transport is not self._transport:
                await transport.aclose()


def _client(url: str, key: str, http_client: httpx2.AsyncClient) -> openai.AsyncOpenAI:
    client = openai.AsyncOpenAI(api_key=key, base_url=url, max_retries=0, timeout=None, http_client=http_client)
    # The SDK fills these from variables meant for OpenAI; another provider has no business with them.
    client.organization = client.project = client.admin_api_key = None
    return client


def _sendable(key: str) -> str:
    """Refuse here what a header cannot carry: the transport would name the key in its error."""
    stripped = key.strip()
    if not stripped or not stripped.isascii() or not stripped.isprintable():
        raise KeyRefused("the key holds characters that no key has")
    return stripped


def _as_sent(message: ChatMessage) -> ChatCompletionMessageParam:
    content = _LONE_SURROGATES.sub("\ufffd", message.content)
    match message.role:
        case Role.SYSTEM:
            return {"role": "system", "content": content}
        case Role.ASSISTANT:
            return {"role": "assistant", "content": content}
        case Role.USER:
            return {"role": "user", "content": content}
