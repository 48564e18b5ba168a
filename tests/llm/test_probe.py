"""Test connection: what a server can do is found out, and every failure is a finding."""

import asyncio
import json
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import httpx2
import pytest

from engine.domain.session import Usage
from engine.llm.gateway import CallLimits
from engine.llm.in_process import text_response
from engine.llm.probe import ProbeReport, Structured, probe
from tests.llm.calls import KEY, NOW, server

SHORT = CallLimits(first_character_s=1.5, whole_turn_s=2.0, waits_s=())
COUNTED = Usage(input_tokens=9, output_tokens=2)
OK = '{"ok": true}'
LISTED = {"object": "list", "data": [{"id": "other-model", "object": "model"}, {"id": "some-model", "object": "model"}]}


@dataclass
class Server(httpx2.AsyncBaseTransport):
    """A model server whose abilities can be taken away one by one."""

    lists: httpx2.Response = field(default_factory=lambda: httpx2.Response(200, json=LISTED))
    chat: Callable[[Mapping[str, object]], httpx2.Response] | None = None
    """Answers every chat request instead."""
    streams: bool = True
    forms: frozenset[str] = frozenset(Structured)
    """What `response_format` it accepts; it refuses others as DeepSeek does."""
    obeys: bool = True
    """Whether what it accepts has an effect."""
    counts: bool = True
    requests: list[httpx2.Request] = field(default_factory=list)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        if request.url.path.endswith("/models"):
            return self.lists
        asked = json.loads(await request.aread())
        return self.chat(asked) if self.chat else self._answer(asked)

    def _answer(self, asked: Mapping[str, object]) -> httpx2.Response:
        wanted = asked.get("response_format")
        form = wanted["type"] if isinstance(wanted, dict) else None
        if form is not None and form not in self.forms:
            return status(400, "This response_format type is unavailable now")
        if asked.get("stream") and not self.streams:
            return text_response({**asked, "stream": False}, "ok")
        return text_response(asked, OK if form and self.obeys else "ok", usage=COUNTED if self.counts else Usage())


def status(code: int, words: str = "no", **headers: str) -> httpx2.Response:
    return httpx2.Response(code, json={"error": {"message": f"{words}, your key {KEY}"}}, headers=headers)


def probed(
    transport: httpx2.AsyncBaseTransport | None, *, url: str = "http://model.invalid/v1", key: str = KEY
) -> ProbeReport:
    return asyncio.run(probe(server(url, key), transport=transport, limits=SHORT, clock=lambda: NOW))


def test_a_server_that_can_do_everything() -> None:
    transport = Server()
    found = probed(transport)
    assert found == ProbeReport(
        is_reachable=True,
        is_key_accepted=True,
        is_model_known=True,
        models=("other-model", "some-model"),
        streams=True,
        structured=Structured.SCHEMA,
        says_usage=True,
        seconds=found.seconds,
    )
    assert found.seconds is not None
    assert 0 <= found.seconds < 5
    assert len(transport.requests) == 3


@pytest.mark.parametrize(
    ("made", "found"),
    [
        (Server(forms=frozenset({"json_object"})), {"structured": Structured.OBJECT}),
        (Server(forms=frozenset()), {"structured": Structured.NONE}),
        (Server(obeys=False), {"structured": Structured.NONE}),
        (Server(counts=False), {"says_usage": False}),
        (Server(lists=status(404)), {"models": (), "is_model_known": True}),
        (Server(lists=status(500)), {"models": (), "is_model_known": True}),
        (Server(lists=status(403)), {"models": (), "is_key_accepted": True}),
        (Server(lists=httpx2.Response(200, text="<html>")), {"models": ()}),
        (Server(lists=httpx2.Response(200, json={"data": [{"id": "x"}]})), {"models": ("x",), "is_model_known": True}),
        (Server(lists=httpx2.Response(200, json={"data": [{"id": 7}]})), {"models": ()}),
    ],
    ids=[
        "json_schema is refused",
        "no form is accepted",
        "a form is accepted and ignored",
        "no usage",
        "no list of models",
        "a list that fails",
        "a key that may not list",
        "a list that is no JSON",
        "an answer in spite of the list",
        "a list of something else",
    ],
)
def test_what_a_usable_server_lacks_is_found_and_is_no_fault(made: Server, found: Mapping[str, object]) -> None:
    report = probed(made)
    assert report.fault is None
    assert {name: getattr(report, name) for name in found} == found


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (status(401), {"fault": "key_refused", "is_key_accepted": False}),
        (status(404), {"fault": "model_unknown", "is_model_known": False}),
        (status(400), {"fault": "request_refused"}),
        (status(429, **{"retry-after": "99"}), {"fault": "rate_limited"}),
        (status(500), {"fault": "provider_down"}),
        (httpx2.Response(200, text="<html>hello</html>"), {"fault": "reply_broken"}),
        (httpx2.Response(200, content=b"\xff\xfe\x00"), {"fault": "reply_broken"}),
        (httpx2.Response(200, json={"choices": []}), {"fault": "reply_broken"}),
        (httpx2.Response(302, headers={"location": "http://elsewhere.invalid/"}), {}),
    ],
    ids=["401", "404", "400", "429", "500", "a web page", "no text", "no choice", "a redirect"],
)
def test_every_failure_is_a_finding_with_the_code_of_its_error(
    answer: httpx2.Response, found: Mapping[str, object]
) -> None:
    report = probed(
        Server(chat=lambda _asked: httpx2.Response(answer.status_code, headers=answer.headers, content=answer.content))
    )
    assert report.is_reachable
    assert report.fault is not None
    assert (report.streams, report.structured, report.seconds) == (None, None, None)
    assert {name: getattr(report, name) for name in found} == found
    assert KEY not in repr(report)


