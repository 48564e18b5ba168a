"""A model server on this machine that answers as badly as it is told to, over real sockets."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer

EVENTS = "text/event-stream"
_POLL_SECONDS = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class StubAnswer:
    """One HTTP answer."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": EVENTS})
    pieces: Sequence[bytes] = ()
    """Sent one by one; then the connection is closed."""
    pause_s: float = 0.0
    """Seconds after each piece."""
    hangs: bool = False
    """Whether nothing at all is sent, for as long as the server runs."""


def chunk(words: str, finish_reason: str | None = None) -> bytes:
    """One event of a stream."""
    choice = {"index": 0, "delta": {"content": words}, "finish_reason": finish_reason}
    body = {"id": "stub", "object": "chat.completion.chunk", "created": 0, "model": "stub", "choices": [choice]}
    return b"data: " + json.dumps(body).encode() + b"\n\n"


def whole(*words: str) -> StubAnswer:
    """An answer that ends as it should."""
    return StubAnswer(pieces=(*map(chunk, words), chunk("", "stop"), b"data: [DONE]\n\n"))


class _Server(ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


@contextmanager
def stub_provider(*answers: StubAnswer) -> Iterator[str]:
    """Serve the answers in turn, the last one for ever; gives the address to configure."""
    over = threading.Event()
    with _Server(("127.0.0.1", 0), _handler(_in_turn(answers), over)) as server:
        serving = threading.Thread(target=server.serve_forever, args=(_POLL_SECONDS,), daemon=True)
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        finally:
            over.set()
            server.shutdown()
            serving.join()


def _in_turn(answers: Sequence[StubAnswer]) -> Callable[[], StubAnswer]:
    left = list(answers)
    lock = threading.Lock()

    def take() -> StubAnswer:
        with lock:
            return left.pop(0) if len(left) > 1 else left[0]

    return take


def _handler(take: Callable[[], StubAnswer], over: threading.Event) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            answer = take()
            if answer.hangs:
                over.wait()
            else:
                _send(self, answer, over)

        def log_message(self, format: str, *_values: object) -> None:  # noqa: A002 - the standard library's name
            """Say nothing."""

    return Handler


def _send(handler: BaseHTTPRequestHandler, answer: StubAnswer, over: threading.Event) -> None:
    handler.send_response(answer.status)
    for name, value in answer.headers.items():
        handler.send_header(name, value)
    # Whoever hangs up early has had enough.
    with suppress(OSError):
        handler.end_headers()
        for piece in answer.pieces:
            handler.wfile.write(piece)
            handler.wfile.flush()
            if answer.pause_s and over.wait(answer.pause_s):
                return
