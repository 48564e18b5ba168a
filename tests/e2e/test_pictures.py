"""README's pictures show the page as it is. `TUTORLOOP_RETAKE=1 pytest tests/e2e/test_pictures.py` takes them anew."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Servers, Watched

PICTURES = Path(__file__).parent / "pictures"
MOST_BYTES = 300_000
SHOWN = {
    "en": ("en-GB", "Tutor", "What the tutor saw", "submission 2"),
    "zh": ("zh-CN", "导师", "导师看到了什么", "提交 2"),
}
"""Language: the browser's locale, the page's title, a button that stands under a reply, what its drawer names."""


@pytest.mark.browser
@pytest.mark.parametrize("language", SHOWN)
def test_the_pictured_page_shows_a_conversation_and_what_the_tutor_saw(
    servers: Servers, visit: Callable[..., Watched], language: str
) -> None:
    locale, title, button, submission = SHOWN[language]
    watched = visit(servers(), locale=locale)

    page = watched.open("/")
    expect(page).to_have_title(title)
    page.get_by_text(button).last.click()

    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_text(submission).first).to_be_visible()
    watched.idle()
    if os.environ.get("TUTORLOOP_RETAKE"):
        page.wait_for_timeout(1_000)  # the drawer slides in
        page.screenshot(path=PICTURES / f"tutor.{language}.png")


@pytest.mark.parametrize("language", SHOWN)
def test_a_picture_is_there_and_small(language: str) -> None:
    picture = (PICTURES / f"tutor.{language}.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) <= MOST_BYTES