def test_an_empty_answer_is_a_finding() -> None:
    assert probed(Server(chat=lambda asked: text_response(asked, ""))).fault == "reply_empty"


def test_a_server_that_answers_in_one_piece_only_is_told_from_one_that_does_not_answer() -> None:
    report = probed(Server(streams=False))
    assert (report.streams, report.fault, report.is_key_accepted) == (False, "reply_broken", True)


def test_a_fault_that_comes_later_leaves_the_forms_unknown() -> None:
    transport = Server()
    transport.chat = lambda asked: status(503) if "response_format" in asked else transport._answer(asked)
    report = probed(transport)
    assert (report.fault, report.streams, report.structured) == (None, True, None)


def test_a_key_that_no_header_can_carry_is_a_finding() -> None:
    transport = Server()
    report = probed(transport, key="密钥")
    assert (report.fault, report.is_key_accepted, transport.requests) == ("key_refused", False, [])


def test_the_key_goes_into_the_header_alone() -> None:
    transport = Server()
    probed(transport)
    assert {request.headers["authorization"] for request in transport.requests} == {f"Bearer {KEY}"}
    assert not any(KEY.encode() in request.content or KEY in str(request.url) for request in transport.requests)


class NoHost(httpx2.AsyncBaseTransport):
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:  # noqa: ARG002
        try:
            raise socket.gaierror(-2, "Name or service not known")
        except socket.gaierror as error:
            raise httpx2.ConnectError("no such host") from error


class Silent(httpx2.AsyncBaseTransport):
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:  # noqa: ARG002
        await asyncio.sleep(60)
        raise AssertionError


@pytest.mark.parametrize(
    ("transport", "fault", "is_host_known"),
    [(NoHost(), "provider_down", False), (Silent(), "timed_out", True)],
    ids=["no such host", "nothing comes"],
)
def test_what_does_not_answer_is_not_reachable(
    transport: httpx2.AsyncBaseTransport, fault: str, is_host_known: bool
) -> None:
    report = probed(transport)
    assert (report.is_reachable, report.fault, report.is_host_known) == (False, fault, is_host_known)


@pytest.mark.enable_socket
def test_a_host_that_does_not_exist_is_told_from_one_that_is_silent() -> None:
    report = probed(None, url="http://nowhere.invalid/v1")  # this name is reserved for never being found
    assert (report.is_reachable, report.fault, report.is_host_known) == (False, "provider_down", False)


@pytest.mark.enable_socket
def test_a_port_where_nobody_listens_is_not_reachable() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # bound, so that nobody else gets it, and not listening
        report = probed(None, url=f"http://127.0.0.1:{held.getsockname()[1]}/v1")
    assert (report.is_reachable, report.fault, report.is_host_known) == (False, "provider_down", True)


@pytest.mark.enable_socket
def test_a_real_server_that_talks_no_http_is_not_reachable() -> None:
    async def greet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example.test ready\r\n")
        await writer.drain()
        writer.close()

    async def both() -> ProbeReport:
        listening = await asyncio.start_server(greet, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        report = await probe(server(f"http://127.0.0.1:{port}/v1"), limits=SHORT)
        listening.close()
        return report

    assert asyncio.run(both()).fault == "provider_down"
