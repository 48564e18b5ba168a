"""A model is connected in a real browser and answers at once."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Servers, Watched

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Visit = Callable[..., Watched]
KEY = "sk-of-the-browser-test-7f2a"


class Stub(BaseHTTPRequestHandler):
    """Says one sentence, streamed, to whoever has the key."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.headers["authorization"] != f"Bearer {KEY}":
            self._send(401, "application/json", "{}")
        elif asked.get("stream"):
            said = {"index": 0, "delta": {"content": "The stub speaks."}, "finish_reason": "stop"}
            chunk = {"id": "1", "object": "chat.completion.chunk", "choices": [said]}
            self._send(200, "text/event-stream", f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n")
        else:
            self._send(400, "application/json", "{}")

    def do_GET(self) -> None:
        self._send(404, "application/json", "{}")

    def _send(self, status: int, kind: str, body: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Say nothing."""


@pytest.fixture
def model() -> Iterator[str]:
    listening = ThreadingHTTPServer(("127.0.0.1", 0), Stub)
    thread = threading.Thread(target=listening.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.server_address[1]}/v1"
    listening.shutdown()
    thread.join()
    listening.server_close()


def test_a_saved_model_is_tested_and_answers_without_a_restart(servers: Servers, visit: Visit, model: str) -> None:
    server = servers(env={"OWN_SERVER_FOR": "settings"})  # what is saved there must not reach other tests
    watched = visit(server)
    page = watched.open("/settings?lang=en")
    page.get_by_label("Address").fill(model)
    page.get_by_label("Model", exact=True).fill("stub-1")
    page.get_by_label("Key", exact=True).fill(KEY)
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_text("In use since it was saved here.")).to_be_visible()
    page.get_by_role("button", name="Test connection").click()
    expect(page.get_by_text("Streams: yes. Structured answers: no. Counts tokens: no.")).to_be_visible(timeout=30_000)
    expect(page.get_by_label("Key", exact=True)).to_have_value("")
    assert KEY not in page.content()

    page = watched.open("/?lang=en")
    page.get_by_test_id("stChatInputTextArea").fill("Who are you?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The stub speaks.")).to_be_visible(timeout=20_000)
