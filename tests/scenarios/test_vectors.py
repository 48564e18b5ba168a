"""A file of conformance cases is played through the real stores, and a wrong answer is seen."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.domain.clock import utc_now
from engine.domain.feedback import FeedbackRecord
from engine.domain.keys import FeedbackKey, Versions
from engine.domain.people import Viewer
from engine.domain.states import FeedbackState
from engine.errors import InputError
from engine.feedback.feedback_store import FeedbackStore
from engine.llm.offline import offline_gateway
from engine.scenarios.vectors import VectorStores, play_vectors
from engine.wiring import new_id, opened

FILE = Path(__file__).with_name("vectors.json")
TEXT = FILE.read_text(encoding="utf-8")


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[VectorStores]:
    with _stores(f"sqlite:///{tmp_path / 'vectors.db'}") as ready:
        yield ready


@contextmanager
def _stores(url: str) -> Iterator[VectorStores]:
    with opened(url, offline_gateway()) as space:
        yield VectorStores(courses=space.courses, work=space.work, reviews=space.reviews, feedback=space.feedback)


def test_every_case_of_the_file_passes_on_both_databases(database_url: str) -> None:
    with _stores(database_url) as ready:
        results = list(play_vectors(TEXT, ready))

    assert {result.name: result.seen for result in results} == {result.name: result.expected for result in results}
    assert [result.name for result in results] == [case["name"] for case in json.loads(TEXT)["cases"]]
    assert all(result.passed for result in results)


def test_the_file_reaches_each_of_the_seven_states() -> None:
    assert {case["expect"]["state"] for case in json.loads(TEXT)["cases"]} == set(FeedbackState)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("state", "passed"),
        ("items", ["readme", "tests"]),
        ("items", ["tests"]),
        ("submission", "two"),
        ("submission", None),
        ("attempt", "again"),
        ("attempt", None),
    ],
    ids=["state", "order", "an item less", "submission", "no submission", "attempt", "no attempt"],
)
def test_a_case_that_expects_something_else_fails(stores: VectorStores, field: str, value: object) -> None:
    file = json.loads(TEXT)
    case = next(case for case in file["cases"] if case["name"] == "a doubt beside a failure")
    case["expect"][field] = value

    (result,) = play_vectors(json.dumps({"format": 1, "cases": [case]}), stores)

    assert not result.passed
    assert result.seen["state"] == "current"
    assert result.seen["items"] == ["tests", "readme"]


class _Mute(FeedbackStore):
    """Reads as it should, and tells nothing of it."""

    def read_newest(self, viewer: Viewer, key: FeedbackKey, versions: Versions) -> FeedbackRecord:
        found = super().read_newest(viewer, key, versions)
        return FeedbackRecord(key=found.key, versions=found.versions)


def test_what_is_seen_comes_from_the_feedback_store(tmp_path: Path) -> None:
    with opened(f"sqlite:///{tmp_path / 'mute.db'}", offline_gateway()) as space:
        mute = _Mute(space.database, clock=utc_now, new_id=new_id)
        ready = VectorStores(courses=space.courses, work=space.work, reviews=space.reviews, feedback=mute)
        results = list(play_vectors(TEXT, ready))

    assert {result.seen["state"] for result in results} == {"none"}
    assert [result.passed for result in results].count(True) == 2


def test_cases_do_not_touch_each_other_though_they_use_the_same_names(stores: VectorStores) -> None:
    cases = json.loads(TEXT)["cases"]
    backwards = json.dumps({"format": 1, "cases": [*reversed(cases), *cases]})

    assert all(result.passed for result in play_vectors(backwards, stores))


_CASE = json.loads(TEXT)["cases"][0]


@pytest.mark.parametrize(
    "file",
    [
        {"format": 2, "cases": [_CASE]},
        {"cases": [_CASE]},
        {"format": 1, "cases": [_CASE], "more": 1},
        {"format": 1, "cases": [_CASE | {"events": [{"do": "wait"}]}]},
        {"format": 1, "cases": [{"name": "no question"}]},
        [_CASE],
    ],
    ids=["another format", "no format", "unknown field", "unknown event", "field missing", "no object"],
)
def test_a_file_of_another_format_is_refused(stores: VectorStores, file: object) -> None:
    with pytest.raises(InputError, match="not a vector file of format 1"):
        list(play_vectors(json.dumps(file), stores))


def test_a_file_that_is_no_json_is_refused(stores: VectorStores) -> None:
    with pytest.raises(InputError, match="not a vector file of format 1"):
        list(play_vectors("format: 1", stores))


@pytest.mark.parametrize(
    "event",
    [
        {"do": "start", "as": "a9", "submission": "nobody", "rubric": "r", "prompt": "p", "engine": "e", "model": "m"},
        {"do": "finish", "attempt": "nobody", "outcome": "unavailable", "reason": "provider_down"},
    ],
    ids=["start of an unknown submission", "finish of an unknown attempt"],
)
def test_an_event_about_something_unknown_is_refused_by_name(stores: VectorStores, event: object) -> None:
    with pytest.raises(InputError, match="nothing earlier is called 'nobody'"):
        list(play_vectors(json.dumps({"format": 1, "cases": [_CASE | {"events": [event]}]}), stores))
