"""Test connection: a few tiny requests that show what a model server can do. Every failure is a finding."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from enum import StrEnum

import httpx2
import openai
from pydantic import BaseModel, ValidationError

from engine.domain.clock import Clock, utc_now
from engine.domain.session import ChatMessage, Usage
from engine.domain.states import Role
from engine.errors import (
    KeyRefused,
    ModelError,
    ModelUnknown,
    ProviderDown,
    ProviderTimedOut,
    ReplyBroken,
    RequestRefused,
)
from engine.llm.error_map import READING_FAULTS, map_error
from engine.llm.gateway import CallLimits, Gateway
from engine.settings import ModelServer

PROBE_LIMITS = CallLimits(first_character_s=20.0, whole_turn_s=30.0, waits_s=())
"""A probe tries nothing again: somebody is waiting for it."""
MODELS_READ = 200
"""Names of models that are kept at most, in the server's order."""

Send = Callable[[openai.AsyncOpenAI], Awaitable[bytes]]
"""Sends one request and gives the body of its answer."""

_MESSAGES = (ChatMessage(role=Role.USER, content="Reply with the single word: ok"),)
_ASK_FOR_JSON = 'Reply with this JSON object and nothing else: {"ok": true}'
_SCHEMA = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}},
    "required": ["ok"],
    "additionalProperties": False,
}


