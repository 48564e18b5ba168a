"""A review job in worker processes that are killed; 500 submissions on each database in `tests.stress.jobs`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.job import JobProgress, JobState
from engine.domain.people import LOCAL_VIEWER
from engine.jobs.child import EXIT_BUSY
from engine.jobs.slot import WorkerSlot
from engine.wiring import new_id
from tests.jobs.class_of import Handed, handed_in, kill, tally_of, worker

LEARNERS = 48


@pytest.fixture
def handed(database_url: str) -> Iterator[Handed]:
    with handed_in(database_url, LEARNERS, criteria=12) as handed:
        yield handed


def has_ended(progress: JobProgress) -> bool:
    return progress.state is JobState.ENDED


def test_a_job_that_is_cancelled_killed_and_resumed_judges_nothing_twice_and_ends_all_once(
    handed: Handed, database_url: str, tmp_path: Path
) -> None:
    job_id = handed.ask()
    with worker(database_url, tmp_path) as first:
        handed.wait(job_id, lambda progress: progress.done >= 2)
        assert handed.space.jobs.cancel(LOCAL_VIEWER, job_id)
        stopped = handed.wait(job_id, lambda progress: progress.state is JobState.CANCELLED)
        assert 2 <= stopped.done < LEARNERS
        assert handed.progress(job_id).done == stopped.done
        handed.space.jobs.resume(LOCAL_VIEWER, job_id)
        handed.wait(job_id, lambda progress: progress.done > stopped.done)
        kill(first)
    assert handed.progress(job_id).done < LEARNERS
    with worker(database_url, tmp_path):
        ended = handed.wait(job_id, has_ended)
    assert (ended.done, ended.failed) == (LEARNERS, 0)
    assert handed.tally() == tally_of(LEARNERS)


def test_a_place_has_one_worker_and_is_free_when_that_is_killed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'test.db'}"
    with handed_in(url, 1) as handed:
        job_id = handed.ask()
        with worker(url, tmp_path) as first:
            handed.wait(job_id, has_ended)
            with worker(url, tmp_path) as second:
                second.join(20)
                assert second.exitcode == EXIT_BUSY
            first.terminate()
            first.join(20)
            assert first.exitcode == 0
        assert not handed.space.beats.is_any_alive()


def test_a_place_keeps_the_name_of_its_workers_and_no_two_folders_share_one(tmp_path: Path) -> None:
    first = WorkerSlot(tmp_path, 0, new_id)
    name = first.take()
    assert name is not None
    assert WorkerSlot(tmp_path, 0, new_id).take() is None
    second = WorkerSlot(tmp_path, 1, new_id)
    elsewhere = WorkerSlot(tmp_path / "other", 0, new_id)
    assert len({name, second.take(), elsewhere.take()}) == 3
    first.give_back()
    again = WorkerSlot(tmp_path, 0, new_id)
    assert again.take() == name
    for slot in (second, elsewhere, again):
        slot.give_back()
