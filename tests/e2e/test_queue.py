"""The queue, worked by keyboard alone in a real browser, in both languages."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Scheme, Server, Servers, Watched

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Visit = Callable[..., Watched]
TABS_AT_MOST = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What the page says in one language."""

    places: tuple[str, str]
    """The second and the third of the list."""
    judgement: str
    dispute: str
    done: str
    reason: str
    """Holds every key of the page, none of which may do anything while one types."""
    width: int
    scheme: Scheme


WORDS = {
    "en-GB": Words(
        places=("2 of 4", "3 of 4"),
        judgement="never tells whether the account exists",
        dispute="must it be a hash?",
        done="2 decided: 1 passed, 1 to fix, 0 left open.",
        reason="j k 1 2 3 u: I have read it",
        width=1280,
        scheme="light",
    ),
    "zh-CN": Words(
        places=("第 2 项", "第 3 项"),
        judgement="同时不透露这个账号是否存在",
        dispute="还一定要写哈希吗",
        done="判定了 2 项：1 项通过，1 项待改，0 项先不定。",
        reason="j k 1 2 3 u 我读过了，写清楚了",
        width=800,
        scheme="dark",
    ),
}


@pytest.fixture
def server(servers: Servers) -> Server:
    """One for this file: what is decided stays decided."""
    return servers(env={"OWN_SERVER_FOR": "queue"})


def write_reason(page: Page, reason: str) -> None:
    """Go to the reason by Tab and type it."""
    for _tab in range(TABS_AT_MOST):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "TEXTAREA":
            page.keyboard.type(reason)
            return
    raise AssertionError("the reason cannot be reached by Tab")


def choose(watched: Watched, key: str) -> None:
    watched.idle()
    page = watched.page
    page.keyboard.press(key)
    expect(page.locator(f".st-key-queue_choose_{key} button[kind=primary]")).to_be_visible()


@pytest.mark.parametrize("locale", WORDS)
def test_the_queue_is_worked_off_by_keyboard_alone(server: Server, visit: Visit, locale: str) -> None:
    words = WORDS[locale]
    watched = visit(server, locale=locale, width=words.width, color_scheme=words.scheme)
    page = watched.open("/review_queue")
    expect(page.get_by_test_id("stProgress")).to_be_visible()
    for place in words.places:
        watched.idle()
        page.keyboard.press("j")
        expect(page.get_by_text(place)).to_be_visible()
    expect(page.get_by_text(words.judgement)).to_be_visible()
    choose(watched, "1")
    write_reason(page, words.reason)
    expect(page.get_by_role("textbox").first).to_have_value(words.reason)
    expect(page.get_by_text(words.judgement)).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text(words.dispute)).to_be_visible()
    choose(watched, "2")
    write_reason(page, words.reason)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text(words.done)).to_be_visible()
    watched.idle()
    page.keyboard.press("u")
    expect(page.get_by_text(words.dispute)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
