"""The speed of the loop itself: selecting feedback, sending a request, drawing the two pages, starting.

Every bar compares two medians of this run:

- *Selection*: the feedback store and the selector on random keys, in the largest database and in the smallest. What
  the way through the store costs over the bare driver is told and is no bar.
- *Request*: from the student's message to the recorded bytes, in a chat of 10,000 turns and in one of 100.
- *Rerun*: Tutor and Reviews of the demo, and an empty page, on real servers in processes of their own, asked over
  their websockets. Not by `AppTest`: it leaves out the server, the messages and their serialisation. Not by a
  browser: its own drawing, the same for all, would hide half of the difference. All have the product's
  configuration, so the empty page is the strictest there is; beside one by Streamlit's defaults, which collects
  garbage after every run, the pages look better, which is told too.
- *Twenty sessions* with a second between their reruns: the same pages under the same load, one after another.
- *Cold start*: from the start of the process until the first page is drawn for its first visitor. Not until
  `/api/health` answers: that an empty app is healthy means little. Both databases are there already, as in
  every start but the first.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from tests.benchmarks.bars import Bar, Report, Times, bar, growth
from tests.benchmarks.chatting import measure_requests
from tests.benchmarks.load import Page, alternate, crowd, first_drawing
from tests.benchmarks.selecting import measure_selection
from tests.benchmarks.servers import BARE, EMPTY, PRODUCT, Server, make_demo, serving

NOTHING = Page(name="empty page", path="", holds=("empty",))
COLLECTING = Page(name="empty page, Streamlit's defaults", path="", holds=("empty",))
TUTOR = Page(name="Tutor", path="", holds=("chat_input",))
REVIEWS = Page(name="Reviews", path="reviews", holds=("dataframe",))
SESSIONS, THINK_S = 20, 1.0
STORE_GROWTH, CHAT_GROWTH, PAGE_COST, START_COST = 1.5, 1.5, 4.0, 3.0
"""The bars."""
WHY_START = (
    "An empty app imports Streamlit alone. Ours imports the database's and the model's clients beside it before it "
    "serves; tables come later, and what migrates only where there is something to migrate."
)
WHY_RERUN = (
    "An unchanged rerun asks the database for nothing but whether it changed; what is left is Streamlit's own time "
    "for each of the page's elements."
)
WHY_CROWD = (
    "All sessions of a process share one interpreter: the more of each second their reruns take together, the longer "
    "each waits, so a ratio of single reruns grows in a crowd. More processes behind a proxy divide it."
)
"""What is known to keep a bar from being met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is measured."""

    attempts: tuple[int, ...]
    """Of the databases, smallest first."""
    selections: int
    turns: tuple[int, int]
    requests: int
    reruns: int
    crowd_s: float
    starts: int


QUICK = Size(
    attempts=(10_000, 100_000), selections=100, turns=(100, 10_000), requests=8, reruns=10, crowd_s=5, starts=2
)
WHOLE = Size(
    attempts=(10_000, 100_000, 1_000_000),
    selections=1000,
    turns=(100, 10_000),
    requests=40,
    reruns=60,
    crowd_s=20,
    starts=5,
)


def measure(quick: bool) -> Report:
    """Everything, one after another."""
    size = QUICK if quick else WHOLE
    with tempfile.TemporaryDirectory(prefix="loop-", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        parts = [_selection(folder, size), _requests(folder, size), *_pages(folder, size)]
    return Report(
        times=tuple(each for part in parts for each in part.times),
        told=tuple(each for part in parts for each in part.told),
        bars=tuple(each for part in parts for each in part.bars),
    )


def _selection(folder: Path, size: Size) -> Report:
    archives = measure_selection(folder, size.attempts, size.selections)
    first, last = archives[0], archives[-1]
    over = growth(last.through_store, last.through_driver)
    more_ms = (last.through_store.median - last.through_driver.median) * 1000
    return Report(
        times=tuple(each for one in archives for each in (one.through_store, one.through_driver)),
        told=(f"Store and selector over the raw driver at {last.attempts:,}: {more_ms:.2f} ms more, {over:.1f}×.",),
        bars=(
            bar(
                f"selection, {last.attempts:,} attempts to {first.attempts:,}",
                last.through_store,
                first.through_store,
                STORE_GROWTH,
            ),
        ),
    )


def _requests(folder: Path, size: Size) -> Report:
    short, long = measure_requests(folder, *size.turns, size.requests)
    name = f"request in a chat of {size.turns[1]:,} turns to {size.turns[0]:,}"
    return Report(times=(short, long), told=(), bars=(bar(name, long, short, CHAT_GROWTH),))


def _pages(folder: Path, size: Size) -> Iterator[Report]:
    demo = make_demo(folder / "demo")
    yield _starts(folder, demo, size.starts)
    with ExitStack() as stack:
        empty = stack.enter_context(serving(EMPTY, folder / "empty", demo))
        product = stack.enter_context(serving(PRODUCT, folder / "product", demo))
        with serving(BARE, folder / "collecting", demo, STREAMLIT_RUNNER_POST_SCRIPT_GC="true") as collecting:
            yield _reruns(empty, product, collecting, size.reruns)
        yield _crowds(empty, product, size.crowd_s)


def _starts(folder: Path, demo: Path, times: int) -> Report:
    taken: dict[str, list[float]] = {BARE: [], PRODUCT: []}
    for number in range(times):
        for script, page in ((BARE, NOTHING), (PRODUCT, TUTOR)):
            begun = perf_counter()
            with serving(script, folder / f"start-{number}-{Path(script).stem}", demo) as server:
                asyncio.run(first_drawing(server, page))
                taken[script].append(perf_counter() - begun)
    empty, ours = (
        Times(name=f"cold start to first page, {what}", seconds=tuple(taken[script]))
        for what, script in (("empty app", BARE), ("product", PRODUCT))
    )
    return Report(
        times=(empty, ours), told=(), bars=(bar("cold start to an empty app", ours, empty, START_COST, WHY_START),)
    )


def _reruns(empty: Server, product: Server, collecting: Server, rounds: int) -> Report:
    visits = [(empty, NOTHING), (collecting, COLLECTING), (product, TUTOR), (product, REVIEWS)]
    taken = asyncio.run(alternate(visits, rounds))
    nothing, default, *pages = (
        Times(name=f"rerun, {page.name}", seconds=tuple(taken[page.name])) for _, page in visits
    )
    beside = ", ".join(f"{each.name} {growth(each, default):.1f}×" for each in pages)
    return Report(
        times=(nothing, default, *pages),
        told=(f"Beside an empty page by Streamlit's defaults: {beside}.",),
        bars=_page_bars(pages, nothing, WHY_RERUN),
    )


def _crowds(empty: Server, product: Server, lasting_s: float) -> Report:
    measured = [
        Times(
            name=f"{SESSIONS} sessions, {page.name}",
            seconds=tuple(asyncio.run(crowd(server, page, SESSIONS, THINK_S, lasting_s))),
        )
        for server, page in ((empty, NOTHING), (product, TUTOR), (product, REVIEWS))
    ]
    return Report(times=tuple(measured), told=(), bars=_page_bars(measured[1:], measured[0], WHY_CROWD))


def _page_bars(pages: list[Times], nothing: Times, why: str) -> tuple[Bar, ...]:
    return tuple(bar(f"{each.name} to an empty page", each, nothing, PAGE_COST, why) for each in pages)
