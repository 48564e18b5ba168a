"""Databases that are migrated once and copied for each test."""

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text

from db.connection import connect, open_database
from engine.domain.keys import FeedbackKey
from tests.conftest import Ticking
from tests.stores.builders import Stores, build_stores, enrol

_copies = count(1)


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("migrated") / "stores.db"
    open_database(f"sqlite:///{path}").dispose()
    return path


@pytest.fixture(scope="session")
def postgres_server(postgres_folder: Path) -> Iterator[Engine]:
    """A connection to the server with a migrated database to copy from."""
    server = create_engine(
        f"postgresql+psycopg://postgres@/postgres?host={postgres_folder}", isolation_level="AUTOCOMMIT"
    )
    with server.connect() as connection:
        connection.execute(text("CREATE DATABASE migrated"))
    open_database(f"postgresql+psycopg://postgres@/migrated?host={postgres_folder}").dispose()
    yield server
    server.dispose()


@pytest.fixture
def postgres_url(postgres_folder: Path, postgres_server: Engine) -> Iterator[str]:
    name = f"copy_{next(_copies)}"
    with postgres_server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE migrated"))
    yield f"postgresql+psycopg://postgres@/{name}?host={postgres_folder}"
    with postgres_server.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of each kind in turn, at the newest schema and empty."""
    if request.param == "sqlite":
        path = tmp_path / "test.db"
        shutil.copy(request.getfixturevalue("migrated_file"), path)
        return f"sqlite:///{path}"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    engine = connect(database_url)
    yield engine
    engine.dispose()


@pytest.fixture
def stores(engine: Engine, clock: Ticking) -> Stores:
    return build_stores(engine, clock)


@pytest.fixture
def key(stores: Stores) -> FeedbackKey:
    """Ada's key for the first task of the course."""
    return enrol(stores)
