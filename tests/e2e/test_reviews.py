"""The table of reviews and the timeline beside it, in a real browser."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Servers, Watched

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Visit = Callable[..., Watched]
ROW_PX = 35
"""Height of a row of the table; its first is the head."""


def test_a_click_in_the_timeline_opens_that_attempt_although_a_row_is_chosen(servers: Servers, visit: Visit) -> None:
    watched = visit(servers(), locale="en-GB")
    page = watched.open("/reviews")
    attempts = page.get_by_role("button", name=re.compile(r"Attempt \d+:"))
    chosen = _choose_row_with_several_attempts(watched, page, attempts)
    attempts.last.click()
    expect(page).not_to_have_url(chosen)
    watched.idle()
    expect(page).not_to_have_url(chosen)


def _choose_row_with_several_attempts(watched: Watched, page: Page, attempts: Locator) -> str:
    """Click down the table to the first such row; gives the address then."""
    table = page.get_by_test_id("stDataFrame").locator("canvas").first
    for row in range(1, 18):
        before = page.url
        place = table.bounding_box()
        assert place is not None
        page.mouse.click(place["x"] + 12, place["y"] + ROW_PX * row + ROW_PX // 2)
        expect(page).not_to_have_url(before)
        watched.idle()
        if attempts.count() > 1:
            return page.url
    raise AssertionError("no row has several attempts")
