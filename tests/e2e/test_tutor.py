"""The main job in a real browser: hand in, read the card, ask, and see what the tutor was given."""

import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Servers, Watched

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Visit = Callable[..., Watched]

WORDS = {
    "zh": {
        "locale": "zh-CN",
        "hand_in_work": "提交作品",
        "hand_in": "提交",
        "fail": "未通过",
        "ask": "先讲第一条没达到的",
        "saw": "导师看到了什么",
        "tests": "项目的全部测试都运行过，并且通过",
        "offline": "离线",
        "handed_in": "已交：提交 1",
        "all_met": "已通过",
    },
    "en": {
        "locale": "en-GB",
        "hand_in_work": "Hand in work",
        "hand_in": "Hand in",
        "fail": "Fail",
        "ask": "Tell me about the first open item",
        "saw": "What the tutor saw",
        "tests": "All tests of the project ran and passed",
        "offline": "offline",
        "handed_in": "Handed in: submission 1",
        "all_met": "Passed",
    },
}

REPORT = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" errors="0" failures="{failures}" skipped="0" tests="2">
<testcase classname="tests.test_sums" name="test_small_sums" time="0.001"/>
<testcase classname="tests.test_sums" name="test_an_empty_list_sums_to_zero" time="0.001">{failure}</testcase>
</testsuite></testsuites>"""
FAILURE = '<failure message="assert None == 0">tests/test_sums.py:9: AssertionError</failure>'


def project(*, broken: bool) -> bytes:
    """A small project as a student packs it: a folder with code, README and the report of its tests."""
    files = {
        "README.md": "# Sums\n\n" + "Adds up numbers from a file, one a line. Start it with python sums.py FILE. " * 6,
        "pyproject.toml": '[project]\nname = "sums"\nversion = "1"\n',
        "sums.py": "def total(numbers):\n    return sum(numbers) or " + ("None" if broken else "0") + "\n",
        "report.xml": REPORT.format(failures=int(broken), failure=FAILURE if broken else ""),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(f"sums/{name}", text)
    return packed.getvalue()


def hand_in(page: Page, words: dict[str, str], content: bytes) -> None:
    """Press *Hand in work*, drop the zip, press *Hand in*."""
    page.get_by_role("button", name=words["hand_in_work"], exact=True).click()
    drawer = page.get_by_role("dialog")
    drawer.locator('input[type="file"]').first.set_input_files(
        {"name": "sums.zip", "mimeType": "application/zip", "buffer": content}
    )
    drawer.get_by_role("button", name=words["hand_in"], exact=True).click()
    expect(drawer).to_have_count(0)


def open_saw(page: Page, words: dict[str, str]) -> str:
    """Open the drawer of the newest reply and give the text of its feedback block."""
    page.get_by_role("button", name=words["saw"]).last.click()
    block = page.get_by_role("dialog").locator(".st-key-feedback_block")
    expect(block).to_contain_text(words["tests"])
    return block.inner_text()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_teacher_hands_in_reads_the_card_asks_and_sees_the_review_in_the_request(
    servers: Servers, visit: Visit, tmp_path: Path, language: str
) -> None:
    words = WORDS[language]
    watched = visit(servers(env={"TUTORLOOP_TEST": language}), locale=words["locale"])
    page = watched.open("/")

    hand_in(page, words, project(broken=True))
    expect(page.get_by_text(words["handed_in"])).to_be_visible()
    expect(page.get_by_text(words["tests"]).first).to_be_visible(timeout=40_000)
    expect(page.get_by_text("test_an_empty_list_sums_to_zero").first).to_be_visible()

    page.get_by_role("radio", name=words["ask"]).click()
    reply = page.get_by_test_id("stChatMessage").last
    expect(reply.get_by_role("button", name=words["saw"])).to_be_visible(timeout=20_000)
    expect(reply).to_contain_text(words["tests"])

    assert "test_an_empty_list_sums_to_zero" in open_saw(page, words)
    with page.expect_download() as download:
        page.get_by_role("dialog").get_by_text("JSON", exact=True).click()
        page.get_by_role("dialog").get_by_test_id("stDownloadButton").click()
    request = json.loads(download.value.path().read_text(encoding="utf-8"))
    blocks = [m["content"] for m in request["messages"] if m["content"].startswith("<tutorloop-feedback>")]
    assert len(blocks) == 1
    assert '"state":"current"' in blocks[0]
    assert "test_an_empty_list_sums_to_zero" in blocks[0]
    page.keyboard.press("Escape")

    hand_in(page, words, project(broken=False))
    expect(page.get_by_text(words["all_met"]).first).to_be_visible(timeout=40_000)


def test_the_address_of_a_turn_opens_what_the_tutor_saw(servers: Servers, visit: Visit) -> None:
    words = WORDS["en"]
    page = visit(servers()).open("/")
    page.get_by_role("button", name=words["saw"]).last.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    address = page.url
    assert "turn=" in address
    page.goto(address)
    expect(page.get_by_role("dialog").get_by_text("Feedback block").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_reviews_show_the_attempt_that_the_tutor_has(servers: Servers, visit: Visit) -> None:
    page = visit(servers()).open("/reviews")
    expect(page.get_by_text("the tutor has this one").or_(page.get_by_text("No review yet.")).first).to_be_visible()
    expect(page.get_by_text(re.compile(r"^(\d+) of \1 rows: "))).to_be_visible()


def test_a_reply_that_ends_takes_nothing_from_the_form_that_is_being_filled_in(servers: Servers, visit: Visit) -> None:
    page = visit(servers(), locale="en-GB").open("/")
    page.get_by_test_id("stChatInputTextArea").fill("What should I change first?")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stMain").get_by_role("button", name="Stop")).to_be_visible()
    page.get_by_role("button", name="Hand in work", exact=True).click()
    text = page.get_by_role("dialog").get_by_label("Or paste text")
    text.fill("words that nobody has saved yet")
    expect(page.get_by_test_id("stMain").get_by_role("button", name="Stop")).to_have_count(0, timeout=20_000)
    page.wait_for_timeout(1_500)  # a reply that has ended is drawn anew within half a second
    expect(text).to_have_value("words that nobody has saved yet")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="What the tutor saw").last).to_be_visible()


def test_a_message_that_was_refused_is_back_in_the_input_with_the_reason_beside_it(
    servers: Servers, visit: Visit
) -> None:
    page = visit(servers()).open("/")
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill("z" * 8001)
    box.press("Enter")
    expect(page.get_by_text("longer than 8000 characters")).to_be_in_viewport()
    expect(box).to_have_value("z" * 8001)
