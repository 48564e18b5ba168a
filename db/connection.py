"""Opening a database: pragmas, transactions, its newest schema, and the check that facts are protected."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import OperationalError, ProgrammingError
from sqlalchemy.pool import ConnectionPoolEntry
from sqlmodel import Session

from db import triggers

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_MS = 30_000
"""How long a writer waits for another before it gives up."""
_READ_ONLY = "tutorloop_read_only"


def open_database(url: str) -> Engine:
    """Open the database at `url`, bring it to the newest schema, and prove that facts are protected.

    Raises:
        TriggersMissing: the database would accept a changed fact.
    """
    engine = connect(url)
    if not _is_newest(engine):
        import_module("db.migrating").migrate(engine)  # slow to import, and almost no start has anything to migrate
    with engine.connect() as connection:
        unprotected = triggers.missing(connection)
    if unprotected:
        engine.dispose()
        raise triggers.TriggersMissing(f"triggers are missing: {', '.join(unprotected)}")
    return engine


def newest_revision() -> str:
    """The number that the newest migration begins with."""
    return max(path.name for path in (MIGRATIONS / "versions").glob("[0-9]*.py")).partition("_")[0]


def _is_newest(engine: Engine) -> bool:
    """Whether there is nothing to migrate and nothing to renew."""
    try:
        with reading(engine) as session:
            there = session.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
            return there == [newest_revision()] and not triggers.missing(session.connection())
    except (OperationalError, ProgrammingError):  # nothing is there yet; whatever else is wrong, migrating says so
        return False


def connect(url: str) -> Engine:
    """An engine for `url`, with nothing done to the database yet. A SQLite file and its folder are made.

    Its errors never hold the values of a statement: people's words and the key of a model are among them.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True, hide_parameters=True)
    if parsed.database:
        _make_file(Path(parsed.database))
    engine = create_engine(url, hide_parameters=True)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def connect_queue(url: str) -> Engine:
    """An engine for the job engine's own tables: on the same server, or in a SQLite file beside the one at `url`.

    That engine begins its transactions itself, so that `connect` would not do.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return connect(url)
    beside = Path(parsed.database or "")
    beside = beside.with_name(f"{beside.stem}-jobs{beside.suffix}")
    _make_file(beside)
    engine = create_engine(parsed.set(database=str(beside)), hide_parameters=True)
    event.listen(engine, "connect", _prepare_queue_file)
    return engine


def _make_file(path: Path) -> None:
    """Make a SQLite file that only its owner can read, for it may hold the key of a model.

    A file that is there keeps its rights; SQLite gives the rights of the file to those it puts beside it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.name != ":memory:":
        with suppress(OSError):  # where a file cannot be made, opening it says so
            path.touch(mode=0o600, exist_ok=True)


@contextmanager
def writing(engine: Engine) -> Iterator[Session]:
    """One transaction that may write; on SQLite it holds the write lock from its first moment."""
    with Session(engine, expire_on_commit=False) as session, session.begin():
        yield session


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """One transaction that only reads and never waits for a writer."""
    with Session(engine, expire_on_commit=False) as session:
        session.connection(execution_options={_READ_ONLY: True})
        yield session


def close_database(engine: Engine) -> None:
    """Let go of the database for good: who asks later is told so, and no empty file comes where one was removed."""
    event.listen(engine, "do_connect", _refuse)
    engine.dispose()


def _refuse(*_how: object) -> None:
    raise OperationalError("connect", None, RuntimeError("this database was closed"))


def _prepare_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    """Leave the beginning of transactions to `_begin_sqlite`; sqlite3 would begin them too late."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        f"busy_timeout={BUSY_MS}",
        "foreign_keys=ON",
        "recursive_triggers=ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _prepare_queue_file(connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
    """As every SQLite file of ours, but sqlite3 begins a transaction before a statement that writes."""
    _prepare_sqlite(connection, entry)
    connection.isolation_level = "IMMEDIATE"


def _begin_sqlite(connection: Connection) -> None:
    read_only = connection.get_execution_options().get(_READ_ONLY, False)
    connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")
