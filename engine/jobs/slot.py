"""A place for one worker in a data folder. Its lock ends with the process that holds it, however that ends."""

import sqlite3
from pathlib import Path

from engine.domain.clock import NewId


class WorkerSlot:
    """The place with this number, from 0. Its file holds the name that its workers have, one after another.

    The file is a SQLite database, because that locks alike on every system. The name is made up once and at
    random, so that two folders that share a server never have workers of one name.
    """

    def __init__(self, folder: Path, number: int, new_id: NewId) -> None:
        self._path = folder / f"worker-{number}.lock"
        self._new_id = new_id
        self._held: sqlite3.Connection | None = None

    def take(self) -> str | None:
        """Take the place and give the worker's name; None when a living process has it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self._path, timeout=0, isolation_level=None)
        try:
            connection.execute("BEGIN EXCLUSIVE")
            name = self._name(connection)
            connection.execute("COMMIT")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            connection.close()
            return None
        self._held = connection
        return name

    def give_back(self) -> None:
        """Let another process take the place."""
        if self._held is not None:
            self._held.close()
            self._held = None

    def _name(self, connection: sqlite3.Connection) -> str:
        connection.execute("CREATE TABLE IF NOT EXISTS worker (name TEXT NOT NULL)")
        row = connection.execute("SELECT name FROM worker").fetchone()
        if row is not None:
            return str(row[0])
        name = f"worker-{self._new_id()}"
        connection.execute("INSERT INTO worker VALUES (?)", (name,))
        return name
