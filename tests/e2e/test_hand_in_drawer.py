"""What is typed is kept while it is typed: only a browser has a text that has not been sent yet."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Servers, Watched

pytestmark = pytest.mark.browser


def test_pasted_text_survives_a_reload_although_its_field_was_never_left(
    servers: Servers, visit: Callable[..., Watched]
) -> None:
    watched = visit(servers())
    page = watched.open()
    page.get_by_role("button", name="Hand in work").click()
    area = page.get_by_label("Or paste text")
    area.fill("")  # another test on this server may have left a draft
    area.press_sequentially("typed in one go", delay=20)
    expect(page.get_by_text("1 file will be looked at")).to_be_visible(timeout=20_000)
    expect(area).to_be_focused()
    area.press_sequentially(" and on", delay=20)
    page.wait_for_timeout(2500)
    watched.open()
    page.get_by_role("button", name="Hand in work").click()
    expect(page.get_by_label("Or paste text")).to_have_value("typed in one go and on", timeout=20_000)


def test_streamlits_own_limit_is_not_on_the_form(servers: Servers, visit: Callable[..., Watched]) -> None:
    watched = visit(servers())
    page = watched.open()
    page.get_by_role("button", name="Hand in work").click()
    expect(page.get_by_text("Up to 25 MB a file")).to_be_visible(timeout=20_000)
    limits = page.get_by_text("per file")
    expect(limits).to_have_count(2, timeout=20_000)  # of the files and of the folder, as Streamlit draws them
    expect(limits.filter(visible=True)).to_have_count(0)
