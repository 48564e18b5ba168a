"""The worker that the app starts beside itself, so that one command is all that a person needs."""

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

_log = logging.getLogger(__name__)

MODULE = "engine.job_process"
FOR_APP = "--for-app"
EXIT_BUSY = 3
"""What a worker ends with when its place is taken."""
DELAY_SECONDS = 3.0
"""How long the first page has the machine to itself."""
AGAIN_SECONDS = 5.0
"""How long after an unexpected end another one is started."""
END_SECONDS = 5.0
"""How long a worker may take to end before it is killed."""


class WorkerChild:
    """Keeps one worker process alive. It ends with this process, however that ends: its standard input is a pipe."""

    def __init__(
        self,
        root: Path,
        environ: Mapping[str, str],
        *,
        module: str = MODULE,
        delay_s: float = DELAY_SECONDS,
        again_s: float = AGAIN_SECONDS,
    ) -> None:
        """`root` is the folder that holds the package; `environ` are the settings of the worker."""
        self._environ = {**environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(root), environ.get("PYTHONPATH"))))}
        self._module = module
        self._delay_s = delay_s
        self._again_s = again_s
        self._closing = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name="tutorloop-child", daemon=True)

    def start(self) -> None:
        """Start a worker in a moment, and another whenever it ends unasked."""
        self._thread.start()

    @property
    def process_id(self) -> int | None:
        """Of the worker that runs now; None when none does."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def close(self) -> None:
        """End the worker and start no more."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()

    def _keep(self) -> None:
        pause_s = self._delay_s
        while not self._closing.wait(pause_s):
            try:
                self._run_one()
            except OSError:
                _log.exception("a worker for jobs cannot be started")
            pause_s = self._again_s

    def _run_one(self) -> None:
        command = [sys.executable, "-m", self._module, FOR_APP]
        with subprocess.Popen(command, env=self._environ, stdin=subprocess.PIPE) as process:  # noqa: S603 - our own module
            self._process = process
            while process.poll() is None and not self._closing.wait(0.2):
                pass
            _end(process)
        if not self._closing.is_set():
            _log.warning("the worker for jobs ended with %s; another one is started", process.returncode)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Close its standard input, by which it ends; kill it if it does not."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
