"""Connections of pages send at once: what is drawn does not wait in this machine for an acknowledgement."""

import os
import socket
import stat
from contextlib import suppress
from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send

OPEN_FILES = Path("/dev/fd")
"""Where Linux and macOS list the open files of the process that looks."""


class SendsAtOnce:
    """Lets no connection of a page hold back a small message.

    A page is drawn by many small messages. By TCP's defaults each waits until the one before is acknowledged, which
    the other side puts off in its turn: up to 40 ms for every click. asyncio switches that off, but only where a
    socket was made with its protocol named, which Streamlit does not; and it hands out no socket to do it here. So
    it is looked for among the open files. Where those are not listed, as on Windows, nothing is done.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._done: set[int] = set()
        """Ports whose listening socket hands it on to whatever connects from now on."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve as the app inside does."""
        server = scope.get("server") if scope["type"] == "websocket" else None
        if server and server[1] not in self._done:
            self._done.add(server[1])
            send_at_once(server[1])
        await self._app(scope, receive, send)


def send_at_once(port: int, open_files: Path = OPEN_FILES) -> None:
    """Do so for everything of this process that is connected at `port` here, and for what comes there later."""
    for number in _numbers(open_files):
        with suppress(OSError):
            _send_at_once(number, port)


def _send_at_once(number: int, port: int) -> None:
    if not stat.S_ISSOCK(os.fstat(number).st_mode):
        return
    with socket.socket(fileno=os.dup(number)) as one:  # a second handle, closed again
        if _is_tcp(one) and one.getsockname()[1] == port:
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _numbers(open_files: Path) -> list[int]:
    try:
        return [int(each.name) for each in open_files.iterdir()]
    except OSError:
        return []


def _is_tcp(one: socket.socket) -> bool:
    return one.family in (socket.AF_INET, socket.AF_INET6) and one.type == socket.SOCK_STREAM
