"""The offline tutor: answers in-process by fixed rules, from the request's own messages.

It uses what a model would be given, says openly that it is none, never declares an item fixed and never
makes up a review.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

import httpx2

from engine.domain.clock import Clock, utc_now
from engine.domain.states import FeedbackState, Language, ReplyKind, Role, SupportLevel
from engine.llm.gateway import DEFAULT_LIMITS, CallLimits, Gateway
from engine.llm.in_process import PIECE_CHARS, InProcessTransport, Pace, text_response
from engine.llm.offline_draft import offline_draft
from engine.llm.offline_edit import offline_edit
from engine.llm.offline_intents import Intent, quote_tried
from engine.llm.offline_plan import write_plan
from engine.llm.offline_reading import (
    OpenItem,
    ReadBlock,
    ReadRequest,
    cut_off_reply,
    item_in_question,
    read_request,
)
from engine.llm.offline_summary import offline_summary
from engine.llm.offline_words import WORDS, name_hand_in
from engine.llm.prompts.draft import DRAFT_RULES
from engine.llm.prompts.edit import EDIT_RULES
from engine.llm.prompts.opening import opening_level
from engine.llm.prompts.summary import SUMMARY_RULES
from engine.llm.streamed_reply import Sleep
from engine.settings import ModelServer, Secret

OFFLINE_MODEL = "offline"
"""The name that requests to the offline tutor ask for."""
STREAM_DELAY_S = 0.02
"""Seconds before each piece, so that an answer is seen to come."""
MOST_EDIT_PIECES = 100
"""So an edit takes two seconds at most, however long the text is."""

_CRITERIA_SHOWN = 5
_NOTHING_SAID: Mapping[str, object] = {"role": Role.USER, "content": ""}
"""In the place of the request to begin, which is no words of the student."""


class OfflineCoach(InProcessTransport):
    """Answers each request by fixed rules from its messages alone. Keeps nothing from one to the next."""

    def __init__(
        self, *, delay_s: float = STREAM_DELAY_S, sleep: Sleep = asyncio.sleep, piece_chars: int = PIECE_CHARS
    ) -> None:
        self._pace = Pace(piece_chars=piece_chars, delay_s=delay_s, sleep=sleep)

    async def answer(self, request: dict[str, object], body: bytes) -> httpx2.Response:  # noqa: ARG002
        """Say what the rules say; summarise or edit where that is asked. No tokens are counted, none are paid for."""
        messages = request.get("messages")
        listed = [message for message in messages if isinstance(message, dict)] if isinstance(messages, list) else []
        reply = _reply(listed)
        return text_response(request, reply, pace=_pace_of(reply, self._pace, listed))


def offline_gateway(
    *,
    delay_s: float = STREAM_DELAY_S,
    sleep: Sleep = asyncio.sleep,
    limits: CallLimits = DEFAULT_LIMITS,
    clock: Clock = utc_now,
    piece_chars: int = PIECE_CHARS,
) -> Gateway:
    """A gateway behind which the offline tutor answers; it opens no connection."""
    server = ModelServer(url="http://offline.invalid/v1", name=OFFLINE_MODEL, key=Secret("none"))
    coach = OfflineCoach(delay_s=delay_s, sleep=sleep, piece_chars=piece_chars)
    return Gateway(server=server, transport=coach, limits=limits, sleep=sleep, clock=clock, is_offline=True)


def _pace_of(reply: str, pace: Pace, messages: Sequence[Mapping[str, object]]) -> Pace:
    """Nobody reads along with an edit, so that one of a long text comes in few pieces."""
    is_edit = bool(messages) and str(messages[0].get("content")).startswith(EDIT_RULES)
    return replace(pace, piece_chars=max(pace.piece_chars, len(reply) // MOST_EDIT_PIECES + 1)) if is_edit else pace


def _reply(messages: Sequence[Mapping[str, object]]) -> str:
    first, last = (messages[0], messages[-1]) if messages else ({}, {})
    if first.get("content") == SUMMARY_RULES:
        return offline_summary(str(last.get("content")))
    if str(first.get("content")).startswith(DRAFT_RULES):
        return offline_draft(str(last.get("content")))
    if str(first.get("content")).startswith(EDIT_RULES):
        return offline_edit(messages)
    begun = cut_off_reply(messages)
    return coach_reply(messages) if begun is None else _rest(coach_reply(messages[:-2]), begun)


def _rest(whole: str, begun: str) -> str:
    """What is missing of a reply; all of it where it would begin otherwise today."""
    kind, words = _kind_and_words(whole)
    _kind, said = _kind_and_words(begun)
    return kind + (words[len(said) :] if words.startswith(said) else f"\n\n{words}")


def _kind_and_words(written: str) -> tuple[str, str]:
    """The line of the kind, empty where there is none, and what stands behind it."""
    line, newline, words = written.partition("\n")
    return (line + newline, words.lstrip("\n")) if line.startswith("kind: ") else ("", written)


def coach_reply(messages: Sequence[Mapping[str, object]]) -> str:
    """The offline tutor's answer to a request's messages: equal messages, equal answer."""
    level = opening_level(str(messages[0].get("content"))) if messages else None
    if level is not None:
        return _open(level, read_request([*messages[:-1], _NOTHING_SAID]))
    request = read_request(messages)
    paragraphs = _Coach(request).paragraphs()
    plan = write_plan(request) if request.intent is Intent.ASKS_PLAN else None
    if plan is None:
        return "\n\n".join([*_introduction(request), *paragraphs])
    is_open = request.block is not None and request.block.state is FeedbackState.CURRENT
    return "\n\n".join([f"kind: {ReplyKind.PLAN}", *_introduction(request), *([] if is_open else paragraphs[:1]), plan])


def _open(level: SupportLevel, request: ReadRequest) -> str:
    """One question about the first open item; how much stands before it the level says."""
    paragraphs = _Coach(request).opening(level)
    return "\n\n".join([f"kind: {ReplyKind.ASK}", *_introduction(request), *paragraphs])


def _introduction(request: ReadRequest) -> list[str]:
    known = [words["i_am_offline"] for words in WORDS.values()]
    is_told = any(sentence in reply for sentence in known for reply in request.replies)
    return [] if is_told else [WORDS[request.language]["i_am_offline"]]


class _Coach:
    """One answer in the making; every method gives paragraphs."""

    def __init__(self, request: ReadRequest) -> None:
        self._request = request
        self._words = WORDS[request.language]

    def paragraphs(self) -> list[str]:
        block = self._request.block
        if block is None:
            return [self._say("no_block"), *self._by_task("only_review_shows")]
        match block.state:
            case FeedbackState.NONE:
                return [self._say("none"), *self._by_task("only_review_shows")]
            case FeedbackState.STALE_RULES | FeedbackState.UNAVAILABLE as state:
                return [self._of_hand_in(state, block), *self._meanwhile("review_again_will_show")]
            case FeedbackState.PENDING as state:
                return [self._of_hand_in(state, block), *self._meanwhile("review_will_show")]
            case FeedbackState.INVALID:
                return [self._say("invalid"), *self._meanwhile("review_again_will_show")]
            case FeedbackState.PASSED:
                return [self._of_hand_in(block.state, block), *self._notes(), self._say("passed_ask")]
            case FeedbackState.CURRENT:
                return self._current(block)

    def opening(self, level: SupportLevel) -> list[str]:
        """What is said where the student has said nothing."""
        block = self._request.block
        if block is None or not block.items:
            return [self._say("no_items"), self._say("ask_tried_so_far")]
        item = block.items[0]
        opened = self._say(
            "first_open", criterion=item.criterion, status=self._status(item), hand_in=self._hand_in(block)
        )
        seen = [] if level is SupportLevel.LOW else [*self._seen(item), *self._cut(item, block)]
        step = [self._next_step(item, block)] if level is SupportLevel.HIGH else []
        return [_lines(opened, *seen, *step), self._say("ask_tried")]

    # What every state needs

    def _say(self, name: str, **blanks: str | int) -> str:
        return self._words[name].format(**blanks)

    def _hand_in(self, block: ReadBlock) -> str:
        return name_hand_in(block.submission_seq, self._request.language)

    def _of_hand_in(self, name: str, block: ReadBlock) -> str:
        sentence = self._say(name, hand_in=self._hand_in(block))
        return sentence[:1].upper() + sentence[1:]

    def _notes(self) -> list[str]:
        return [self._say("learning_note", note=note) for note in self._request.notes[:1]]

    def _quoted(self) -> str:
        return self._say("tried", quote=quote_tried(self._request.newest))

    # Without an open item to talk about

    def _meanwhile(self, after_claim: str) -> list[str]:
        if self._request.intent in (Intent.CLAIMS_FIXED, Intent.TELLS_TRIED):
            return self._by_task(after_claim)
        return [self._say("meanwhile"), *self._by_task(after_claim)]

    def _by_task(self, after_claim: str) -> list[str]:
        match self._request.intent:
            case Intent.CLAIMS_FIXED:
                return [self._say(after_claim), self._say("ask_change")]
            case Intent.TELLS_TRIED:
                return [self._quoted(), self._say("ask_result")]
            case Intent.ASKS_CRITERIA if self._request.task.criteria:
                return [self._criteria(), self._say("ask_tried_so_far")]
            case _:
                return [*self._task(), self._say("ask_tried_so_far")]

    def _task(self) -> list[str]:
        task = self._request.task
        lines = []
        if task.title and task.goal:
            lines.append(self._say("task_goal", title=task.title, goal=task.goal))
        elif task.title:
            lines.append(self._say("task_title", title=task.title))
        if task.steps:
            lines.append(self._say("task_step", step=task.steps[0]))
        return lines

    def _criteria(self) -> str:
        shown = [f"- {text}" for text in self._request.task.criteria[:_CRITERIA_SHOWN]]
        return "\n".join([self._say("task_criteria"), *shown])

    # With open items

    def _current(self, block: ReadBlock) -> list[str]:
        if not block.items:
            return [self._say("no_items"), self._say("ask_tried_so_far")]
        item = item_in_question(self._request, block.items)
        body = self._about(item, block, "first_open" if item is block.items[0] else "chosen_open")
        return [*body, *self._others(block), self._question()]

    def _about(self, item: OpenItem, block: ReadBlock, opening: str) -> list[str]:
        opened = self._say(opening, criterion=item.criterion, status=self._status(item), hand_in=self._hand_in(block))
        seen, step, cut = self._seen(item), self._next_step(item, block), self._cut(item, block)
        match self._request.intent:
            case Intent.CLAIMS_FIXED:
                return [self._say("only_review_closes", criterion=item.criterion), _lines(opened, *seen, *cut)]
            case Intent.ASKS_WHY:
                told = self._say("explain_open", criterion=item.criterion, hand_in=self._hand_in(block))
                ended = self._say("explain_status", status=self._status(item))
                return [_lines(told, *self._seen_or_nowhere(item), *cut), _lines(ended, step)]
            case Intent.ASKS_CHANGES:
                return [self._say("no_comparison", hand_in=self._hand_in(block)), _lines(opened, *seen, *cut), step]
            case Intent.ASKS_NEXT:
                return [_lines(step), _lines(opened, *seen, *cut)]
            case Intent.ASKS_CRITERIA if self._request.task.criteria:
                return [self._criteria(), _lines(opened, *seen, step, *cut)]
            case Intent.TELLS_TRIED:
                return [self._quoted(), _lines(opened, *seen, step, *cut)]
            case _:
                return [_lines(opened, *seen, step, *cut)]

    def _status(self, item: OpenItem) -> str:
        return self._say(f"status_{item.status}")

    def _seen(self, item: OpenItem) -> list[str]:
        reason = [self._say("reason", text=item.reason)] if item.reason else []
        return reason + ([self._say("evidence", text=item.evidence)] if item.evidence else [])

    def _seen_or_nowhere(self, item: OpenItem) -> list[str]:
        return self._seen(item) + ([] if item.evidence else [self._say("no_evidence")])

    def _next_step(self, item: OpenItem, block: ReadBlock) -> str:
        """The block has one next step, made for its first item; for another item only the general one is true."""
        if block.next_step and item is block.items[0]:
            return self._say("next_step", text=block.next_step)
        return self._say(f"next_step_{item.status}")

    def _cut(self, item: OpenItem, block: ReadBlock) -> list[str]:
        told = {f"{item.position}.{name}" for name in ("criterion", "reason", "evidence")}
        if item is block.items[0]:
            told.add("next_step")
        return [self._say("cut")] if told & block.truncated_fields else []

    def _others(self, block: ReadBlock) -> list[str]:
        others = self._counted("others", block.total_items - 1)
        omitted = self._counted("omitted", block.omitted_count)
        joint = "" if self._request.language is Language.ZH else " "
        return [joint.join([*others, *omitted])] if others or omitted else []

    def _counted(self, name: str, count: int) -> list[str]:
        if count < 1:
            return []
        return [self._say(f"{name}_one") if count == 1 else self._say(f"{name}_many", count=count)]

    def _question(self) -> str:
        match self._request.intent:
            case Intent.CLAIMS_FIXED:
                return self._say("ask_change")
            case Intent.TELLS_TRIED:
                return self._say("ask_result")
            case Intent.ASKS_WHY:
                return self._say("ask_unclear")
            case _:
                return self._say("ask_tried")


def _lines(*parts: str) -> str:
    """Lines of one thought; a blank line between them, because a reply is read as Markdown."""
    return "\n\n".join(parts)
