"""What the diff engine marks and takes, beside difflib, cydifflib, diff-match-patch and Git's word diff.

All in one run, each engine and pair in a process of its own. Pairs that difflib does not finish in time are listed
and not counted. CPU time is compared, not time on the clock, except for Git. Two bars hold a time and a size
against a budget; they are told as shares of it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from engine.revision.diff import raw_script
from tests.benchmarks.bars import Bar, Report, Times
from tests.benchmarks.diff_rivals import AUTOJUNK, DIFFLIB, ENGINES, NEEDED, OURS, Run, is_installed, run_in_child
from tests.benchmarks.diff_texts import Pair, revisions, worst_cases
from tests.revision.test_diff import pair_of_pieces, smallest

LIMIT_S, QUICK_LIMIT_S, OURS_LIMIT_S = 60.0, 3.0, 600.0
SMALLEST_TIMED, LARGE = 1000, 100_000
"""Characters: below the first no time is compared; from the second on the engine is to be far ahead."""
TIMES_AHEAD = 50
REVISION_S, UNRELATED_S, REVISION_BYTES, UNRELATED_BYTES = 0.5, 3.0, 64 * 2**20, 150 * 2**20
"""The budgets: CPU time of a true revision and of unrelated texts of 200,000 characters, and what they hold."""
WHY_QUICK = "A quick run has small pairs only; the sums are promised of all."
FAR_AHEAD_ON = ("equal lines", "phase shift", "few symbols", "paragraphs shuffled")
EXACT_CASES, QUICK_EXACT_CASES = 4000, 500
RunChild = Callable[[str, Pair, float], Run | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A pair and what each engine took for it; None where it was ended. Engines that are not installed lack."""

    pair: Pair
    runs: Mapping[str, Run | None]

    @property
    def ours(self) -> Run:
        """The product's run, which always ends."""
        run = self.runs[OURS]
        assert run is not None, f"{self.pair.name} took more than {OURS_LIMIT_S:.0f} s"
        return run

    @property
    def difflib(self) -> Run | None:
        """difflib's run with autojunk off."""
        return self.runs[DIFFLIB]


def measure(quick: bool) -> Report:
    """Run every engine on every pair and hold the product's against the bars."""
    return measured(revisions(quick), worst_cases(quick), quick, run_in_child)


def measured(pairs: Sequence[Pair], worst: Sequence[Pair], quick: bool, run: RunChild) -> Report:
    """As `measure`, on these pairs."""
    engines = [engine for engine in ENGINES if is_installed(engine)]
    limit = QUICK_LIMIT_S if quick else LIMIT_S
    rows, worst_rows = (
        [
            Row(pair=pair, runs={each: run(each, pair, OURS_LIMIT_S if each == OURS else limit) for each in engines})
            for pair in some
        ]
        for some in (pairs, worst)
    )
    bars = (
        *_bars_of_size(rows, WHY_QUICK if quick else ""),
        *_bars_of_speed(rows),
        *(() if quick else _bars_at_scale(rows, worst_rows)),
    )
    return Report(
        times=tuple(_times(rows)),
        told=(*_table(rows, limit), "", *_table(worst_rows, limit), "", *_missing(rows + worst_rows, limit)),
        bars=(*bars, _exactness(QUICK_EXACT_CASES if quick else EXACT_CASES)),
    )


def _finished(rows: Sequence[Row]) -> Iterator[tuple[Row, Run]]:
    yield from ((row, row.difflib) for row in rows if row.difflib is not None)


def _bars_of_size(rows: Sequence[Row], why: str) -> Iterator[Bar]:
    """Bars 1 and 2: what is marked, on pairs that difflib finished."""
    done = [*_finished(rows)]
    difflib = sum(run.raw.characters for _, run in done)
    display = sum(row.ours.display.characters for row, _ in done)
    most = max((row.ours.raw.characters / run.raw.characters for row, run in done if run.raw.characters), default=1)
    yield Bar(name="1. raw characters to difflib's, worst pair", figure=most, limit=1)
    raw = sum(row.ours.raw.characters for row, _ in done)
    yield Bar(name="1. raw characters to difflib's, all pairs", figure=raw / difflib, limit=0.97, why=why)
    hunks = sum(row.ours.display.hunks for row, _ in done) / sum(run.raw.hunks for _, run in done)
    yield Bar(name="2. display hunks to difflib's, all pairs", figure=hunks, limit=0.9)
    yield Bar(name="2. display characters to difflib's, all pairs", figure=display / difflib, limit=1, why=why)
    every = [row.ours for row in rows]
    cost = sum(run.display.characters for run in every) / sum(run.raw.characters for run in every)
    yield Bar(name="2. display characters to raw ones, all pairs", figure=cost, limit=1.05)