class Structured(StrEnum):
    """How a server can be made to answer in a given form, best first."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeReport:
    """What was found. None wherever it could not be found out."""

    is_reachable: bool
    """Whether anything answered at the address."""
    is_host_known: bool = True
    """False: there is no host of that name."""
    is_key_accepted: bool | None = None
    is_model_known: bool | None = None
    models: tuple[str, ...] = ()
    """Names that the server lists, in its order; empty where it lists none."""
    streams: bool | None = None
    structured: Structured | None = None
    says_usage: bool | None = None
    seconds: float | None = None
    """How long the first answer took, from sending to its end."""
    fault: str | None = None
    """Code of the `ModelError` for which the model cannot be used; None where it can."""


class _Listed(BaseModel):
    id: str


class _List(BaseModel):
    data: list[_Listed]


class _Message(BaseModel):
    content: str | None = None


class _Choice(BaseModel):
    message: _Message


class _Whole(BaseModel):
    choices: list[_Choice]


class _Ok(BaseModel, extra="forbid"):
    ok: bool


async def probe(
    server: ModelServer,
    *,
    transport: httpx2.AsyncBaseTransport | None = None,
    limits: CallLimits = PROBE_LIMITS,
    clock: Clock = utc_now,
) -> ProbeReport:
    """Ask `server` for its models, a streamed answer and structured ones: five small requests at most.

    Nothing of what the server says is taken over but the names of its models. Each request has the time
    of `limits`. Raises nothing for anything that a server can do.
    """
    gateway = Gateway(server=server, transport=transport, limits=limits, clock=clock)
    return await _Probe(server, gateway, limits, clock).run()


class _Probe:
    def __init__(self, server: ModelServer, gateway: Gateway, limits: CallLimits, clock: Clock) -> None:
        self._server = server
        self._gateway = gateway
        self._limits = limits
        self._clock = clock

    async def run(self) -> ProbeReport:
        report = await self._list_models()
        if not report.is_reachable:
            return report
        report = await self._ask(report)
        return report if report.fault else replace(report, structured=await self._structured())

    async def _list_models(self) -> ProbeReport:
        """Whether anything is there, and which models it names; many servers name none."""
        try:
            body = await self._sent(_get_models)
            names = tuple(one.id for one in _List.model_validate_json(body).data)[:MODELS_READ]
        except (ProviderDown, ProviderTimedOut) as error:
            if _was_answered(error):
                return ProbeReport(is_reachable=True)
            return ProbeReport(is_reachable=False, is_host_known=not _lacks_host(error), fault=error.code)
        except (ModelError, ValidationError):
            return ProbeReport(is_reachable=True)
        return ProbeReport(
            is_reachable=True, models=names, is_model_known=self._server.name in names if names else None
        )

    async def _ask(self, report: ProbeReport) -> ProbeReport:
        """The request that decides: an answer as the tutor asks for it, streamed, else a whole one."""
        began = _now()
        try:
            usage = await self._streamed()
        except (ReplyBroken, RequestRefused) as error:
            return await self._ask_whole(report, error)
        except ModelError as error:
            return _refused(report, error)
        return replace(
            report,
            is_key_accepted=True,
            is_model_known=True,
            streams=True,
            says_usage=usage.output_tokens is not None,
            seconds=_now() - began,
        )

    async def _ask_whole(self, report: ProbeReport, streaming: ModelError) -> ProbeReport:
        """Tell a server that cannot stream, which the tutor needs, from one that cannot answer at all."""
        try:
            await self._whole(_MESSAGES[0].content, {})
        except ModelError:
            return _refused(report, streaming)
        return replace(report, is_key_accepted=True, is_model_known=True, streams=False, fault=streaming.code)

    async def _structured(self) -> Structured | None:
        """The best form whose answer really has that form; None where a passing fault hides it."""
        try:
            for form, response_format in _forms():
                if await self._answers_in(response_format):
                    return form
        except ModelError:
            return None
        return Structured.NONE

    async def _answers_in(self, response_format: dict[str, object]) -> bool:
        try:
            _Ok.model_validate_json(await self._whole(_ASK_FOR_JSON, {"response_format": response_format}))
        except (RequestRefused, ValidationError):
            return False
        return True

    async def _streamed(self) -> Usage:
        reply = self._gateway.stream(_MESSAGES, before_send=_keep_nothing)
        async with aclosing(reply):
            async for _piece in reply:
                pass
        return reply.usage

    async def _whole(self, words: str, more: dict[str, object]) -> str:
        """The words of an answer that comes in one piece."""

        async def post(client: openai.AsyncOpenAI) -> bytes:
            body = {"model": self._server.name, "messages": [{"role": "user", "content": words}], **more}
            answer = await client.post("/chat/completions", cast_to=httpx2.Response, body=body)
            return answer.content

        try:
            read = _Whole.model_validate_json(await self._sent(post))
            return read.choices[0].message.content or ""
        except (ValidationError, IndexError):
            raise ReplyBroken("the answer is no completion") from None

    async def _sent(self, send: Send) -> bytes:
        """The body of the answer to one request, within the time of a whole turn."""
        limit_s = self._limits.whole_turn_s
        try:
            async with asyncio.timeout(limit_s), self._gateway.open_client(_keep_nothing) as client:
                return await send(client)
        except READING_FAULTS as error:
            raise map_error(error, now=self._clock()) from error
        except TimeoutError:
            raise ProviderTimedOut(f"the answer had no end within {limit_s:g} s") from None


async def _get_models(client: openai.AsyncOpenAI) -> bytes:
    answer = await client.get("/models", cast_to=httpx2.Response)
    return answer.content


def _forms() -> Iterator[tuple[Structured, dict[str, object]]]:
    named = {"name": "probe", "strict": True, "schema": _SCHEMA}
    yield Structured.SCHEMA, {"type": Structured.SCHEMA, "json_schema": named}
    yield Structured.OBJECT, {"type": Structured.OBJECT}


def _refused(report: ProbeReport, error: ModelError) -> ProbeReport:
    report = replace(report, fault=error.code)
    if isinstance(error, KeyRefused):
        return replace(report, is_key_accepted=False)
    if isinstance(error, ModelUnknown):
        return replace(report, is_model_known=False)
    return report


def _was_answered(error: ModelError) -> bool:
    """Whether the server itself said that it failed."""
    return isinstance(error.__cause__, openai.APIStatusError)


def _lacks_host(error: BaseException) -> bool:
    """Whether the name of the host could not be found."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, socket.gaierror):
        cause = cause.__cause__ or cause.__context__  # not every library between says what caused what
    return cause is not None


def _keep_nothing(_body: bytes) -> None:
    """A probe leaves no receipt: it sends nobody's words."""


def _now() -> float:
    return asyncio.get_running_loop().time()
