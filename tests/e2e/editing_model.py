"""A model server on this machine that edits, learns and drafts by a few fixed rules, over real sockets."""

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from engine.domain.data_message import DataKind, unwrap_all
from engine.llm.prompts.draft import DRAFT_RULES
from engine.llm.prompts.edit import EDIT_RULES
from engine.llm.prompts.learn import LEARN_RULES
from engine.scenarios.stub_provider import EVENTS, chunk

LIVELY = {"en": "Hey, ", "zh": "来看看，"}
"""What a paragraph begins with once it is lively."""
EMOJI = "🎉"
_LIVELIER = re.compile("livel|活泼")
_SHORTER = re.compile("shorter|短")
_IS_CHINESE = re.compile("[\u4e00-\u9fff]")
_FIRST_SENTENCE = re.compile(r".*?[.。]", re.DOTALL)
Data = Mapping[DataKind, Mapping[str, object]]


@contextmanager
def editing_model() -> Iterator[Mapping[str, str]]:
    """Run one on a port of its own; gives what a server is told so that it asks this model."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        serving = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        serving.start()
        address = f"http://127.0.0.1:{server.server_address[1]}/v1"
        yield {"TUTORLOOP_MODEL_URL": address, "TUTORLOOP_MODEL_NAME": "editing"}
        server.shutdown()
        serving.join()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        messages = asked["messages"]
        data: Data = {kind: payload for each in messages[1:] for kind, payload in unwrap_all(each["content"])}
        answer = next(answer for rules, answer in _ANSWERS.items() if messages[0]["content"].startswith(rules))(data)
        body = chunk(json.dumps(answer, ensure_ascii=False)) + chunk("", "stop") + b"data: [DONE]\n\n"
        self.send_response(200)
        self.send_header("content-type", EVENTS)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *_values: object) -> None:  # noqa: A002 - the standard library's name
        """Say nothing."""


def _edit(data: Data) -> dict[str, object]:
    blocks = data[DataKind.TEXT]["blocks"]
    asked = data[DataKind.ASKED]["suggestions"]
    assert isinstance(blocks, list)
    assert isinstance(asked, list)
    (suggestion,) = asked
    may_change = suggestion["may_change"]
    touched = [
        block
        for block in blocks
        if block["kind"] == "paragraph" and (may_change == "everything" or block["number"] in may_change)
    ]
    if not _LIVELIER.search(suggestion["text"]) and not _SHORTER.search(suggestion["text"]):
        touched = touched[-1:]
    return {"operations": [_replace(block, suggestion["text"]) for block in touched], "question": None}


def _replace(block: Mapping[str, object], suggestion: str) -> dict[str, object]:
    text = str(block["text"])
    return {
        "suggestions": [1],
        "do": "replace",
        "block": block["number"],
        "begins": text[:12],
        "anchor": 0,
        "text": _changed(text, suggestion),
    }


def _changed(text: str, suggestion: str) -> str:
    if _LIVELIER.search(suggestion):
        return lively(text)
    if _SHORTER.search(suggestion):
        return shorter_of(text)
    return f"{text} {EMOJI}"


def shorter_of(text: str) -> str:
    """A paragraph as this model makes it shorter: its first sentence."""
    first = _FIRST_SENTENCE.match(text)
    return first[0] if first else text


def lively(text: str) -> str:
    """A paragraph as this model makes it livelier."""
    return LIVELY["zh" if _IS_CHINESE.search(text) else "en"] + text


def _learn(data: Data) -> dict[str, object]:
    (change,) = (payload for kind, payload in data.items() if kind is DataKind.CHANGE)
    said = str(change["said"])
    found = _LIVELIER.search(said)
    if found is None:
        return {"change": "one_off", "rules": []}
    sentence = "写得活泼一点。" if _IS_CHINESE.search(said) else "Write in a lively way."
    rule = {"aspect": "formality", "direction": "less", "sentence": sentence, "source": "words", "quote": said}
    return {"change": "style", "rules": [rule]}


def _draft(data: Data) -> dict[str, object]:
    brief = str(data[DataKind.BRIEF]["brief"])
    rules = data.get(DataKind.PREFERENCES, {}).get("rules", [])
    assert isinstance(rules, list)
    is_lively = any(each["dimension"] == "tone" for each in rules)
    return {"title": brief.split("\n")[0][:40], "text": lively(brief) if is_lively else brief}


_ANSWERS: Mapping[str, Callable[[Data], dict[str, object]]] = {
    EDIT_RULES: _edit,
    LEARN_RULES: _learn,
    DRAFT_RULES: _draft,
}
