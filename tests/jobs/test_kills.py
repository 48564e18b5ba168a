"""A server that is killed in its work: a few kills here, twenty on each database in `tests.stress.kills`."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from db.connection import open_database
from engine.domain.clock import utc_now
from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import TurnEnd
from engine.domain.states import TurnState
from tests.stores.builders import LEASE, Stores, answer, begin_review, build_stores, enrol, hand_in, question, talk
from tests.stress.aftermath import find_problems, lost_facts, lost_or_doubled, read_facts
from tests.stress.kills import run
from tests.stress.victim import REPLY


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[Stores]:
    engine = open_database(f"sqlite:///{tmp_path / 'test.db'}")
    yield build_stores(engine, utc_now)
    engine.dispose()


def _journal(folder: Path, *lines: tuple[str, str, str]) -> Path:
    path = folder / "journal.jsonl"
    path.write_text("".join(json.dumps({"what": w, "words": t, "when": n}) + "\n" for w, t, n in lines), "utf-8")
    return path


def test_what_a_killed_server_was_doing_is_ended_once_and_nothing_is_lost(tmp_path: Path) -> None:
    kills = list(run(f"sqlite:///{tmp_path / 'test.db'}", tmp_path, kills=3))
    assert [kill.problems for kill in kills] == [(), (), ()]
    assert any(kill.open_turns for kill in kills)
    assert kills[-1].after.turns > 0
    assert kills[-1].after.reviews > 0


@pytest.mark.parametrize(
    ("stored", "problems"),
    [
        pytest.param(["sure"], [], id="what was on its way may be missing"),
        pytest.param(["sure", "on its way"], [], id="or be there"),
        pytest.param(["on its way"], ["ask: lost: sure"], id="lost"),
        pytest.param(["sure", "sure"], ["ask: 2 times: sure"], id="doubled"),
        pytest.param(["sure", "other"], ["ask: from nowhere: other"], id="never asked"),
    ],
)
def test_what_the_journal_knows_must_be_there_once(tmp_path: Path, stored: list[str], problems: list[str]) -> None:
    noted = (("ask", "sure", "before"), ("ask", "sure", "after"), ("ask", "on its way", "before"))
    journal = _journal(tmp_path, *noted, ("hand_in", "of another kind", "after"))
    assert lost_or_doubled("ask", stored, journal) == problems


def test_what_stays_open_and_a_reply_that_is_not_the_models_are_found(stores: Stores, tmp_path: Path) -> None:
    key = enrol(stores)
    conversation = talk(stores, key)
    journal = _journal(tmp_path, ("ask", "why?", "before"))
    asked = question(stores, conversation)
    assert find_problems(stores.engine, journal) == ["1 turns without an end", "1 leases left"]
    stores.sessions.end_turn(LOCAL_VIEWER, asked.turn_id, TurnEnd(state=TurnState.DONE, reply=REPLY))
    assert find_problems(stores.engine, journal) == []
    answer(stores, stores.sessions.retry_turn(LOCAL_VIEWER, asked.turn_id, LEASE)[0], REPLY[:-1])
    (wrong,) = find_problems(stores.engine, journal)
    assert "is done with" in wrong


def test_a_review_without_an_outcome_is_found(stores: Stores, tmp_path: Path) -> None:
    begin_review(stores, hand_in(stores, enrol(stores)))
    problems = find_problems(stores.engine, _journal(tmp_path))
    assert problems == ["hand_in: from nowhere: None", "1 attempts without an outcome", "1 leases left"]


def test_a_fact_that_went_away_or_changed_is_found(stores: Stores) -> None:
    empty = read_facts(stores.engine)
    hand_in(stores, enrol(stores))
    full = read_facts(stores.engine)
    assert lost_facts(empty, full) == []
    assert "1 rows of submission are gone or changed" in lost_facts(full, empty)
