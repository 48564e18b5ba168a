"""A process that recovers what the one before left, then asks, retries and hands in until it is killed."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path

import httpx2
from sqlalchemy import Engine

from engine.courses.course_store import CourseStore
from engine.domain.clock import utc_now
from engine.domain.course import CheckSpec, Course, Criterion, Project, Task
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import Turn
from engine.domain.states import CriterionKind, Language, Source, TurnState
from engine.llm.gateway import Gateway
from engine.llm.in_process import InProcessTransport, Pace, text_response
from engine.llm.tokens import count_tokens
from engine.sessions.session_store import SessionStore
from engine.settings import ModelServer, Secret
from engine.wiring import Space, build_space, new_id
from tests.stores.builders import file

REPLY = "".join(f"This is line {number} of a slow answer.\n" for number in range(8))
"""What the model says every time, so that whole and part can be told apart."""
PIECE_SECONDS = 0.01
PAUSE_SECONDS = 0.1
"""Between two looks for something to do."""
CRITERIA = 12
"""So many that a review takes a while."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Where one learner hands in and asks."""

    key: FeedbackKey
    conversation_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What is the same for every process of a run."""

    url: str
    journal: Path
    """What was to be stored, and what was stored, written outside the database."""
    talks: tuple[Talk, ...]


def furnish(engine: Engine, url: str, journal: Path) -> Room:
    """A course in the empty database, two learners, and a conversation for each."""
    courses = CourseStore(engine, clock=utc_now, new_id=new_id)
    sessions = SessionStore(engine, clock=utc_now, new_id=new_id)
    course = courses.keep_course(LOCAL_VIEWER, _course())
    talks = []
    for name in ("Ada", "Ben"):
        learner = courses.add_learner(LOCAL_VIEWER, name, course_id=course.course_id)
        project_id = course.projects[0].project_id
        key = FeedbackKey(learner_id=learner.learner_id, project_id=project_id, task_id="task")
        opened = sessions.open_conversation(LOCAL_VIEWER, key)
        talks.append(Talk(key=key, conversation_id=opened.conversation_id))
    return Room(url=url, journal=journal, talks=tuple(talks))


def _course() -> Course:
    check = CheckSpec(name="pattern_present", params={"pattern": "print", "files": "*.py"})
    criteria = tuple(
        Criterion(
            rubric_id=f"c{number}",
            kind=CriterionKind.ACCEPTANCE,
            text="It prints",
            decided_by=Source.CHECK,
            check=check,
        )
        for number in range(CRITERIA)
    )
    task = Task(task_id="task", title="Task", goal="Print", criteria=criteria)
    project = Project(project_id="project", title="Project", tasks=(task,))
    return Course(course_id="course", title="Course", language=Language.EN, projects=(project,))


class _SlowModel(InProcessTransport):
    """Says `REPLY`, piece by piece."""

    async def answer(self, request: dict[str, object], body: bytes) -> httpx2.Response:  # noqa: ARG002 - all models are alike
        return text_response(request, REPLY, pace=Pace(delay_s=PIECE_SECONDS))


def recover_and_work(room: Room, number: int, ahead: timedelta, pipe: Connection) -> None:
    """The whole life of one process: recover, say so, then work until killed, or end if told to.

    Its clock is `ahead` of the real one, so that the leases of the process before have run out.
    """

    def clock() -> datetime:
        return utc_now() + ahead

    model = ModelServer(url="http://slow.invalid/v1", name="slow", key=Secret("none"))
    gateway = Gateway(server=model, transport=_SlowModel())
    space = build_space(room.url, gateway, clock=clock, holder=f"process {number}")
    space.worker.start()
    count_tokens("so that the first reply need not wait for the vocabulary")
    pipe.send(number)
    if pipe.recv():
        _Victim(space, room, number).work()
    space.close()


class _Victim:
    """Keeps a reply and reviews of each learner going. Writes into the journal before and after each step."""

    def __init__(self, space: Space, room: Room, number: int) -> None:
        self._space = space
        self._room = room
        self._number = number
        self._journal = room.journal.open("ab", buffering=0)

    def work(self) -> None:
        """Never ends by itself."""
        for step in count():
            for place, talk in enumerate(self._room.talks):
                name = f"{self._number}.{step}.{place}"
                self._go_on_talking(talk, f"question {name}")
                self._noting("hand_in", f"form {name}", partial(self._hand_in, talk, f"form {name}"))
            time.sleep(PAUSE_SECONDS)

    def _go_on_talking(self, talk: Talk, question: str) -> None:
        newest = self._newest_turn(talk)
        if newest is not None and newest.state is TurnState.OPEN:
            return
        if newest is not None and newest.state is TurnState.INTERRUPTED:
            self._space.tutor.retry(LOCAL_VIEWER, newest.turn_id, self._space.worker)
            return
        tutor, worker = self._space.tutor, self._space.worker
        ask = partial(tutor.send, LOCAL_VIEWER, talk.conversation_id, question, worker)
        self._noting("ask", question, ask)

    def _newest_turn(self, talk: Talk) -> Turn | None:
        # Between two questions stand a few notes about hand-ins.
        entries, _ = self._space.sessions.entries(LOCAL_VIEWER, talk.conversation_id, last=100)
        return next((entry for entry in reversed(entries) if isinstance(entry, Turn)), None)

    def _hand_in(self, talk: Talk, token: str) -> object:
        return self._space.desk.hand_in(
            LOCAL_VIEWER,
            talk.key,
            (file(f"print({token!r})\n"),),
            token=token,
            worker=self._space.worker,
            conversation_id=talk.conversation_id,
        )

    def _noting(self, what: str, words: str, step: Callable[[], object]) -> None:
        self._note(what, words, "before")
        step()
        self._note(what, words, "after")

    def _note(self, what: str, words: str, when: str) -> None:
        self._journal.write(json.dumps({"what": what, "words": words, "when": when}).encode() + b"\n")
