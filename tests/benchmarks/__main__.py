"""Measures what the product promises about its speed: `python -m tests.benchmarks NAME [--quick]`.

A bar is a ratio of two medians that were measured in one run on one machine, alternately where that can be, so
that whatever else the machine does slows both. No time by itself is ever judged, but for the two
budgets that `diff` holds. Ends with 0 when each bar is met, 1 when one falls short, 2 when there is no benchmark of
that name. `--quick` takes less than 50 s.
"""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from tests.benchmarks import board, diffing, diffview, loop
from tests.benchmarks.bars import UNKNOWN_NAME, Report, exit_code, write_report

Benchmark = Callable[[bool], Report]
"""Measures, in a short way if it is told so."""
BENCHMARKS: Mapping[str, Benchmark] = MappingProxyType(
    {"loop": loop.measure, "board": board.measure, "diff": diffing.measure, "diffview": diffview.measure}
)


def main(arguments: Sequence[str] | None = None, benchmarks: Mapping[str, Benchmark] = BENCHMARKS) -> int:
    """Run one benchmark and print its report; gives what the process ends with."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Measure speed against its bars.")
    parser.add_argument("name", metavar="NAME", help=f"one of: {', '.join(benchmarks)}")
    parser.add_argument("--quick", action="store_true", help="smaller and fewer, in less than 50 s")
    chosen = parser.parse_args(arguments)
    if chosen.name not in benchmarks:
        _tell(f"no benchmark is called {chosen.name!r}; there are: {', '.join(benchmarks)}")
        return UNKNOWN_NAME
    _tell(f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f} before")
    report = benchmarks[chosen.name](chosen.quick)
    _tell(f"load average {os.getloadavg()[0]:.1f} after\n")
    for line in write_report(report):
        _tell(line)
    return exit_code(report.bars)


def _tell(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - what it is for


if __name__ == "__main__":
    sys.exit(main())
