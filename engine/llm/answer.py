"""Reading a streamed answer: its text and its usage, from servers that differ in the details."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

import openai
from openai.types.chat import ChatCompletionChunk
from pydantic import BaseModel, ConfigDict, ValidationError

from engine.domain.clock import Clock
from engine.domain.session import Usage
from engine.domain.text import is_blank
from engine.errors import ModelError, ReplyBroken, ReplyEmpty
from engine.llm.error_map import READING_FAULTS, map_error

MOST_TOKENS = 2**31 - 1
"""A larger count is nonsense, and no database column holds it."""
FINISH_CHARACTERS = 40
"""Of the word by which a server says why the answer ended."""


class _Read(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class _Delta(_Read):
    content: str | None = None


class _Choice(_Read):
    delta: _Delta | None = None
    finish_reason: str | None = None


class _Chunk(_Read):
    """What is used of a chunk. Reasoning, names and whatever else servers add is left alone."""

    choices: list[_Choice] | None = None
    usage: object = None


class _Counted(_Read):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(slots=True)
class Answer:
    """What has been seen of an answer so far."""

    usage: Usage = field(default_factory=Usage)
    """None inside where the server did not say."""
    is_visible: bool = False
    """Whether a character that a person can see has arrived."""
    is_finished: bool = False
    """Whether the server said that the answer ends; a stream that merely stops was cut."""
    finish_reason: str | None = None
    """Why it ended, in the server's word, cut to `FINISH_CHARACTERS`."""


async def read_text(
    stream: openai.AsyncStream[ChatCompletionChunk], answer: Answer, clock: Clock
) -> AsyncGenerator[str, None]:
    """Give the text piece by piece, keep `answer` up to date, and close the stream.

    Leading blanks are held back until something visible comes, so that the first piece is the beginning
    of an answer. What breaks after the server said that the answer ends, takes nothing from it.

    Raises:
        ReplyEmpty: the answer ended and had nothing visible.
        ReplyBroken: it broke off after the first visible character, or cannot be read.
        ModelError: the service failed before the first visible character.
    """
    fault: ModelError | None = None
    held = ""
    try:
        async for chunk in stream:
            held += _take(chunk, answer)
            if answer.is_visible and held:
                yield held
                held = ""
    except READING_FAULTS as error:
        fault = None if answer.is_finished else _fault(error, answer, clock)
    finally:
        await stream.close()
    _raise_unless_whole(answer, fault)


def _fault(error: Exception, answer: Answer, clock: Clock) -> ModelError:
    return ReplyBroken("the answer broke off") if answer.is_visible else map_error(error, now=clock())


def _raise_unless_whole(answer: Answer, fault: ModelError | None) -> None:
    if fault is not None:
        raise fault
    if not answer.is_finished:
        raise ReplyBroken("the answer stopped without an end")
    if not answer.is_visible:
        raise ReplyEmpty("the answer has no content")


def _take(chunk: object, answer: Answer) -> str:
    read = _Chunk.model_validate(chunk)
    if read.usage is not None:
        answer.usage = _usage(read.usage)
    if not read.choices:
        return ""
    choice = read.choices[0]
    text = (choice.delta and choice.delta.content) or ""
    if choice.finish_reason is not None:
        answer.is_finished = True
        answer.finish_reason = choice.finish_reason[:FINISH_CHARACTERS]
    answer.is_visible = answer.is_visible or not is_blank(text)
    return text


def _usage(value: object) -> Usage:
    try:
        counted = _Counted.model_validate(value)
    except ValidationError:
        return Usage()
    return Usage(input_tokens=_known(counted.prompt_tokens), output_tokens=_known(counted.completion_tokens))


def _known(count: int | None) -> int | None:
    return count if count is not None and 0 <= count <= MOST_TOKENS else None
