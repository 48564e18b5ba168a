"""What both tables of the proof share: the marked review, and reading the request that left.

A marker stands in the reason of a review. Each row plays a scene to its end and looks for the marker in the
decoded body of the newest request, never in what a model says. Rows that send no request look at what was
stored or restored.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.domain.course import Criterion, Task
from engine.domain.review import CriterionResult
from engine.domain.states import CriterionKind, CriterionStatus, Source
from engine.llm.gateway import Gateway
from engine.llm.scripted import ScriptedTransport
from engine.settings import ModelServer, Secret

MARKER = "MARK-7Q2Z"
"""Stands in the reason of the review and nowhere else."""
MARKER_SENT = "marker in the request"
MARKER_NOT_SENT = "marker not in the request"
OPENING = "opening question"
"""The first message of a conversation."""
QUESTION = "What should I change next?"
NEXT_STEP = "Test what happens on the fifth wrong password"
_REPLY = "Which part have you looked at so far?"

_Scene = TypeVar("_Scene")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofRow:
    """What one scene must show and what it showed."""

    name: str
    expected: str
    seen: str

    @property
    def as_expected(self) -> bool:
        """Whether they agree to the letter."""
        return self.expected == self.seen


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofCase(Generic[_Scene]):
    """One row before it is played."""

    name: str
    expected: str
    play: Callable[[_Scene], str]
    """Plays the scene and says in the words of `expected` what was seen."""

    def row(self, scene: _Scene) -> ProofRow:
        """Play it."""
        return ProofRow(name=self.name, expected=self.expected, seen=self.play(scene))


def scripted_gateway() -> tuple[ScriptedTransport, Gateway]:
    """The real gateway, and a model behind it that keeps every request and always says the same."""
    transport = ScriptedTransport(lambda _request: _REPLY)
    server = ModelServer(url="http://scripted.invalid/v1", name="scripted", key=Secret("none"))
    return transport, Gateway(server=server, transport=transport)


def contents(body: bytes) -> list[str]:
    """The contents of a request's messages, decoded from its exact bytes."""
    return [str(message["content"]) for message in json.loads(body)["messages"]]


def tell_marker(texts: list[str]) -> str:
    """Whether the marker is in any of these contents."""
    return MARKER_SENT if any(MARKER in text for text in texts) else MARKER_NOT_SENT


def proof_task(task_id: str) -> Task:
    """A task with two acceptance criteria."""
    return Task(
        task_id=task_id,
        title=f"Build {task_id}",
        goal=f"A {task_id} that works",
        criteria=(_criterion("readme", "README says how to start"), _criterion("tests", "Every branch has a test")),
    )


def proof_results(status: CriterionStatus) -> tuple[CriterionResult, ...]:
    """A review of such a task: the first criterion is met, the second has this status.

    The marker stands in the reason of the second, unless that is a pass.
    """
    is_met = status is CriterionStatus.PASS
    return (
        CriterionResult(
            rubric_id="readme",
            status=CriterionStatus.PASS,
            reason="it is there",
            evidence="README.md:1",
            source=Source.CHECK,
        ),
        CriterionResult(
            rubric_id="tests",
            status=status,
            reason="every branch is covered" if is_met else f"no test covers the lock ({MARKER})",
            evidence="tests/test_login.py:4",
            source=Source.CHECK,
            next_step=None if is_met else NEXT_STEP,
        ),
    )


def _criterion(rubric_id: str, text: str) -> Criterion:
    return Criterion(rubric_id=rubric_id, kind=CriterionKind.ACCEPTANCE, text=text, decided_by=Source.TEACHER)
