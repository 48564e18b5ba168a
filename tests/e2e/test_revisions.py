"""Versions in a real browser: two tabs on one text, nothing lost; restoring; from a version to its review and back."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Servers, Watched

pytestmark = pytest.mark.browser
SOON = 20_000


def _node(page: Page, number: int, word: str = "") -> None:
    """Wait for a version on the chain."""
    name = re.compile(rf"^V{number}\b.*{word}")
    expect(page.get_by_role("button", name=name).first).to_be_visible(timeout=SOON)


def _edit(page: Page, number: int, words: str) -> None:
    page.get_by_role("button", name=f"Edit V{number} by hand").click()
    area = page.get_by_role("textbox", name="Text", exact=True)
    expect(area).to_be_visible(timeout=SOON)
    area.fill(words)


def test_a_second_tab_is_a_conflict_in_which_nothing_is_lost_and_a_version_leads_to_its_review_and_back(
    servers: Servers, visit: Callable[..., Watched]
) -> None:
    server = servers()
    mine, theirs = visit(server), visit(server)
    page, other = mine.open("/revisions"), theirs.open("/revisions")
    _node(page, 6, "shown")

    _edit(page, 6, "What I wrote.")
    _edit(other, 6, "What the other tab wrote.")
    other.get_by_role("button", name="Save as V7").click()
    expect(other.get_by_text("Saved as V7.")).to_be_visible(timeout=SOON)

    page.get_by_role("button", name=re.compile("Save as V[78]")).click()  # whether the page knows yet or not
    expect(page.get_by_text("You edited V6, but V7 exists by now.")).to_be_visible(timeout=SOON)
    expect(page.get_by_role("button", name="Save as V8")).to_be_disabled()
    mine.open(page.url.removeprefix(server.url))  # a reload in the middle of it
    expect(page.get_by_text("You edited V6, but V7 exists by now.")).to_be_visible(timeout=SOON)
    page.get_by_text("Yours beside it").click()
    page.get_by_role("button", name="Save as V8").click()
    expect(page.get_by_text("Saved as V8.")).to_be_visible(timeout=SOON)
    _node(page, 7)
    _node(page, 8, "shown")

    page.get_by_role("button", name=re.compile(r"^V7\b")).first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Restore V7 as V9").click()
    expect(page.get_by_text("V7 is restored as V9. Nothing was removed.")).to_be_visible(timeout=SOON)
    expect(page.get_by_text("What the other tab wrote.").first).to_be_visible(timeout=SOON)

    page.get_by_role("button", name=re.compile("^upload_file Hand in V9|Hand in V9")).first.click()
    expect(page.get_by_text("takes the place of the one in submission 2")).to_be_visible(timeout=SOON)
    page.get_by_test_id("stPopoverBody").get_by_role("button", name="Hand in V9").click()
    expect(page.get_by_text("V9 is submission 3.")).to_be_visible(timeout=SOON)
    page.get_by_role("link", name="Submission 3").click()
    back = page.get_by_role("link", name="from V9 of Report on the login")
    expect(back).to_be_visible(timeout=SOON)
    back.click()
    expect(page).to_have_url(re.compile("/revisions.*new=9"), timeout=SOON)
    _node(page, 9, "S3")
