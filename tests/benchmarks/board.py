"""The speed of the class board: a rerun with 60 learners and 50 tasks, beside a rerun of an empty page.

Both pages are on real servers in processes of their own, asked over their websockets, as in `loop`. How long the
class is read where nothing is remembered, as after every commit, is told and is no bar.
"""

import asyncio
import tempfile
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from engine.domain.people import LOCAL_VIEWER
from engine.llm.offline import offline_gateway
from engine.settings import DEFAULT_STUCK
from engine.wiring import build_space
from tests.benchmarks.bars import Report, Times, bar
from tests.benchmarks.classroom import make_class
from tests.benchmarks.load import Page, alternate
from tests.benchmarks.servers import EMPTY, PRODUCT, serving

NOTHING = Page(name="empty page", path="", holds=("empty",))
PICTURE = Page(name="class board, picture", path="board", holds=("vega_lite_chart",))
BOARD_COST = 6.0
"""The bar."""
ROUNDS, QUICK_ROUNDS = 60, 15
READINGS = 5
WHY = (
    "What is left is Streamlit's own time for the elements, and the picture's rows and specification as they are sent."
)


def measure(quick: bool) -> Report:
    """Fill a class, read it anew some times, then ask for reruns in turn."""
    with tempfile.TemporaryDirectory(prefix="board-", ignore_cleanup_errors=True) as made, ExitStack() as stack:
        folder = Path(made)
        data = folder / "class"
        data.mkdir()
        course_id = make_class(data / "tutorloop.db")
        readings = _readings(data / "tutorloop.db", course_id)
        empty = stack.enter_context(serving(EMPTY, folder / "empty", data))
        product = stack.enter_context(serving(PRODUCT, folder / "product", data))
        taken = asyncio.run(alternate([(empty, NOTHING), (product, PICTURE)], QUICK_ROUNDS if quick else ROUNDS))
    nothing, picture = (
        Times(name=f"rerun, {page.name}", seconds=tuple(taken[page.name])) for page in (NOTHING, PICTURE)
    )
    return Report(
        times=(readings, nothing, picture),
        told=(f"A class of 60 × 50 is read anew after a commit in {readings.median * 1000:.0f} ms.",),
        bars=(bar(f"{PICTURE.name} to an empty page", picture, nothing, BOARD_COST, WHY),),
    )


def _readings(path: Path, course_id: str) -> Times:
    """Each by a space of its own, so that nothing is remembered."""
    taken = []
    for _ in range(READINGS):
        space = build_space(f"sqlite:///{path}", offline_gateway(delay_s=0))
        begun = perf_counter()
        space.boards.board(LOCAL_VIEWER, course_id, DEFAULT_STUCK, datetime.now(UTC))
        taken.append(perf_counter() - begun)
        space.close()
    return Times(name="board of 60 × 50, read anew", seconds=tuple(taken))
