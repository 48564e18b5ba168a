"""Facts cannot be changed, by no statement and no client, on both databases."""

import shutil
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Connection, Engine, insert, text
from sqlalchemy.exc import IntegrityError

from db.connection import connect, open_database
from db.migrating import migrate
from db.triggers import ERASABLE, FACTS, missing
from tests.db.filled import NOON, TABLES, fill, keys, row

PROTECTED = (*FACTS, ERASABLE)
WORKING_STATE = {
    "ci_token": "revoked",
    "counter": "numbers go up",
    "course": "courses are edited",
    "draft": "written over while typing",
    "enrolment": "people come and go",
    "job_state": "cancelled, resumed, ended",
    "learner": "names change",
    "lease": "renewed",
    "member": "teams change",
    "progress": "grows while it arrives",
    "project": "courses are edited",
    "reservation": "taken over and prolonged",
    "setting": "set anew by a person",
    "suggestion_state": "waits, is applied, fails",
    "task": "courses are edited",
    "teacher": "names change",
    "teaching": "people come and go",
    "worker_beat": "renewed while a worker lives",
}
"""Every table that may change, and why."""


def _opened(url: str) -> Iterator[Engine]:
    engine = connect(url)
    with engine.begin() as connection:
        fill(connection)
    yield engine
    engine.dispose()


@pytest.fixture
def database(migrated_url: str) -> Iterator[Engine]:
    yield from _opened(migrated_url)


@pytest.fixture
def file_database(migrated_file: Path, tmp_path: Path) -> Iterator[Engine]:
    copy = shutil.copy(migrated_file, tmp_path / "test.db")
    yield from _opened(f"sqlite:///{copy}")


@pytest.fixture
def server_database(migrated_postgres_url: str) -> Iterator[Engine]:
    yield from _opened(migrated_postgres_url)


def _is_refused(connection: Connection, statement: str, **values: object) -> bool:
    try:
        with connection.begin_nested():
            connection.execute(text(statement), values)
    except IntegrityError as error:
        return "insert-only" in str(error.orig)
    return False


def _accepted(engine: Engine, statements: list[str]) -> list[str]:
    with engine.begin() as connection:
        return [each for each in statements if not _is_refused(connection, each)]


def test_every_table_is_a_fact_or_says_why_it_may_change() -> None:
    assert sorted([*PROTECTED, *WORKING_STATE]) == sorted(TABLES)


def test_no_column_of_a_fact_can_be_updated(database: Engine) -> None:
    columns = [(name, column.name) for name in PROTECTED for column in TABLES[name].columns]
    assert _accepted(database, [f"UPDATE {name} SET {column} = {column}" for name, column in columns]) == []


def test_no_fact_can_be_deleted(database: Engine) -> None:
    assert _accepted(database, [f"DELETE FROM {name}" for name in PROTECTED]) == []


@pytest.mark.postgres
def test_no_fact_can_be_truncated_on_postgresql(server_database: Engine) -> None:
    assert _accepted(server_database, [f"TRUNCATE {name} CASCADE" for name in PROTECTED]) == []


def test_a_working_table_can_be_changed(database: Engine) -> None:
    with database.begin() as connection:
        connection.execute(text("UPDATE draft SET body = 'more'"))
        assert connection.execute(text("DELETE FROM lease")).rowcount == 1


def _replacements() -> list[tuple[str, tuple[str, ...]]]:
    return [(name, key) for name in PROTECTED for key in [*keys(TABLES[name]), ("rowid",)]]


@pytest.mark.parametrize("verb", ["INSERT OR REPLACE", "REPLACE", "INSERT OR IGNORE"])
def test_a_foreign_client_cannot_replace_a_fact_by_any_key(file_database: Engine, verb: str) -> None:
    """Trap A: on a bare connection REPLACE deletes without asking the delete trigger."""
    bare = sqlite3.connect(str(file_database.url.database))
    replaced = []
    for name, key in _replacements():
        values = row(TABLES[name], same=key, other=True) | ({"rowid": 1} if key == ("rowid",) else {})
        marks = ", ".join("?" for _ in values)
        before = bare.execute(f"SELECT * FROM {name}").fetchall()
        try:
            bare.execute(
                f"{verb} INTO {name} ({', '.join(values)}) VALUES ({marks})",
                [value.isoformat(" ") if isinstance(value, datetime) else value for value in values.values()],
            )
        except sqlite3.IntegrityError:
            bare.rollback()
        if bare.execute(f"SELECT * FROM {name}").fetchall() != before:
            replaced.append((name, key))
        bare.rollback()
    bare.close()
    assert replaced == []


