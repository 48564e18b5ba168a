"""Numbers without gaps, and texts that every database can hold."""

import hashlib
import threading
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import Engine, select

from db.connection import connect, reading, writing
from db.rows import drop_running, next_number, put_text, take_lease
from db.tables import LeaseRow, ProgressRow, TextRow
from tests.stores.builders import HOSTILE, STORABLE, at_once

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def database(migrated_url: str) -> Iterator[Engine]:
    engine = connect(migrated_url)
    yield engine
    engine.dispose()


def _next(engine: Engine, name: str = "n") -> int:
    with writing(engine) as session:
        return next_number(session, name)


def test_numbers_begin_at_one_and_each_name_has_its_own(database: Engine) -> None:
    assert [_next(database, name) for name in ("a", "a", "b", "a")] == [1, 2, 1, 3]


def test_writers_at_one_time_get_every_number_once(database: Engine) -> None:
    assert sorted(at_once(40, lambda _: _next(database))) == list(range(1, 41))


def test_a_rolled_back_transaction_leaves_no_gap(database: Engine) -> None:
    _next(database)
    with pytest.raises(RuntimeError, match="back"), writing(database) as session:
        assert next_number(session, "n") == 2
        raise RuntimeError("back")
    assert _next(database) == 2


def test_a_later_number_cannot_be_stored_before_an_earlier_one(database: Engine) -> None:
    later: list[int] = []
    waiting = threading.Thread(target=lambda: later.append(_next(database)))
    with writing(database) as session:
        earlier = next_number(session, "n")
        waiting.start()
        waiting.join(timeout=0.2)
        assert later == []
    waiting.join(timeout=10)
    assert (earlier, later) == (1, [2])


TEXTS = {
    "plain": ("why?", "why?"),
    "nothing": ("", ""),
    "hostile": (HOSTILE, STORABLE),
    "emoji and han": ("导师 👩\u200d🔬", "导师 👩\u200d🔬"),
    "200 kB": ("长" * 70_000, "长" * 70_000),
    "line ends": ("a\r\nb\tc ", "a\r\nb\tc "),
}


@pytest.mark.parametrize(("given", "kept"), TEXTS.values(), ids=TEXTS)
def test_a_text_comes_back_as_it_was_but_for_what_no_database_holds(database: Engine, given: str, kept: str) -> None:
    with writing(database) as session:
        assert put_text(session, text_id="t", owner_id="ada", body=given) == "t"
    with reading(database) as session:
        row = session.get(TextRow, "t")
    assert row is not None
    assert (row.body, row.owner_id, row.erased_at) == (kept, "ada", None)
    assert row.sha256 == hashlib.sha256(kept.encode()).hexdigest()


def test_what_has_ended_leaves_no_lease_and_no_progress_and_others_stay(database: Engine) -> None:
    with writing(database) as session:
        for subject in ("ended", "running"):
            take_lease(session, subject_id=subject, kind="turn", holder="h", until=NOON)
            session.add(ProgressRow(subject_id=subject, owner_id="ada", body="so far", at=NOON))
    with writing(database) as session:
        drop_running(session, "ended")
    with reading(database) as session:
        assert [row.subject_id for row in session.scalars(select(LeaseRow))] == ["running"]
        assert [row.subject_id for row in session.scalars(select(ProgressRow))] == ["running"]
