"""Which workers are alive, and who may take charge of what a dead one left."""

import pytest
from sqlalchemy import Engine

from engine.domain.keys import FeedbackKey
from tests.stores.builders import LEASE, Hands, Stores, at_once, build_stores, question, talk


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def stores(engine: Engine, hands: Hands) -> Stores:
    return build_stores(engine, hands)


def test_a_worker_is_alive_for_as_long_as_it_said(stores: Stores, hands: Hands) -> None:
    assert not stores.beats.is_any_alive()
    stores.beats.beat("one", 30)
    hands.forward(30)
    assert stores.beats.is_any_alive()
    assert stores.beats.dead() == ()
    hands.forward(0.001)
    assert not stores.beats.is_any_alive()
    assert stores.beats.dead() == ("one",)


def test_a_worker_that_goes_on_beating_is_never_dead(stores: Stores, hands: Hands) -> None:
    for _ in range(4):
        stores.beats.beat("one", 30)
        hands.forward(20)
    assert stores.beats.dead() == ()


def test_a_worker_that_says_good_bye_is_dead_at_once(stores: Stores) -> None:
    stores.beats.beat("one", 30)
    stores.beats.beat("two", 30)
    stores.beats.end("one")
    assert stores.beats.dead() == ("one",)
    stores.beats.forget("one")
    assert stores.beats.dead() == ()
    assert stores.beats.is_any_alive()


def test_nobody_takes_charge_of_the_living_and_one_of_the_dead(stores: Stores, hands: Hands) -> None:
    stores.beats.beat("one", 30)
    assert not stores.beats.take_over("one", 30)
    hands.forward(31)
    taken = at_once(4, lambda _: stores.beats.take_over("one", 30))
    assert sorted(taken) == [False, False, False, True]


def test_charge_that_was_taken_and_not_used_can_be_taken_again(stores: Stores, hands: Hands) -> None:
    stores.beats.beat("one", 30)
    hands.forward(31)
    stores.beats.take_over("one", 30)
    assert stores.beats.dead() == ()
    hands.forward(31)
    assert stores.beats.dead() == ("one",)


def test_what_a_dead_holder_had_is_released_and_nobody_elses(stores: Stores, hands: Hands, key: FeedbackKey) -> None:
    turn_id = question(stores, talk(stores, key)).turn_id
    stores.leases.release("another")
    assert stores.leases.orphans() == ()
    stores.leases.release(LEASE.holder)
    assert [orphan.subject_id for orphan in stores.leases.orphans()] == [turn_id]
