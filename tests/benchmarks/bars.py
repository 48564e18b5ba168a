"""What a benchmark gives: measured times, bars held against them, and the lines that tell of both."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

ALL_MET, SOME_SHORT, UNKNOWN_NAME = 0, 1, 2
"""What the process ends with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """One thing, measured several times in this run."""

    name: str
    seconds: tuple[float, ...]
    """In the order of measuring; at least one."""

    @property
    def median(self) -> float:
        """Seconds; half of the measurements took no longer."""
        return median(self.seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A ratio that was promised, and what it is here. No bar is a time: machines differ, and their load."""

    name: str
    figure: float
    limit: float
    why: str = ""
    """What keeps it from being met, where that is known: told when it falls short."""

    @property
    def met(self) -> bool:
        """At the limit is still met."""
        return self.figure <= self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything that one benchmark found."""

    times: tuple[Times, ...]
    told: tuple[str, ...]
    """Figures that no bar is about, as sentences."""
    bars: tuple[Bar, ...]


def growth(larger: Times, smaller: Times) -> float:
    """How many times as long the median of `larger` is."""
    return larger.median / smaller.median


def bar(name: str, larger: Times, smaller: Times, limit: float, why: str = "") -> Bar:
    """The bar that `larger` takes no more than `limit` times as long as `smaller`; `why` as in `Bar`."""
    return Bar(name=name, figure=growth(larger, smaller), limit=limit, why=why)


def write_report(report: Report) -> Iterator[str]:
    """The lines of a report: times, what else is told, each bar, and how many are met."""
    if report.times:
        yield from write_times(report.times)
        yield ""
    yield from report.told
    yield ""
    yield from (write_bar(each) for each in report.bars)
    yield last_line(report.bars)


def write_times(times: Sequence[Times]) -> Iterator[str]:
    """A table in milliseconds, one line for each thing."""
    width = max(len("milliseconds"), *(len(each.name) for each in times))
    yield f"{'milliseconds':{width}}  {'min':>9}  {'median':>9}  {'max':>9}  {'count':>5}"
    for each in times:
        cells = (min(each.seconds), each.median, max(each.seconds))
        shown = "  ".join(f"{cell * 1000:9.2f}" for cell in cells)
        yield f"{each.name:{width}}  {shown}  {len(each.seconds):5}"


def write_bar(one: Bar) -> str:
    """Met or not, the figure and the limit; where it falls short, the reason."""
    reason = f" {one.why}" if one.why and not one.met else ""
    return f"{'✓' if one.met else '✗'} {one.name}: {one.figure:.2f}× (at most {one.limit:g}×){reason}"


def last_line(bars: Sequence[Bar]) -> str:
    """How many bars are met and how many are not."""
    met = sum(each.met for each in bars)
    return f"{met} bars met, {len(bars) - met} fall short"


def exit_code(bars: Sequence[Bar]) -> int:
    """0 when every bar is met, else 1."""
    return ALL_MET if all(each.met for each in bars) else SOME_SHORT
