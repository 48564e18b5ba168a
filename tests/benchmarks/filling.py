"""Fills a SQLite database by raw statements: a million rows through the stores would take hours.

The rows are what the stores would write. Triggers are away meanwhile; whoever opens the database next through
the product finds them missing and makes them anew.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

Row = Mapping[str, str | int | None]
AT = "2026-03-01 09:00:00.000000"
"""As SQLAlchemy writes a moment on SQLite. Nothing may be ordered by it, so it can be the same everywhere."""
_AT_ONCE = 50_000


@contextmanager
def filling(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to an existing database on which mass inserts are quick; all or nothing is kept."""
    with closing(sqlite3.connect(path)) as connection:
        for pragma in ("synchronous=OFF", "cache_size=-200000"):
            connection.execute(f"PRAGMA {pragma}")
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        with connection:
            yield connection
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def insert(connection: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    """Insert rows that all have the same columns."""
    remaining = iter(rows)
    while several := list(islice(remaining, _AT_ONCE)):
        names = tuple(several[0])
        values = ", ".join(f":{name}" for name in names)
        connection.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({values})", several)


def text_row(text_id: str, owner_id: str, body: str) -> Row:
    """A person's words, with their hash."""
    return {"id": text_id, "owner_id": owner_id, "sha256": hashlib.sha256(body.encode()).hexdigest(), "body": body}
