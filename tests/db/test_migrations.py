"""The migrations lead to the tables, and leave alone what is already there."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, Row, text

import db.migrations
from db.connection import connect, newest_revision, open_database
from db.migrating import MIGRATIONS, IntegrityBroken, migrate
from db.tables import Base
from db.triggers import missing
from tests.db.filled import TABLES, fill
from tests.stores.builders import at_once

SCHEMA = {
    "sqlite": "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2",
    "postgresql": (
        "SELECT table_name, column_name, data_type || is_nullable FROM information_schema.columns "
        "WHERE table_schema = 'public' "
        "UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' "
        "UNION ALL SELECT tgrelid::regclass::text, tgname, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal "
        "ORDER BY 1, 2"
    ),
}


@pytest.fixture
def database(migrated_url: str) -> Iterator[Engine]:
    engine = connect(migrated_url)
    yield engine
    engine.dispose()


def _schema(engine: Engine) -> Sequence[Row[tuple[object, ...]]]:
    with engine.connect() as connection:
        return connection.execute(text(SCHEMA[engine.dialect.name])).all()


def _rows(engine: Engine) -> dict[str, list[Row[tuple[object, ...]]]]:
    with engine.connect() as connection:
        return {name: list(connection.execute(table.select())) for name, table in TABLES.items()}


def test_a_blank_database_ends_at_the_schema_of_the_tables(database_url: str) -> None:
    engine = open_database(database_url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_a_difference_would_be_seen(database: Engine) -> None:
    with database.connect() as connection:
        connection.execute(text("DROP INDEX ix_attempt_compatible"))
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert len(compare_metadata(context, Base.metadata)) == 1


def test_migrating_again_changes_neither_schema_nor_rows(database: Engine) -> None:
    with database.begin() as connection:
        fill(connection)
    before = _schema(database), _rows(database)
    migrate(database)
    assert (_schema(database), _rows(database)) == before
    assert all(before[1].values())


def test_processes_that_start_together_on_a_blank_database_all_open_it(database_url: str) -> None:
    def start(_: int) -> tuple[str, ...]:
        engine = open_database(database_url)
        with engine.connect() as connection:
            unprotected = missing(connection)
        engine.dispose()
        return unprotected

    assert at_once(4, start, threads=4) == [(), (), (), ()]


def test_two_databases_can_be_opened_at_one_time(tmp_path: Path) -> None:
    urls = [f"sqlite:///{tmp_path / name}.db" for name in ("own", "demo", "third", "fourth")]

    def start(number: int) -> int:
        engine = open_database(urls[number])
        tables = len(_schema(engine))
        engine.dispose()
        return tables

    assert len(set(at_once(4, start))) == 1


def test_there_is_one_line_of_migrations_and_the_database_is_at_its_end(database: Engine) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(db.migrations.__file__).parent))
    heads = ScriptDirectory.from_config(config).get_heads()
    with database.connect() as connection:
        assert [MigrationContext.configure(connection).get_current_revision()] == list(heads)


REBUILD = """
from alembic import op

revision, down_revision, branch_labels, depends_on = "9999", "{head}", None, None


def upgrade():
    with op.batch_alter_table("turn", recreate="always") as batch:
        batch.alter_column("number", nullable=True)
    {more}
"""


def _scripts_with(folder: Path, more: str) -> Path:
    """Our migrations and one more, which makes a table anew that others refer to."""
    scripts = Path(shutil.copytree(MIGRATIONS, folder / "migrations", ignore=shutil.ignore_patterns("__pycache__")))
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    head = ScriptDirectory.from_config(config).get_current_head()
    (scripts / "versions" / "9999_rebuild.py").write_text(REBUILD.format(head=head, more=more), encoding="utf-8")
    return scripts


def test_on_sqlite_a_table_that_others_refer_to_can_be_made_anew_with_its_rows(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'test.db'}")
    with database.begin() as connection:
        fill(connection)
    before = _rows(database)
    migrate(database, _scripts_with(tmp_path, "pass"))
    assert _rows(database) == before
    with database.connect() as connection:
        assert missing(connection) == ()
    database.dispose()


def test_a_migration_that_leaves_rows_which_refer_to_nothing_is_undone(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'test.db'}")
    with database.begin() as connection:
        fill(connection)
    loses_rows = 'op.execute("DELETE FROM learner")'
    with pytest.raises(IntegrityBroken, match="refer to nothing"):
        migrate(database, _scripts_with(tmp_path, loses_rows))
    with database.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM learner")).scalar_one() > 0
    database.dispose()


def test_the_newest_revision_is_known_without_alembic() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == newest_revision()


def test_a_database_with_nothing_to_migrate_opens_without_alembic(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'one.db'}"
    open_database(url).dispose()
    opens = f"import sys; from db.connection import *; open_database({url!r}); print('alembic' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", opens], check=True, capture_output=True, text=True)
    assert told.stdout == "False\n"
