"""How soon a reader sees the first change of a long text, beside a short one, and how long the browser is busy.

A real server and a real browser. Texts are Chinese, with 10 % changed; every pair is new to the server. The first
change counts as seen in the frame in which it stands on the page:

- *Opened*: from the beginning of the navigation to the page's address, as by a link.
- *Chosen*: from the click on another pair of an open page.

Tasks of the browser's main thread are watched by its own `longtask` observer while the long text is opened, read on
as far as it goes by scrolling, stepped through, switched to one text, and its list of changes is used.
"""

import json
import shutil
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from pages._widgets.diff_place import MOST_PARTS
from tests.benchmarks.bars import Bar, Report, Times, bar
from tests.benchmarks.servers import Server, serving
from tests.e2e.diff_pairs import chinese_pair

SCRIPT = "tests/benchmarks/compared_page.py"
SHORT, LONG = 2_000, 200_000
"""Characters."""
RATIO = 3.0
TASK_S = 0.5
"""The bars."""
ROUNDS, QUICK_ROUNDS = 9, 4
_LISTENS_S = 60
_WATCH = """
window.__longest = 0
new PerformanceObserver(list => {
  for (const one of list.getEntries()) window.__longest = Math.max(window.__longest, one.duration)
}).observe({type: 'longtask', buffered: true})
window.__from = 0
window.__before = ''
window.__seen = null
const text = () => document.querySelector('.tl-diff .r')?.textContent ?? ''
addEventListener('click', () => {
  window.__from = performance.now(); window.__before = text(); window.__seen = null
}, true)
new MutationObserver(() => {
  if (window.__seen !== null || !document.querySelector('.tl-diff :is(ins, del)') || text() === window.__before) return
  window.__seen = -1
  requestAnimationFrame(() => { window.__seen = performance.now() - window.__from })
}).observe(document, {subtree: true, childList: true})
"""
_SEEN = "window.__seen > 0"
_READ_ON = """n => {
  [...document.querySelectorAll('.tl-diff.side .r')].at(-1)?.scrollIntoView()
  return document.querySelectorAll('.tl-diff.side').length >= n
}"""
"""Goes on to the end, also where what was the end is just being drawn anew."""


def measure(quick: bool) -> Report:
    """Open and choose pairs of both lengths in turn, then use a long one."""
    rounds = QUICK_ROUNDS if quick else ROUNDS
    pairs = {
        f"{kind}{n}": chinese_pair(size, n) for n in range(2 * rounds + 2) for kind, size in (("s", SHORT), ("l", LONG))
    }
    with tempfile.TemporaryDirectory(prefix="diffview-", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        texts = folder / "texts.json"
        texts.write_text(json.dumps(pairs), encoding="utf-8")
        (folder / "empty").mkdir()
        with (
            serving(SCRIPT, folder / "server", folder / "empty", COMPARED_TEXTS=str(texts)) as server,
            _browser() as browser,
        ):
            _wait(server)
            opened = _opened(browser, server, rounds)
            chosen = _chosen(browser, server, rounds)
            tasks = _tasks(browser, server, f"l{2 * rounds + 1}")
    longest = max(tasks.values())
    return Report(
        times=(*opened, *chosen, *(Times(name=f"longest task: {name}", seconds=(one,)) for name, one in tasks.items())),
        told=(f"The longest task of the browser took {longest * 1000:.0f} ms.",),
        bars=(
            bar("first change of 200,000 characters to 2,000, opened", opened[1], opened[0], RATIO),
            bar("first change of 200,000 characters to 2,000, chosen", chosen[1], chosen[0], RATIO),
            Bar(name="longest task of the browser to 500 ms", figure=longest / TASK_S, limit=1.0),
        ),
    )


def _opened(browser: Browser, server: Server, rounds: int) -> tuple[Times, Times]:
    taken: dict[str, list[float]] = {"s": [], "l": []}
    for number in range(rounds + 1):
        for kind, times in taken.items():
            page = _page(browser, server, f"{kind}{number}")
            times.append(_seen(page))
            page.context.close()
    short, long = (
        Times(name=f"first change, {size:,} characters, opened", seconds=tuple(taken[kind][1:]))
        for kind, size in (("s", SHORT), ("l", LONG))
    )
    return short, long


def _chosen(browser: Browser, server: Server, rounds: int) -> tuple[Times, Times]:
    page = _page(browser, server, "s0")
    _seen(page)
    taken: dict[str, list[float]] = {"s": [], "l": []}
    for number in range(rounds + 1, 2 * rounds + 1):
        for kind, times in taken.items():
            _rest(page)
            page.get_by_role("radio", name=f"{kind}{number}", exact=True).click()
            times.append(_seen(page))
    page.context.close()
    short, long = (
        Times(name=f"first change, {size:,} characters, chosen", seconds=tuple(taken[kind]))
        for kind, size in (("s", SHORT), ("l", LONG))
    )
    return short, long


def _tasks(browser: Browser, server: Server, pair: str) -> dict[str, float]:
    """Seconds of the longest task in each use of a long text; 0 where none was over 50 ms."""
    page = _page(browser, server, pair)
    _seen(page)
    _rest(page)
    found = {"opened": _longest(page)}
    for shown in range(2, MOST_PARTS + 1):
        page.wait_for_function(_READ_ON, arg=shown, polling=250)
    _rest(page)
    found["read on"] = _longest(page)
    for _ in range(5):
        page.keyboard.press("j")
        _rest(page)
    found["stepped"] = _longest(page)
    page.keyboard.press("v")
    page.locator(".tl-diff.inline").first.wait_for()
    _rest(page)
    found["in one text"] = _longest(page)
    page.locator(".tl-list button").last.click()
    _rest(page)
    found["gone to by the list"] = _longest(page)
    page.context.close()
    return found


def _page(browser: Browser, server: Server, pair: str) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.add_init_script(_WATCH)
    page.goto(f"http://localhost:{server.port}/?pair={pair}", wait_until="commit")
    return page


def _seen(page: Page) -> float:
    """Seconds until the first change was seen."""
    page.wait_for_function(_SEEN, timeout=60_000)
    return float(page.evaluate("window.__seen")) / 1000


def _longest(page: Page) -> float:
    """Seconds of the longest task since this was asked last."""
    longest = float(page.evaluate("window.__longest"))
    page.evaluate("window.__longest = 0")
    return longest / 1000


def _rest(page: Page) -> None:
    """Wait until the page has been drawn and nothing runs."""
    page.wait_for_timeout(300)
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for(timeout=60_000)
    page.wait_for_timeout(300)


@contextmanager
def _browser() -> Iterator[Browser]:
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def _wait(server: Server) -> None:
    end = time.monotonic() + _LISTENS_S
    while time.monotonic() < end:
        server.require_running()
        try:
            with urllib.request.urlopen(f"http://localhost:{server.port}/_stcore/health", timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    raise RuntimeError("the server does not listen")
