"""A copy of a SQLite database in one file, taken while others write."""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Engine


def copy_without(engine: Engine, target: Path, setting_names: str) -> None:
    """Copy everything as it is at one moment to `target`, except for settings whose name is like `setting_names`.

    What is left out is not in the file any more, not even in a free page. `target` must not exist.
    """
    with closing(engine.raw_connection()) as connection:  # outside of any transaction, which it could not run in
        connection.cursor().execute("VACUUM INTO ?", (str(target),))
    with closing(sqlite3.connect(target, isolation_level=None)) as copy:
        copy.execute("PRAGMA secure_delete=ON")
        copy.execute("DELETE FROM setting WHERE name LIKE ?", (setting_names,))
        copy.execute("VACUUM")
