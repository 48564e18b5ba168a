"""The drawn diff in a real browser: keys, folds, copying, long texts, and what axe says of it."""

import json
import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from pages._widgets.diff_place import MOST_PARTS
from tests.e2e.conftest import Scheme, Server, Servers, Watched
from tests.e2e.diff_pairs import Pair, chinese_pair
from tests.revision.reading import HOSTILE

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Visit = Callable[..., Watched]
MOST_NODES = 6000
"""Elements on a page with a long diff, Streamlit's own included."""
MOVED = "The quick brown fox jumps over the lazy dog today."
FILLING = "".join(f"Paragraph {number} stays as it was all the time.\n\n" for number in range(6))
OLD = f"# Report\n\nThe user types a password.\n\n{MOVED}\n\n{FILLING}A last line.\n"
NEW = (
    f"# Report\n\nThe user enters a\u200b password.\n\n{FILLING}{MOVED.replace('lazy', 'very lazy')}\n\nA last line.\n"
)
WIDE = "total = " + " + ".join(f"number_{number}" for number in range(60))
PAIRS: dict[str, Pair] = {
    "short": (("Report", OLD), ("Report on login", NEW)),
    "wide": (("old.py", f"one = first + more\n{WIDE}\n"), ("new.py", f"one = two + more\n{WIDE} + beta\n")),
    "long": chinese_pair(200_000),
    "hostile": (("old", "\n".join(HOSTILE[:-4])), ("new", "\n".join(f"{each} x" for each in HOSTILE) + " long" * 60)),
}


