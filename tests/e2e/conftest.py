"""A real server and a real browser, for what only they can show."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, WebSocket, expect, sync_playwright

from tests.e2e.held_model import HeldModel, held_model

ROOT = Path(__file__).parents[2]
START_TIMEOUT_S = 60
NO_ENV: Mapping[str, str] = MappingProxyType({})
Scheme = Literal["light", "dark"]
_CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
]
_SEARCH_FOR_ROOT = re.compile(r"404 .*/[^/]+/_stcore/(health|host-config)$")
"""On a deep link Streamlit's page first asks whether the server lies under that path; the 404 is its answer."""
_NO_CONNECTION = re.compile(r"net::ERR_|WebSocket|/_stcore/|^Cannot send .* when disconnected")
_IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"][data-test-connection-state="CONNECTED"]'


PATIENCE_MS = 15_000
"""How long a test waits for what it expects; only a machine that is busy with other tests comes near it."""
expect.set_options(timeout=PATIENCE_MS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server that runs on its own port with its own empty data folder."""

    url: str
    data_dir: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """How a server was started."""

    script: str
    folder: Path
    env: dict[str, str]
    process: subprocess.Popen[bytes]


class Servers:
    """Starts servers and stops all of them at the end; one of each kind is shared unless a fresh one is asked for."""

    def __init__(self, new_folder: Callable[[], Path], empty_folder: Callable[[], Path]) -> None:
        self._new_folder = new_folder
        self._empty_folder = empty_folder
        self._shared: dict[tuple[str, ...], Server] = {}
        self._runs: dict[str, _Run] = {}
        self._fresh_folder: Path | None = None

    def __call__(self, mode: str = "local", *, script: str = "app.py", env: Mapping[str, str] = NO_ENV) -> Server:
        """The server of `script` in `mode` that tests share; `env` adds variables."""
        kind = (mode, script, *(f"{name}={value}" for name, value in sorted(env.items())))
        if kind not in self._shared:
            self._shared[kind] = self._start(script, self._new_folder(), {"TUTORLOOP_MODE": mode, **env})
        return self._shared[kind]

    @contextmanager
    def fresh(self, mode: str) -> Iterator[Server]:
        """A server that nobody has visited, stopped afterwards. They use one data folder, one after another."""
        self._fresh_folder = self._fresh_folder or self._empty_folder()
        server = self._start("app.py", self._fresh_folder, {"TUTORLOOP_MODE": mode})
        yield server
        _stop(self._runs[server.url].process)

    def kill(self, server: Server) -> None:
        """End it as a power cut would."""
        process = self._runs[server.url].process
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def start_again(self, server: Server) -> None:
        """Start one that has ended, at the same address and on the same data."""
        run = self._runs[server.url]
        self._start(run.script, run.folder, run.env, port=urlsplit(server.url).port)

    def _start(self, script: str, folder: Path, env: dict[str, str], *, port: int | None = None) -> Server:
        port, log = port or _free_port(), folder / "server.log"
        command = [sys.executable, "-m", "streamlit", "run", script, "--server.headless", "true"]
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*command, "--server.port", str(port)],
                cwd=ROOT,
                env=_environment(folder) | env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        server = Server(url=f"http://localhost:{port}", data_dir=folder / "data")
        self._runs[server.url] = _Run(script=script, folder=folder, env=env, process=process)
        _wait_until_healthy(server.url, process, log)
        return server

    def stop(self) -> None:
        """End every server with whatever it started."""
        for run in self._runs.values():
            _stop(run.process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a server and what it started, kindly first; one that has ended already stays as it is."""
    if process.poll() is not None:
        return
    os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _environment(folder: Path) -> dict[str, str]:
    """A person's shell on a new machine: no settings of ours or of Streamlit's."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TMPDIR") if name in os.environ}
    ours = {"TUTORLOOP_DATA": str(folder / "data"), "TUTORLOOP_WORKER": "off"}  # a worker would slow down what is seen
    return {**kept, **ours, "HOME": str(folder), "PYTHONPATH": str(ROOT)}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_healthy(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{url}/api/health", timeout=5) as answer:  # noqa: S310 - our own server
                if answer.status == 200:
                    return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    pytest.fail(f"the server did not come up:\n{log.read_text(errors='replace')}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A browser page, and what it did behind the reader's back."""

    page: Page
    server: Server
    outside: list[str] = field(default_factory=list)
    """Addresses on any other host that it asked for."""
    errors: list[str] = field(default_factory=list)
    """What it wrote to the console as an error, and exceptions that nobody caught."""

    def open(self, path: str = "/") -> Page:
        """Go to `path` and wait until the script has run."""
        self.page.goto(self.server.url + path)
        self.idle()
        return self.page

    def leave(self) -> None:
        """Close the browser's window; do so before the server is stopped, which the page would complain about."""
        self.page.context.close()

    def forgive_lost_connection(self) -> None:
        """Forget the errors that a browser writes when its server cannot be reached; all others stay."""
        self.errors[:] = [error for error in self.errors if not _NO_CONNECTION.search(error)]

    def idle(self) -> None:
        """Wait until no script runs. Then still wait for what you expect: a click needs a moment to start one."""
        expect(self.page.locator(_IDLE)).to_be_visible(timeout=40_000)


def _watch(page: Page, server: Server) -> Watched:
    watched = Watched(page=page, server=server)
    ours = urlsplit(server.url).netloc

    def note(opened: Request | WebSocket) -> None:
        address = urlsplit(opened.url)
        if address.scheme in ("http", "https", "ws", "wss") and address.netloc != ours:
            watched.outside.append(opened.url)

    page.on("request", note)
    page.on("websocket", note)

    def hear(message: ConsoleMessage) -> None:
        text = f"{message.text} {message.location['url']}"
        if message.type == "error" and not _SEARCH_FOR_ROOT.search(text):
            watched.errors.append(text)

    page.on("console", hear)
    page.on("pageerror", lambda error: watched.errors.append(str(error)))
    return watched


def _chromium() -> str:
    """The Chromium to use; skip without one, or fail if `TUTORLOOP_REQUIRE` names `browser`."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("TUTORLOOP_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if found:
        return found
    reason = "no Chromium: install it, or name its program in TUTORLOOP_CHROMIUM"
    if "browser" in os.environ.get("TUTORLOOP_REQUIRE", ""):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="package")
def servers(tmp_path_factory: pytest.TempPathFactory, demo_folder: Path) -> Iterator[Servers]:
    """Starts servers on a copy of the demo, fresh ones on nothing; all are stopped after the last test here."""

    def new_folder() -> Path:
        folder = tmp_path_factory.mktemp("server")
        shutil.copytree(demo_folder, folder / "data")
        return folder

    started = Servers(new_folder, lambda: tmp_path_factory.mktemp("fresh"))
    yield started
    started.stop()


@pytest.fixture(scope="package")
def held() -> Iterator[HeldModel]:
    """One slow model for this folder."""
    with held_model() as model:
        yield model


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for this folder. Its event loop must be gone before tests elsewhere start their own."""
    executable = _chromium()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=_CHROMIUM_ARGS)
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Watched]]:
    """`visit(server, locale=…, color_scheme=…, width=…)` gives a new person's page.

    At the end of the test no page may have asked an outside host for anything or written an error, unless the
    test has read and cleared the list.
    """
    visited: list[Watched] = []

    def visit(server: Server, *, locale: str = "en-GB", color_scheme: Scheme = "light", width: int = 1280) -> Watched:
        context = browser.new_context(
            locale=locale, color_scheme=color_scheme, viewport={"width": width, "height": 900}
        )
        watched = _watch(context.new_page(), server)
        visited.append(watched)
        return watched

    yield visit
    for watched in visited:
        watched.leave()
    assert [address for watched in visited for address in watched.outside] == []
    assert [error for watched in visited for error in watched.errors] == []
