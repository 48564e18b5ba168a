"""What the diff engine marks and takes, beside difflib, cydifflib, diff-match-patch and Git's word diff.

All in one run, each engine and pair in a process of its own. What is marked is held against difflib's answer, or
that of cydifflib, which is difflib in C++, where difflib itself does not finish in time; a bar of its own says that
the two never differ where both finish. Pairs that neither finishes are listed and not counted, and the
figures that difflib alone gives are told. CPU time is compared, with difflib only, not time on the clock, except for
Git. Two bars hold a time and a size against a budget; they are told as shares of it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from engine.revision.diff import EXACT_CELLS, raw_script
from tests.benchmarks.bars import Bar, Report, Times
from tests.benchmarks.diff_rivals import (
    AUTOJUNK,
    CYDIFFLIB,
    DIFFLIB,
    ENGINES,
    NEEDED,
    OURS,
    Marked,
    Run,
    is_installed,
    run_in_child,
)
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

    @property
    def answer(self) -> Marked | None:
        """What difflib marks with autojunk off, computed by itself or in C++."""
        run = self.difflib or self.runs.get(CYDIFFLIB)
        return run.raw if run else None


def measure(quick: bool) -> Report:
    """Run every engine on every pair and hold the product's against the bars."""
    engines = [engine for engine in ENGINES if is_installed(engine)]
    return measured(revisions(quick), worst_cases(quick), quick, run_in_child, engines)


def measured(
    pairs: Sequence[Pair], worst: Sequence[Pair], quick: bool, run: RunChild, engines: Sequence[str]
) -> Report:
    """As `measure`, on these pairs with these engines, of which the product's and difflib must be some."""
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
        told=(
            *_table(rows, limit),
            "",
            *_table(worst_rows, limit),
            "",
            *_counted(rows),
            *_missing(rows + worst_rows, limit),
        ),
        bars=(*bars, _exactness(QUICK_EXACT_CASES if quick else EXACT_CASES)),
    )


def _finished(rows: Sequence[Row]) -> Iterator[tuple[Row, Run]]:
    yield from ((row, row.difflib) for row in rows if row.difflib is not None)


def _bars_of_size(rows: Sequence[Row], why: str) -> Iterator[Bar]:
    """Bars 1 and 2: what is marked, on pairs with difflib's answer."""
    done = [(row.ours, row.answer) for row in rows if row.answer is not None]
    most = max((ours.raw.characters / theirs.characters for ours, theirs in done if theirs.characters), default=1)
    yield Bar(name="1. raw characters to difflib's, worst pair", figure=most, limit=1)
    raw, display, hunks = _sums(done)
    yield Bar(name="1. raw characters to difflib's, all pairs", figure=raw, limit=0.97, why=why)
    yield Bar(name="2. display hunks to difflib's, all pairs", figure=hunks, limit=0.9)
    yield Bar(name="2. display characters to difflib's, all pairs", figure=display, limit=1, why=why)
    every = [row.ours for row in rows]
    cost = sum(run.display.characters for run in every) / sum(run.raw.characters for run in every)
    yield Bar(name="2. display characters to raw ones, all pairs", figure=cost, limit=1.05)
    differ = sum(run.raw != ported.raw for run, ported in _ported(rows))
    yield Bar(name="cydifflib marks otherwise than difflib, pairs that both finished", figure=differ, limit=0)


def _sums(done: Sequence[tuple[Run, Marked]]) -> tuple[float, float, float]:
    """To difflib's: raw characters, display characters, display hunks."""
    characters, hunks = (sum(counts) for counts in zip(*((one.characters, one.hunks) for _, one in done), strict=True))
    return (
        sum(ours.raw.characters for ours, _ in done) / characters,
        sum(ours.display.characters for ours, _ in done) / characters,
        sum(ours.display.hunks for ours, _ in done) / hunks,
    )


def _ported(rows: Sequence[Row]) -> Iterator[tuple[Run, Run]]:
    """difflib's run and cydifflib's, where both finished."""
    for row, run in _finished(rows):
        ported = row.runs.get(CYDIFFLIB)
        if ported is not None:
            yield run, ported


def _counted(rows: Sequence[Row]) -> Iterator[str]:
    """How many pairs bars 1 and 2 count, and what they would be by difflib itself."""
    answered, alone = sum(row.answer is not None for row in rows), [(row.ours, run.raw) for row, run in _finished(rows)]
    raw, display, hunks = _sums(alone)
    yield (
        f"Bars 1 and 2 count {answered} of {len(rows)} pairs; difflib itself finished {len(alone)}, and by these "
        f"alone: raw characters {raw:.3f}, display characters {display:.3f}, display hunks {hunks:.3f}."
    )
    exact = all(len(row.pair.old) * len(row.pair.new) <= EXACT_CELLS for row, _ in _finished(rows))
    if exact:
        yield "Each of those is solved exactly: no engine can mark fewer of its raw characters."


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
        cells = [f"{engine}: {_cell(engine, row, limit)}" for engine in ENGINES]
        yield f"{row.pair.name:{width}} {row.pair.size:7}  {'  |  '.join(cells)}"


def _cell(engine: str, row: Row, limit: float) -> str:
    if engine not in row.runs:
        return "not installed"
    run = row.runs[engine]
    if run is None:
        return f"not in {limit:.0f} s"
    display = f", display {run.display.characters} h {run.display.hunks}" if engine == OURS else ""
    return f"{run.seconds:.4f} s {run.raw.characters} h {run.raw.hunks}{display}"


def _missing(rows: Sequence[Row], limit: float) -> Iterator[str]:
    for engine in (DIFFLIB, AUTOJUNK, CYDIFFLIB):
        names = [row.pair.name for row in rows if engine in row.runs and row.runs[engine] is None]
        yield f"{engine} did not finish in {limit:.0f} s, not counted: {', '.join(names) or 'none'}"
    for engine in NEEDED:
        if any(engine not in row.runs for row in rows):
            yield f"{engine} is not installed; the extra `bench` brings it."
