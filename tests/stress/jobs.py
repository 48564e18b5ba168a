"""A review job over 500 submissions is cancelled in the middle, killed, and resumed; then everything is counted.

After each kill a worker of another place goes on, once the dead one may no longer be believed to be alive.

By hand: `python -m tests.stress.jobs`, on both databases, or with some of `sqlite` and `postgres`. The rubric is
edited first, so that every review is stale. Prints a line for each moment and the figures; ends with 1 if anything
was judged twice, or has not exactly one end by the new rules.
"""

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.domain.job import JobState
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import FeedbackState
from engine.feedback.selector import select_feedback
from tests.jobs.class_of import Handed, class_course, handed_in, kill, tally_of, worker
from tests.servers import empty_database

SUBMISSIONS = 500
CRITERIA = 4
LATEST_SECONDS = 900


def play(url: str, folder: Path) -> Iterator[str]:
    """Lines as they come; the last but one names what is wrong, if anything is."""
    with handed_in(url, SUBMISSIONS, criteria=CRITERIA) as handed:
        yield from _review_all(handed, "first reviews", url, folder)
        handed.space.courses.keep_course(LOCAL_VIEWER, class_course(CRITERIA + 1))
        yield f"the rubric was edited: {_count(handed, FeedbackState.STALE_RULES)} of {SUBMISSIONS} are stale"
        before = handed.tally()
        begun = time.monotonic()
        job_id = handed.ask()
        with worker(url, folder) as first:
            handed.wait(job_id, lambda progress: progress.done >= SUBMISSIONS * 0.3, LATEST_SECONDS)
            handed.space.jobs.cancel(LOCAL_VIEWER, job_id)
            stopped = handed.wait(job_id, lambda progress: progress.state is JobState.CANCELLED)
            yield f"cancelled: {stopped.done} done"
            handed.space.jobs.resume(LOCAL_VIEWER, job_id)
            handed.wait(job_id, lambda progress: progress.done >= SUBMISSIONS * 0.6, LATEST_SECONDS)
            kill(first)
        yield f"resumed and killed: {handed.progress(job_id).done} done, {_open(handed)} attempts open"
        with worker(url, folder, "--slot", "1") as second:
            handed.wait(job_id, lambda progress: progress.done >= SUBMISSIONS * 0.8, LATEST_SECONDS)
            kill(second)
        yield f"killed again: {handed.progress(job_id).done} done, {_open(handed)} attempts open"
        with worker(url, folder):
            ended = handed.wait(job_id, lambda progress: progress.state is JobState.ENDED, LATEST_SECONDS)
        yield f"ended after {time.monotonic() - begun:.1f} s: {ended.done} done, {ended.failed} failed"
        yield from _figures(handed, before)


def _review_all(handed: Handed, name: str, url: str, folder: Path) -> Iterator[str]:
    begun = time.monotonic()
    job_id = handed.ask()
    with worker(url, folder):
        handed.wait(job_id, lambda progress: progress.state is JobState.ENDED, LATEST_SECONDS)
    seconds = time.monotonic() - begun
    yield f"{name}: {SUBMISSIONS} in {seconds:.1f} s, {1000 * seconds / SUBMISSIONS:.0f} ms each"


def _figures(handed: Handed, before: dict[str, int]) -> Iterator[str]:
    """By the new rules everything has one judgement, as it had by the old ones."""
    by_new = handed.tally_of_newest()
    yield f"before {before}"
    yield f"by the new rules {by_new}"
    passed = _count(handed, FeedbackState.PASSED)
    yield f"passed {passed}, judged twice {by_new['judged twice']}, ended once {by_new['judged once']}"
    is_well = by_new == tally_of(SUBMISSIONS) and before == tally_of(SUBMISSIONS) and passed == SUBMISSIONS
    yield "well" if is_well else "NOT WELL"


def _open(handed: Handed) -> int:
    return handed.tally()["without an end"]


def _count(handed: Handed, state: FeedbackState) -> int:
    return sum(_state(handed, submission_id) is state for submission_id in handed.submission_ids)


def _state(handed: Handed, submission_id: str) -> FeedbackState:
    key = handed.space.work.submission(LOCAL_VIEWER, submission_id).key
    versions = handed.space.reviewer.versions_in_force(LOCAL_VIEWER, key.project_id, key.task_id)
    return select_feedback(handed.space.feedback.read_newest(LOCAL_VIEWER, key, versions)).state


def main(kinds: Sequence[str]) -> int:
    """Print the lines; 1 if anything is wrong, else 0."""
    is_well = True
    for kind in kinds or ("sqlite", "postgres"):
        print(kind)  # noqa: T201 - figures for a person
        with empty_database(kind) as url, tempfile.TemporaryDirectory(prefix="tl-") as folder:
            for line in play(url, Path(folder)):
                print(f"  {line}", flush=True)  # noqa: T201 - figures for a person
        is_well = is_well and line == "well"
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
