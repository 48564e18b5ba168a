"""Triggers that keep facts insert-only, on both databases.

Alembic's batch mode on SQLite drops triggers silently, so `install` runs after every migration and
`missing` is asked at every start.
"""

from sqlalchemy import Connection, PrimaryKeyConstraint, UniqueConstraint, text

from db.tables import Base

FACTS = (
    "attempt",
    "audit",
    "criterion",
    "message",
    "outcome",
    "receipt",
    "submission",
    "turn",
    "turn_end",
    "version",
    "version_file",
    "conversation",
    "plan",
    "summary",
    "model_call",
    "provenance",
    "dispute",
    "card_note",
    "teacher_message",
    "job",
    "job_item",
    "job_step",
    "opening",
    "artifact",
    "artifact_version",
    "artifact_submission",
    "persona",
    "style_rule",
    "rule_evidence",
    "rule_event",
    "rule_use",
    "learning_attempt",
    "edit_conversation",
    "suggestion",
    "revision_record",
    "edit_message",
)
"""Tables whose rows are never changed or removed."""
ERASABLE = "text"
"""The one table of facts that allows one update: emptying the body."""


class TriggersMissing(RuntimeError):
    """The database would accept a changed fact."""


def install(connection: Connection) -> None:
    """Make every trigger anew."""
    statements = _sqlite() if connection.dialect.name == "sqlite" else _postgresql()
    for statement in statements:
        connection.execute(text(statement))


def missing(connection: Connection) -> tuple[str, ...]:
    """Names of the triggers that should be there and are not, in alphabetical order."""
    query = (
        "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        if connection.dialect.name == "sqlite"
        else "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')"
    )
    there = set(connection.execute(text(query)).scalars())
    return tuple(sorted(_names(connection.dialect.name) - there))


def _names(dialect: str) -> set[str]:
    verbs = ("update", "delete", "replace") if dialect == "sqlite" else ("update", "delete", "truncate")
    return {f"{table}_no_{verb}" for table in (*FACTS, ERASABLE) for verb in verbs}


_ERASES = (
    "{old}.erased_at IS NULL AND {new}.erased_at IS NOT NULL AND {new}.body = '' "
    "AND {new}.id = {old}.id AND {new}.owner_id = {old}.owner_id AND {new}.sha256 = {old}.sha256"
)


def _takes_a_place(table: str) -> str:
    """The condition under which an insert would replace a row: it has the values of one of its keys.

    Without an INTEGER PRIMARY KEY the row number is a key too; SQLite gives -1 where the insert names none.
    """
    there = Base.metadata.tables[table]
    unique = [each.columns for each in there.constraints if isinstance(each, PrimaryKeyConstraint | UniqueConstraint)]
    unique += [each.columns for each in there.indexes if each.unique]
    keys = sorted(tuple(column.name for column in columns) for columns in unique)
    conditions = [" AND ".join(f"{name} = NEW.{name}" for name in key) for key in [("rowid",), *keys]]
    return " OR ".join(f"EXISTS (SELECT 1 FROM {table} WHERE {condition})" for condition in conditions)


def _sqlite() -> list[str]:
    statements = []
    for table in (*FACTS, ERASABLE):
        guard = f"WHEN NOT ({_ERASES.format(old='OLD', new='NEW')})" if table == ERASABLE else ""
        replaced = f"WHEN {_takes_a_place(table)}"
        for verb, event, when in (
            ("update", "UPDATE", guard),
            ("delete", "DELETE", ""),
            ("replace", "INSERT", replaced),
        ):
            name = f"{table}_no_{verb}"
            statements += [
                f"DROP TRIGGER IF EXISTS {name}",
                f"CREATE TRIGGER {name} BEFORE {event} ON {table} {when} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is insert-only'); END",
            ]
    return statements


def _postgresql() -> list[str]:
    statements = [
        "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '% is insert-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation'; "
        "END $$"
    ]
    for table in (*FACTS, ERASABLE):
        guard = f"WHEN (NOT ({_ERASES.format(old='OLD', new='NEW')}))" if table == ERASABLE else ""
        for verb, event, level, when in (
            ("update", "UPDATE", "ROW", guard),
            ("delete", "DELETE", "ROW", ""),
            ("truncate", "TRUNCATE", "STATEMENT", ""),
        ):
            name = f"{table}_no_{verb}"
            statements += [
                f"DROP TRIGGER IF EXISTS {name} ON {table}",
                f"CREATE TRIGGER {name} BEFORE {event} ON {table} FOR EACH {level} {when} "
                "EXECUTE FUNCTION refuse_change()",
            ]
    return statements
