"""Choices in quick succession on a slow line: each of them holds, and *Back* takes back the last one at once."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.e2e.conftest import Servers, Watched

pytestmark = pytest.mark.browser
SOON = 20_000


class SlowLine:
    """Between the server and a page: holds back what the server says for as long as it is told to."""

    def __init__(self, page: Page) -> None:
        self.is_held = False
        self._held: list[tuple[WebSocketRoute, str | bytes]] = []
        page.route_web_socket(lambda url: "/_stcore/stream" in url, self._connect)

    def release(self) -> None:
        """Let everything through that was held back, in order, and what comes from now on."""
        self.is_held = False
        for route, message in self._held:
            route.send(message)
        self._held.clear()

    def _connect(self, route: WebSocketRoute) -> None:
        def pass_on(message: str | bytes) -> None:
            if self.is_held:
                self._held.append((route, message))
            else:
                route.send(message)

        route.connect_to_server().on_message(pass_on)


def _choose(page: Page, field: str, number: int) -> None:
    box = page.get_by_role("combobox", name=field, exact=True)
    box.click()
    box.fill(f"V{number}")
    page.get_by_role("option", name=f"V{number} ").first.click()


def _address(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_two_choices_on_a_slow_line_both_hold_and_back_takes_back_the_last(
    servers: Servers, visit: Callable[..., Watched]
) -> None:
    watched = visit(servers())
    page = watched.page
    line = SlowLine(page)
    watched.open("/revisions")
    expect(page.get_by_role("combobox", name="Compare", exact=True)).to_be_visible(timeout=SOON)
    watched.idle()
    line.is_held = True
    _choose(page, "Compare", 1)
    page.wait_for_timeout(700)
    _choose(page, "with", 4)
    page.wait_for_timeout(700)
    line.release()
    expect(page.get_by_text("characters added").or_(page.get_by_text("since V1")).first).to_be_visible(timeout=SOON)
    watched.idle()
    assert (_address(page)["old"], _address(page)["new"]) == (["1"], ["4"])
    _choose(page, "with", 2)
    page.wait_for_url("**new=2**", timeout=SOON)
    watched.idle()
    page.go_back()
    page.wait_for_url("**new=4**", timeout=SOON)
    page.wait_for_timeout(1500)  # the address changes before the server has said what it thinks of it
    watched.idle()
    assert (_address(page)["old"], _address(page)["new"]) == (["1"], ["4"])
