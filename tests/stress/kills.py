"""Processes that answer and review are killed at random points; the next one recovers, and all is compared.

By hand: `python -m tests.stress.kills`, on both databases, or with some of `sqlite` and `postgres`. Prints a line
for each kill and one for each problem; ends with 1 if there is any, or if no turn or no review was hit.
"""

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random

from sqlalchemy import Engine, text

from db.connection import open_database, reading
from engine.domain.running import Subject
from tests.servers import empty_database
from tests.stress.aftermath import Aftermath, find_problems, lost_facts, read_aftermath, read_facts
from tests.stress.processes import fresh_processes
from tests.stress.victim import Room, furnish, recover_and_work

KILLS = 20
SEED = 3
LONGEST_SECONDS = 2.0
"""The latest moment of a kill after the work began."""
AHEAD = timedelta(minutes=1)
"""How far the clock of each process is ahead of the one before, so that every lease of a dead one has run out."""
READY_SECONDS = 60
"""How long a process may take to begin and to recover."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kill:
    """One kill, and what the process after it made of what was left."""

    after_ms: int
    open_turns: int
    """When the process died."""
    open_reviews: int
    after: Aftermath
    problems: tuple[str, ...]

    def line(self, number: int) -> str:
        """The row of the table."""
        left = f"{number:4}{self.after_ms:10}{self.open_turns:12}{self.open_reviews:14}"
        stored = f"{self.after.turns:8}{self.after.interrupted:13}{self.after.reviews:9}{self.after.unreviewed:12}"
        return f"{left}{stored}{len(self.problems):10}"


HEAD = (
    f"{'kill':>4}{'after ms':>10}{'open turns':>12}{'open reviews':>14}"
    f"{'turns':>8}{'interrupted':>13}{'reviews':>9}{'unreviewed':>12}{'problems':>10}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Process:
    """A process that has recovered and waits for a word: True to work, False to end."""

    process: BaseProcess
    pipe: Connection


def run(url: str, folder: Path, *, kills: int = KILLS, seed: int = SEED) -> Iterator[Kill]:
    """Kill a process on the empty database at `url`, `kills` times; gives each kill once the next has recovered."""
    engine = open_database(url)
    random = Random(seed)  # noqa: S311 - moments of a test
    room = furnish(engine, url, folder / "journal.jsonl")
    current, facts = _start(room, 0), read_facts(engine)
    try:
        for number in range(1, kills + 1):
            seconds = random.uniform(0, LONGEST_SECONDS)
            _kill(current, seconds)
            left = _open_now(engine)
            current = _start(room, number)
            before, facts = facts, read_facts(engine)
            yield Kill(
                after_ms=round(seconds * 1000),
                open_turns=left.get(Subject.TURN, 0),
                open_reviews=left.get(Subject.ATTEMPT, 0),
                after=read_aftermath(engine),
                problems=(*find_problems(engine, room.journal), *lost_facts(before, facts)),
            )
    finally:
        current.pipe.send(False)
        current.process.join(READY_SECONDS)
        engine.dispose()


def _start(room: Room, number: int) -> _Process:
    context = fresh_processes()
    ours, theirs = context.Pipe()
    process = context.Process(target=recover_and_work, args=(room, number, AHEAD * number, theirs), daemon=True)
    process.start()
    theirs.close()
    if not ours.poll(READY_SECONDS):
        raise RuntimeError("a process did not begin")
    ours.recv()
    return _Process(process=process, pipe=ours)


def _kill(current: _Process, seconds: float) -> None:
    """Let it work so long, then end it as a power cut would: SIGKILL cannot be caught."""
    current.pipe.send(True)
    time.sleep(seconds)
    current.process.kill()
    current.process.join()
    current.pipe.close()


def _open_now(engine: Engine) -> dict[str, int]:
    with reading(engine) as session:
        rows = session.connection().execute(text("SELECT subject_kind, count(*) FROM lease GROUP BY subject_kind"))
        return {str(kind): int(count) for kind, count in rows}


def main(kinds: Sequence[str]) -> int:
    """Print a line for each kill and each problem; 1 if there is any or nothing was hit, else 0."""
    failed = False
    for kind in kinds or ("sqlite", "postgres"):
        print(f"{kind}, {KILLS} kills, seed {SEED}\n{HEAD}")  # noqa: T201 - the table
        done = []
        with empty_database(kind) as url, tempfile.TemporaryDirectory(prefix="tl-") as folder:
            for number, kill in enumerate(run(url, Path(folder)), start=1):
                print(kill.line(number), *kill.problems[:20], sep="\n  ", flush=True)  # noqa: T201 - the table
                done.append(kill)
        hit = any(kill.open_turns for kill in done) and any(kill.open_reviews for kill in done)
        failed = failed or not hit or any(kill.problems for kill in done)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
