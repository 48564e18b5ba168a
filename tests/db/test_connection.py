"""What a connection promises, on both databases."""

import stat
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import Engine, inspect, text
from sqlalchemy.exc import OperationalError, StatementError

from db.connection import BUSY_MS, close_database, connect, open_database, reading, writing
from db.tables import CounterRow, LeaseRow
from tests.stores.builders import at_once

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def database(migrated_url: str) -> Iterator[Engine]:
    engine = connect(migrated_url)
    yield engine
    engine.dispose()


@pytest.fixture
def file_database(tmp_path: Path) -> Iterator[Engine]:
    engine = open_database(f"sqlite:///{tmp_path / 'new' / 'folder' / 'test.db'}")
    yield engine
    engine.dispose()


def _value(engine: Engine, name: str = "n") -> int | None:
    with reading(engine) as session:
        row = session.get(CounterRow, name)
        return row.value if row else None


def test_a_folder_that_is_not_there_is_made(file_database: Engine) -> None:
    assert Path(file_database.url.database or "").is_file()


@pytest.mark.parametrize(
    ("pragma", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 1),
        ("busy_timeout", BUSY_MS),
        ("foreign_keys", 1),
        ("recursive_triggers", 1),
    ],
)
def test_every_sqlite_connection_is_prepared(file_database: Engine, pragma: str, value: object) -> None:
    one, two = file_database.raw_connection(), file_database.raw_connection()
    for connection in (one, two):
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA {pragma}")
        assert cursor.fetchone() == (value,)
        connection.close()


def test_no_update_is_lost_on_sqlite(file_database: Engine) -> None:
    def count_up(_: int) -> None:
        with writing(file_database) as session:
            row = session.get(CounterRow, "n") or CounterRow(name="n", value=0)
            row.value += 1
            session.add(row)

    at_once(40, count_up)
    assert _value(file_database) == 40


def test_a_reader_neither_waits_for_a_writer_nor_sees_its_half_work(database: Engine) -> None:
    with writing(database) as session:
        session.add(CounterRow(name="n", value=1))
    seen: list[int | None] = []
    with writing(database) as session:
        session.merge(CounterRow(name="n", value=2))
        session.flush()
        reader = threading.Thread(target=lambda: seen.append(_value(database)))
        reader.start()
        reader.join(timeout=5)
    reader.join()
    assert seen == [1]
    assert _value(database) == 2


def test_a_transaction_that_fails_leaves_nothing(database: Engine) -> None:
    with pytest.raises(RuntimeError, match="in the middle"), writing(database) as session:
        session.add(CounterRow(name="n", value=1))
        session.flush()
        raise RuntimeError("in the middle")
    assert _value(database) is None


def test_a_schema_change_that_fails_leaves_nothing(database: Engine) -> None:
    with pytest.raises(RuntimeError, match="in the middle"), database.begin() as connection:
        connection.execute(text("CREATE TABLE half (id TEXT)"))
        raise RuntimeError("in the middle")
    assert "half" not in inspect(database).get_table_names()


def test_rows_stay_readable_after_their_transaction(database: Engine) -> None:
    with writing(database) as session:
        row = CounterRow(name="n", value=7)
        session.add(row)
    assert row.value == 7


def test_a_moment_without_a_zone_is_refused(database: Engine) -> None:
    naive = NOON.replace(tzinfo=None)
    with pytest.raises(StatementError, match="without a time zone"), writing(database) as session:
        session.add(LeaseRow(subject_id="s", subject_kind="turn", holder="h", until=naive))


@pytest.mark.parametrize("hours", [0, 8, -11])
def test_a_moment_comes_back_aware_and_in_utc(database: Engine, hours: int) -> None:
    given = (NOON + timedelta(microseconds=1)).astimezone(timezone(timedelta(hours=hours)))
    with writing(database) as session:
        session.add(LeaseRow(subject_id="s", subject_kind="turn", holder="h", until=given))
    with reading(database) as session:
        row = session.get(LeaseRow, "s")
    assert row is not None
    assert (row.until, row.until.utcoffset()) == (given, timedelta(0))


def test_connecting_alone_makes_no_tables(database_url: str) -> None:
    engine = connect(database_url)
    assert inspect(engine).get_table_names() == []
    engine.dispose()


def test_a_new_file_and_what_lies_beside_it_can_be_read_by_the_owner_alone(
    file_database: Engine, tmp_path: Path
) -> None:
    with writing(file_database) as session:
        session.add(CounterRow(name="n", value=1))
    files = list((tmp_path / "new" / "folder").iterdir())
    assert len(files) == 3
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_a_file_that_is_there_keeps_its_rights(tmp_path: Path) -> None:
    (tmp_path / "test.db").touch(mode=0o644)
    (tmp_path / "test.db").chmod(0o644)
    open_database(f"sqlite:///{tmp_path / 'test.db'}").dispose()
    assert stat.S_IMODE((tmp_path / "test.db").stat().st_mode) == 0o644


def test_an_error_tells_no_values(database: Engine) -> None:
    with pytest.raises(StatementError) as caught, writing(database) as session:
        session.execute(text("INSERT INTO nowhere VALUES (:words)"), {"words": "what somebody wrote"})
    assert "what somebody wrote" not in str(caught.value)
    assert "hidden" in str(caught.value)


def test_a_closed_database_stays_closed_and_makes_no_file(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'test.db'}")
    close_database(engine)
    (tmp_path / "test.db").unlink()
    with pytest.raises(OperationalError, match="closed"):
        engine.connect()
    assert not (tmp_path / "test.db").exists()
