"""A mark that is the same only while nothing is committed, by whomever."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from db.changes import Changes
from db.connection import close_database, connect, reading, writing

WRITE = "INSERT INTO counted DEFAULT VALUES"
ELSEWHERE = """
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as connection:
    connection.execute(sys.argv[2])
"""


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Engine]:
    engine = connect(f"sqlite:///{tmp_path / 'one.db'}")
    with writing(engine) as session:
        session.execute(text("CREATE TABLE counted (id INTEGER PRIMARY KEY)"))
    yield engine
    engine.dispose()


def path_of(database: Engine) -> str:
    return database.url.database or ""


def by_the_same_pool(database: Engine) -> None:
    with writing(database) as session:
        session.execute(text(WRITE))


def by_another_connection(database: Engine) -> None:
    with closing(sqlite3.connect(path_of(database))) as connection, connection:
        connection.execute(WRITE)


def by_another_process(database: Engine) -> None:
    subprocess.run([sys.executable, "-c", ELSEWHERE, path_of(database), WRITE], check=True)


@pytest.mark.parametrize("write", [by_the_same_pool, by_another_connection, by_another_process])
def test_a_commit_changes_the_mark_whoever_made_it(database: Engine, write: Callable[[Engine], None]) -> None:
    changes = Changes(database)
    before = changes.mark()
    write(database)
    assert before is not None
    assert changes.mark() != before


def test_reading_and_asking_leave_the_mark_alone(database: Engine) -> None:
    changes = Changes(database)
    before = changes.mark()
    with reading(database) as session:
        session.execute(text("SELECT count(*) FROM counted")).all()
    assert changes.mark() == before


def test_what_was_rolled_back_changes_nothing(database: Engine) -> None:
    changes = Changes(database)
    before = changes.mark()
    with pytest.raises(ZeroDivisionError), writing(database) as session:
        session.execute(text(WRITE))
        raise ZeroDivisionError
    assert changes.mark() == before


def test_marks_of_two_connections_never_equal_though_each_counts_from_the_same_number(database: Engine) -> None:
    changes = Changes(database)
    before = changes.mark()
    database.dispose()
    assert changes.mark() not in (None, before)


def test_a_database_that_was_closed_has_no_mark_and_its_file_is_let_go(database: Engine) -> None:
    changes = Changes(database)
    assert changes.mark() is not None
    close_database(database)
    assert changes.mark() is None
    assert not Path(f"{path_of(database)}-wal").exists()  # SQLite removes it with the last connection


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "postgresql+psycopg://nobody@localhost:1/none"])
def test_where_commits_are_not_counted_for_us_the_mark_is_unknown(url: str) -> None:
    database = connect(url)
    assert Changes(database).mark() is None
    database.dispose()
