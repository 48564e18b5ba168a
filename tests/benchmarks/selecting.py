"""How long it takes to know which feedback holds, in a small database and in large ones.

Four attempts a submission and five submissions a key, interleaved as weeks of a course would have them. Keys are
drawn at random; the databases take turns. The raw driver runs the very statement that SQLAlchemy compiled, with
the same parameters, on a connection of its own.
"""

import json
import sqlite3
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import perf_counter

from sqlalchemy import event

from engine.domain.course import Course, Criterion, Project, Task
from engine.domain.keys import FeedbackKey, Versions
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import CriterionKind, FeedbackState, Language, Source
from engine.feedback.selector import select_feedback
from engine.llm.offline import offline_gateway
from engine.review.version import review_logic
from engine.wiring import Space, build_space, new_id
from tests.benchmarks.bars import Times
from tests.benchmarks.filling import AT, Row, filling, insert, text_row

SUBMISSIONS, ATTEMPTS = 5, 4
"""Of a key, and of a submission."""
WARM_ROUNDS = 5
"""Not counted: the first statement is compiled, the first pages are read."""
_HASH = "5" * 64
REASON = "The page names what the shop sells, but it does not yet say how to start it on another machine."
_CRITERIA = tuple(
    Criterion(
        rubric_id=f"criterion-{number}",
        kind=CriterionKind.LEARNING if number == 6 else CriterionKind.ACCEPTANCE,
        text=f"What the author asks for in line {number} of the rubric, in one sentence",
        decided_by=Source.MODEL,
    )
    for number in range(1, 7)
)
_TASK = Task(task_id="shop", title="Shop", goal="Sell books", criteria=_CRITERIA)


@dataclass(kw_only=True)
class Archive:
    """A database with many attempts."""

    attempts: int
    path: Path
    space: Space
    versions: Versions
    keys: list[FeedbackKey]
    times: list[float] = field(default_factory=list)
    raw_times: list[float] = field(default_factory=list)
    heard: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """The statements of the store with their parameters, as the driver got them."""

    @property
    def through_store(self) -> Times:
        return Times(name=f"selection of {self.attempts:,} attempts", seconds=tuple(self.times))

    @property
    def through_driver(self) -> Times:
        return Times(name=f"raw driver, {self.attempts:,} attempts", seconds=tuple(self.raw_times))


def measure_selection(folder: Path, sizes: tuple[int, ...], rounds: int) -> list[Archive]:
    """Archives of these sizes, each with `rounds` selections of random keys."""
    archives = [make_archive(folder / f"{size}.db", size) for size in sizes]
    random = Random(7)  # noqa: S311 - which keys are looked at
    with ExitStack() as stack:
        raw = {one.attempts: stack.enter_context(closing(sqlite3.connect(one.path))) for one in archives}
        for number in range(-WARM_ROUNDS, rounds):
            for archive in archives:
                _measure_once(archive, random.choice(archive.keys), raw[archive.attempts])
            if number < 0:
                _forget(archives)
    for archive in archives:
        archive.space.close()
    return archives


def _forget(archives: list[Archive]) -> None:
    for archive in archives:
        archive.times.clear()
        archive.raw_times.clear()


