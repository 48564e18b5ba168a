"""Shared parts of the pages in a real browser, under the real Content-Security-Policy."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Server, Servers, Watched

pytestmark = pytest.mark.browser
Visit = Callable[..., Watched]

HOSTILE = [
    "![a cat](http://evil.test/a.png) and ![][ref]\n\n[ref]: http://evil.test/b.png",
    "[![in a link](http://evil.test/c.png)](http://evil.test/d)",
    "<img src=http://evil.test/e.png onerror=alert(1)> <b>bold</b> <iframe src=//evil.test></iframe>",
    "<!-- hidden -->\n<div>\n![x](http://evil.test/f.png)\n</div>",
    "[a](javascript:alert(1)) [b](data:text/html,x) [c](java&#115;cript:alert(1)) <javascript:alert(1)>",
    "[d]\n\n[d]: javascript:alert(1)",
    ":material/home: :material_home: :streamlit: :heart: :+1: :red[red] :blue-badge[b] :shimmer[s] :help[h]",
    "&#58;material/home: \\:heart: \\:red[x] :color[x]{foreground=red} ::leaf[x] \n:::box\n![x](http://evil.test/g)\n:::",
    "```mermaid\ngraph TD; A-->B\n```\n\n- item\n  ```Mermaid x\n  graph TD; A-->B\n  ```",
    "~~~~mermaid-x\n```\n![x](http://evil.test/h.png)\n~~~\n~~~~\n![x](http://evil.test/i.png)",
    "Costs $5 and $6, $x^2$ and $$\\includegraphics{http://evil.test/j.png}$$\n\n$$\n![x](http://evil.test/k)\n$$",
    "```math\nx^2\n```\n\n$a$",
    "a|b\n-|-\n`x|![y](http://evil.test/l.png)`|![z](http://evil.test/m.png)",
    "`` ` `` ` `` ![x](http://evil.test/n.png) `` ` ``\n``\n![x](http://evil.test/o.png)\n``",
    "\\![x](http://evil.test/p.png) \\\\![x](http://evil.test/q.png) !\\[x](http://evil.test/r.png)",
    "> ```\n> code\n![x](http://evil.test/s.png)\n\n    ![x](http://evil.test/t.png)\n\n1. ```\n![x](http://evil.test/u.png)",
    "http://evil.test/a:material/home:x http://evil.test/:100:b http://localhost:8501/:heart:",
    "[^1] ![x](http://evil.test/v.png)\n\n[^1]: ![x](http://evil.test/w.png)",
]
PIECES = [
    *("![x](http://evil.test/z.png)", "<img src=http://evil.test/z>", ":red[", ":material/home:", "$", "$$", "]", "("),
    *(
        "`",
        "``",
        "```",
        "~~~",
        "\n",
        "\n\n",
        "    ",
        "> ",
        "- ",
        "1. ",
        "|",
        "\n-|-\n",
        "\\",
        "[x](",
        "javascript:x",
        ")",
    ),
    *("*", "_", "![", "[", "&#33;", "<", ">", ":::", ":heart:", "http://evil.test/y", "mermaid", "text", "!", "\t"),
]


def _composed(seed: int) -> str:
    """A text of pieces that mean something to Markdown; the same for the same seed."""
    choose = random.Random(seed)  # noqa: S311 - repeatable, not secret
    return "".join(choose.choice(PIECES) for _piece in range(30))


def _probe(servers: Servers, texts: list[str], folder: Path) -> Server:
    file = folder / "texts.json"
    file.write_text(json.dumps(texts), encoding="utf-8")
    return servers(script="tests/e2e/probe/probe_app.py", env={"PROBE_TEXTS": str(file)})


ALIVE = """() => {
  const drawn = [...document.querySelectorAll('[data-testid=stMarkdownContainer]')]
  const alive = 'img, svg, iframe, video, audio, form, style, [style], .katex, .stMarkdownBadge, [role=img], '
    + '[class*=stMarkdownColored], .stMarkdownShimmer, [data-testid=stTooltipIcon]'
  const found = drawn.flatMap(part => [...part.querySelectorAll(alive)]).filter(
    node => !node.closest('[data-testid=stMarkdownPre], [data-testid=stCode], [data-testid=stHeaderActionElements]')
      && !['TD', 'TH'].includes(node.tagName))
  const links = drawn.flatMap(part => [...part.querySelectorAll('a')])
    .map(link => link.getAttribute('href')).filter(href => !/^(https?:|mailto:|#)/.test(href))
  const diagrams = document.querySelectorAll('[data-testid=stMermaidChart], [data-testid*=ermaid]').length
  return [...found.map(node => node.outerHTML.slice(0, 200)), ...links, ...Array(diagrams).fill('diagram')]
}"""


def test_hostile_text_neither_loads_nor_draws_anything(servers: Servers, visit: Visit, tmp_path: Path) -> None:
    watched = visit(_probe(servers, HOSTILE + [_composed(seed) for seed in range(150)], tmp_path))
    page = watched.open("/?show=markdown")
    expect(page.get_by_text("all drawn")).to_be_visible()
    page.wait_for_timeout(500)
    assert page.evaluate(ALIVE) == []


def test_the_proof_of_the_test_above_sees_what_is_alive(servers: Servers, visit: Visit, tmp_path: Path) -> None:
    page = visit(_probe(servers, ["**kept** and `code` and [a link](https://example.org/a?b=1&c=2)"], tmp_path)).open(
        "/?show=markdown"
    )
    expect(page.get_by_text("all drawn")).to_be_visible()
    link = page.get_by_role("link", name="a link")
    assert link.get_attribute("href") == "https://example.org/a?b=1&c=2"
    assert page.locator("strong", has_text="kept").count() == 1
    page.evaluate("document.querySelector('[data-testid=stMarkdownContainer] p').innerHTML += '<svg></svg>'")
    assert page.evaluate(ALIVE) == ["<svg></svg>"]


def _distance_to_end(page: Page) -> float:
    return float(
        page.evaluate(
            "(m => m.scrollHeight - m.scrollTop - m.clientHeight)(document.querySelector('[data-testid=stMain]'))"
        )
    )


def _lines(page: Page) -> int:
    return page.get_by_text("line ").count()


def _wait_for_growth(page: Page) -> None:
    page.wait_for_function(
        "before => document.querySelector('[data-testid=stMain]').scrollHeight > before + 100",
        arg=page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight"),
        timeout=20_000,
    )


def test_a_conversation_opens_at_its_newest_turn_and_follows(servers: Servers, visit: Visit, tmp_path: Path) -> None:
    page = visit(_probe(servers, [], tmp_path)).open("/?show=follow")
    expect(page.get_by_text("turn 39")).to_be_in_viewport()
    _wait_for_growth(page)
    assert _distance_to_end(page) <= 48


def test_a_reader_who_scrolled_up_is_left_alone(servers: Servers, visit: Visit, tmp_path: Path) -> None:
    page = visit(_probe(servers, [], tmp_path)).open("/?show=follow")
    expect(page.get_by_text("turn 39")).to_be_in_viewport()
    page.mouse.move(600, 400)
    page.mouse.wheel(0, -700)
    page.wait_for_function("document.querySelector('[data-testid=stMain]').dataset.seen = 1")
    page.wait_for_timeout(300)
    place = page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")
    _wait_for_growth(page)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == place
    assert _distance_to_end(page) > 500
