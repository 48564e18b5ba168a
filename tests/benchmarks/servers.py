"""Real servers in processes of their own: the product on a copy of its demo, and an empty page to compare with."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from engine.settings import Settings
from engine.workbench import build_workbench

ROOT = Path(__file__).parents[2]
PRODUCT, EMPTY, BARE = "app.py", "tests/benchmarks/empty_app.py", "tests/benchmarks/empty_page.py"
"""All are run in the same folder, so that the same configuration holds for all: without it the empty page would
walk all of memory after every run, and everything would look quick beside it. `EMPTY` also sends at once, as the
product does; `BARE` is Streamlit's plainest start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that was just told to start; it may not listen yet."""

    port: int
    process: subprocess.Popen[bytes]
    log: Path

    def require_running(self) -> None:
        """Raise with what it wrote if it has ended."""
        if self.process.poll() is not None:
            raise RuntimeError(f"the server ended:\n{self.log.read_text(errors='replace')}")


def make_demo(folder: Path) -> Path:
    """A data folder as a first start leaves it: with the demo, and an own database that is empty."""
    build_workbench(Settings.from_env({"TUTORLOOP_DATA": str(folder)}), datetime.now(UTC)).close()
    return folder


@contextmanager
def serving(script: str, folder: Path, demo: Path, **env: str) -> Iterator[Server]:
    """Start `script` on a copy of the demo, below the new `folder`, and stop it at the end; `env` adds variables."""
    shutil.copytree(demo, folder / "data")
    port, log = _free_port(), folder / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", script, "--server.headless=true", f"--server.port={port}"],
            cwd=ROOT,
            env=_environment(folder) | env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield Server(port=port, process=process, log=log)
    finally:
        _stop(process)


def _environment(folder: Path) -> dict[str, str]:
    """A person's shell on a new machine: no settings of ours or of Streamlit's."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TMPDIR") if name in os.environ}
    return kept | {"HOME": str(folder), "TUTORLOOP_DATA": str(folder / "data"), "PYTHONPATH": str(ROOT)}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Kindly first; with whatever it started."""
    if process.poll() is not None:
        return
    os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