def make_archive(path: Path, attempts: int) -> Archive:
    """A database with as many attempts as that, each with an outcome whose record keeps the contract."""
    space = build_space(f"sqlite:///{path}", offline_gateway(delay_s=0))
    project = Project(project_id="one", title="One", tasks=(_TASK,))
    course = Course(course_id="course", title="Books", language=Language.EN, projects=(project,))
    project_id = space.courses.keep_course(LOCAL_VIEWER, course).projects[0].project_id
    given = space.courses.task(LOCAL_VIEWER, project_id, "shop")
    space.close()
    versions = review_logic().with_rubric(given.rubric_version)
    learners = [new_id() for _ in range(attempts // (SUBMISSIONS * ATTEMPTS))]
    _fill(path, learners, project_id, versions)
    keys = [FeedbackKey(learner_id=one, project_id=project_id, task_id="shop") for one in learners]
    reopened = build_space(f"sqlite:///{path}", offline_gateway(delay_s=0))
    archive = Archive(attempts=attempts, path=path, space=reopened, versions=versions, keys=keys)
    _hear(archive)
    return archive


def _fill(path: Path, learners: list[str], project_id: str, versions: Versions) -> None:
    body = _record()
    with filling(path) as connection:
        insert(connection, "learner", ({"id": one, "kind": "student", "name": "Ada"} for one in learners))
        for number in range(1, SUBMISSIONS + 1):
            submissions = [(new_id(), learner) for learner in learners]
            insert(connection, "version", (_version(one, of, project_id, number) for one, of in submissions))
            insert(connection, "submission", (_submission(one, of, project_id, number) for one, of in submissions))
            for seq in range(1, ATTEMPTS + 1):
                attempts = [(new_id(), one, of) for one, of in submissions]
                insert(connection, "attempt", (_attempt(me, one, seq, versions) for me, one, _ in attempts))
                insert(connection, "text", (text_row(f"text-{me}", of, body) for me, _, of in attempts))
                insert(connection, "outcome", (_outcome(me) for me, _, _ in attempts))


def _record() -> str:
    criteria = [
        {
            "id": line.rubric_id,
            "status": "FAIL" if number % 2 else "PASS",
            "reason": REASON,
            "evidence": "README.md:12: the shop",
            "source": "model",
            "next_step": "Write down the one command that starts it." if number % 2 else None,
        }
        for number, line in enumerate(_CRITERIA)
    ]
    return json.dumps({"verdict": "FAIL", "next_step": "Begin with the front page.", "criteria": criteria})


def _version(submission_id: str, learner_id: str, project_id: str, number: int) -> Row:
    return {
        "id": f"version-{submission_id}",
        "learner_id": learner_id,
        "project_id": project_id,
        "task_id": "shop",
        "number": number,
        "author_kind": "learner",
        "reason": "handed_in",
        "snapshot_hash": _HASH,
        "made_at": AT,
    }


def _submission(submission_id: str, learner_id: str, project_id: str, number: int) -> Row:
    return {
        "id": submission_id,
        "learner_id": learner_id,
        "project_id": project_id,
        "task_id": "shop",
        "submission_seq": number,
        "version_id": f"version-{submission_id}",
        "snapshot_hash": _HASH,
        "handed_in_at": AT,
    }


def _attempt(attempt_id: str, submission_id: str, seq: int, versions: Versions) -> Row:
    return {
        "id": attempt_id,
        "submission_id": submission_id,
        "attempt_seq": seq,
        "rubric_version": versions.rubric,
        "prompt_version": versions.prompt,
        "engine_version": versions.engine,
        "model": "some-model",
        "started_at": AT,
    }


def _outcome(attempt_id: str) -> Row:
    return {
        "attempt_id": attempt_id,
        "kind": "completed",
        "verdict": "FAIL",
        "snapshot_hash": _HASH,
        "record_text_id": f"text-{attempt_id}",
        "finished_at": AT,
    }


def _measure_once(archive: Archive, key: FeedbackKey, raw: sqlite3.Connection) -> None:
    """One selection, then the statement it ran once more through the driver alone."""
    archive.space.feedback.reads = None  # a key that is drawn again is read again
    begun = perf_counter()
    record = archive.space.feedback.read_newest(LOCAL_VIEWER, key, archive.versions)
    feedback = select_feedback(record)
    archive.times.append(perf_counter() - begun)
    if feedback.state is not FeedbackState.CURRENT:
        raise AssertionError(f"the archive is not what it should be: {feedback}")
    statement, parameters = archive.heard[-1]
    begun = perf_counter()
    rows = raw.execute(statement, parameters).fetchall()
    archive.raw_times.append(perf_counter() - begun)
    if len(rows) != len(record.rubric):
        raise AssertionError("the driver read something else")


def _hear(archive: Archive) -> None:
    """Keep each statement that the archive's database is sent, with its parameters."""

    def hear(_connection: object, _cursor: object, statement: str, parameters: tuple[str, ...], *_: object) -> None:
        if statement.startswith("SELECT"):
            archive.heard.append((statement, parameters))

    event.listen(archive.space.database, "before_cursor_execute", hear)
