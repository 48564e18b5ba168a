"""Numbers under processes that write at one time: a small run here, the long one in `tests.stress.sequences`."""

import pytest

from db.connection import reading, writing
from db.tables import VersionRow
from engine.domain.keys import FeedbackKey
from tests.stores.builders import NOON, Stores, hand_in
from tests.stress.numbering import Series, broken_chains, broken_series
from tests.stress.sequences import falling, repeated, run


def test_processes_that_write_at_one_time_get_every_number_once_and_none_shows_late(migrated_url: str) -> None:
    report = run(migrated_url, processes=4, steps=12)
    assert report.anomalies == ()
    assert report.transactions == 4 * 12 * 2
    assert report.looks > 0


@pytest.mark.parametrize(
    ("rows", "distinct", "first", "last", "whole"),
    [
        pytest.param(3, 3, 1, 3, True, id="one to three"),
        pytest.param(3, 3, 1, 4, False, id="a gap"),
        pytest.param(3, 3, 2, 4, False, id="does not begin at one"),
        pytest.param(4, 3, 1, 3, False, id="one twice"),
        pytest.param(3, 2, 1, 3, False, id="one twice in place of another"),
    ],
)
def test_a_series_is_whole_from_one_to_its_last(rows: int, distinct: int, first: int, last: int, whole: bool) -> None:
    assert Series(name="s", rows=rows, distinct=distinct, first=first, last=last).is_whole is whole


@pytest.mark.parametrize(
    ("numbers", "fallen", "twice"),
    [
        pytest.param([("a", 1), ("b", 1), ("a", 3)], [], [], id="each rises"),
        pytest.param([("a", 2), ("a", 1)], ["a got 1 after 2"], [], id="falls"),
        pytest.param([("a", 1), ("a", 1)], ["a got 1 after 1"], ["a got 1 2 times"], id="stands still"),
    ],
)
def test_answers_that_do_not_rise_are_told(numbers: list[tuple[str, int]], fallen: list[str], twice: list[str]) -> None:
    assert falling(numbers) == fallen
    assert repeated(numbers) == twice


def test_a_missing_number_and_a_parent_too_old_are_found(stores: Stores, key: FeedbackKey) -> None:
    for _ in range(3):
        hand_in(stores, key)
    with reading(stores.engine) as session:
        assert broken_series(session.connection()) == []
        assert broken_chains(session.connection()) == []
    with writing(stores.engine) as session:
        session.add(_version(key, number=5))
    with reading(stores.engine) as session:
        assert [line.split(" of ")[0] for line in broken_series(session.connection())] == ["Series(name='version"]
        assert broken_chains(session.connection()) == ["version spoilt, number 5, has the parent None"]


def _version(key: FeedbackKey, *, number: int) -> VersionRow:
    return VersionRow(
        id="spoilt",
        learner_id=key.learner_id,
        project_id=key.project_id,
        task_id=key.task_id,
        number=number,
        author_kind="learner",
        reason="handed_in",
        snapshot_hash="hash",
        made_at=NOON,
    )
