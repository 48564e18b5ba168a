"""A room to be tutored in: one database, a small course, and the product's own stores and use cases on it."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import httpx2

from engine.domain.course import CheckSpec, Course, Criterion, Project, Task
from engine.domain.data_message import DataKind, unwrap
from engine.domain.feedback import Block
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import Turn
from engine.domain.states import CriterionKind, Language, Source, TurnState
from engine.domain.work import Submission, WorkFile, take_snapshot
from engine.feedback.budgeter import budget_feedback
from engine.llm.gateway import CallLimits, Gateway
from engine.llm.models import Models
from engine.llm.offline import offline_gateway
from engine.settings import DEFAULT_BUDGETS, Budgets, DataPlacement
from engine.wiring import Space, build_space
from engine.work.unpack import Upload, read_hand_in
from tests.conftest import Ticking
from tests.llm.calls import Sleeps, server

Sent = dict[str, object]


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
        readme="仓库里有自述文件",
        readme_step="今天就写好自述文件",
        notes="写明了为什么选这个数据库",
        notes_step="写两句选择的理由",
        gap="写下一个学到的教训",
    ),
    Language.EN: Words(
        readme="A front page exists",
        readme_step="Write the front page today",
        notes="The choice of database is explained",
        notes_step="Write two sentences of reasons",
        gap="One lesson learned is written down",
    ),
}


def small_course(language: Language, *, readme: str | None = None) -> Course:
    """Two projects that have the same task: two files that are asked for, and one to learn from."""
    words = WORDS[language]
    criteria = (
        _asks_for("notes.md", "notes", words.notes, words.notes_step),
        _asks_for("README.md", "readme", readme or words.readme, words.readme_step),
        _asks_for("lesson.md", "gap", words.gap, "", CriterionKind.LEARNING),
    )
    task = Task(task_id="shop", title="Shop", goal="Sell books", steps=("Draw the tables",), criteria=criteria)
    projects = tuple(Project(project_id=name, title=name, tasks=(task,)) for name in ("one", "two"))
    return Course(course_id="room", title="Books", language=language, projects=projects)


def _asks_for(
    path: str, rubric_id: str, text: str, next_step: str, kind: CriterionKind = CriterionKind.ACCEPTANCE
) -> Criterion:
    check = CheckSpec(name="file_exists", params={"path": path})
    return Criterion(
        rubric_id=rubric_id, kind=kind, text=text, decided_by=Source.CHECK, check=check, next_step=next_step
    )


def files_of(*paths: str, body: str = "words") -> tuple[WorkFile, ...]:
    """Files as the desk reads them."""
    return read_hand_in([Upload(name=path, content=body.encode()) for path in paths]).files


@dataclass(kw_only=True)
class Room:
    """One learner and the small course, in a database file of their own."""

    url: str
    clock: Ticking
    space: Space
    key: FeedbackKey
    language: Language
    other_spaces: list[Space] = field(default_factory=list)

    def at(self, project: int = 0, learner: str | None = None) -> FeedbackKey:
        """The same task in another project, or of another learner."""
        course = self.space.courses.courses(LOCAL_VIEWER)[0]
        learner_id = self.key.learner_id
        if learner is not None:
            learner_id = self.space.courses.add_learner(LOCAL_VIEWER, learner, course_id=course.course_id).learner_id
        project_id = course.projects[project].project_id
        return FeedbackKey(learner_id=learner_id, project_id=project_id, task_id="shop")

    def change_rules(self) -> None:
        """A criterion reads otherwise from here on."""
        self.space.courses.keep_course(LOCAL_VIEWER, small_course(self.language, readme="…"))

    def open(self, key: FeedbackKey | None = None) -> str:
        """A new conversation."""
        return self.space.sessions.open_conversation(LOCAL_VIEWER, key or self.key).conversation_id

    def ask(self, conversation_id: str, question: str) -> Turn:
        """A real turn, answered in this thread."""
        tutor = self.space.tutor
        turn = tutor.begin(LOCAL_VIEWER, conversation_id, question, self.space.worker.lease)
        tutor.answer(LOCAL_VIEWER, turn)
        return self.turn(turn.turn_id)

    def send(self, conversation_id: str, question: str) -> str:
        """A turn that the worker answers; gives its id at once."""
        return self.space.tutor.send(LOCAL_VIEWER, conversation_id, question, self.space.worker).turn_id

    def ended(self, turn_id: str) -> Turn:
        """The turn, once it has ended."""
        wait_until(lambda: self.turn(turn_id).state is not TurnState.OPEN)
        return self.turn(turn_id)

    def turn(self, turn_id: str) -> Turn:
        return self.space.sessions.turn(LOCAL_VIEWER, turn_id)

    def hand_in(self, *paths: str, body: str = "words", key: FeedbackKey | None = None) -> Submission:
        """Files of these names, handed in without a review."""
        snapshot = take_snapshot(files_of(*paths, body=body))
        return self.space.work.hand_in(LOCAL_VIEWER, key or self.key, snapshot)[0]

    def review(self, submission: Submission) -> None:
        """A real review by the real checks."""
        begun = self.space.reviewer.begin(LOCAL_VIEWER, submission.submission_id, self.space.worker.lease)
        self.space.reviewer.judge(LOCAL_VIEWER, begun)

    def block(self, key: FeedbackKey | None = None) -> Block:
        """What the contract says now."""
        return budget_feedback(self.space.tutor.current_feedback(LOCAL_VIEWER, key or self.key))

    def later(self, seconds: float) -> None:
        self.clock.now += timedelta(seconds=seconds)

    def beside(
        self,
        gateway: Gateway,
        *,
        placement: DataPlacement = DataPlacement.SEPARATE,
        budgets: Budgets = DEFAULT_BUDGETS,
    ) -> "Room":
        """The same database opened once more, as by another process, with another model."""
        space = build_space(self.url, gateway, clock=self.clock, placement=placement, budgets=budgets)
        self.other_spaces.append(space)
        return Room(url=self.url, clock=self.clock, space=space, key=self.key, language=self.language)


@contextmanager
def opened_room(
    folder: Path,
    gateway: Gateway | Models | None = None,
    language: Language = Language.EN,
    pause: Callable[[float], None] = time.sleep,
) -> Iterator[Room]:
    """A new room; the offline tutor answers unless a gateway is given."""
    url, clock = f"sqlite:///{folder / 'room.db'}", Ticking()
    space = build_space(url, gateway or offline_gateway(delay_s=0), clock=clock, pause=pause)
    course = space.courses.keep_course(LOCAL_VIEWER, small_course(language))
    learner = space.courses.add_learner(LOCAL_VIEWER, "Ada", course_id=course.course_id)
    key = FeedbackKey(learner_id=learner.learner_id, project_id=course.projects[0].project_id, task_id="shop")
    room = Room(url=url, clock=clock, space=space, key=key, language=language)
    try:
        yield room
    finally:
        for each in (*room.other_spaces, space):
            each.close()


def a_gateway(transport: httpx2.AsyncBaseTransport, limits: CallLimits | None = None) -> Gateway:
    """A model behind which `transport` answers; waits between tries take no time."""
    return Gateway(server=server(), transport=transport, limits=limits or CallLimits(), sleep=Sleeps())


def contents(request: Sent) -> list[tuple[str, str]]:
    """Role and content of each message of a decoded request."""
    messages = request["messages"]
    assert isinstance(messages, list)
    return [(message["role"], message["content"]) for message in messages]


def data_messages(request: Sent, kind: DataKind) -> list[str]:
    """The whole messages of a request that are data of this kind."""
    read = [(content, unwrap(content)) for _, content in contents(request)]
    return [content for content, data in read if data is not None and data[0] is kind]


def words_of(sent: Sequence[tuple[str, str]]) -> list[str]:
    """The contents that are no data."""
    return [content for _, content in sent if unwrap(content) is None]


def wait_until(is_so: Callable[[], bool], seconds: float = 10) -> None:
    """Look again and again, and fail if it never is."""
    for _ in range(int(seconds / 0.02)):
        if is_so():
            return
        time.sleep(0.02)
    raise AssertionError(f"it was not so within {seconds} s")
