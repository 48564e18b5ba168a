"""Every page and drawer fits, in both languages, light and dark, on a wide and a narrow screen."""

from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Scheme, Servers, Watched

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Visit = Callable[..., Watched]
BACKGROUNDS: dict[Scheme, str] = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 28)"}
WIDTHS = (1280, 800)
LOCALES = {"en": "en-GB", "zh": "zh-CN"}
WORDS = {
    "en": {
        "pages": ["Tutor", "Settings"],
        "hand_in": "Hand in work",
        "teach": "Teach",
        "saw": "What the tutor saw",
        "next": "Next review",
        "renew": "Make the demo anew",
        "sample": "With a failing test",
        "export": "Export",
        "criterion": "Add a criterion",
    },
    "zh": {
        "pages": ["导师", "设置"],
        "hand_in": "提交作品",
        "teach": "教学",
        "saw": "导师看到了什么",
        "next": "下一次评审",
        "renew": "重做演示",
        "sample": "有一个测试没通过",
        "export": "导出",
        "criterion": "添加标准",
    },
}
MISPLACED = """() => [...document.querySelectorAll('a, button, input:not([type=datetime-local]), textarea')]
  .filter(node => node.checkVisibility({visibilityProperty: true}) && !node.closest('.st-key-chips'))
  .filter(node => {
    const place = node.getBoundingClientRect()
    const clips = [...node.querySelectorAll('p')].some(word => word.scrollWidth > word.clientWidth + 1)
    return place.width > 1 && place.bottom > 0 && (place.left < 0 || place.right > innerWidth || clips)
  })
  .map(node => node.innerText || node.ariaLabel || node.outerHTML.slice(0, 120))"""
"""Controls beyond either side, and buttons whose word is cut off.

The suggestions scroll in a row of their own; Streamlit keeps a copy of each date out of sight for the form.
"""
TOO_WIDE = """() => [document.documentElement, ...document.querySelectorAll('[data-testid=stMain], [role=dialog]')]
  .filter(node => node.scrollWidth > node.clientWidth + 1).map(node => node.tagName)"""


def check(watched: Watched, *controls: Locator) -> None:
    """In each colour scheme and width: the right background, nothing too wide, these controls to be seen."""
    page = watched.page
    for scheme, width in product(BACKGROUNDS, WIDTHS):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", BACKGROUNDS[scheme])
        watched.idle()
        for control in controls:
            control.scroll_into_view_if_needed()
            expect(control).to_be_in_viewport(ratio=1)
        found = {"misplaced": page.evaluate(MISPLACED), "too wide": page.evaluate(TOO_WIDE)}
        assert found == {"misplaced": [], "too wide": []}, (scheme, width)


def words_of(language: str) -> tuple[list[str], dict[str, str]]:
    """The names of the pages, and the words on buttons."""
    words = dict(WORDS[language])
    pages = words.pop("pages")
    return list(pages), {name: str(word) for name, word in words.items()}


def button(at: Page | Locator, word: str) -> Locator:
    return at.get_by_role("button", name=word).last


@pytest.mark.parametrize("language", LOCALES)
def test_the_tutor_page_and_its_drawers_fit(servers: Servers, visit: Visit, language: str) -> None:
    pages, words = words_of(language)
    watched = visit(servers(), locale=LOCALES[language])
    page = watched.open("/")
    links = [page.get_by_role("link", name=name, exact=True) for name in pages]
    chat_input = page.get_by_test_id("stChatInputTextArea")
    check(
        watched,
        chat_input,
        button(page, words["hand_in"]),
        button(page, words["saw"]),
        button(page, words["teach"]),
        *links,
    )

    drawer = page.get_by_role("dialog")
    watched.idle()
    button(page, words["hand_in"]).click()
    expect(drawer).to_be_visible(timeout=20_000)
    drawer.locator("textarea").first.fill("")  # another test on this server may have left a draft
    check(watched, drawer.get_by_role("heading"), drawer.locator("textarea").first, button(drawer, words["sample"]))
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    watched.idle()
    button(page, words["saw"]).click()
    expect(drawer).to_be_visible(timeout=20_000)
    check(watched, drawer.get_by_role("heading").first, drawer.get_by_text("JSON", exact=True))


@pytest.mark.parametrize("language", LOCALES)
def test_reviews_and_settings_fit(servers: Servers, visit: Visit, language: str) -> None:
    _pages, words = words_of(language)
    watched = visit(servers(), locale=LOCALES[language])
    page = watched.open("/reviews")
    check(watched, page.get_by_test_id("stDataFrame"), button(page, words["next"]))
    page = watched.open("/settings")
    check(watched, page.get_by_role("textbox").first, button(page, words["renew"]))


@pytest.mark.parametrize("language", LOCALES)
def test_board_and_courses_fit(servers: Servers, visit: Visit, language: str) -> None:
    _pages, words = words_of(language)
    watched = visit(servers(), locale=LOCALES[language])
    page = watched.open("/board?view=table")
    check(watched, page.get_by_test_id("stDataFrame"), button(page, words["export"]))
    page = watched.open("/courses")
    check(watched, page.get_by_test_id("stButtonGroup"), button(page, words["criterion"]))
