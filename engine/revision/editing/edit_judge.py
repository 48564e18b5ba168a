"""How the editor's answers are judged before anything is changed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.llm.prompts.edit import EditAnswer, EditOperation
from engine.revision.editing.edit_request import EditTask
from engine.revision.editing.operations import Edit, Operation, Refusal, Refused, Verb, apply_operations

QUESTION_CHARACTERS = 500
"""Of a question that the editor asks back; what a model says beyond that is no short question."""

_WORTH_A_REPAIR = frozenset(Refusal) - {Refusal.OUTSIDE_SCOPE, Refusal.CHANGES_NOTHING}
"""What reaches too far is simply not done; what was asked for and told wrongly is asked for once more."""


class EditJudge:
    """Checks the answers of one request against the text, and keeps the best of them."""

    def __init__(self, task: EditTask, *, is_part: bool = False) -> None:
        """`is_part`: other requests are about the rest, so that there may be nothing to do in this one."""
        self._task = task
        self._is_part = is_part
        self.best: Edit | None = None
        """The answer of which most could be done; of equal ones the last."""
        self.question: str | None = None
        """What the editor asked back last."""
        self.answers = 0
        """How many came, unreadable ones included; counted by whoever asks."""
        self.mended: tuple[Refused, ...] = ()
        """What an answer before the last one had wrong."""
        self._last: tuple[Refused, ...] = ()

    def __call__(self, answer: EditAnswer) -> tuple[str, ...]:
        """What is wrong with an answer, a line each, in numbers only; nothing where it can be used."""
        self.question = (answer.question or "").strip()[:QUESTION_CHARACTERS] or None
        edit = apply_operations(
            self._task.document, self._task.title, [_operation(each) for each in answer.operations], self._task.scopes
        )
        self.mended, self._last = (*self.mended, *self._last), edit.refused
        if self.best is None or len(edit.done) >= len(self.best.done):
            self.best = edit
        is_worth = not edit.done or any(refused.reason in _WORTH_A_REPAIR for refused in edit.refused)
        if not is_worth or (self.question is not None and not edit.refused):
            return ()
        problems = tuple(_problem(refused, self._task) for refused in edit.refused)
        return problems or (() if self._is_part else ("operations: there is none, and no question either",))

    @property
    def is_asking(self) -> bool:
        """Whether something was asked back instead of changing anything."""
        return self.question is not None and not (self.best and self.best.done)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What came of all requests of one edit."""

    edit: Edit | None
    """None where nothing came that can be used, or where one of several requests was answered by a question."""
    question: str | None
    """The first that was asked back."""
    answers: int
    """How many came to that request which took most."""
    mended: tuple[Refused, ...]


def put_together(task: EditTask, judges: Sequence[EditJudge]) -> Answered:
    """One edit of what was answered to each request; `task` with the scopes of the whole."""
    edits = [judge.best for judge in judges if judge.best is not None]
    edit = edits[0] if edits else None
    if len(judges) > 1 and any(judge.is_asking for judge in judges):
        edit = None
    elif len(edits) > 1:
        done = [operation for each in edits for operation in each.done]
        joined = apply_operations(task.document, task.title, done, task.scopes)
        edit = replace(joined, refused=(*(refused for each in edits for refused in each.refused), *joined.refused))
    return Answered(
        edit=edit,
        question=next((judge.question for judge in judges if judge.question), None),
        answers=max((judge.answers for judge in judges), default=0),
        mended=tuple(refused for judge in judges for refused in judge.mended),
    )


def _operation(answered: EditOperation) -> Operation:
    return Operation(
        suggestions=tuple(answered.suggestions),
        verb=Verb(answered.do),
        block=answered.block,
        begins=answered.begins,
        anchor=answered.anchor,
        text=answered.text,
    )


def _problem(refused: Refused, task: EditTask) -> str:
    operation = refused.operation
    allowed = sorted(
        block.number
        for block in task.document.blocks
        if any(task.scopes[place].allows(block.number) for place in operation.suggestions if place in task.scopes)
    )
    told = f"{operation.verb} of block {operation.block}: {refused.reason.replace('_', ' ')}"
    return f"{told} (it may change {allowed})" if refused.reason is Refusal.OUTSIDE_SCOPE else told
