"""What must hold of every number that the stores give out, asked of the database itself."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, text

_KEY = "learner_id || ' ' || project_id || ' ' || task_id"
_NUMBERED = {
    "submission": (_KEY, "submission_seq"),
    "version": (_KEY, "number"),
    "attempt": ("submission_id", "attempt_seq"),
    "conversation": (_KEY, "number"),
    "turn": ("conversation_id", "number"),
    "message": ("conversation_id", "seq"),
}
"""For each table, within what its rows are numbered, and the column of the number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """The numbers of one table within one key, conversation or submission, as one transaction sees them."""

    name: str
    rows: int
    distinct: int
    """How many different numbers."""
    first: int
    last: int

    @property
    def is_whole(self) -> bool:
        """1 to `last`, each once: nothing missing below a number that can be seen."""
        return self.first == 1 and self.rows == self.distinct == self.last


def read_series(connection: Connection, tables: Iterable[str] = tuple(_NUMBERED)) -> Iterator[Series]:
    """Every series of these tables; each table is read by one statement."""
    for table in tables:
        group, number = _NUMBERED[table]
        counted = f"count({number}), count(DISTINCT {number}), min({number}), max({number})"
        for row in connection.execute(text(f"SELECT {group}, {counted} FROM {table} GROUP BY {group}")):
            yield Series(name=f"{table} of {row[0]}", rows=row[1], distinct=row[2], first=row[3], last=row[4])


def broken_series(connection: Connection) -> list[str]:
    """A line for each series with a gap or a number twice."""
    return [f"{each} is not whole" for each in read_series(connection) if not each.is_whole]


def broken_chains(connection: Connection) -> list[str]:
    """A line for each version whose parent is not the version before it in its own key."""
    rows = connection.execute(
        text(
            "SELECT child.id, child.number, parent.number FROM version AS child "
            "LEFT JOIN version AS parent ON parent.id = child.parent_id AND parent.learner_id = child.learner_id "
            "AND parent.project_id = child.project_id AND parent.task_id = child.task_id "
            "WHERE coalesce(parent.number, 0) <> child.number - 1"
        )
    )
    return [f"version {row[0]}, number {row[1]}, has the parent {row[2]}" for row in rows]
