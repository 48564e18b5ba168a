"""Reads the stream of a reply: of what kind it is, what a person may see of it, and the plan behind it.

A reply may begin with a line `kind: chat`, `kind: ask` or `kind: plan`; without one it is chat. In a plan a
line `plan:` follows the words, and then one JSON object. Neither the line nor the object is ever shown as
words. What is shown while the reply arrives is always the beginning of what is shown in the end.
"""

import json
from dataclasses import dataclass
from typing import Annotated

import regex
from pydantic import AfterValidator, BaseModel, Field, ValidationError

from engine.domain.plan import Plan, PlanStep
from engine.domain.session import as_written
from engine.domain.states import ReplyKind
from engine.domain.text import clean, is_blank

HELD_MOST = 48
"""Most characters that are held back before it is known whether a reply begins with the line of its kind."""

_FLAGS = regex.IGNORECASE | regex.ASCII | regex.MULTILINE
_KIND = r"\s{0,8}[*`]{0,2}kind[ \t]{0,4}[:：][ \t]{0,4}(chat|ask|plan)[*`]{0,2}[ \t]{0,8}"
_KIND_ALONE = regex.compile(_KIND, _FLAGS)
_KIND_LINE = regex.compile(_KIND + r"\r?\n", _FLAGS)

# Small models forget the line `plan:` and begin with the object or with its fence.
_MARK = r"[ \t]{0,8}[*`]{0,2}plan[ \t]{0,4}[:：][*`]{0,2}[ \t]{0,8}"
_PLAN_BEGINS = regex.compile(
    rf'^(?:{_MARK}(?=\r?\n|\{{|```|\Z)|(?=[ \t]{{0,8}}(?:```json|\{{[ \t]{{0,8}}["\r\n])))', _FLAGS
)
_PLAN_MAY_BEGIN = regex.compile(rf'{_MARK}(?:\r|```)?|[ \t]{{0,8}}(?:```json|\{{[ \t]{{0,8}}["\r])', _FLAGS)
_TO_OBJECT = regex.compile(r"\s{0,16}(?:```[a-z]{0,8}\s{1,16})?(?=\{)", _FLAGS)
_FENCE_END = regex.compile(r"\s*```[ \t]*(?=\r?\n|\Z)", _FLAGS)
_JSON = json.JSONDecoder()
_LAST_WORD = regex.compile(r"(?<=\s)[\p{Latin}\d_'’-]{1,40}\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A whole reply, read."""

    kind: ReplyKind
    text: str
    """What the model wrote without the line of its kind, and without its plan if that could be read."""
    plan: Plan | None = None
    """None unless the kind is `plan`."""

    @property
    def is_empty(self) -> bool:
        """Whether it holds nothing for a person."""
        return self.plan is None and is_blank(self.text)


class ReplyReader:
    """Takes a reply piece by piece; how it is cut into pieces makes no difference.

    One that goes on with a reply which broke off begins with what had arrived of it.
    """

    def __init__(self, begun: str = "", kind: ReplyKind = ReplyKind.CHAT) -> None:
        """`begun` is what a person saw of the broken reply, `kind` what it was."""
        self._begun = begun
        self._kind = kind
        self._pieces: list[str] = []

    def take(self, piece: str) -> None:
        """The next piece of the stream."""
        self._pieces.append(piece)

    @property
    def shown(self) -> str:
        """What a person may see by now."""
        arrived = "".join(self._pieces)
        if self._begun and is_blank(_shown(arrived)):
            return self._begun
        return _shown(self._whole(arrived))

    @property
    def kind(self) -> ReplyKind:
        """What the reply is, by what has arrived."""
        return _split_kind(self._whole("".join(self._pieces)))[0]

    def read(self) -> Reply:
        """All of it, once the stream has ended; empty where nothing came to go on with."""
        arrived = "".join(self._pieces)
        rest = read_reply(arrived)
        return rest if rest.is_empty else read_reply(self._whole(arrived))

    def _whole(self, arrived: str) -> str:
        """The reply as if it had never broken off. A kind that is named once more is the one that counts."""
        if not self._begun:
            return arrived
        named = _KIND_LINE.match(arrived) or _KIND_ALONE.fullmatch(arrived)
        kind = ReplyKind(named[1].lower()) if named else self._kind
        return as_written(kind, resume_at(self._begun) + arrived[named.end() if named else 0 :])


def read_reply(written: str) -> Reply:
    """Read a whole reply. A plan that cannot be read makes a `fallback`, in which nothing is lost."""
    kind, text = _split_kind(written)
    if kind is not ReplyKind.PLAN:
        return Reply(kind=kind, text=text)
    for begins in _PLAN_BEGINS.finditer(text):
        found = _read_plan(text, begins.end())
        if found is not None:
            plan, end = found
            return Reply(kind=kind, text=_around(text[: begins.start()], text[end:]), plan=plan)
    return Reply(kind=ReplyKind.FALLBACK, text=text)


def resume_at(begun: str) -> str:
    """`begun` up to the word that may be cut in half, which is left to be written again."""
    whole = _LAST_WORD.sub("", begun)
    return begun if is_blank(whole) else whole


def words_and_rest(text: str) -> tuple[str, str]:
    """A `fallback` in two: the words to show, and from the place on where a plan seems to begin, the rest."""
    begins = _PLAN_BEGINS.search(text)
    return (text, "") if begins is None else (text[: begins.start()].rstrip(), text[begins.start() :])


def _split_kind(written: str) -> tuple[ReplyKind, str]:
    found = _KIND_LINE.match(written) or _KIND_ALONE.fullmatch(written)
    if found is None:
        return ReplyKind.CHAT, written
    return ReplyKind(found[1].lower()), written[found.end() :].lstrip("\r\n")


def _shown(arrived: str) -> str:
    if len(arrived) <= HELD_MOST and _KIND_LINE.fullmatch(arrived, partial=True):
        return ""
    kind, text = _split_kind(arrived)
    if kind is not ReplyKind.PLAN:
        return text
    words, rest = words_and_rest(text)
    if rest:
        return words
    last_line = words.rfind("\n") + 1
    held = _PLAN_MAY_BEGIN.fullmatch(words[last_line:], partial=True)
    return (words[:last_line] if held else words).rstrip()


def _around(before: str, after: str) -> str:
    fence = _FENCE_END.match(after)
    rest = after[fence.end() :] if fence else after
    return "\n\n".join(part for part in (before.rstrip(), rest.strip()) if part)


def _read_plan(text: str, place: int) -> tuple[Plan, int] | None:
    """The plan whose object stands at `place`, behind blanks and a fence, and where the object ends."""
    begins = _TO_OBJECT.match(text, place)
    if begins is None:
        return None
    try:
        found, end = _JSON.raw_decode(text, begins.end())
        return _Plan.model_validate(found).plan(), end
    except (ValueError, ValidationError, RecursionError):
        return None


def _one_line(text: str) -> str:
    return " ".join(clean(text).split())


_Line = Annotated[str, AfterValidator(_one_line)]


class _Step(BaseModel):
    what: Annotated[_Line, Field(min_length=1, max_length=200)]
    done_when: Annotated[_Line, Field(min_length=1, max_length=200)]


class _Plan(BaseModel):
    """What the model has to write; whatever it adds is left alone."""

    title: Annotated[_Line, Field(min_length=1, max_length=80)]
    steps: Annotated[list[_Step], Field(min_length=1, max_length=12)]

    def plan(self) -> Plan:
        steps = tuple(PlanStep(what=step.what, done_when=step.done_when) for step in self.steps)
        return Plan(title=self.title, steps=steps)
