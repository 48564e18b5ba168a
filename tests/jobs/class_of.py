"""A class that has handed in, and worker processes that review what it handed in, to be killed at will."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import text

from db.connection import reading
from engine.domain.course import CheckSpec, Course, Criterion, Project, Task
from engine.domain.job import JobProgress
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import CriterionKind, Language, Source
from engine.domain.work import take_snapshot
from engine.jobs.child import MODULE
from engine.llm.offline import offline_gateway
from engine.wiring import Space, build_space
from tests.stores.builders import file

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
        return {name: self.count(statement) for name, statement in TALLY.items()}


TALLY = {
    "judged twice": "SELECT count(*) FROM (SELECT submission_id FROM attempt JOIN outcome ON attempt_id = attempt.id "
    "WHERE outcome.kind = 'completed' GROUP BY submission_id HAVING count(*) > 1) AS twice",
    "judged once": "SELECT count(*) FROM (SELECT submission_id FROM attempt JOIN outcome ON attempt_id = attempt.id "
    "WHERE outcome.kind = 'completed' GROUP BY submission_id HAVING count(*) = 1) AS once",
    "attempts": "SELECT count(*) FROM attempt",
    "without an end": "SELECT count(*) FROM attempt WHERE id NOT IN (SELECT attempt_id FROM outcome)",
    "not in the job": "SELECT count(*) FROM attempt WHERE id NOT IN (SELECT attempt_id FROM job_step)",
    "late answers": "SELECT count(*) FROM audit WHERE action = 'late_outcome_ignored'",
    "leases left": "SELECT count(*) FROM lease",
}


def tally_of(total: int) -> dict[str, int]:
    """The figures of a job after which nothing is lost and nothing doubled."""
    return {**dict.fromkeys(TALLY, 0), "judged once": total, "attempts": total}


@contextmanager
def handed_in(url: str, learners: int, *, criteria: int = 1) -> Iterator[Handed]:
    """A class of so many learners on the empty database at `url`; the more criteria, the longer a review takes."""
    space = build_space(url, offline_gateway(delay_s=0))
    try:
        course = space.courses.keep_course(LOCAL_VIEWER, _course(criteria))
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


def _course(criteria: int) -> Course:
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
def worker(url: str, folder: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A worker process as an operator starts it; killed at the end if it still runs."""
    log = (folder / "worker.log").open("ab")
    command = [sys.executable, "-m", MODULE, *arguments]
    with (
        log,
        subprocess.Popen(
            command, env=worker_environ(url, folder), stdin=subprocess.PIPE, stdout=log, stderr=log
        ) as process,
    ):
        try:
            yield process
        finally:
            kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End it as a power cut would: SIGKILL cannot be caught."""
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    process.wait()