def _bars_of_speed(rows: Sequence[Row]) -> Iterator[Bar]:
    """Bar 3."""
    shares = [row.ours.seconds / run.seconds for row, run in _finished(rows) if row.pair.size >= SMALLEST_TIMED]
    yield Bar(name="3. CPU time to difflib's, worst pair", figure=max(shares), limit=0.5)


def _bars_at_scale(rows: Sequence[Row], worst: Sequence[Row]) -> Iterator[Bar]:
    """Bars 4 to 6; where difflib finished no such pair, the bar is left out and the pair told as unfinished."""
    for row, run in _finished([*(row for row in rows if row.pair.size >= LARGE), *worst]):
        if row.pair.size >= LARGE or row.pair.name in FAR_AHEAD_ON:
            figure = TIMES_AHEAD * row.ours.seconds / run.seconds
            yield Bar(name=f"4. {TIMES_AHEAD} times the CPU time to difflib's, {row.pair.name}", figure=figure, limit=1)
    true = [row.ours.seconds for row in rows if row.pair.is_true] or [row.ours.seconds for row in rows]
    unrelated = next(row.ours for row in worst if row.pair.name == "unrelated")
    yield Bar(name=f"5. slowest revision, of {REVISION_S} s CPU", figure=max(true) / REVISION_S, limit=1)
    yield Bar(name=f"5. unrelated texts, of {UNRELATED_S} s CPU", figure=unrelated.seconds / UNRELATED_S, limit=1)
    peak = max(row.ours.peak for row in rows)
    yield Bar(name="6. peak memory of a revision, of 64 MB", figure=peak / REVISION_BYTES, limit=1)
    yield Bar(name="6. peak memory of unrelated texts, of 150 MB", figure=unrelated.peak / UNRELATED_BYTES, limit=1)


def _exactness(cases: int) -> Bar:
    """Bar 8. That both texts are rebuilt is held in each child and by the tests."""
    random = Random(8)  # noqa: S311 - a benchmark
    larger = 0
    for _ in range(cases):
        old, new = pair_of_pieces(random)
        script = raw_script(old, new)
        larger += script.deleted + script.inserted != smallest(old, new)
    return Bar(name=f"8. of {cases} small pairs, larger than the minimum", figure=larger, limit=0)


def _times(rows: Sequence[Row]) -> Iterator[Times]:
    for name, least, most in (("below 3k", 0, 3000), ("3k to 30k", 3000, 30_000), ("from 30k", 30_000, 10**9)):
        seconds = tuple(row.ours.seconds for row in rows if least <= row.pair.size < most)
        if seconds:
            yield Times(name=f"ours, {name} characters, CPU", seconds=seconds)


def _table(rows: Sequence[Row], limit: float) -> Iterator[str]:
    """One line a pair; for each engine seconds, characters marked and hunks, of ours also the display script's."""
    width = max(len(row.pair.name) for row in rows)
    for row in rows:
        cells = [f"{engine}: {_cell(engine, row.runs.get(engine), limit)}" for engine in ENGINES]
        yield f"{row.pair.name:{width}} {row.pair.size:7}  {'  |  '.join(cells)}"


def _cell(engine: str, run: Run | None, limit: float) -> str:
    if not is_installed(engine):
        return "not installed"
    if run is None:
        return f"not in {limit:.0f} s"
    display = f", display {run.display.characters} h {run.display.hunks}" if engine == OURS else ""
    return f"{run.seconds:.4f} s {run.raw.characters} h {run.raw.hunks}{display}"


def _missing(rows: Sequence[Row], limit: float) -> Iterator[str]:
    for engine in (DIFFLIB, AUTOJUNK):
        names = [row.pair.name for row in rows if row.runs[engine] is None]
        yield f"{engine} did not finish in {limit:.0f} s, not counted: {', '.join(names) or 'none'}"
    for engine in NEEDED:
        if not is_installed(engine):
            yield f"{engine} is not installed; the extra `bench` brings it."
