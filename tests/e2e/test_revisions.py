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


def test_a_second_tab_is_a_conflict_in_which_nothing_is_lost(servers: Servers, visit: Callable[..., Watched]) -> None:
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


def test_typing_begins_at_once_in_an_editor_that_was_opened(servers: Servers, visit: Callable[..., Watched]) -> None:
    page = visit(servers()).open("/revisions")
    page.get_by_role("button", name=re.compile(r"^Edit V\d+ by hand")).click()
    area = page.get_by_role("textbox", name="Text", exact=True)
    expect(area).to_be_focused(timeout=SOON)
    page.keyboard.press("e")  # the key that opens it is a letter here
    expect(area).to_have_value(re.compile("e"))
    page.get_by_role("button", name="Discard").click()
    expect(area).to_have_count(0)


def test_an_old_version_is_restored_by_keyboard_and_handed_in_with_links_both_ways(
    servers: Servers, visit: Callable[..., Watched]
) -> None:
    page = visit(servers()).open("/revisions")
    newest = page.get_by_role("button", name=re.compile(r"^V\d+\b.*shown"))
    expect(newest).to_be_visible(timeout=SOON)
    found = re.match(r"V(\d+)", newest.get_attribute("aria-label") or "")
    assert found
    number = int(found[1]) + 1
    page.get_by_role("button", name=re.compile(r"^V5\b")).first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=f"Restore V5 as V{number}").click()
    expect(page.get_by_text(f"V5 is restored as V{number}. Nothing was removed.")).to_be_visible(timeout=SOON)
    expect(page.get_by_text("the account rests for a minute").first).to_be_visible(timeout=SOON)

    page.get_by_role("button", name=f"Hand in V{number}").first.click()
    within = page.get_by_test_id("stPopoverBody")
    expect(within.get_by_text("takes the place of the one in submission 2")).to_be_visible(timeout=SOON)
    within.get_by_role("button", name=f"Hand in V{number}").click()
    expect(page.get_by_text(f"V{number} is submission 3").first).to_be_visible(timeout=SOON)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Submission 3").click()
    back = page.get_by_role("link", name=f"from V{number} of Report on the login")
    back.click()
    expect(page).to_have_url(re.compile(f"/revisions.*new={number}"), timeout=SOON)
    _node(page, number, "S3")
