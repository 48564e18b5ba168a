"""That a benchmark tells the truth about what it measured. What it measures is not run here."""

import pytest

from tests.benchmarks.__main__ import BENCHMARKS, main
from tests.benchmarks.bars import Bar, Report, Times, bar, exit_code, growth, last_line, write_bar, write_report

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
