"""All stores on an empty database, and a learner to begin with."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from db.connection import connect
from engine.domain.keys import FeedbackKey
from tests.conftest import Ticking
from tests.stores.builders import Stores, build_stores, enrol


@pytest.fixture(scope="session")
def file_engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """One engine for all tests, because it remembers the statements that it has compiled."""
    return connect(f"sqlite:///{tmp_path_factory.mktemp('stores') / 'test.db'}")


@pytest.fixture
def empty_file(file_engine: Engine, migrated_file: Path) -> Engine:
    shutil.copy(migrated_file, file_engine.url.database or "")
    return file_engine


@pytest.fixture(scope="session")
def server_engine(migrated_server: Engine) -> Engine:
    return connect(migrated_server.url.render_as_string(hide_password=False))


@pytest.fixture
def empty_server(server_engine: Engine, migrated_postgres_url: str) -> Engine:
    return server_engine


@pytest.fixture(params=["empty_file", pytest.param("empty_server", marks=pytest.mark.postgres)], ids=["sqlite", "pg"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """A database of each kind in turn, at the newest schema and empty."""
    engine: Engine = request.getfixturevalue(request.param)
    yield engine
    engine.dispose()


@pytest.fixture
def stores(engine: Engine, clock: Ticking) -> Stores:
    return build_stores(engine, clock)


@pytest.fixture
def key(stores: Stores) -> FeedbackKey:
    """Ada's key for the first task of the course."""
    return enrol(stores)
