"""Visitors of a server, as its websocket sees them: they ask for a run of a page and read until it is drawn.

Each visitor sends what a browser sends for a rerun, without values of widgets, so that every run draws the page as
it stands. What comes is decoded, to make sure that it is the page: a quick error would be no result.
"""

import asyncio
from collections.abc import Collection
from contextlib import AsyncExitStack
from dataclasses import dataclass
from time import perf_counter

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.benchmarks.servers import Server

ANSWER_S = 60
"""After this long without the end of a run, something is wrong."""
LISTENS_S = 60
"""After this long a server that does not listen is given up."""


class NotDrawn(AssertionError):
    """A run ended without the page that it was to draw, so that its time means nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What is visited."""

    name: str
    path: str
    """Address below the server, without a slash; empty for its first page."""
    holds: Collection[str]
    """Kinds of elements without which it was not drawn."""


class Visitor:
    """One session on one page."""

    def __init__(self, connection: ClientConnection, page: Page, url: str) -> None:
        self._connection = connection
        self._page = page
        self._url = url

    async def rerun(self) -> float:
        """Seconds from asking for a run of the page's script until the last word about it came.

        Raises:
            NotDrawn: the page is not what came, or an exception came with it.
        """
        begun = perf_counter()
        await self._connection.send(self._wish())
        async with asyncio.timeout(ANSWER_S):
            kinds = await self._read()
        taken = perf_counter() - begun
        if "exception" in kinds or not kinds.issuperset(self._page.holds):
            raise NotDrawn(f"{self._page.name} drew only {sorted(kinds)}")
        return taken

    def _wish(self) -> bytes:
        wish = BackMsg()
        run = wish.rerun_script
        run.page_name = self._page.path
        run.context_info.locale = "en-GB"
        run.context_info.timezone = "UTC"
        run.context_info.url = self._url
        return bytes(wish.SerializeToString())

    async def _read(self) -> set[str]:
        """The kinds of the elements that are drawn until the run ends."""
        kinds: set[str] = set()
        async for received in self._connection:
            message = ForwardMsg.FromString(received if isinstance(received, bytes) else received.encode())
            kind = message.WhichOneof("type")
            if kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                kinds.add(str(message.delta.new_element.WhichOneof("type")))
            if kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                break
        return kinds


async def visit(stack: AsyncExitStack, server: Server, page: Page) -> Visitor:
    """A new session on `page`, as soon as the server listens. Nothing is drawn yet."""
    end = perf_counter() + LISTENS_S
    address = f"localhost:{server.port}"
    while True:
        try:
            connection = await connect(
                f"ws://{address}/_stcore/stream", subprotocols=[Subprotocol("streamlit")], max_size=None, proxy=None
            )
            break
        except OSError:
            server.require_running()
            if perf_counter() > end:
                raise
            await asyncio.sleep(0.01)
    await stack.enter_async_context(connection)
    return Visitor(connection, page, f"http://{address}/{page.path}")


async def first_drawing(server: Server, page: Page) -> None:
    """Return when the page was drawn for its first visitor."""
    async with AsyncExitStack() as stack:
        await (await visit(stack, server, page)).rerun()


async def alternate(visits: Collection[tuple[Server, Page]], rounds: int, warm: int = 2) -> dict[str, list[float]]:
    """Reruns by one visitor of each page in turn, so that none runs while another does; by the page's name."""
    taken: dict[str, list[float]] = {page.name: [] for _, page in visits}
    async with AsyncExitStack() as stack:
        visitors = [(page.name, await visit(stack, server, page)) for server, page in visits]
        for number in range(warm + rounds):
            for name, visitor in visitors:
                seconds = await visitor.rerun()
                if number >= warm:
                    taken[name].append(seconds)
    return taken


async def crowd(server: Server, page: Page, sessions: int, think_s: float, lasting_s: float) -> list[float]:
    """Reruns of many visitors at once, each waiting `think_s` after every drawing, for `lasting_s`.

    They come one after another within `think_s`, since twenty people never begin in the same moment; what they
    are drawn first is not counted.
    """
    async with AsyncExitStack() as stack:
        visitors = [await visit(stack, server, page) for _ in range(sessions)]
        end = perf_counter() + lasting_s
        each = [_think_and_rerun(one, n * think_s / sessions, think_s, end) for n, one in enumerate(visitors)]
        return [seconds for taken in await asyncio.gather(*each) for seconds in taken]


async def _think_and_rerun(visitor: Visitor, comes_after_s: float, think_s: float, end: float) -> list[float]:
    await asyncio.sleep(comes_after_s)
    await visitor.rerun()
    await asyncio.sleep(think_s)
    taken = []
    while perf_counter() < end:
        taken.append(await visitor.rerun())
        await asyncio.sleep(think_s)
    return taken