@pytest.fixture(scope="module")
def probe(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Server:
    file = tmp_path_factory.mktemp("diff") / "pairs.json"
    file.write_text(json.dumps(PAIRS), encoding="utf-8")
    return servers(script="tests/e2e/probe/probe_app.py", env={"PROBE_TEXTS": str(file)})


def opened(watched: Watched, pair: str, **query: str) -> Page:
    page = watched.open("/?show=diff&pair=" + pair + "".join(f"&{name}={value}" for name, value in query.items()))
    expect(page.get_by_text("all drawn")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("button", name="Next", exact=False).first).to_be_enabled()
    watched.idle()
    return page


def step(page: Page, key: str, then: str) -> Locator:
    """Press a key, wait for the counter, give the row that is shown."""
    page.keyboard.press(key)
    expect(page.get_by_text(then, exact=True)).to_be_visible(timeout=15_000)
    here = page.locator(".tl-diff .here")
    expect(here).to_be_in_viewport()
    return here


def test_the_keyboard_goes_through_changes_and_sleeps_while_somebody_types(probe: Server, visit: Visit) -> None:
    page = opened(visit(probe), "short")
    expect(step(page, "j", "change 1 of 2")).to_contain_text("The user")
    expect(step(page, "j", "change 2 of 2")).to_contain_text(MOVED.replace("lazy", "very lazy"))
    expect(step(page, "k", "change 1 of 2")).to_contain_text("The user")
    notes = page.get_by_label("Notes")
    notes.click()
    page.keyboard.type("jkv JKV")
    expect(notes).to_have_value("jkv JKV")
    expect(page.get_by_text("change 1 of 2", exact=True)).to_be_visible()
    expect(page.locator(".tl-diff.side")).to_have_count(1)
    page.get_by_text("change 1 of 2", exact=True).click()
    page.keyboard.press("v")
    expect(page.locator(".tl-diff.inline:not(.line)")).to_have_count(1)


def test_a_page_that_is_drawn_anew_stays_where_its_reader_went(probe: Server, visit: Visit) -> None:
    page = opened(visit(probe), "short")
    page.set_viewport_size({"width": 1280, "height": 500})
    step(page, "j", "change 1 of 2")
    step(page, "j", "change 2 of 2")
    notes = page.get_by_label("Notes")
    notes.fill("typed")
    notes.evaluate("area => area.closest('[data-testid=stMain]').scrollTo(0, 0)")
    notes.press("Control+Enter")
    expect(page.get_by_text("no notes yet")).to_have_count(0)  # all below has moved up by one
    expect(page.locator(".tl-diff .here")).to_have_count(1)
    page.wait_for_timeout(800)  # time to scroll away
    expect(notes).to_be_in_viewport()


def test_a_step_brings_the_change_at_the_end_of_a_long_line_into_view_and_the_one_at_its_beginning(
    probe: Server, visit: Visit
) -> None:
    page = opened(visit(probe), "wide", kind="code")
    for key, then, word in (
        ("j", "change 1 of 2", "two"),
        ("j", "change 2 of 2", "beta"),
        ("k", "change 1 of 2", "two"),
    ):
        expect(step(page, key, then).locator("ins", has_text=word).first).to_be_in_viewport(ratio=0.9)


def test_a_fold_opens_a_link_leads_to_the_other_end_and_the_list_to_a_change(probe: Server, visit: Visit) -> None:
    page = opened(visit(probe), "short")
    fold = page.get_by_role("button", name="paragraphs unchanged")
    expect(fold).to_have_count(1)
    expect(page.get_by_text("Paragraph 3 stays")).to_have_count(0)
    fold.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Paragraph 3 stays").first).to_be_visible()
    page.get_by_role("link", name="moved to p").click()
    expect(page.locator(".tl-diff .here")).to_contain_text("very lazy")
    expect(page.locator(".tl-diff .here")).to_be_in_viewport()
    page.get_by_role("button", name="Paragraph 1: reworded").click()
    expect(page.locator(".tl-diff .here")).to_contain_text("enters")
    expect(page.get_by_role("button", name="Paragraph 1: reworded")).to_have_attribute("aria-current", "true")


SELECT = """side => {
  const cells = [...document.querySelectorAll(`.tl-diff .c.${side} .t`)]
  cells[0].dispatchEvent(new MouseEvent('mousedown', {bubbles: true}))
  getSelection().setBaseAndExtent(cells[0], 0, cells.at(-1), cells.at(-1).childNodes.length)
}"""


def test_copying_one_side_gives_its_exact_text(probe: Server, visit: Visit) -> None:
    page = opened(visit(probe), "short")
    page.get_by_role("button", name="paragraphs unchanged").click()
    expect(page.get_by_role("button", name="paragraphs unchanged")).to_have_count(0)
    expect(page.get_by_text("Paragraph 3 stays").first).to_be_visible()
    for side, text in (("o", OLD), ("n", NEW)):
        page.evaluate(SELECT, side)
        assert page.evaluate("getSelection().toString()").rstrip("\n") == text.rstrip("\n")


def test_hostile_text_does_nothing_in_a_browser(probe: Server, visit: Visit) -> None:
    page = opened(visit(probe), "hostile")
    alive = ".tl-diff :is(script, img, svg, style, iframe, base, form, [onerror], [onload], [onmouseover])"
    expect(page.locator(".tl-diff .u").nth(10)).to_be_attached()
    assert page.locator(alive).count() == 0
    expect(page.locator(".tl-diff .k.warn").first).to_be_visible()


def test_a_long_text_shows_its_first_change_and_never_too_much_of_the_page(probe: Server, visit: Visit) -> None:
    page = opened(visit(probe), "long")
    expect(page.locator(".tl-diff ins").first).to_be_in_viewport()
    expect(page.locator(".tl-list")).to_be_visible()
    parts = page.locator(".tl-diff.side")
    for shown in range(2, MOST_PARTS + 1):
        parts.last.locator(".r").last.scroll_into_view_if_needed()
        expect(parts.nth(shown - 1)).to_be_attached()
        assert page.evaluate("document.querySelectorAll('*').length") < MOST_NODES
    page.get_by_role("button", name="Show the text after this").click()
    expect(page.locator(".tl-diff .here")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Show the text before this")).to_be_visible()
    count = page.get_by_text(re.compile(r"^\d+ changes$")).inner_text().split()[0]
    step(page, "k", f"change {count} of {count}")
    assert page.evaluate("document.querySelectorAll('*').length") < MOST_NODES


@pytest.mark.parametrize(("scheme", "pair", "kind"), [("light", "short", "report"), ("dark", "hostile", "code")])
def test_axe_finds_nothing_in_it(probe: Server, visit: Visit, scheme: Scheme, pair: str, kind: str) -> None:
    page = opened(visit(probe, color_scheme=scheme), pair, kind=kind)
    expect(page.locator(".tl-list")).to_be_visible()
    expect(page.locator(".tl-diff .x[tabindex]").first).to_be_attached(attached=kind == "code")
    page.wait_for_function("() => document.getAnimations().every(one => one.playState !== 'running')")
    violations = Axe().run(page, context={"include": [[".tl-diff"], [".tl-list"], [".tl-heads"]]}).response
    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in violations["violations"]] == []


def test_nothing_scrolls_sideways_in_a_narrow_window(probe: Server, visit: Visit) -> None:
    page = opened(visit(probe, width=800), "short")
    expect(page.locator(".tl-diff.inline:not(.line)")).to_have_count(1)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 800
    page.get_by_role("button", name="List of changes").click()
    page.get_by_role("button", name="Paragraph 1: reworded").click()
    expect(page.locator(".tl-diff .here")).to_contain_text("enters")
