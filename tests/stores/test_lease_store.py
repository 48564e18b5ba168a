"""Who works on what, until when that is believed, and how far it is."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, event
from sqlalchemy.pool import ConnectionPoolEntry

from db.connection import connect
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.domain.running import Lease, Subject
from engine.errors import StoreError
from engine.jobs.lease_store import Orphan
from tests.stores.builders import HOSTILE, LEASE, STORABLE, Hands, Stores, answer, build_stores, enrol, question, talk


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def stores(engine: Engine, hands: Hands) -> Stores:
    return build_stores(engine, hands)


def _running(stores: Stores, key: FeedbackKey) -> str:
    return question(stores, talk(stores, key)).turn_id


def _orphans(stores: Stores) -> list[str]:
    return [orphan.subject_id for orphan in stores.leases.orphans()]


def test_what_is_held_is_no_orphan_until_its_lease_has_run_out(stores: Stores, hands: Hands, key: FeedbackKey) -> None:
    turn_id = _running(stores, key)
    hands.forward(LEASE.seconds)
    assert stores.leases.orphans() == ()
    hands.forward(0.001)
    assert stores.leases.orphans() == (Orphan(kind=Subject.TURN, subject_id=turn_id),)


def test_orphans_are_listed_oldest_lease_first(stores: Stores, hands: Hands, key: FeedbackKey) -> None:
    begun = []
    for _ in range(3):
        begun.append(_running(stores, key))
        hands.forward(1)
    hands.forward(60)
    assert _orphans(stores) == begun


def test_a_renewed_lease_goes_on_from_now(stores: Stores, hands: Hands, key: FeedbackKey) -> None:
    kept, dropped = _running(stores, key), _running(stores, key)
    hands.forward(15)
    stores.leases.renew(LEASE, frozenset({kept}))
    hands.forward(15)
    assert _orphans(stores) == [dropped]
    hands.forward(6)
    assert set(_orphans(stores)) == {kept, dropped}


def test_a_lease_is_renewed_by_its_holder_only(stores: Stores, hands: Hands, key: FeedbackKey) -> None:
    turn_id = _running(stores, key)
    hands.forward(15)
    stores.leases.renew(Lease(holder="elsewhere", seconds=20), frozenset({turn_id}))
    hands.forward(15)
    assert _orphans(stores) == [turn_id]


def test_renewing_nothing_changes_nothing(stores: Stores, hands: Hands, key: FeedbackKey) -> None:
    turn_id = _running(stores, key)
    hands.forward(15)
    stores.leases.renew(LEASE, frozenset())
    hands.forward(15)
    assert _orphans(stores) == [turn_id]


def test_what_has_ended_is_no_orphan(stores: Stores, hands: Hands, key: FeedbackKey) -> None:
    answer(stores, question(stores, talk(stores, key)))
    hands.forward(60)
    assert stores.leases.orphans() == ()


def test_progress_is_written_over(stores: Stores, key: FeedbackKey) -> None:
    turn_id = _running(stores, key)
    assert stores.leases.progress(turn_id) == ""
    for body in ("be", HOSTILE):
        stores.leases.keep_progress(turn_id, key.learner_id, body)
    assert stores.leases.progress(turn_id) == STORABLE


def test_nothing_is_kept_of_what_has_ended(stores: Stores, key: FeedbackKey) -> None:
    turn = question(stores, talk(stores, key))
    stores.leases.keep_progress(turn.turn_id, key.learner_id, "be")
    answer(stores, turn)
    stores.leases.keep_progress(turn.turn_id, key.learner_id, "because")
    assert stores.leases.progress(turn.turn_id) == ""
    assert stores.ask("SELECT * FROM progress") == []


@pytest.fixture
def hasty(engine: Engine) -> Iterator[Engine]:
    """A connection that waits for other writers for a moment only."""
    hasty = connect(engine.url.render_as_string(hide_password=False))
    if engine.dialect.name == "sqlite":

        def hurry(connection: object, _entry: ConnectionPoolEntry) -> None:
            connection.execute("PRAGMA busy_timeout=10")  # type: ignore[attr-defined] # a driver's connection

        event.listen(hasty, "connect", hurry)
    else:
        event.listen(hasty, "begin", lambda connection: connection.exec_driver_sql("SET lock_timeout = 10"))
    yield hasty
    hasty.dispose()


def test_a_database_that_is_held_by_another_says_that_nothing_was_saved(
    stores: Stores, hasty: Engine, hands: Hands, key: FeedbackKey
) -> None:
    other = build_stores(hasty, hands)
    before = talk(stores, key)
    with stores.engine.begin() as holding:
        holding.exec_driver_sql("UPDATE counter SET value = value")
        with pytest.raises(StoreError):
            talk(other, key)
    assert stores.sessions.conversations(LOCAL_VIEWER, key) == (before,)
    assert talk(other, key).number == 2


def test_another_learners_work_is_held_beside(stores: Stores, hands: Hands, key: FeedbackKey) -> None:
    mine = _running(stores, key)
    hands.forward(15)
    _running(stores, enrol(stores, "Bob"))
    hands.forward(10)
    assert _orphans(stores) == [mine]
