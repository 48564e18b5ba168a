"""The class board in a real browser: a full class, filters that stay, cells that open, and files that do nothing."""

import csv
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from openpyxl.reader.excel import load_workbook
from playwright.sync_api import Page, expect

from tests.benchmarks.classroom import make_class
from tests.e2e.conftest import Scheme, Server, Servers, Watched

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
Visit = Callable[..., Watched]
HOSTILE = "=1+1"
"""What the second learner of the full class is called."""


@pytest.fixture(scope="module")
def full(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A server with 60 learners × 50 tasks of its own."""
    path = tmp_path_factory.mktemp("class") / "tutorloop.db"
    make_class(path, names={2: HOSTILE})
    return servers(env={"TUTORLOOP_DATABASE_URL": f"sqlite:///{path}"})


_MARKS = "document.querySelector('[data-testid=stVegaLiteChart] .marks')?.getBoundingClientRect()"
HEIGHT, RIGHT_END = f"{_MARKS}?.height", f"{_MARKS}?.right"
"""Of the picture, in pixels; undefined while it is not drawn."""
FOOT_IS_LAST = """() => {
  const names = [...document.querySelectorAll('[data-testid=stVegaLiteChart] .role-axis-label text')]
    .filter(node => /^Student|60/.test(node.textContent))
  const low = node => node.getBoundingClientRect().bottom
  const foot = names.find(node => /60 *人|of 60/.test(node.textContent))
  return names.length > 59 && names.every(one => low(one) <= low(foot))
}"""


def saved(page: Page, name: str, folder: Path) -> Path:
    with page.expect_download() as begun:
        page.get_by_role("button", name=name, exact=True).click()
    path = folder / begun.value.suggested_filename
    begun.value.save_as(path)
    return path


@pytest.mark.parametrize(
    ("locale", "scheme", "begins", "chosen"),
    [
        ("zh-CN", "dark", "全班 60 人：20 人卡住", "10 人未开始"),
        ("en-GB", "light", "Of 60 students: 20 stuck", "10 not begun"),
    ],
    ids=["zh", "en"],
)
def test_a_full_class_is_drawn_and_a_filter_survives_a_reload(
    full: Server, visit: Visit, locale: str, scheme: Scheme, begins: str, chosen: str
) -> None:
    watched = visit(full, locale=locale, color_scheme=scheme)
    page = watched.open("/board")
    expect(page.get_by_text(begins)).to_be_visible()
    page.wait_for_function(f"() => {HEIGHT} > 60 * 20")
    assert page.evaluate(f"{RIGHT_END} <= 1280")
    page.get_by_role("radio", name=chosen).click()
    page.wait_for_function(f"() => {HEIGHT} < 500")
    assert "show=not_begun" in page.url
    page.reload()
    page.wait_for_function(f"() => {HEIGHT} < 500")
    expect(page.get_by_role("radio", name=chosen)).to_be_checked()
    page.get_by_role("radio").first.click()  # other rows in the same picture: its foot stays below them
    page.wait_for_function(f"() => {HEIGHT} > 60 * 20")
    page.wait_for_function(FOOT_IS_LAST)


def test_a_click_on_a_cell_opens_its_card_and_escape_leaves_the_board_as_it_was(servers: Servers, visit: Visit) -> None:
    page = visit(servers()).open("/board")
    page.get_by_label("Aisha Rahman: 3. Book listing, to fix 3").click()
    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_text("Review of submission 3")).to_be_visible()
    expect(drawer.get_by_text("not met in 3 hand-ins in a row")).to_be_visible()
    drawer.get_by_role("button", name="Open the place").click()
    expect(drawer.get_by_text("Lines 12 to 19 of 19")).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer.get_by_text("Review of submission 3")).to_be_visible()
    page.keyboard.press("j")
    expect(drawer.get_by_text("nothing handed in for 5 days")).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(page.get_by_label("Aisha Rahman: 3. Book listing, to fix 3")).to_have_count(1)


def test_the_table_is_worked_by_keyboard(servers: Servers, visit: Visit) -> None:
    page = visit(servers()).open("/board?view=table")
    table = page.get_by_test_id("stDataFrame").locator("canvas").first
    expect(table).to_be_visible()
    table.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.get_by_role("dialog")).to_be_visible()


def test_eight_hundred_pixels_show_six_tasks_and_the_rest_by_turning(full: Server, visit: Visit) -> None:
    page = visit(full, width=800).open("/board")
    expect(page.get_by_label("Student 01: 6.").first).to_be_attached()
    expect(page.get_by_label("Student 01: 7.")).to_have_count(0)
    page.get_by_role("button", name="later tasks").click()
    expect(page.get_by_label("Student 01: 7.").first).to_be_attached()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 800


def test_names_that_begin_with_a_formula_do_nothing_in_the_files(full: Server, visit: Visit, tmp_path: Path) -> None:
    page = visit(full).open("/board")
    page.get_by_role("button", name="Export").click()
    rows = list(csv.reader(StringIO(saved(page, "Board, CSV", tmp_path).read_bytes().decode("utf-8-sig"), newline="")))
    assert rows[2][0] == f"'{HOSTILE}"
    sheet = load_workbook(saved(page, "Board, Excel", tmp_path)).worksheets[0]
    assert (sheet["A3"].value, sheet["A3"].data_type) == (f"'{HOSTILE}", "s")
    criteria = list(csv.reader(StringIO(saved(page, "Criteria, CSV", tmp_path).read_bytes().decode("utf-8-sig"))))
    assert len(criteria) > 1000
    canvas = saved(page, "Grade book, Canvas", tmp_path).read_bytes().decode("utf-8-sig")
    assert {"complete", "incomplete"} <= {cell for row in csv.reader(StringIO(canvas)) for cell in row}
