"""A piece of evidence is read beside its card, and work is handed in from a folder and a repository."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Servers, Watched
from tests.e2e.test_axe import found
from tests.work.repositories import Repository

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Visit = Callable[..., Watched]
BESIDE = """() => {
  const [card, mark] = [document.querySelector('[class*=st-key-card_]:not(.st-key-card_and_files)'),
                        document.querySelector('.tl-lines mark')].map(one => one.getBoundingClientRect())
  return mark.left >= card.right
}"""
IN_VIEW = "() => { const m = document.querySelector('.tl-lines mark').getBoundingClientRect(); \
return m.top > 60 && m.bottom < innerHeight }"


def _open_last_place(watched: Watched) -> Page:
    page = watched.open("/reviews?state=fail")
    page.get_by_role("button", name="Next review").wait_for()
    watched.idle()
    page.get_by_role("button", name="Open the place").last.click()
    expect(page.locator(".tl-lines")).to_be_visible(timeout=20_000)
    watched.idle()
    return page


def test_the_place_stands_beside_the_card_when_wide_and_in_view_below_it_when_narrow(
    servers: Servers, visit: Visit
) -> None:
    watched = visit(servers())
    page = _open_last_place(watched)
    page.goto(re.sub(r"file=([^&]*?)(?:%3A\d+)?(?=&|$)", r"file=\1:1", page.url))
    mark = page.locator(".tl-lines mark")
    expect(mark).to_contain_text("1", timeout=20_000)
    watched.idle()
    assert page.evaluate(BESIDE)
    page.get_by_role("button", name="Open the place").last.scroll_into_view_if_needed()
    page.wait_for_function(IN_VIEW)
    assert {fault for faults in found(watched).values() for fault in faults if "stHtml" in fault} == set()
    page.set_viewport_size({"width": 800, "height": 900})
    page.get_by_role("button", name="Open the place").last.scroll_into_view_if_needed()
    page.wait_for_function(f"() => !({BESIDE})()")
    page.wait_for_function(IN_VIEW)


def test_a_folder_and_a_repository_are_looked_through_before_they_are_handed_in(
    servers: Servers, visit: Visit, tmp_path: Path
) -> None:
    repository = Repository(tmp_path / "shop")
    repository.commit({"src/app.py": b"print(1)\n", "README.md": b"# Shop\n"})
    watched = visit(servers())
    page = watched.open()
    page.get_by_role("button", name="Hand in work").click()
    page.get_by_role("tab", name="A folder").click()
    with page.expect_file_chooser() as chooser:
        page.locator(".st-key-hand_in_folder button").first.click()
    chooser.value.set_files(repository.folder)
    expect(page.get_by_text("2 files will be looked at")).to_be_visible(timeout=20_000)
    page.get_by_text("Which files").click()
    expect(page.get_by_text("README.md\nsrc/app.py")).to_be_visible()
    page.get_by_role("tab", name="From a git repository").click()
    page.get_by_role("textbox", name="Address").fill(str(repository.folder))
    page.get_by_role("button", name="Fetch", exact=True).click()
    expect(page.get_by_role("button", name="Fetch another")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("is there twice").first).to_be_visible(timeout=20_000)
