"""Brings a database to the newest schema.

Imported only where there is something to migrate, because Alembic is slow to import.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, Engine, func, select

from db import triggers

MIGRATIONS = Path(__file__).parent / "migrations"
_migrating = Lock()
"""Alembic's context is one for the whole process, so its threads migrate one after another."""
_MIGRATION_LOCK = 5_020_001
"""Number of the lock by which processes that start together migrate PostgreSQL one after another."""


class IntegrityBroken(RuntimeError):
    """A migration would leave rows that refer to nothing."""


def migrate(engine: Engine, scripts: Path = MIGRATIONS) -> None:
    """Bring the database to the newest schema, in one transaction, and renew its triggers if anything changed.

    Raises:
        IntegrityBroken: a migration left a row that refers to nothing.
    """
    config = Config()
    config.set_main_option("script_location", str(scripts))
    with _migrating, engine.connect() as connection, _without_foreign_keys(connection), connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(select(func.pg_advisory_xact_lock(_MIGRATION_LOCK)))
        before = _revision(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        if _revision(connection) != before or triggers.missing(connection):
            triggers.install(connection)
        _check_references(connection)


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


@contextmanager
def _without_foreign_keys(connection: Connection) -> Iterator[None]:
    """SQLite rebuilds a table to change it; other tables that refer to it must not object meanwhile."""
    if connection.dialect.name != "sqlite":
        yield
        return
    raw = connection.connection.cursor()
    raw.execute("PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        raw.execute("PRAGMA foreign_keys=ON")
        raw.close()


def _check_references(connection: Connection) -> None:
    if connection.dialect.name != "sqlite":
        return
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if broken:
        raise IntegrityBroken(f"the migration was undone: rows of {broken[0][0]} refer to nothing")
