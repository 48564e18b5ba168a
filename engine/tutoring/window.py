"""Fits a request into what the model takes in at once, and says what gave way.

Everything that is sent counts, and a reserve for the reply. The o200k estimate decides: the bound that holds for any
vocabulary, one token for each byte, is three to four times the truth, so that by it an ordinary history, or a long
Chinese message, would never fit into 16,000 tokens. The bound stands in the facts instead: a request whose bound
lies inside the window fits for certain, every other by estimate. The reserve is not sent as a limit of the reply:
servers differ in its name, and a reply that was cut by it would pass for a whole one.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.domain.session import ChatMessage
from engine.errors import ContextTooLarge
from engine.feedback.cutting import clean_and_cut
from engine.settings import DEFAULT_BUDGETS
from engine.tutoring.context import JOINT, Context, ContextInputs, build_context

RESERVED_TOKENS = DEFAULT_BUDGETS.reserved_tokens
"""For the reply, unless it is set otherwise."""
MESSAGE_TOKENS = 4
"""Around each message, whatever it holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """How much a request and its reply may hold, and how that is measured."""

    tokens: int
    count_tokens: Callable[[str], int]
    """The estimate."""
    token_bound: Callable[[str], int]
    """What no vocabulary exceeds."""
    reserved_tokens: int = RESERVED_TOKENS
    """Kept free for the reply."""

    def estimate(self, context: Context) -> int:
        """Tokens of everything that is sent."""
        parts = sum(part.tokens for part in context.facts.parts)
        joints = len(context.facts.parts) - len(context.messages)
        return parts + joints * self.count_tokens(JOINT) + MESSAGE_TOKENS * len(context.messages)

    def bound(self, messages: tuple[ChatMessage, ...]) -> int:
        """The most that it can be."""
        return sum(self.token_bound(message.content) + MESSAGE_TOKENS for message in messages)

    def holds(self, context: Context) -> bool:
        """Whether there is room for it and for a reply."""
        return self.estimate(context) + self.reserved_tokens <= self.tokens


def build_within(inputs: ContextInputs, window: Window) -> Context:
    """The request of these inputs, with as much as the window holds.

    The oldest turns give way first, then the end of the task's material, then what teachers wrote, the oldest
    first, then the last question that nobody answered. Rules, summary, feedback, notes and the newest message are
    never cut.

    Raises:
        ContextTooLarge: they do not fit alone.
    """
    given, context = inputs, build_context(inputs, window.count_tokens)
    for smaller in (_fewer_turns, _less_material, _fewer_words, _without_waiting):
        if window.holds(context):
            break
        inputs = smaller(inputs, window)
        context = build_context(inputs, window.count_tokens)
    if not window.holds(context):
        raise ContextTooLarge("rules, feedback and the newest message do not fit into the model's window")
    facts = replace(
        context.facts,
        is_material_cut=inputs.task is not given.task,
        total_tokens=window.estimate(context),
        bound_tokens=window.bound(context.messages),
        window_tokens=window.tokens,
    )
    return replace(context, facts=facts)


def _fewer_turns(inputs: ContextInputs, window: Window) -> ContextInputs:
    def without(gone: int) -> ContextInputs:
        turns = inputs.history.turns
        tokens = sum(
            window.count_tokens(turn.question) + window.count_tokens(turn.written or "") for turn in turns[:gone]
        )
        history = replace(inputs.history, turns=turns[gone:], tokens=inputs.history.tokens - tokens)
        return replace(inputs, history=history)

    return without(_fewest_gone(len(inputs.history.turns), without, window))


def _less_material(inputs: ContextInputs, window: Window) -> ContextInputs:
    task, material = inputs.task.task, inputs.task.task.material

    def without(gone: int) -> ContextInputs:
        if not gone:
            return inputs
        shorter, _ = clean_and_cut(material, max(1, len(material) - gone))
        return replace(inputs, task=replace(inputs.task, task=replace(task, material=shorter)))

    return without(_fewest_gone(len(material), without, window))


def _fewer_words(inputs: ContextInputs, window: Window) -> ContextInputs:
    def without(gone: int) -> ContextInputs:
        words = inputs.history.words
        tokens = sum(window.count_tokens(line.text) for line in words[:gone])
        history = replace(inputs.history, words=words[gone:], tokens=inputs.history.tokens - tokens)
        return replace(inputs, history=history)

    return without(_fewest_gone(len(inputs.history.words), without, window))


def _without_waiting(inputs: ContextInputs, window: Window) -> ContextInputs:  # noqa: ARG001 - one of three alike
    return replace(inputs, history=replace(inputs.history, waiting=None))


def _fewest_gone(most: int, without: Callable[[int], ContextInputs], window: Window) -> int:
    """How much at least must go so that the window holds the rest; all of it where even that is not enough."""
    return bisect_left(
        range(most), True, key=lambda gone: window.holds(build_context(without(gone), window.count_tokens))
    )
