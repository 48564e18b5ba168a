"""Which proxy leads to a server."""

import asyncio

import pytest

from engine.errors import SettingsError
from engine.llm.proxy import proxy_for
from tests.llm.calls import gateway, play, server

PROXY = "http://proxy.test:3128"
NAMES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.mark.parametrize(
    ("environ", "url", "proxy"),
    [
        ({}, "https://api.test/v1", None),
        ({"HTTPS_PROXY": PROXY}, "https://api.test/v1", PROXY),
        ({"https_proxy": PROXY}, "https://api.test/v1", PROXY),
        ({"HTTPS_PROXY": PROXY}, "http://api.test/v1", None),
        ({"HTTP_PROXY": PROXY}, "http://api.test/v1", PROXY),
        ({"ALL_PROXY": PROXY}, "https://api.test/v1", PROXY),
        ({"HTTPS_PROXY": PROXY, "NO_PROXY": "api.test"}, "https://api.test/v1", None),
        ({"HTTPS_PROXY": PROXY, "NO_PROXY": "*"}, "https://api.test/v1", None),
        ({"HTTPS_PROXY": PROXY, "NO_PROXY": "other.test"}, "https://api.test/v1", PROXY),
        ({"HTTP_PROXY": PROXY}, "http://localhost:11434/v1", None),
        ({"HTTP_PROXY": PROXY}, "http://127.0.0.1:11434/v1", None),
        ({"HTTP_PROXY": PROXY}, "http://[::1]:11434/v1", None),
    ],
)
def test_the_environment_names_the_way(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], url: str, proxy: str | None
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    found = proxy_for(url)
    assert (str(found.url).rstrip("/") if found else None) == proxy


@pytest.mark.parametrize(
    "value", ["socks5://ann:secret@proxy.test:1080", "ann:secret@proxy.test:80", "http://[ann:secret"]
)
def test_a_proxy_that_cannot_be_used_is_told_without_its_password(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("HTTPS_PROXY", value)
    with pytest.raises(SettingsError, match="HTTPS_PROXY") as caught:
        proxy_for("https://api.test/v1")
    assert "secret" not in str(caught.value)


@pytest.mark.enable_socket
def test_a_request_goes_through_the_proxy_and_not_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n"))
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        writer.close()

    async def ask() -> None:
        listening = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{port}")
        await play(gateway(None, at=server("http://nowhere.invalid/v1")))
        listening.close()

    asyncio.run(ask())
    assert asked == [b"POST http://nowhere.invalid/v1/chat/completions HTTP/1.1\r\n"]
