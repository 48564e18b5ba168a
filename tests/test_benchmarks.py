"""That a benchmark tells the truth about what it measured. What it measures is not run here."""

import pytest

from tests.benchmarks.__main__ import BENCHMARKS, main
from tests.benchmarks.bars import Bar, Report, Times, bar, exit_code, growth, last_line, write_bar, write_report
from tests.benchmarks.diff_rivals import (
    AUTOJUNK,
    CYDIFFLIB,
    DIFFLIB,
    GIT,
    OURS,
    Marked,
    Run,
    engine_run,
    is_installed,
    run_in_child,
)
from tests.benchmarks.diff_texts import Pair, made, worst_cases
from tests.benchmarks.diffing import measured

SMALL = Times(name="small", seconds=(0.001, 0.002, 0.9))
LARGE = Times(name="large", seconds=(0.5, 0.003, 0.001))


def a_bar(figure: float) -> Bar:
    return Bar(name="something", figure=figure, limit=1.5)


def test_growth_compares_medians_so_that_one_bad_moment_does_not_count() -> None:
    assert growth(LARGE, SMALL) == pytest.approx(1.5)
    assert bar("it", LARGE, SMALL, 3) == Bar(name="it", figure=growth(LARGE, SMALL), limit=3)


@pytest.mark.parametrize(("figure", "met"), [(1.4, True), (1.5, True), (1.51, False)], ids=["under", "at", "over"])
def test_a_bar_is_met_up_to_its_limit(figure: float, met: bool) -> None:
    assert a_bar(figure).met is met
    assert write_bar(a_bar(figure)) == f"{'✓' if met else '✗'} something: {figure:.2f}× (at most 1.5×)"


@pytest.mark.parametrize(
    ("figures", "line", "code"),
    [
        ((1, 1), "2 bars met, 0 fall short", 0),
        ((1, 2), "1 bars met, 1 fall short", 1),
        ((2,), "0 bars met, 1 fall short", 1),
    ],
    ids=["all", "one short", "none"],
)
def test_one_bar_that_falls_short_is_counted_and_ends_in_1(figures: tuple[float, ...], line: str, code: int) -> None:
    bars = tuple(map(a_bar, figures))
    assert last_line(bars) == line
    assert exit_code(bars) == code


def test_a_report_holds_the_times_what_is_told_and_the_bars_in_this_order() -> None:
    report = Report(times=(SMALL, LARGE), told=("And this.",), bars=(a_bar(1.2),))
    assert list(write_report(report)) == [
        "milliseconds        min     median        max  count",
        "small              1.00       2.00     900.00      3",
        "large              1.00       3.00     500.00      3",
        "",
        "And this.",
        "",
        "✓ something: 1.20× (at most 1.5×)",
        "1 bars met, 0 fall short",
    ]


def test_an_unknown_name_is_told_the_names_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lop"]) == 2
    printed = capsys.readouterr().out
    assert all(name in printed for name in BENCHMARKS)


