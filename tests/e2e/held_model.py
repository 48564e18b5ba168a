"""A model server on this machine that says half of its answer and keeps the rest until it is told to go on."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from engine.scenarios.stub_provider import EVENTS, chunk
from engine.tutoring.tutor import FLUSH_SECONDS

UNTIL_KEPT_S = FLUSH_SECONDS + 0.1
"""The tutor keeps what has arrived when a piece comes this long after the last one that was kept."""


class HeldModel:
    """Answers a question by its last word: "first part of WORD", then, once released, "second part of WORD"."""

    def __init__(self, url: str, waiting: list[threading.Event]) -> None:
        self._url = url
        self._waiting = waiting

    @property
    def env(self) -> Mapping[str, str]:
        """What a server is told so that it asks this model."""
        return {"TUTORLOOP_MODEL_URL": self._url, "TUTORLOOP_MODEL_NAME": "held"}

    def go_on(self) -> None:
        """Let every answer that was begun come to its end."""
        for held in self._waiting:
            held.set()


@contextmanager
def held_model() -> Iterator[HeldModel]:
    """Run one on a port of its own; in the end everything is released."""
    waiting: list[threading.Event] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(waiting)) as server:
        serving = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        serving.start()
        model = HeldModel(f"http://127.0.0.1:{server.server_address[1]}/v1", waiting)
        yield model
        model.go_on()
        server.shutdown()
        serving.join()


def _handler(waiting: list[threading.Event]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            word = asked["messages"][-1]["content"].split()[-1]
            held = threading.Event()
            waiting.append(held)
            self.send_response(200)
            self.send_header("content-type", EVENTS)
            # Who was stopped has hung up.
            with suppress(OSError):
                self.end_headers()
                self._say(chunk("first part "))
                held.wait(UNTIL_KEPT_S)
                self._say(chunk(f"of {word}, "))
                held.wait()
                self._say(chunk(f"second part of {word}.") + chunk("", "stop") + b"data: [DONE]\n\n")

        def _say(self, event: bytes) -> None:
            self.wfile.write(event)
            self.wfile.flush()

        def log_message(self, format: str, *_values: object) -> None:  # noqa: A002 - the standard library's name
            """Say nothing."""

    return Handler
