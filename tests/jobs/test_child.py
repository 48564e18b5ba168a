"""The worker beside the app: it is started, started again, and never outlives the app."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.jobs.child import WorkerChild
from tests.jobs.class_of import ROOT, handed_in, worker_environ

SOON = 60.0
IDLE = "tests.jobs.idle_worker"
APP = """
import os, sys, time
from pathlib import Path
from engine.jobs.child import WorkerChild
child = WorkerChild(Path(sys.argv[1]), os.environ, delay_s=0)
child.start()
while child.process_id is None:
    time.sleep(0.01)
print(child.process_id, flush=True)
time.sleep(600)
"""


def becomes(condition: Callable[[], object]) -> bool:
    end = time.monotonic() + SOON
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return bool(condition())


def is_running(process_id: int) -> bool:
    """Whether there is such a process, and not only what is left of it until its parent looks."""
    try:
        state = Path(f"/proc/{process_id}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.fixture
def environ(tmp_path: Path) -> Mapping[str, str]:
    return worker_environ(f"sqlite:///{tmp_path / 'test.db'}", tmp_path)


@contextmanager
def started(environ: Mapping[str, str]) -> Iterator[WorkerChild]:
    child = WorkerChild(ROOT, environ, module=IDLE, delay_s=0, again_s=0.01)
    child.start()
    try:
        assert becomes(lambda: child.process_id)
        yield child
    finally:
        child.close()


def test_a_worker_that_ends_unasked_is_started_again_and_closing_ends_it(
    environ: Mapping[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    with started(environ) as child:
        first = child.process_id
        assert first is not None
        os.kill(first, signal.SIGKILL)
        assert becomes(lambda: child.process_id not in (None, first))
        second = child.process_id
        assert second is not None
    assert child.process_id is None
    assert not is_running(second)
    assert "another one is started" in caplog.text


def test_closing_before_the_first_start_starts_none(environ: Mapping[str, str]) -> None:
    child = WorkerChild(ROOT, environ, module=IDLE, delay_s=SOON)
    child.start()
    child.close()
    assert child.process_id is None


def test_a_worker_ends_when_the_app_that_started_it_is_killed(environ: Mapping[str, str], tmp_path: Path) -> None:
    with handed_in(environ["TUTORLOOP_DATABASE_URL"], 1) as handed:
        command = [sys.executable, "-c", APP, str(ROOT)]
        with subprocess.Popen(command, env=dict(environ), stdout=subprocess.PIPE) as app:
            assert app.stdout is not None
            process_id = int(app.stdout.readline())
            assert becomes(handed.space.beats.is_any_alive)
            app.kill()
            app.wait()
        assert becomes(lambda: not is_running(process_id))
        assert not handed.space.beats.is_any_alive()


def test_a_worker_is_told_what_is_wrong_with_the_settings(environ: Mapping[str, str]) -> None:
    command = [sys.executable, "-m", "engine.cli", "worker"]
    wrong = {**environ, "TUTORLOOP_MODE": "public"}
    ended = subprocess.run(command, env=wrong, cwd=ROOT, capture_output=True, text=True, check=False, timeout=100)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("tutorloop worker: TUTORLOOP_MODE is 'public'")
