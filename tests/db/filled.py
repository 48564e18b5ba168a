"""A row in every table, and rows that would take its place."""

from datetime import UTC, datetime

from sqlalchemy import Connection, DateTime, Index, Integer, Table, UniqueConstraint, insert

from db.tables import Base

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
TABLES = {table.name: table for table in Base.metadata.sorted_tables}


def fill(connection: Connection) -> None:
    """One row in each table, referring to one another."""
    for table in TABLES.values():
        connection.execute(insert(table).values(row(table)))


def row(table: Table, *, same: tuple[str, ...] = (), other: bool = False) -> dict[str, object]:
    """The row of `fill`, or one that is other everywhere but in the columns `same`."""
    return {
        column.name: _value(column.type, other and column.name not in same)
        for column in table.columns
        if column.name != "erased_at"
    }


def keys(table: Table) -> list[tuple[str, ...]]:
    """The columns of each key: a second row with equal values there cannot stand beside the first."""
    uniques = [each for each in table.constraints if isinstance(each, UniqueConstraint)]
    indexes = [each for each in table.indexes if each.unique]
    named: list[UniqueConstraint | Index] = [*uniques, *indexes]
    columns = [tuple(column.name for column in each.columns) for each in named]
    return [tuple(column.name for column in table.primary_key.columns), *sorted(columns)]


def _value(kind: object, other: bool) -> object:
    if isinstance(kind, Integer):
        return 2 if other else 1
    if isinstance(getattr(kind, "impl", kind), DateTime):
        return NOON
    return "y" if other else "x"
