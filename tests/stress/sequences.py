"""Processes that hand in and begin reviews of the same keys at one time, and a reader that watches the numbers.

By hand: `python -m tests.stress.sequences`, on both databases, or with some of `sqlite` and `postgres`. Prints a
line for each database and one for each anomaly; ends with 1 if there is any.
"""

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier

from sqlalchemy import Engine, text

from db.connection import connect, open_database, reading
from engine.domain.clock import utc_now
from engine.domain.keys import FeedbackKey
from engine.domain.people import LOCAL_VIEWER
from engine.review.review_store import ReviewStore
from engine.wiring import new_id
from engine.work.work_store import WorkStore
from tests.servers import empty_database
from tests.stores.builders import LEASE, VERSIONS, build_stores, enrol, hand_in, snapshot
from tests.stress.numbering import broken_chains, broken_series, read_series
from tests.stress.processes import fresh_processes

PROCESSES = 4
STEPS = 500
"""Hand-ins of each process; each is followed by the beginning of a review."""
LOOK_SECONDS = 0.003
"""Between two looks of the reader."""
START_SECONDS = 60
"""How long the processes wait for one another."""
WATCHED = ("submission", "version", "attempt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What all processes work on."""

    url: str
    keys: tuple[FeedbackKey, ...]
    reviewed: tuple[str, ...]
    """For each key one submission that everybody reviews, so that its attempts are fought for too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the stores answered one process."""

    numbers: tuple[tuple[str, int], ...]
    """What was numbered, and its number, in the order of the answers."""
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What came of a run."""

    transactions: int
    seconds: float
    looks: int
    """How often the reader looked while others wrote."""
    anomalies: tuple[str, ...]

    def line(self, kind: str) -> str:
        """The row of the table."""
        rate = self.transactions / self.seconds
        return f"{kind:10}{self.transactions:14}{rate:8.0f}{self.looks:8}{len(self.anomalies):11}"


HEAD = f"{'database':10}{'transactions':>14}{'tx/s':>8}{'looks':>8}{'anomalies':>11}"


def run(url: str, *, processes: int = PROCESSES, steps: int = STEPS) -> Report:
    """Let `processes` write at one time into the database at `url`, watch, and compare at the end."""
    engine = open_database(url)
    try:
        work = _prepare(engine, url)
        context = fresh_processes()
        barrier = context.Barrier(processes + 1)
        with ProcessPoolExecutor(processes, mp_context=context, initializer=_await_all, initargs=(barrier,)) as pool:
            futures = [pool.submit(_write, work, steps) for _ in range(processes)]
            barrier.wait(START_SECONDS)
            begun = time.monotonic()
            looks, seen = _watch(engine, futures)
            told = [future.result() for future in futures]
            seconds = time.monotonic() - begun
        return Report(
            transactions=sum(len(each.numbers) for each in told),
            seconds=seconds,
            looks=looks,
            anomalies=(*seen, *_compare(engine, work, told, processes * steps)),
        )
    finally:
        engine.dispose()


def _prepare(engine: Engine, url: str) -> Work:
    """Two keys of one learner and one of another, so that locks are shared and are not."""
    stores = build_stores(engine, utc_now)
    ada, ben = enrol(stores, "Ada"), enrol(stores, "Ben")
    keys = (ada, FeedbackKey(learner_id=ada.learner_id, project_id=ada.project_id, task_id="second"), ben)
    return Work(url=url, keys=keys, reviewed=tuple(hand_in(stores, key).submission_id for key in keys))


def _await_all(barrier: Barrier) -> None:
    barrier.wait(START_SECONDS)


def _write(work: Work, steps: int) -> Told:
    """One process: hand in and begin a review, `steps` times, every key in turn as all the others do."""
    engine = connect(work.url)
    handing_in = WorkStore(engine, clock=utc_now, new_id=new_id)
    reviews = ReviewStore(engine, clock=utc_now, new_id=new_id)
    numbers: list[tuple[str, int]] = []
    errors: list[str] = []
    for step in range(steps):
        place = step % len(work.keys)
        try:
            handed_in, _ = handing_in.hand_in(LOCAL_VIEWER, work.keys[place], snapshot(f"print({step})\n"))
            numbers.append((f"submission {place}", handed_in.submission_seq or 0))
            begun = reviews.start_attempt(LOCAL_VIEWER, work.reviewed[place], VERSIONS, model=None, lease=LEASE)
            numbers.append((f"attempt {place}", begun.attempt_seq))
        except Exception as error:  # whatever it is, it is an anomaly of this run
            errors.append(f"step {step}: {str(error).splitlines()[0]}")
    engine.dispose()
    return Told(numbers=tuple(numbers), errors=tuple(errors))


def _watch(engine: Engine, futures: Sequence[Future[Told]]) -> tuple[int, list[str]]:
    """Look until all have written; tells how often, and every series that was seen with a hole or shrinking."""
    looks = 0
    anomalies: list[str] = []
    last: dict[str, int] = defaultdict(int)
    while not all(future.done() for future in futures):
        with reading(engine) as session:
            for series in read_series(session.connection(), WATCHED):
                if not series.is_whole:
                    anomalies.append(f"late: {series}")
                if series.last < last[series.name]:
                    anomalies.append(f"shrank from {last[series.name]}: {series}")
                last[series.name] = series.last
        looks += 1
        time.sleep(LOOK_SECONDS)
    return looks, anomalies


def _compare(engine: Engine, work: Work, told: Sequence[Told], expected: int) -> list[str]:
    """What the processes were told against what is stored."""
    anomalies = [error for each in told for error in each.errors]
    anomalies += [problem for each in told for problem in falling(each.numbers)]
    anomalies += repeated([number for each in told for number in each.numbers])
    with reading(engine) as session:
        connection = session.connection()
        anomalies += broken_series(connection) + broken_chains(connection)
        # Each key had one submission before the processes began.
        for table, before in (("submission", len(work.keys)), ("version", len(work.keys)), ("attempt", 0)):
            stored = connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()
            if stored != expected + before:
                anomalies.append(f"{stored} rows of {table}, not {expected + before}")
    return anomalies


def falling(numbers: Sequence[tuple[str, int]]) -> list[str]:
    """Where a later answer had a number that is not larger."""
    last: dict[str, int] = defaultdict(int)
    problems = []
    for name, number in numbers:
        if number <= last[name]:
            problems.append(f"{name} got {number} after {last[name]}")
        last[name] = number
    return problems


def repeated(numbers: Sequence[tuple[str, int]]) -> list[str]:
    """Numbers that were given out more than once."""
    times = Counter(numbers)
    return [f"{name} got {number} {count} times" for (name, number), count in sorted(times.items()) if count > 1]


def main(kinds: Sequence[str]) -> int:
    """Print a line for each database and each anomaly; 1 if there is any, else 0."""
    print(f"{PROCESSES} processes, {STEPS} hand-ins and {STEPS} attempts each, on 3 keys\n{HEAD}")  # noqa: T201 - the table
    found = 0
    for kind in kinds or ("sqlite", "postgres"):
        with empty_database(kind) as url:
            report = run(url)
        print(report.line(kind), *report.anomalies[:20], sep="\n  ", flush=True)  # noqa: T201 - the table
        found += len(report.anomalies)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
