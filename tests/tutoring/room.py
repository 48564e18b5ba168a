"""A room to be tutored in: one database, a small course, and the product's own stores and use cases on it."""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import TypeVar

import httpx2

from engine.domain.clock import Clock
from engine.domain.course import CheckSpec, Course, Criterion, Project, Task
from engine.domain.data_message import DataKind, unwrap
from engine.domain.feedback import Block
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import Turn
from engine.domain.states import CriterionKind, Language, Source
from engine.domain.work import Submission
from engine.feedback.budgeter import budget_feedback
from engine.llm.gateway import CallLimits, Gateway
from engine.llm.in_process import InProcessTransport, sse_event
from engine.llm.offline import offline_gateway
from engine.llm.scripted import Reply, ScriptedTransport
from engine.wiring import Space, build_space
from engine.work.unpack import Upload, read_hand_in
from tests.conftest import Ticking
from tests.llm.calls import Sleeps, server

T = TypeVar("T")
_courses = count(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The texts of the small course, in one language."""

    readme: str
    readme_step: str
    notes: str
    notes_step: str
    gap: str


WORDS = {
    Language.ZH: Words(
        readme="仓库里有 README.md",
        readme_step="今天就写 README.md",
        notes="说明了为什么选这个数据库",
        notes_step="写两句选择的理由",
        gap="写下一个学到的教训",
    ),
    Language.EN: Words(
        readme="There is a README.md",
        readme_step="Write README.md today",
        notes="The choice of database is explained",
        notes_step="Write two sentences of reasons",
        gap="One lesson learned is written down",
    ),
}


def small_course(language: Language, *, readme: str | None = None, slug: str | None = None) -> Course:
    """Two projects with the same task: one criterion by a check, one that waits for a teacher, one to learn from."""
    words = WORDS[language]
    there = CheckSpec(name="file_exists", params={"path": "README.md"})
    noted = CheckSpec(name="file_exists", params={"path": "notes.md"})
    criteria = (
        Criterion(
            rubric_id="readme",
            kind=CriterionKind.ACCEPTANCE,
            text=readme or words.readme,
            decided_by=Source.CHECK,
            check=there,
            next_step=words.readme_step,
        ),
        Criterion(
            rubric_id="notes",
            kind=CriterionKind.ACCEPTANCE,
            text=words.notes,
            decided_by=Source.CHECK,
            check=noted,
            next_step=words.notes_step,
        ),
        Criterion(rubric_id="gap", kind=CriterionKind.LEARNING, text=words.gap, decided_by=Source.TEACHER),
    )
    task = Task(task_id="shop", title="Shop", goal="Sell books", steps=("Draw the tables",), criteria=criteria)
    projects = tuple(Project(project_id=name, title=name, tasks=(task,)) for name in ("one", "two"))
    return Course(course_id=slug or f"room-{next(_courses)}", title="Books", language=language, projects=projects)


@dataclass(kw_only=True)
class Room:
    """One learner and the small course in a space of its own database file."""

    space: Space
    clock: Ticking
    course: Course
    key: FeedbackKey
    hand_ins: list[Submission] = field(default_factory=list)

    def open(self, key: FeedbackKey | None = None) -> str:
        """A new conversation."""
        return self.space.sessions.open_conversation(LOCAL_VIEWER, key or self.key).conversation_id

    def ask(self, conversation_id: str, question: str) -> Turn:
        """A real turn, in this thread."""
        tutor = self.space.tutor
        turn = tutor.begin(LOCAL_VIEWER, conversation_id, question, self.space.worker.lease)
        tutor.answer(LOCAL_VIEWER, turn)
        return self.turn(turn.turn_id)

    def turn(self, turn_id: str) -> Turn:
        return self.space.sessions.turn(LOCAL_VIEWER, turn_id)

    def hand_in(self, *paths: str, key: FeedbackKey | None = None) -> Submission:
        """Files of these names, handed in without a review."""
        uploads = [Upload(name=path, content=f"{path} of {len(self.hand_ins)}".encode()) for path in paths]
        submission, _ = self.space.work.hand_in(LOCAL_VIEWER, key or self.key, snapshot_of(uploads))
        self.hand_ins.append(submission)
        return submission

    def review(self, submission: Submission) -> None:
        """A real review by the real checks."""
        begun = self.space.reviewer.begin(LOCAL_VIEWER, submission.submission_id, self.space.worker.lease)
        self.space.reviewer.judge(LOCAL_VIEWER, begun)

    def block(self) -> Block:
        """What the contract says now."""
        return budget_feedback(self.space.tutor.current_feedback(LOCAL_VIEWER, self.key))

    def later(self, seconds: float) -> None:
        self.clock.now += timedelta(seconds=seconds)


def snapshot_of(uploads: Sequence[Upload]):  # type: ignore[no-untyped-def]
    from engine.domain.work import take_snapshot

    return take_snapshot(read_hand_in(uploads).files)


def a_gateway(transport: httpx2.AsyncBaseTransport, limits: CallLimits | None = None) -> Gateway:
    """A model behind which `transport` answers; waits between tries take no time."""
    return Gateway(server=server(), transport=transport, limits=limits or CallLimits(), sleep=Sleeps())


@contextmanager
def opened_room(
    folder: Path, gateway: Gateway | None = None, *, language: Language = Language.EN, clock: Ticking | None = None
):  # type: ignore[no-untyped-def]
    raise NotImplementedError
