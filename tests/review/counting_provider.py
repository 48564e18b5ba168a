"""A model service over real HTTP that counts, and answers by what it is asked: a verdict or a reply."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from engine.domain.data_message import DataKind, opening
from engine.scenarios.stub_provider import chunk

Answer = Callable[[dict[str, object]], str]
"""Words for a request, as it was sent."""


@dataclass(slots=True, kw_only=True)
class Provider:
    """What came in."""

    url: str
    judgements: list[dict[str, object]] = field(default_factory=list)
    """Requests about a criterion, in their order."""
    replies: list[dict[str, object]] = field(default_factory=list)
    """All others."""


@contextmanager
def counting_provider(answer: Answer) -> Iterator[Provider]:
    """Serve until the end of the block."""
    provider = Provider(url="")
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            request: dict[str, object] = json.loads(self.rfile.read(length))
            with lock:
                (provider.judgements if is_judgement(request) else provider.replies).append(request)
            body = chunk(answer(request)) + chunk("", "stop") + b"data: [DONE]\n\n"
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *_values: object) -> None:  # noqa: A002 - the standard library's name
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        serving = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        serving.start()
        provider.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        try:
            yield provider
        finally:
            server.shutdown()
            serving.join()


def is_judgement(request: dict[str, object]) -> bool:
    """Whether a request is about a criterion."""
    return opening(DataKind.CRITERION) in json.dumps(request["messages"])
