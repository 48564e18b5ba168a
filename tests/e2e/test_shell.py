"""The shell of the pages in a real browser: closed doors, headers, languages, themes."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from email.message import Message
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import ROOT, Servers, Watched

pytestmark = pytest.mark.browser
Visit = Callable[..., Watched]

ADDRESSES = sorted(path.stem for path in (ROOT / "pages").glob("*.py") if not path.name.startswith("_"))


def _answer(url: str) -> tuple[int, Message, bytes]:
    """Status, headers and body of our own server's answer, whatever the status."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - our own server
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


@pytest.mark.parametrize("address", ["", *ADDRESSES])
def test_on_a_fresh_server_an_anonymous_deep_link_shows_the_sign_in_page_only(
    servers: Servers, visit: Visit, address: str
) -> None:
    with servers.fresh("signed-in") as server:
        watched = visit(server)
        page = watched.open(f"/{address}")
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        expect(page.get_by_role("heading", name="登录")).to_be_visible()
        assert page.get_by_role("heading").count() == 2
        assert page.get_by_role("dialog").count() == 0
        assert page.get_by_role("link", name="Reviews").count() == 0
        watched.leave()


@pytest.mark.parametrize(("address", "title"), [("", "Tutor"), ("tutor", "Tutor"), ("reviews", "Reviews")])
def test_in_local_mode_a_deep_link_opens_its_page(servers: Servers, visit: Visit, address: str, title: str) -> None:
    page = visit(servers()).open(f"/{address}")
    expect(page).to_have_title(title)
    expect(page.get_by_role("button", name="中文")).to_be_visible()
    assert page.get_by_role("heading", name="Sign in").count() == 0
    assert page.get_by_role("dialog").count() == 0


@pytest.mark.parametrize("path", ["/", "/reviews", "/api/health", "/_stcore/health", "/static/media/none.woff2"])
def test_every_answer_carries_the_security_headers(servers: Servers, path: str) -> None:
    _status, headers, _body = _answer(servers().url + path)
    policy = headers["content-security-policy"]
    assert "frame-ancestors 'self'" in policy
    assert "connect-src 'self' data:;" in policy
    assert "unsafe-eval'" not in policy.replace("'wasm-unsafe-eval'", "")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


def test_health_is_told_as_json(servers: Servers) -> None:
    status, headers, body = _answer(f"{servers('local').url}/api/health")
    assert (status, headers["content-type"]) == (200, "application/json")
    assert json.loads(body)["status"] == "ok"


def test_a_worker_for_jobs_stands_beside_the_server(servers: Servers) -> None:
    url = servers(env={"TUTORLOOP_WORKER": "on"}).url
    end = time.monotonic() + 60
    while (told := json.loads(_answer(f"{url}/api/health")[2])["worker"]) == "none" and time.monotonic() < end:
        time.sleep(0.2)
    assert told == "alive"
    assert json.loads(_answer(f"{servers('local').url}/api/health")[2])["worker"] == "none"


@pytest.mark.parametrize(
    ("locale", "title"), [("zh-CN", "导师"), ("zh-TW", "导师"), ("en-GB", "Tutor"), ("de-DE", "Tutor")]
)
def test_the_browser_decides_the_language_first(servers: Servers, visit: Visit, locale: str, title: str) -> None:
    page = visit(servers(), locale=locale).open()
    expect(page).to_have_title(title)
    expect(page.get_by_role("link", name=title)).to_be_visible()


def test_the_switch_changes_the_language_and_keeps_the_rest_of_the_address(servers: Servers, visit: Visit) -> None:
    page = visit(servers()).open("/reviews?task=7")
    page.get_by_role("button", name="中文").click()
    expect(page).to_have_title("评审")
    expect(page.get_by_role("link", name="导师")).to_be_visible()
    address = urlsplit(page.url)
    assert address.path == "/reviews"
    assert {"task=7", "lang=zh"} <= set(address.query.split("&"))


def test_the_chosen_language_goes_along_to_other_pages(servers: Servers, visit: Visit) -> None:
    page = visit(servers()).open("/reviews?lang=zh")
    page.get_by_role("link", name="导师").click()
    expect(page).to_have_title("导师")
    page.get_by_role("button", name="English").click()
    expect(page).to_have_title("Tutor")
