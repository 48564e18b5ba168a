"""What every test shares: no sockets, both databases, a fixed clock, and readable builders."""

import logging
import os
import shutil
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import hypothesis
import pytest
from pytest_socket import disable_socket, enable_socket
from sqlalchemy import Engine, create_engine, text

from db.connection import open_database
from db.tables import Base
from engine.demo_file import build_demo
from engine.settings import Settings
from tests.servers import database_on, postgres_programs, postgres_server

REQUIRED = frozenset(filter(None, os.environ.get("TUTORLOOP_REQUIRE", "").split(",")))
"""Services whose absence fails a test that would otherwise be skipped."""


hypothesis.settings.register_profile("explore", deadline=None)
hypothesis.settings.register_profile("repeatable", deadline=None, derandomize=True)
hypothesis.settings.load_profile("repeatable")
"""The same examples in every run, so that a change is judged by itself and no busy machine fails it;
`--hypothesis-profile=explore` looks for new ones."""


def skip_or_fail(service: str, reason: str) -> None:
    """Skip for a reason a reader accepts, unless the service was required."""
    if service in REQUIRED:
        pytest.fail(f"TUTORLOOP_REQUIRE names {service}, but {reason}")
    pytest.skip(reason)


@pytest.fixture(autouse=True)
def no_sockets(request: pytest.FixtureRequest) -> Iterator[None]:
    """No test reaches the network unless it is marked for it; Unix sockets serve PostgreSQL and asyncio."""
    if any(request.node.get_closest_marker(mark) for mark in ("browser", "enable_socket")):
        enable_socket()
    else:
        disable_socket(allow_unix_socket=True)
    yield
    enable_socket()


@pytest.fixture(autouse=True)
def main_module_as_it_was() -> Iterator[None]:
    """AppTest leaves the script it ran as `__main__`, which every new process would then run."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before


class Ticking:
    """A clock that goes on one second with every look, so that nothing depends on real time."""

    def __init__(self, start: datetime = datetime(2026, 3, 1, 9, tzinfo=UTC)) -> None:
        self.now = start

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def clock() -> Ticking:
    return Ticking()


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo in it, to be copied and never written to."""
    folder = tmp_path_factory.mktemp("demo")
    build_demo(Settings.from_env({"TUTORLOOP_DATA": str(folder)}), datetime.now(UTC))
    return folder


@pytest.fixture(autouse=True)
def loggers_speak() -> None:
    """The linter of imports, which some tests run, turns every logger off that was there before it."""
    for logger in logging.root.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):
            logger.disabled = False


@pytest.fixture(scope="session")
def postgres_folder() -> Iterator[Path]:
    """A PostgreSQL server of our own on a Unix socket; gives the socket's folder."""
    programs = postgres_programs()
    if programs is None:
        skip_or_fail("postgres", "no PostgreSQL server programs are installed (Debian: postgresql)")
        raise AssertionError
    with postgres_server(programs) as folder:
        yield folder


_databases = count(1)


@pytest.fixture
def postgres_url(postgres_folder: Path) -> Iterator[str]:
    """An empty PostgreSQL database for one test."""
    with database_on(postgres_folder, f"test_{next(_databases)}") as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'test.db'}"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file at the newest schema, to be copied."""
    path = tmp_path_factory.mktemp("migrated") / "template.db"
    open_database(f"sqlite:///{path}").dispose()
    return path


@pytest.fixture(scope="session")
def migrated_server(postgres_folder: Path) -> Iterator[Engine]:
    """A PostgreSQL database at the newest schema, with a connection that no trigger holds up."""
    with create_engine(
        f"postgresql+psycopg://postgres@/postgres?host={postgres_folder}", isolation_level="AUTOCOMMIT"
    ).connect() as connection:
        connection.execute(text("CREATE DATABASE migrated"))
        connection.detach()
    url = f"postgresql+psycopg://postgres@/migrated?host={postgres_folder}"
    open_database(url).dispose()
    emptier = create_engine(url, connect_args={"options": "-c session_replication_role=replica"})
    yield emptier
    emptier.dispose()


@pytest.fixture
def migrated_postgres_url(migrated_server: Engine) -> str:
    """One PostgreSQL database for all these tests, emptied before each; the schema must stay as it is."""
    with migrated_server.begin() as connection:
        for table in Base.metadata.tables:
            connection.execute(text(f"DELETE FROM {table}"))
    return migrated_server.url.render_as_string(hide_password=False)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def migrated_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of each kind in turn, at the newest schema and empty: far faster than migrating each."""
    if request.param == "sqlite":
        path = tmp_path / "test.db"
        shutil.copy(request.getfixturevalue("migrated_file"), path)
        return f"sqlite:///{path}"
    url: str = request.getfixturevalue("migrated_postgres_url")
    return url
