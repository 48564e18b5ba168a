"""A class that has handed in, and worker processes that review what it handed in, to be killed at will."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path

from sqlalchemy import text

from db.connection import reading
from engine import job_process
from engine.domain.course import CheckSpec, Course, Criterion, Project, Task
from engine.domain.job import JobProgress
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import CriterionKind, Language, Source
from engine.domain.work import take_snapshot
from engine.llm.offline import offline_gateway
from engine.wiring import Space, build_space
from tests.stores.builders import file
from tests.stress.processes import fresh_processes

ROOT = Path(__file__).parents[2]
LATEST_SECONDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Handed:
    """What a class handed in for one task, never reviewed so far."""

    space: Space
    project_id: str
    submission_ids: tuple[str, ...]

    def ask(self) -> str:
        """A job that reviews all of it."""
        return self.space.jobs.ask_review(LOCAL_VIEWER, self.project_id, self.submission_ids)

    def progress(self, job_id: str) -> JobProgress:
        return self.space.jobs.progress(LOCAL_VIEWER, job_id)

    def wait(self, job_id: str, until: Callable[[JobProgress], bool], seconds: float = LATEST_SECONDS) -> JobProgress:
        """The first progress that fits."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            progress = self.progress(job_id)
            if until(progress):
                return progress
            time.sleep(0.02)
        raise AssertionError(f"never so: {self.progress(job_id)}")

    def count(self, statement: str) -> int:
        """What the database itself counts."""
        with reading(self.space.database) as session:
            return int(session.connection().execute(text(statement)).scalar_one())

    def tally(self) -> dict[str, int]:
        """The figures that tell whether anything was lost or doubled."""
        return {name: self.count(statement.format(attempt="attempt")) for name, statement in _TALLY.items()}

    def tally_of_newest(self) -> dict[str, int]:
        """The same of the attempts by the newest rules only."""
        return {name: self.count(statement.format(attempt=_NEWEST)) for name, statement in _TALLY.items()}


_JUDGED = (
    "SELECT count(*) FROM (SELECT submission_id FROM {attempt} JOIN outcome ON outcome.attempt_id = attempt.id "
    "WHERE outcome.kind = 'completed' GROUP BY submission_id HAVING count(*) {times}) AS judged"
)
_TALLY = {
    "judged twice": _JUDGED.format(attempt="{attempt}", times="> 1"),
    "judged once": _JUDGED.format(attempt="{attempt}", times="= 1"),
    "attempts": "SELECT count(*) FROM {attempt}",
    "without an end": "SELECT count(*) FROM {attempt} WHERE id NOT IN (SELECT attempt_id FROM outcome)",
    "not in a job": "SELECT count(*) FROM {attempt} WHERE id NOT IN (SELECT attempt_id FROM job_step)",
    "late answers": "SELECT count(*) FROM audit WHERE action = 'late_outcome_ignored'",
    "leases left": "SELECT count(*) FROM lease",
}
_NEWEST = (
    "(SELECT * FROM attempt WHERE rubric_version = "
    "(SELECT rubric_version FROM attempt ORDER BY started_at DESC LIMIT 1)) AS attempt"
)
"""The attempts by the rules of the last one."""


def tally_of(total: int) -> dict[str, int]:
    """The figures of a job after which nothing is lost and nothing doubled."""
    return {**dict.fromkeys(_TALLY, 0), "judged once": total, "attempts": total}


@contextmanager
def handed_in(url: str, learners: int, *, criteria: int = 1) -> Iterator[Handed]:
    """A class of so many learners on the empty database at `url`; the more criteria, the longer a review takes."""
    space = build_space(url, offline_gateway(delay_s=0))
    try:
        course = space.courses.keep_course(LOCAL_VIEWER, class_course(criteria))
        project_id = course.projects[0].project_id
        submissions = []
        for number in range(learners):
            learner = space.courses.add_learner(LOCAL_VIEWER, f"Learner {number}", course_id=course.course_id)
            key = FeedbackKey(learner_id=learner.learner_id, project_id=project_id, task_id="task")
            snapshot = take_snapshot((file(f"print({number})\n"),))
            submission, _is_new = space.work.hand_in(LOCAL_VIEWER, key, snapshot)
            submissions.append(submission.submission_id)
        yield Handed(space=space, project_id=project_id, submission_ids=tuple(submissions))
    finally:
        space.close()


def class_course(criteria: int) -> Course:
    """One task with so many criteria; another number is another rubric."""
    check = CheckSpec(name="pattern_present", params={"pattern": "print", "files": "*.py"})
    lines = tuple(
        Criterion(
            rubric_id=f"c{number}",
            kind=CriterionKind.ACCEPTANCE,
            text="It prints",
            decided_by=Source.CHECK,
            check=check,
        )
        for number in range(criteria)
    )
    task = Task(task_id="task", title="Task", goal="Print", criteria=lines)
    project = Project(project_id="project", title="Project", tasks=(task,))
    return Course(course_id="course", title="Course", language=Language.EN, projects=(project,))


def worker_environ(url: str, folder: Path) -> Mapping[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TMPDIR", "HOME") if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT), "TUTORLOOP_DATA": str(folder), "TUTORLOOP_DATABASE_URL": url}


@contextmanager
def worker(url: str, folder: Path, *arguments: str) -> Iterator[BaseProcess]:
    """A worker process on this database and data folder; killed at the end if it still runs."""
    process = fresh_processes().Process(target=_work, args=(worker_environ(url, folder), arguments), daemon=True)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


def _work(environ: Mapping[str, str], arguments: Sequence[str]) -> None:
    os.environ.update(environ)
    sys.exit(job_process.main(arguments))


def kill(process: BaseProcess) -> None:
    """End it as a power cut would: SIGKILL cannot be caught."""
    process.kill()
    process.join()
