"""What every page asks for: the workbench, who looks, and whether the server is well."""

import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import engine
from engine.domain.clock import utc_now
from engine.domain.people import LOCAL_VIEWER, NOBODY, Viewer
from engine.errors import TutorloopError
from engine.jobs.child import WorkerChild
from engine.settings import Mode, Settings
from engine.workbench import Workbench, build_workbench

_building = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Whether the server can do its work."""

    ok: bool
    facts: Mapping[str, str]
    """Short facts that anybody may read; no addresses, no names."""


@cache
def settings() -> Settings:
    """The settings of this process, read from the environment once.

    Raises:
        SettingsError: a value is not one of those allowed.
    """
    return Settings.from_env(os.environ)


def workbench() -> Workbench:
    """Both databases and what works on them, built once for the process, whoever asks first."""
    with _building:
        return _built()


@cache
def _built() -> Workbench:
    return build_workbench(settings(), utc_now())


def start_worker() -> None:
    """Start a worker for jobs beside this process, unless the operator switched that off."""
    with _building:
        if settings().is_worker_started:
            _child().start()


@cache
def _child() -> WorkerChild:
    return WorkerChild(Path(engine.__file__).parents[1], os.environ)


def close() -> None:
    """Let running replies end, end the worker, and let go of the databases, if they were ever opened."""
    with _building:
        if _child.cache_info().currsize:
            _child().close()
            _child.cache_clear()
        if _built.cache_info().currsize:
            _built().close()
            _built.cache_clear()


def viewer() -> Viewer:
    """Who looks at the page that is drawn now; nobody, until there are ways to sign in."""
    return LOCAL_VIEWER if settings().mode is Mode.LOCAL else NOBODY


def health() -> Health:
    """What `/api/health` answers: whether the own database can be read, and whether a worker for jobs is alive.

    Without a worker jobs wait and all else works, so that alone is no illness.
    """
    try:
        own = workbench().own
        own.courses.courses(LOCAL_VIEWER)
        worker = own.beats.is_any_alive()
    except TutorloopError as error:
        return Health(ok=False, facts={"status": error.code})
    return Health(ok=True, facts={"status": "ok", "worker": "alive" if worker else "none"})
