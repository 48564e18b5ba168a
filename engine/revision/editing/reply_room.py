"""How much room an answer needs, and how a wish about the whole sound of a long text is asked for run by run."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.domain.session import ChatMessage
from engine.errors import ContextTooLarge
from engine.revision.editing.edit_request import EditTask, build_edit_request, room_for_text
from engine.settings import Budgets

OPERATION_TOKENS = 40
"""Of the names, numbers and quotes around the words that an operation writes."""
GROWTH = 1.25
"""By so much words may be longer when they are written anew."""
ANSWER_TOKENS = 4_000
"""What one answer is asked to write where the settings reserve no more: it comes within the time of one call, and many
servers end an answer soon after."""
LEAST_RUN_TOKENS = 500
"""No run is made shorter than that, but for one of a single block."""
MOST_REQUESTS = 12
"""For one edit."""

CountTokens = Callable[[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """One of the requests that an edit takes."""

    task: EditTask
    """The task, with its scopes narrowed to what this request is about."""
    messages: tuple[ChatMessage, ...]


def plan_requests(task: EditTask, budgets: Budgets | None, count_tokens: CountTokens) -> tuple[Asking, ...]:
    """The requests for a task: text and answer fit into the window together.

    A wish on tone may write everything anew that it may change. Where one answer cannot hold that, each request is
    about a run of blocks, one after the other through the text; the title goes with the first. What may move parts, or
    is asked for together with that, is one request. Without budgets everything fits.

    Raises:
        ContextTooLarge: it does not fit. Its values say how many characters may be changed (`count`), and about how
            many can be at one time (`limit`); both are missing where nothing of the text would fit.
    """
    if budgets is None:
        return (Asking(task=task, messages=build_edit_request(task, room_tokens=None, count_tokens=count_tokens)),)
    return _Planner(task, budgets, count_tokens).plan()


class _Planner:
    def __init__(self, task: EditTask, budgets: Budgets, count_tokens: CountTokens) -> None:
        self._task = task
        self._window = budgets.window_tokens
        self._reserved = budgets.reserved_tokens
        self._one_answer = max(ANSWER_TOKENS, budgets.reserved_tokens)
        self._count = count_tokens
        self._needed = _needed(task, count_tokens)
        """What writing each block anew takes of an answer."""

    def plan(self) -> tuple[Asking, ...]:
        everything = sum(self._needed.values())
        if not all(scope.keeps_structure for scope in self._task.scopes.values()):
            return (self._whole(everything),)
        if everything <= self._one_answer and (one := self._asking(self._task, everything)) is not None:
            return (one,)
        limit = self._one_answer
        while limit >= LEAST_RUN_TOKENS:
            if (found := self._by_runs(limit)) is not None:
                return found
            limit //= 2
        raise self._too_long(self._most_by_runs(), everything)

    def _whole(self, wanted: int) -> Asking:
        """One request with room to write everything anew, or half of it, or else with what is reserved."""
        for answer_tokens in (wanted, wanted // 2, self._reserved):
            asking = self._asking(self._task, answer_tokens)
            if asking is not None:
                return asking
        shown = sum(self._count(block.text) for block in self._task.document.blocks if block.number in self._needed)
        raise self._too_long(self._room(self._reserved), shown)

    def _asking(self, task: EditTask, answer_tokens: int) -> Asking | None:
        room = self._window - max(answer_tokens, self._reserved)
        try:
            return Asking(task=task, messages=build_edit_request(task, room_tokens=room, count_tokens=self._count))
        except ContextTooLarge:
            return None

    def _by_runs(self, limit: int) -> tuple[Asking, ...] | None:
        """A request for each run that takes `limit` of an answer; None where they are too many or do not fit."""
        runs = list(_runs(self._needed, limit))
        if len(runs) > MOST_REQUESTS:
            return None
        found: list[Asking] = []
        for run in runs:
            narrowed = _narrowed(self._task, run, is_first=run is runs[0])
            asking = self._asking(narrowed, sum(self._needed[number] for number in run))
            if asking is None:
                return None
            found.append(asking)
        return tuple(found)

    def _room(self, answer_tokens: int) -> int:
        return room_for_text(self._task, room_tokens=self._window - answer_tokens, count_tokens=self._count)

    def _most_by_runs(self) -> int:
        """What answers can hold together, as each run stands in its request too; of one where a block needs more."""
        one = min(self._one_answer, self._room(0) // 2)
        return one if max(self._needed.values(), default=0) > one else one * MOST_REQUESTS

    def _too_long(self, possible: int, needed: int) -> ContextTooLarge:
        message = "the text is too long to be edited as a whole"
        characters = sum(len(block.text) for block in self._task.document.blocks if block.number in self._needed)
        limit = int(characters * possible / needed) // 100 * 100 if needed else 0
        if not 0 < limit < characters:
            return ContextTooLarge(message)
        return ContextTooLarge(message, count=characters, limit=limit)


def _needed(task: EditTask, count_tokens: CountTokens) -> dict[int, int]:
    """By number of each block that may be changed, what writing it anew takes."""
    return {
        block.number: int(count_tokens(json.dumps(block.text, ensure_ascii=False)) * GROWTH) + OPERATION_TOKENS
        for block in task.document.blocks
        if any(scope.allows(block.number) for scope in task.scopes.values())
    }


def _runs(needed: Mapping[int, int], limit: int) -> Iterator[Sequence[int]]:
    """Numbers of blocks in their order, as many together as `limit` holds; one alone may need more."""
    run: list[int] = []
    taken = 0
    for number, tokens in needed.items():
        if run and taken + tokens > limit:
            yield run
            run, taken = [], 0
        run.append(number)
        taken += tokens
    yield run


def _narrowed(task: EditTask, run: Sequence[int], *, is_first: bool) -> EditTask:
    scopes = {
        place: replace(
            scope,
            blocks=frozenset(number for number in run if scope.allows(number)),
            title=scope.title and is_first,
        )
        for place, scope in task.scopes.items()
    }
    return replace(task, scopes=scopes)
