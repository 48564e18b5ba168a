"""What becomes of the suggestions of a run that nothing was changed for, and what is said of them."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from engine.domain.edit import MessageFacts, MessageKind, Suggestion, SuggestionState
from engine.llm.offline_pairs import WhyNot, why_not
from engine.revision.editing.edit_judge import Answered
from engine.revision.editing.edit_request import EditTask
from engine.revision.editing.editing_store import NewMessage, SuggestionEnd
from engine.revision.editing.scope import Scope

UNUSABLE = "unusable"
"""Fault: neither the answer nor the repaired one could be used."""
CUT = "cut"
"""Fault: the answer reached its limit of length and ended in the middle."""
TOO_LONG = "too_long"
"""Fault: what may be changed is too long for the model; its message says how long, and how long it may be."""
NOT_FOLLOWED = "not_followed"
"""Fault: other suggestions of the same run were followed, this one was not."""
ASKED_BACK = "asked_back"
"""Fault: the editor asked something instead of changing anything; its words are the message's."""


def not_done(
    answered: Answered, task: EditTask, clear: Sequence[Suggestion], followed: Collection[int], *, is_offline: bool
) -> tuple[Mapping[str, SuggestionEnd], tuple[NewMessage, ...]]:
    """The ends of those that were not followed, and what is said of them.

    Offline every reason that can be named is told of each by itself; everything else is told once.
    """
    left = [(place, each) for place, each in enumerate(clear, start=1) if place not in followed]
    if not left:
        return {}, ()
    if is_offline:
        told = {each.suggestion_id: _offline(task, place, each) for place, each in left}
        ends = {one: _failed(message.facts.fault) for one, message in told.items()}
        return ends, tuple(_each_once(told.values()))
    fault = ASKED_BACK if answered.question else NOT_FOLLOWED if followed else UNUSABLE
    return {each.suggestion_id: _failed(fault) for _place, each in left}, (_told(fault, answered.question),)


def _offline(task: EditTask, place: int, suggestion: Suggestion) -> NewMessage:
    """Why the offline editor could not follow a suggestion, and the words that this is about."""
    everything = [task.title, *(block.text for block in task.document.blocks)]
    fault, words = why_not(suggestion.words, _allowed(task, task.scopes[place]), everything)
    is_of_all = fault is WhyNot.NEEDS_MODEL
    return NewMessage(
        kind=MessageKind.FAILED,
        words=words,
        facts=MessageFacts(fault=fault),
        suggestion_id=None if is_of_all else suggestion.suggestion_id,
    )


def _allowed(task: EditTask, scope: Scope) -> list[str]:
    texts = [block.text for block in task.document.blocks if scope.allows(block.number)]
    return [task.title, *texts] if scope.title else texts


def _each_once(messages: Collection[NewMessage]) -> Iterator[NewMessage]:
    """What names its suggestion, and what is told of several once."""
    yield from (each for each in messages if each.suggestion_id is not None)
    yield from [each for each in messages if each.suggestion_id is None][:1]


def _failed(fault: str) -> SuggestionEnd:
    state = SuggestionState.NEEDS_SCOPE if fault == ASKED_BACK else SuggestionState.FAILED
    return SuggestionEnd(state=state, fault=fault)


def _told(fault: str, question: str | None) -> NewMessage:
    if fault == ASKED_BACK:
        return NewMessage(kind=MessageKind.ASKED, words=question or "", facts=MessageFacts(fault=fault))
    return NewMessage(kind=MessageKind.FAILED, facts=MessageFacts(fault=fault))