def test_our_own_connection_cannot_replace_a_fact(file_database: Engine) -> None:
    replaced = []
    with file_database.begin() as connection:
        for name, key in _replacements():
            statement = insert(TABLES[name]).prefix_with("OR REPLACE").values(row(TABLES[name], same=key, other=True))
            if key == ("rowid",):
                continue
            try:
                with connection.begin_nested():
                    connection.execute(statement)
                replaced.append((name, key))
            except IntegrityError:
                continue
    assert replaced == []


ERASE = "UPDATE text SET body = '', erased_at = :now"
REFUSED_ON_TEXT = {
    "the words": "UPDATE text SET body = 'other'",
    "the owner": f"{ERASE}, owner_id = 'y'",
    "the hash": f"{ERASE}, sha256 = 'y'",
    "the id": f"{ERASE}, id = 'y'",
    "words that stay": "UPDATE text SET erased_at = :now",
    "words that go without a moment": "UPDATE text SET body = ''",
}


def test_a_text_can_only_be_erased(database: Engine) -> None:
    accepted = []
    with database.begin() as connection:
        for changed, statement in REFUSED_ON_TEXT.items():
            values = {"now": str(NOON)} if ":now" in statement else {}
            if not _is_refused(connection, statement, **values):
                accepted.append(changed)
    assert accepted == []


def test_erasing_is_allowed_once_and_for_good(database: Engine) -> None:
    with database.begin() as connection:
        connection.execute(text(ERASE), {"now": str(NOON)})
    with database.begin() as connection:
        assert _is_refused(connection, ERASE, now=str(NOON))
        assert _is_refused(connection, "UPDATE text SET erased_at = NULL")
        assert _is_refused(connection, "UPDATE text SET body = 'back'")
        assert _is_refused(connection, "UPDATE text SET body = 'back', erased_at = NULL")
        assert connection.execute(text("SELECT body, sha256, owner_id FROM text")).one() == ("", "x", "x")


def _drop(engine: Engine, table: str, verb: str) -> None:
    on = f" ON {table}" if engine.dialect.name == "postgresql" else ""
    with engine.begin() as connection:
        connection.execute(text(f"DROP TRIGGER {table}_no_{verb}{on}"))


def test_a_missing_trigger_is_named_and_the_next_start_brings_it_back(database_url: str) -> None:
    open_database(database_url).dispose()
    for database in _opened(database_url):
        _is_brought_back(database)


def _is_brought_back(database: Engine) -> None:
    _drop(database, "message", "update")
    _drop(database, "attempt", "delete")
    with database.connect() as connection:
        assert missing(connection) == ("attempt_no_delete", "message_no_update")
    open_database(database.url.render_as_string(hide_password=False)).dispose()
    with database.connect() as connection:
        assert missing(connection) == ()
    assert _accepted(database, ["UPDATE message SET role = 'user'", "DELETE FROM attempt"]) == []


@pytest.mark.postgres
@pytest.mark.parametrize("change", ["DISABLE", "ENABLE REPLICA"])
def test_a_trigger_that_does_not_fire_counts_as_missing(server_database: Engine, change: str) -> None:
    with server_database.connect() as connection:
        connection.execute(text(f"ALTER TABLE message {change} TRIGGER message_no_update"))
        assert missing(connection) == ("message_no_update",)


def test_a_batch_migration_on_sqlite_loses_triggers_and_migrating_brings_them_back(file_database: Engine) -> None:
    """Trap B: batch mode makes the table anew, without its triggers and without a word."""
    with file_database.begin() as connection:
        steps = Operations(MigrationContext.configure(connection))
        with steps.batch_alter_table("audit", recreate="always") as batch:
            batch.alter_column("detail", nullable=True)
        assert missing(connection) == ("audit_no_delete", "audit_no_replace", "audit_no_update")
    migrate(file_database)
    with file_database.connect() as connection:
        assert missing(connection) == ()
    assert _accepted(file_database, ["UPDATE audit SET actor = 'me'", "DELETE FROM audit"]) == []
