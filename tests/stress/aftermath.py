"""What must be true of a database after a process was killed and another has recovered."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Engine, text

from db import triggers
from db.connection import reading
from engine.domain.states import TurnState
from tests.stress.numbering import broken_chains, broken_series
from tests.stress.victim import REPLY

Facts = Mapping[str, frozenset[tuple[object, ...]]]
"""Every row of every table of facts, by table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aftermath:
    """What is stored once a process has recovered."""

    turns: int
    interrupted: int
    """Of these turns, those that had no other end."""
    reviews: int
    unreviewed: int
    """Submissions whose review had not begun when the process died."""


def read_facts(engine: Engine) -> Facts:
    """The facts as they stand."""
    with reading(engine) as session:
        connection = session.connection()
        return {
            table: frozenset(tuple(row) for row in connection.execute(text(f"SELECT * FROM {table}")))
            for table in (*triggers.FACTS, triggers.ERASABLE)
        }


def lost_facts(before: Facts, now: Facts) -> list[str]:
    """A line for each table in which a row that was there is gone or is another."""
    lost = {table: rows - now[table] for table, rows in before.items()}
    return [f"{len(rows)} rows of {table} are gone or changed" for table, rows in lost.items() if rows]


def read_aftermath(engine: Engine) -> Aftermath:
    """The counts."""
    with reading(engine) as session:
        connection = session.connection()
        ends = Counter(_column(connection, "SELECT state FROM turn_end"))
        unreviewed = "SELECT count(*) FROM submission WHERE id NOT IN (SELECT submission_id FROM attempt)"
        return Aftermath(
            turns=ends.total(),
            interrupted=ends[TurnState.INTERRUPTED],
            reviews=_count(connection, "SELECT count(*) FROM outcome"),
            unreviewed=_count(connection, unreviewed),
        )


def find_problems(engine: Engine, journal: Path) -> list[str]:
    """A line for whatever is lost, doubled, open, out of order or damaged."""
    with reading(engine) as session:
        connection = session.connection()
        asked = _column(connection, "SELECT body FROM message JOIN text ON text.id = text_id WHERE role = 'user'")
        handed_in = _column(connection, "SELECT token FROM submission")
        return [
            *lost_or_doubled("ask", asked, journal),
            *lost_or_doubled("hand_in", handed_in, journal),
            *_unended(connection),
            *_wrong_replies(connection),
            *broken_series(connection),
            *broken_chains(connection),
            *_damage(connection),
        ]


def lost_or_doubled(what: str, stored: list[str], journal: Path) -> list[str]:
    """What the journal knows to be stored must be there; what is there was to be stored; nothing is there twice."""
    lines = [json.loads(line) for line in journal.read_text("utf-8").splitlines()] if journal.exists() else []
    noted = {(line["when"], line["words"]) for line in lines if line["what"] == what}
    before, after = ({words for when, words in noted if when == wanted} for wanted in ("before", "after"))
    times = Counter(stored)
    return [
        *(f"{what}: lost: {words}" for words in sorted(after - set(stored))),
        *(f"{what}: from nowhere: {words}" for words in sorted(set(stored) - before)),
        *(f"{what}: {count} times: {words}" for words, count in sorted(times.items()) if count > 1),
    ]


def _unended(connection: Connection) -> list[str]:
    """Every turn and every attempt has an end, which by its key is the only one, and nobody holds it any more."""
    wrong = {
        "turns without an end": "turn WHERE id NOT IN (SELECT turn_id FROM turn_end)",
        "attempts without an outcome": "attempt WHERE id NOT IN (SELECT attempt_id FROM outcome)",
        "leases left": "lease",
        "progress left": "progress",
    }
    counts = {name: _count(connection, f"SELECT count(*) FROM {rows}") for name, rows in wrong.items()}
    return [f"{count} {name}" for name, count in counts.items() if count]


def _wrong_replies(connection: Connection) -> list[str]:
    """A turn that is done has the whole reply, once; any other has none, and of the words a beginning at most."""
    replies = connection.execute(
        text(
            "SELECT turn_end.turn_id, state, reply.body, partial.body FROM turn_end "
            "LEFT JOIN message ON message.turn_id = turn_end.turn_id AND role = 'assistant' "
            "LEFT JOIN text AS reply ON reply.id = message.text_id "
            "LEFT JOIN text AS partial ON partial.id = partial_text_id"
        )
    ).all()
    times = Counter(row[0] for row in replies)
    return [
        *(f"turn {turn_id} has {count} replies" for turn_id, count in times.items() if count > 1),
        *(f"turn {row[0]} is {row[1]} with {row[2]!r} and {row[3]!r}" for row in replies if not _fits(*row[1:])),
    ]


def _fits(state: str, reply: str | None, partial: str | None) -> bool:
    if state == TurnState.DONE:
        return reply == REPLY and partial is None
    return state == TurnState.INTERRUPTED and reply is None and REPLY.startswith(partial or "")


def _damage(connection: Connection) -> list[str]:
    problems = [f"the trigger {name} is missing" for name in triggers.missing(connection)]
    if connection.dialect.name == "sqlite":
        checked = _column(connection, "PRAGMA integrity_check")
        problems += [f"integrity: {line}" for line in checked if line != "ok"]
        problems += [f"refers to nothing: {row}" for row in _column(connection, "PRAGMA foreign_key_check")]
    return problems


def _column(connection: Connection, query: str) -> list[str]:
    return [str(value) for value in connection.execute(text(query)).scalars()]


def _count(connection: Connection, query: str) -> int:
    return int(connection.execute(text(query)).scalar_one())
