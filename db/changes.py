"""Tells whether anything was committed to a database, by whatever process, without reading it."""

import sqlite3
from collections.abc import Hashable
from threading import Lock

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import SQLAlchemyError


class Changes:
    """Watches one database from a connection of its own, which never writes. May be shared by threads.

    SQLite counts for every connection what others commit, those of this process as well as those of any other
    (`PRAGMA data_version`); asking reads one page of memory that all of them share. Other databases have no such
    number, so they are told to be unknown.
    """

    def __init__(self, database: Engine) -> None:
        """Opens nothing yet. The connection goes when the engine is disposed of, and comes back when it is asked."""
        self._database = database
        self._connection: Connection | None = None
        self._opened = 0
        self._lock = Lock()
        self._can_tell = database.dialect.name == "sqlite" and database.url.database not in (None, "", ":memory:")
        event.listen(database, "engine_disposed", self._let_go)

    def mark(self) -> Hashable | None:
        """Something that is the same at two moments only if nothing was committed between them; None: unknown."""
        if not self._can_tell:
            return None
        with self._lock:
            try:
                number = _data_version(self._connection or self._open())
                return self._opened, number
            except (sqlite3.Error, SQLAlchemyError):  # whoever reads now is told what is wrong
                return None

    def _open(self) -> Connection:
        """A connection outside of the pool. Two count on their own, so marks of different ones never equal."""
        connection = self._database.connect()
        connection.detach()
        self._opened += 1
        self._connection = connection
        return connection

    def _let_go(self, _database: Engine) -> None:
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _data_version(connection: Connection) -> int:
    cursor = connection.connection.cursor()  # the driver's: nothing begins a transaction on it
    cursor.execute("PRAGMA data_version")
    ((number,),) = cursor.fetchall()
    cursor.close()
    return int(number)