@pytest.mark.parametrize(("arguments", "quick"), [(["it"], False), (["it", "--quick"], True)], ids=["whole", "quick"])
def test_a_benchmark_runs_by_its_name_and_its_bars_end_the_process(
    arguments: list[str], quick: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[bool] = []

    def measure(is_quick: bool) -> Report:
        asked.append(is_quick)
        return Report(times=(SMALL,), told=(), bars=(a_bar(2),))

    assert main(arguments, {"it": measure}) == 1
    assert asked == [quick]
    assert capsys.readouterr().out.splitlines()[-1] == "0 bars met, 1 fall short"


def test_the_reason_of_a_bar_is_told_where_it_falls_short_and_only_there() -> None:
    short, met = (Bar(name="it", figure=figure, limit=1.5, why="Nobody knows.") for figure in (2.0, 1.0))
    assert write_bar(short).endswith("(at most 1.5×) Nobody knows.")
    assert "Nobody" not in write_bar(met)


def a_run(seconds: float, characters: int, hunks: int) -> Run:
    marked = Marked(characters=characters, hunks=hunks)
    return Run(seconds=seconds, raw=marked, display=marked, peak=2**20)


def scripted(engine: str, pair: Pair, limit_s: float) -> Run | None:
    """As if engines had run: difflib does not finish what is called slow; in C++ it does."""
    if engine == OURS:
        return a_run(0.1, 90, 8)
    if pair.name == "slow":
        return a_run(9.0, 900, 10) if engine == CYDIFFLIB else None
    return a_run(1.0, 100, 10)


def test_the_diff_benchmark_counts_what_difflib_finished_and_lists_what_it_did_not() -> None:
    pairs = [
        Pair(name=name, old="a" * size, new="b") for name, size in (("short", 10), ("long", 200_000), ("slow", 10))
    ]
    worst = [Pair(name=name, old="a", new="b") for name in ("equal lines", "unrelated")]
    report = measured(pairs, worst, False, scripted, [OURS, DIFFLIB, AUTOJUNK])
    figures = {bar.name: round(bar.figure, 3) for bar in report.bars}
    assert figures == {
        "1. raw characters to difflib's, worst pair": 0.9,
        "1. raw characters to difflib's, all pairs": 0.9,
        "2. display hunks to difflib's, all pairs": 0.8,
        "2. display characters to difflib's, all pairs": 0.9,
        "2. display characters to raw ones, all pairs": 1,
        "cydifflib marks otherwise than difflib, pairs that both finished": 0,
        "3. CPU time to difflib's, worst pair": 0.1,
        "4. 50 times the CPU time to difflib's, long": 5,
        "4. 50 times the CPU time to difflib's, equal lines": 5,
        "5. slowest revision, of 0.5 s CPU": 0.2,
        "5. unrelated texts, of 3.0 s CPU": 0.033,
        "6. peak memory of a revision, of 64 MB": 0.016,
        "6. peak memory of unrelated texts, of 150 MB": 0.007,
        "8. of 4000 small pairs, larger than the minimum": 0,
    }
    assert "difflib did not finish in 60 s, not counted: slow" in report.told
    assert any("slow" in line and "not in 60 s" in line for line in report.told)
    assert any("2 of 3 pairs" in line for line in report.told)


def test_what_difflib_marks_is_known_from_its_port_where_it_does_not_finish_itself() -> None:
    pairs = [Pair(name=name, old="a" * 1000, new="b") for name in ("short", "slow")]
    worst = [Pair(name="unrelated", old="a", new="b")]
    report = measured(pairs, worst, False, scripted, [OURS, DIFFLIB, AUTOJUNK, CYDIFFLIB])
    figures = {bar.name: bar.figure for bar in report.bars}
    assert figures["1. raw characters to difflib's, all pairs"] == 180 / 1000
    assert any("2 of 2 pairs; difflib itself finished 1" in line and "0.900" in line for line in report.told)


def test_a_port_that_marks_otherwise_is_a_bar_that_falls_short() -> None:
    def run(engine: str, pair: Pair, limit_s: float) -> Run | None:
        return a_run(1.0, 101, 10) if engine == CYDIFFLIB else scripted(engine, pair, limit_s)

    pairs = [Pair(name=name, old="a" * 1000, new="b") for name in ("short", "unrelated")]
    report = measured(pairs, pairs, False, run, [OURS, DIFFLIB, AUTOJUNK, CYDIFFLIB])
    differing = next(bar for bar in report.bars if bar.name.startswith("cydifflib"))
    assert (differing.figure, differing.met) == (2, False)


def test_each_engine_that_is_here_runs_in_a_child_and_one_that_takes_too_long_is_ended() -> None:
    pair = Pair(name="tiny", old="一份草稿 one", new="一份新草稿 two")
    assert is_installed(OURS)
    found = run_in_child(OURS, pair, 60)
    assert found is not None
    assert (found.raw, found.display) == (Marked(characters=7, hunks=2), Marked(characters=7, hunks=2))
    assert found.peak > 0
    assert run_in_child(OURS, pair, 0.001) is None


@pytest.mark.parametrize("engine", [DIFFLIB, AUTOJUNK, GIT])
def test_what_other_engines_mark_is_counted_alike(engine: str) -> None:
    assert engine_run(engine, "一份草稿 one", "一份新草稿 two").raw == Marked(characters=7, hunks=2)


def test_made_texts_are_the_same_at_each_run() -> None:
    assert [*made(1000)] == [*made(1000)]
    assert {pair.name for pair in made(1000)} == {
        f"made_{each}_1k_{part}" for each in ("zh", "en") for part in (1, 10, 50)
    }
    assert [pair.name for pair in worst_cases(True)] == [pair.name for pair in worst_cases(False)]
