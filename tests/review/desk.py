"""A desk to hand in at: one database, a small course, and the product's own use cases on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from engine.domain.course import CheckSpec, Course, Criterion, Project, Task
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import CriterionKind, Language, Source
from engine.domain.work import WorkFile
from engine.llm.gateway import Gateway
from engine.llm.offline import offline_gateway
from engine.review.card import ReviewCard, read_card
from engine.review.hand_in import HandedIn
from engine.review.review_store import ReviewRow
from engine.wiring import Space, build_space
from engine.work.unpack import Upload, read_hand_in
from tests.conftest import Ticking
from tests.review.builders import case, suite

REPORT = suite(case("test_a"), case("test_b"))
BAD_REPORT = suite(case("test_a"), case("test_b", "<failure message='no'/>"))


def by_check(rubric_id: str, name: str, **params: str | int) -> Criterion:
    source = Source.CI if name == "ci_tests" else Source.CHECK
    return Criterion(
        rubric_id=rubric_id,
        kind=CriterionKind.ACCEPTANCE,
        text=f"{rubric_id} is as asked",
        decided_by=source,
        check=CheckSpec(name=name, params=params),
        next_step=f"mend {rubric_id}",
    )


TESTS = by_check("tests", "ci_tests", tests="*")
README = by_check("readme", "file_exists", path="README.md")
NO_TODO = by_check("no-todo", "pattern_absent", pattern="TODO", files="**/*.py")
MEANING = Criterion(rubric_id="meaning", kind=CriterionKind.ACCEPTANCE, text="It says why", decided_by=Source.MODEL)
LESSON = replace(
    by_check("lesson", "file_exists", path="lesson.md"), kind=CriterionKind.LEARNING, next_step="write a lesson"
)
BROKEN = by_check("broken", "pattern_present", pattern="(", files="*.txt")
"""A check whose tool breaks, whatever was handed in: its pattern is none."""
PLAIN = (TESTS, README, NO_TODO, LESSON)
GOOD = {"README.md": "hello", "shop.py": "print(1)\n", "lesson.md": "never again", "report.xml": REPORT}


def course_with(criteria: tuple[Criterion, ...], language: Language = Language.EN) -> Course:
    task = Task(task_id="shop", title="Shop", goal="Sell books", criteria=criteria)
    project = Project(project_id="one", title="One", tasks=(task,))
    return Course(course_id="desk", title="Books", language=language, projects=(project,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One learner and one task."""

    space: Space
    clock: Ticking
    key: FeedbackKey

    def hand_in(self, files: dict[str, str], token: str = "form", conversation_id: str | None = None) -> HandedIn:  # noqa: S107 - of a form
        """Hand in as the page does, and give it back once its review is over."""
        handed_in = self.space.desk.hand_in(
            LOCAL_VIEWER,
            self.key,
            work_of(files),
            token=token,
            worker=self.space.worker,
            conversation_id=conversation_id,
        )
        if handed_in.attempt is not None:
            self.space.worker.wait(handed_in.attempt.attempt_id, timeout_s=20)
        return handed_in

    def rows(self) -> tuple[ReviewRow, ...]:
        return self.space.reviews.timeline(LOCAL_VIEWER, self.key)

    def card(self, place: int = 0) -> ReviewCard:
        """The card of a row of the timeline, newest first."""
        versions = self.space.reviewer.versions_in_force(LOCAL_VIEWER, self.key.project_id, self.key.task_id)
        return read_card(self.rows()[place], versions)


def work_of(files: dict[str, str]) -> tuple[WorkFile, ...]:
    return read_hand_in([Upload(name=path, content=body.encode()) for path, body in files.items()]).files


@contextmanager
def opened_desk(
    folder: Path,
    criteria: tuple[Criterion, ...] = PLAIN,
    language: Language = Language.EN,
    gateway: Gateway | None = None,
) -> Iterator[Desk]:
    """A new desk for a task with these criteria; without a gateway the offline tutor is behind it."""
    clock = Ticking()
    space = build_space(f"sqlite:///{folder / 'desk.db'}", gateway or offline_gateway(delay_s=0), clock=clock)
    course = space.courses.keep_course(LOCAL_VIEWER, course_with(criteria, language))
    learner = space.courses.add_learner(LOCAL_VIEWER, "Ada", course_id=course.course_id)
    key = FeedbackKey(learner_id=learner.learner_id, project_id=course.projects[0].project_id, task_id="shop")
    try:
        yield Desk(space=space, clock=clock, key=key)
    finally:
        space.close()
