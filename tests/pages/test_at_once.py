"""Connections of pages send at once."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

import app as server
from pages._at_once import OPEN_FILES, SendsAtOnce, send_at_once

pytestmark = pytest.mark.enable_socket


class Line:
    """A connection as Streamlit's server takes it: the listening socket does not name its protocol."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._listening = stack.enter_context(socket.socket())
        self._listening.bind(("127.0.0.1", 0))
        self._listening.listen()
        self.port = int(self._listening.getsockname()[1])
        self.taken = self.take()

    def take(self) -> socket.socket:
        self._stack.enter_context(socket.create_connection(("127.0.0.1", self.port)))
        return self._stack.enter_context(self._listening.accept()[0])


def sends_at_once(one: socket.socket) -> bool:
    return bool(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))


@pytest.fixture
def line() -> Iterator[Line]:
    with ExitStack() as stack:
        yield Line(stack)


def visit(kind: str, address: tuple[str, int] | None) -> list[str]:
    """What a visit of this kind passed on to the app inside."""
    reached: list[str] = []

    async def inside(scope: Scope, receive: Receive, send: Send) -> None:
        reached.append(scope["type"])

    async def receive() -> Message:
        return {"type": "nothing"}

    async def send(message: Message) -> None:
        reached.append(message["type"])

    asyncio.run(SendsAtOnce(inside)({"type": kind, "server": address}, receive, send))
    return reached


def test_a_connection_that_is_there_and_those_to_come_send_at_once(line: Line) -> None:
    assert not sends_at_once(line.taken)
    send_at_once(line.port)
    assert sends_at_once(line.taken)
    assert sends_at_once(line.take())


def test_connections_at_other_ports_stay_as_they_are(line: Line) -> None:
    with ExitStack() as stack:
        other = Line(stack)
        send_at_once(line.port)
        assert not sends_at_once(other.taken)


def test_the_connection_is_usable_afterwards(line: Line) -> None:
    send_at_once(line.port)
    assert line.taken.fileno() >= 0
    assert line.take().getpeername()[0] == "127.0.0.1"


def test_looking_leaves_no_file_open(line: Line, tmp_path: Path) -> None:
    with (tmp_path / "a file").open("w"), ExitStack() as stack:
        stack.enter_context(socket.socket(socket.AF_UNIX))
        before = len(list(OPEN_FILES.iterdir()))
        send_at_once(line.port)
        assert len(list(OPEN_FILES.iterdir())) == before


def test_nothing_is_done_where_open_files_are_not_listed(line: Line, tmp_path: Path) -> None:
    send_at_once(line.port, tmp_path / "no such folder")
    assert not sends_at_once(line.taken)


def test_a_page_that_connects_sends_at_once_and_is_served(line: Line) -> None:
    assert visit("websocket", ("127.0.0.1", line.port)) == ["websocket"]
    assert sends_at_once(line.taken)


@pytest.mark.parametrize(
    ("kind", "has_port"), [("http", True), ("websocket", False)], ids=["a plain request", "a server without a port"]
)
def test_all_else_is_served_only(line: Line, kind: str, has_port: bool) -> None:
    assert visit(kind, ("127.0.0.1", line.port) if has_port else None) == [kind]
    assert not sends_at_once(line.taken)


def test_the_server_of_the_product_has_it() -> None:
    assert "SendsAtOnce" in [getattr(each.cls, "__name__", None) for each in server.MIDDLEWARE]
