"""A copy of a SQLite database in one file, taken while others write."""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Engine, text


def copy_without(engine: Engine, target: Path, setting_names: str) -> None:
    """Copy everything as it is at one moment to `target`, except for settings whose name is like `setting_names`.

    What is left out is not in the file any more, not even in a free page. `target` must not exist.
    """
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM INTO :target"), {"target": str(target)})
    with closing(sqlite3.connect(target, isolation_level=None)) as copy:
        copy.execute("PRAGMA secure_delete=ON")
        copy.execute("DELETE FROM setting WHERE name LIKE ?", (setting_names,))
        copy.execute("VACUUM")
