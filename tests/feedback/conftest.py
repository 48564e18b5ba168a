"""One database of each kind for all stories; every story has a course and learners of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from db.connection import open_database
from tests.feedback.story import Story
from tests.stores.builders import Hands, Stores, build_stores


@contextmanager
def _opened(url: str) -> Iterator[tuple[Stores, Hands]]:
    engine, clock = open_database(url), Hands()
    yield build_stores(engine, clock), clock
    engine.dispose()


@pytest.fixture(scope="session")
def on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Stores, Hands]]:
    with _opened(f"sqlite:///{tmp_path_factory.mktemp('stories') / 'stories.db'}") as opened:
        yield opened


@pytest.fixture(scope="session")
def on_postgres(postgres_folder: Path) -> Iterator[tuple[Stores, Hands]]:
    server = create_engine(
        f"postgresql+psycopg://postgres@/postgres?host={postgres_folder}", isolation_level="AUTOCOMMIT"
    )
    with server.connect() as connection:
        connection.execute(text("CREATE DATABASE stories"))
    server.dispose()
    with _opened(f"postgresql+psycopg://postgres@/stories?host={postgres_folder}") as opened:
        yield opened


@pytest.fixture(params=["on_sqlite", pytest.param("on_postgres", marks=pytest.mark.postgres)])
def story(request: pytest.FixtureRequest) -> Story:
    """A new story on each kind of database in turn."""
    stores, clock = request.getfixturevalue(request.param)
    return Story(stores=stores, clock=clock)


@pytest.fixture(scope="session")
def on_sqlite_told(on_sqlite: tuple[Stores, Hands]) -> Story:
    """One story for many examples, each with a learner of its own."""
    return Story(stores=on_sqlite[0], clock=on_sqlite[1])


@pytest.fixture(scope="session")
def on_postgres_told(on_postgres: tuple[Stores, Hands]) -> Story:
    return Story(stores=on_postgres[0], clock=on_postgres[1])
