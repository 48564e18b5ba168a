"""What is left to learn from, and that one at a time is at it, on both databases."""

from dataclasses import replace

import pytest
from sqlalchemy import Engine

from engine.domain.keys import FeedbackKey
from engine.domain.learning import MOST_TRIES, lesson_of
from engine.domain.people import LOCAL_VIEWER
from engine.domain.running import Subject
from engine.domain.states import Language
from engine.errors import NotFound
from engine.jobs.lease_store import Orphan
from engine.revision.style.lesson_store import FRESH, INTERRUPTED, LEARNED_WITHIN, MOST_WAITING
from tests.stores.builders import (
    LEASE,
    Hands,
    Stores,
    at_once,
    begin_artifact,
    build_stores,
    enrol,
    owned_by,
    save,
    taught,
)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def stores(engine: Engine, hands: Hands) -> Stores:
    return build_stores(engine, hands)


@pytest.fixture
def key(stores: Stores) -> FeedbackKey:
    return enrol(stores)


def _persona(stores: Stores, key: FeedbackKey) -> str:
    return stores.personas.of_owner(LOCAL_VIEWER, owned_by(key), Language.EN).persona_id


def _take(stores: Stores, key: FeedbackKey, version_id: str) -> bool:
    return stores.lessons.take(LOCAL_VIEWER, _persona(stores, key), version_id, LEASE)


def test_of_all_that_take_a_version_at_one_time_one_gets_it(stores: Stores, key: FeedbackKey) -> None:
    _artifact, first = begin_artifact(stores, key)
    second = save(stores, first, "Second")
    _persona(stores, key)
    assert sorted(at_once(6, lambda _: _take(stores, key, second.version_id))) == [False] * 5 + [True]
    assert stores.ask("SELECT count(*) FROM lease") == [(1,)]


def test_only_what_was_changed_is_left_and_it_says_whether_somebody_is_at_it(
    stores: Stores, key: FeedbackKey, hands: Hands
) -> None:
    _artifact, first = begin_artifact(stores, key)
    second = save(stores, first, "Second")
    (left,) = stores.lessons.waiting(LOCAL_VIEWER, owned_by(key))
    assert (left.version_id, left.number, left.tries) == (second.version_id, 2, 0)
    assert (left.is_under_way, left.is_fresh) == (False, True)
    assert _take(stores, key, second.version_id)
    hands.forward(LEASE.seconds)
    assert [one.is_under_way for one in stores.lessons.waiting(LOCAL_VIEWER, owned_by(key))] == [True]
    hands.forward(600)
    (left,) = stores.lessons.waiting(LOCAL_VIEWER, owned_by(key))
    assert (left.is_under_way, left.is_fresh) == (False, False)
    assert _take(stores, key, second.version_id)


def test_what_was_learned_from_and_what_was_tried_too_often_is_not_taken(stores: Stores, key: FeedbackKey) -> None:
    _artifact, first = begin_artifact(stores, key)
    second = save(stores, first, "Second")
    third = save(stores, second, "Third")
    persona_id = taught(stores, key, second).persona.persona_id
    assert not _take(stores, key, second.version_id)
    for _ in range(MOST_TRIES):
        assert _take(stores, key, third.version_id)
        stores.personas.not_learned(LOCAL_VIEWER, persona_id, third.artifact_id, third.version_id, "Down")
    assert not _take(stores, key, third.version_id)
    assert stores.ask("SELECT count(*) FROM lease") == [(0,)]


def test_whoever_is_gone_is_ended_once_as_a_try_that_failed(stores: Stores, key: FeedbackKey, hands: Hands) -> None:
    _artifact, first = begin_artifact(stores, key)
    second = save(stores, first, "Second")
    assert _take(stores, key, second.version_id)
    lesson = lesson_of(second.version_id)
    stores.lessons.interrupt(LOCAL_VIEWER, lesson)
    assert stores.ask("SELECT count(*) FROM learning_attempt") == [(0,)]
    hands.forward(LEASE.seconds + 1)
    assert stores.leases.orphans() == (Orphan(kind=Subject.LESSON, subject_id=lesson),)
    at_once(3, lambda _: stores.lessons.interrupt(LOCAL_VIEWER, lesson))
    assert stores.ask("SELECT number, state, fault FROM learning_attempt") == [(1, "failed", INTERRUPTED)]
    assert stores.leases.orphans() == ()


def test_what_is_left_is_one_owners_in_one_project_the_oldest_first_and_only_so_many(
    stores: Stores, key: FeedbackKey, hands: Hands
) -> None:
    _artifact, version = begin_artifact(stores, key)
    made: list[str] = []
    for number in range(MOST_WAITING + 1):
        hands.forward(1)
        version = save(stores, version, f"Text {number}")
        made.append(version.version_id)
    left = stores.lessons.waiting(LOCAL_VIEWER, owned_by(key))
    assert [one.version_id for one in left] == made[:MOST_WAITING]
    project_id = stores.courses.courses(LOCAL_VIEWER)[0].projects[1].project_id
    for owned in (
        owned_by(enrol(stores, "Bob")),
        replace(owned_by(key), project_id=project_id),
        replace(owned_by(key), learner_id=None),
    ):
        assert stores.lessons.waiting(LOCAL_VIEWER, owned) == ()


def test_what_was_learned_from_and_what_was_tried_too_often_is_not_left(
    stores: Stores, key: FeedbackKey, hands: Hands
) -> None:
    _artifact, first = begin_artifact(stores, key)
    second = save(stores, first, "Second")
    third = save(stores, second, "Third")
    persona_id = taught(stores, key, second).persona.persona_id
    for tries in range(MOST_TRIES):
        (left,) = stores.lessons.waiting(LOCAL_VIEWER, owned_by(key))
        assert (left.version_id, left.tries, left.is_fresh) == (third.version_id, tries, not tries)
        stores.personas.not_learned(LOCAL_VIEWER, persona_id, third.artifact_id, third.version_id, "Down")
    assert stores.lessons.waiting(LOCAL_VIEWER, owned_by(key)) == ()


def test_a_version_is_left_and_fresh_and_a_hold_lasts_to_the_very_moment(
    stores: Stores, key: FeedbackKey, hands: Hands
) -> None:
    _artifact, first = begin_artifact(stores, key)
    second = save(stores, first, "Second")
    hands.forward(FRESH.total_seconds() - 1)
    assert [one.is_fresh for one in stores.lessons.waiting(LOCAL_VIEWER, owned_by(key))] == [True]
    hands.forward(1)
    assert [one.is_fresh for one in stores.lessons.waiting(LOCAL_VIEWER, owned_by(key))] == [False]
    assert _take(stores, key, second.version_id)
    hands.forward(LEASE.seconds)
    assert not _take(stores, key, second.version_id)
    stores.lessons.interrupt(LOCAL_VIEWER, lesson_of(second.version_id))
    assert stores.ask("SELECT count(*) FROM learning_attempt") == [(0,)]
    hands.forward((LEARNED_WITHIN - FRESH).total_seconds() - LEASE.seconds)
    assert len(stores.lessons.waiting(LOCAL_VIEWER, owned_by(key))) == 1
    hands.forward(1)
    assert stores.lessons.waiting(LOCAL_VIEWER, owned_by(key)) == ()


def test_for_a_persona_that_nobody_made_nothing_is_taken(stores: Stores) -> None:
    with pytest.raises(NotFound):
        stores.lessons.take(LOCAL_VIEWER, "none", "none", LEASE)
