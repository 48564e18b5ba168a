"""A teacher edits a criterion in a real browser, is told what that outdates, and saves."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Servers, Watched

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Visit = Callable[..., Watched]
OURS = {"OWN_SERVER_FOR": "courses"}  # what is saved there must not reach other tests
OUTDATES = re.compile(r"This makes \d+ reviews? outdated\.")
SENTENCE = "There is a README that anybody can read"


def test_a_criterion_is_edited_outdates_a_review_and_is_reviewed_again(servers: Servers, visit: Visit) -> None:
    watched = visit(servers(env=OURS), width=1280)
    page = watched.open("/courses?lang=en")
    sentence = page.get_by_label("Sentence: what must be true").first
    expect(sentence).to_have_value("There is a README.md at the top")
    sentence.fill(SENTENCE)
    page.keyboard.press("Tab")
    expect(page.get_by_text(OUTDATES)).to_be_visible()

    page = watched.open("/courses?lang=en")  # a closed tab loses nothing
    expect(page.get_by_label("Sentence: what must be true").first).to_have_value(SENTENCE)

    title = page.get_by_label("Title", exact=True)
    title.fill("README and set-up, edited")  # typed, and then the button at once: the last words are saved too
    page.get_by_role("button", name="Save and review again").click()
    expect(page.get_by_role("heading", name="README and set-up, edited")).to_be_visible()
    expect(page.get_by_label("Sentence: what must be true").first).to_have_value(SENTENCE)
    expect(page.get_by_text(OUTDATES)).to_have_count(0)


def test_in_a_narrow_window_the_list_becomes_a_select_box(servers: Servers, visit: Visit) -> None:
    watched = visit(servers(env=OURS), locale="zh-CN", width=800)
    page = watched.open("/courses?lang=zh")
    expect(page.get_by_label("任务", exact=True).first).to_be_visible()
    expect(page.get_by_role("radiogroup", name="任务")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= 800
    page.get_by_role("radio", name="名单与小组").click()
    word = page.get_by_test_id("stFileUploaderDropzone").get_by_text("Upload", exact=True)
    expect(word).to_have_css("font-size", "0px")  # Streamlit has this word in English only
    assert word.evaluate("node => getComputedStyle(node, '::after').content") == '"选择文件"'
    page.get_by_role("radio", name="任务与标准").click()
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(page.get_by_role("radiogroup", name="任务")).to_be_visible()
