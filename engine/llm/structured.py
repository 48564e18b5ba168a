"""Asking a model for an answer of a fixed form, and believing it only when it has that form."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from engine.domain.model_call import SentCall
from engine.domain.session import ChatMessage, Try, Usage
from engine.domain.states import Role
from engine.errors import ReplyBroken, ReplyEmpty, RequestRefused
from engine.llm.gateway import Gateway
from engine.llm.output_form import OutputForm, response_format
from engine.llm.recorded_call import RecordedCall
from engine.llm.transport import BeforeSend

AnswerT = TypeVar("AnswerT", bound=BaseModel)
AfterCall = Callable[[SentCall], object]
"""Is given each request when it has ended, well or not, and what came of it."""

ECHO_CHARACTERS = 8_000
"""So much of an answer that cannot be used is shown to the model again."""
_PROBLEMS_SHOWN = 10
_CUT = "length"
"""The word by which servers say that an answer was ended at its limit of length."""
_THOUGHTS = re.compile(r"\s*<think>.*?</think>", re.DOTALL)
"""What some servers leave of a model's reasoning before its answer."""
_FORM = "Answer with one JSON object and nothing else. It must fit this JSON Schema:"
_REPAIR = "That answer cannot be used:\n{problems}\nAnswer again, with the one corrected JSON object and nothing else."


class AnswerInvalid(ReplyBroken):
    """The model answered, and once more after it was told what was wrong, but never in the form asked for."""


class AnswerCut(AnswerInvalid):
    """The service ended the answer at its limit of length; to ask for the same once more would end there again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Structured(Generic[AnswerT]):
    """A valid answer and what it took to get it."""

    value: AnswerT
    tries: tuple[Try, ...]
    """Every time something was sent, refused forms and the repair included, numbered through."""
    usage: Usage
    """Of all requests that were answered; None inside where the service left one of them uncounted."""


async def ask_structured(
    gateway: Gateway,
    messages: Sequence[ChatMessage],
    schema: type[AnswerT],
    *,
    before_send: BeforeSend,
    after_call: AfterCall | None = None,
    context: Mapping[str, object] | None = None,
) -> Structured[AnswerT]:
    """Ask until the answer is valid: by the form the server is known to take, then by lower ones, with one repair.

    A form is lowered where the server refuses the request, and the lower one stays for this process once
    it was answered. Each request has the deadlines and retries of a chat.

    Args:
        gateway: the server, which knows the form to begin with.
        messages: the request; the first is the system message, to which the form is added.
        schema: what the answer must be. All its fields should be required, and further ones forbidden in
            its JSON Schema, as strict servers demand.
        before_send: is given the body of every request that differs from the one before.
        after_call: is given each of these requests once it has ended; None where nobody wants to know.
        context: what the validators of `schema` may look at.

    Raises:
        AnswerCut: the answer, or the repaired one, was ended in the middle by a limit of length.
        AnswerInvalid: neither the answer nor the repaired one is valid.
        ModelError: the service failed, as it may in a chat.
    """
    asking = _Asking(gateway, schema, before_send, after_call)
    asked = add_form(messages, schema)
    text = await asking.ask(asked)
    try:
        value = _read(text, schema, context)
    except ValidationError as error:
        asking.raise_if_cut()
        text = await asking.ask((*asked, *_repair(text, error)))
        value = _read_repaired(text, schema, context, asking)
    return Structured(value=value, tries=tuple(asking.tries), usage=asking.usage)


def add_form(messages: Sequence[ChatMessage], schema: type[BaseModel]) -> tuple[ChatMessage, ...]:
    """The same request with the form told in its first message.

    It stands there on every rung: some servers accept the name of a form and then ignore it.
    """
    first, *rest = messages
    return (replace(first, content=f"{first.content}\n{form_rules(schema)}"), *rest)


def form_rules(schema: type[BaseModel]) -> str:
    """The form in words, with the schema."""
    return f"{_FORM}\n{json.dumps(schema.model_json_schema(), separators=(',', ':'))}\n"


def _repair(text: str, error: ValidationError) -> tuple[ChatMessage, ChatMessage]:
    """The model's own answer, and what is wrong with it, without repeating any of its words."""
    problems = [f"- {'.'.join(map(str, one['loc'])) or 'answer'}: {one['msg']}" for one in error.errors()]
    told = _REPAIR.format(problems="\n".join(problems[:_PROBLEMS_SHOWN]))
    return (
        ChatMessage(role=Role.ASSISTANT, content=text[:ECHO_CHARACTERS]),
        ChatMessage(role=Role.USER, content=told),
    )


def _read(text: str, schema: type[AnswerT], context: Mapping[str, object] | None) -> AnswerT:
    """The one object in `text`; two of them are none, since nobody could say which is meant."""
    answer = _THOUGHTS.sub("", text, count=1) if text.lstrip().startswith("<think>") else text
    start, end = answer.find("{"), answer.rfind("}") + 1
    return schema.model_validate_json(answer[start:end] if 0 <= start < end else "", context=dict(context or {}))


def _read_repaired(
    text: str, schema: type[AnswerT], context: Mapping[str, object] | None, asking: "_Asking"
) -> AnswerT:
    try:
        return _read(text, schema, context)
    except ValidationError:
        asking.raise_if_cut()
        raise AnswerInvalid("the model's answer does not have the form asked for") from None


class _Asking:
    """All requests that one answer takes."""

    def __init__(
        self, gateway: Gateway, schema: type[BaseModel], before_send: BeforeSend, after_call: AfterCall | None
    ) -> None:
        self._gateway = gateway
        self._schema = schema
        self._before_send = before_send
        self._after_call = after_call
        self._usages: list[Usage] = []
        self.tries: list[Try] = []

    @property
    def usage(self) -> Usage:
        return Usage(
            input_tokens=_sum([usage.input_tokens for usage in self._usages]),
            output_tokens=_sum([usage.output_tokens for usage in self._usages]),
        )

    def raise_if_cut(self) -> None:
        """Go on only where the newest answer was not ended by a limit of length.

        Raises:
            AnswerCut: it was.
        """
        if self.tries and self.tries[-1].finish_reason == _CUT:
            raise AnswerCut("the model's answer reached its limit of length before its end")

    async def ask(self, messages: Sequence[ChatMessage]) -> str:
        """The words of one answer. What is refused on every rung was not refused for its form."""
        form = self._gateway.output_form
        while True:
            try:
                text = await self._answer(messages, form)
            except RequestRefused:
                lower = form.next_lower
                if lower is None:
                    raise
                form = lower
            except ReplyEmpty:
                self.raise_if_cut()
                raise
            else:
                self._gateway.settle_output_form(form)
                return text

    async def _answer(self, messages: Sequence[ChatMessage], form: OutputForm) -> str:
        call = RecordedCall(
            self._gateway, messages, before_send=self._before_send, form=response_format(form, self._schema)
        )
        try:
            text = await call.read()
        finally:
            already = len(self.tries)
            self.tries += [replace(one, number=already + one.number) for one in call.reply.tries]
            if self._after_call is not None and (sent := call.sent) is not None:
                self._after_call(sent)
        self._usages.append(call.reply.usage)
        return text


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None
