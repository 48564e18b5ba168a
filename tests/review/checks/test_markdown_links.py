from time import process_time

import pytest

from engine.review.checks import markdown_links
from engine.review.checks.finding import Finding, FindingCode
from engine.review.checks.markdown import MAX_LINE, read_markdown
from tests.review.builders import FAIL, OPEN, PASS, evidence_of, find

OTHERS: dict[str, str | None] = {
    "docs/guide.md": "# First step\n\n# 环境 准备\n\n# First step\n\n<a id='Own'></a>\n\n# C++ & more!\n",
    "docs/b c.md": "x",
    "img/plan (1).png": None,
    "src/app.py": "x",
    "secret.md": None,
}


def judged(readme: str, path: str = "README.md") -> Finding:
    return find("markdown_links", evidence_of({**OTHERS, path: readme}), files=path)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[a](docs/guide.md)", id="file"),
        pytest.param("[a](./docs/../docs/guide.md)", id="dots"),
        pytest.param("[a](/docs/guide.md)", id="from the top"),
        pytest.param("[a](docs/) [b](docs) [c](.)", id="folders"),
        pytest.param('![a](<img/plan (1).png> "the plan")', id="image in angle brackets, title"),
        pytest.param("![a](img/plan%20(1).png)", id="brackets and percent"),
        pytest.param("[a](docs/b%20c.md?plain=1)", id="query"),
        pytest.param("[a](src/app.py#L3)", id="line of code"),
        pytest.param("# Here\n[a](#here)", id="anchor in the same file"),
        pytest.param("[a](docs/guide.md#first-step) [b](docs/guide.md#first-step-1)", id="repeated heading"),
        pytest.param("[a](docs/guide.md#环境-准备) [b](docs/guide.md#%E7%8E%AF%E5%A2%83-%E5%87%86%E5%A4%87)", id="zh"),
        pytest.param("[a](docs/guide.md#own)", id="own id"),
        pytest.param("[a](docs/guide.md#c--more) [b](docs/guide.md#c-more)", id="punctuation, both ways"),
        pytest.param("[a](https://example.org/no.md) [b](mailto:a@b.c) [c](//x.org/y)", id="outside"),
        pytest.param("[a]: docs/guide.md 'title'\n[^1]: nowhere.md", id="definition, footnote"),
        pytest.param("<img alt='x' src=\"img/plan (1).png\"> <a href='docs'>b</a>", id="html"),
        pytest.param("`[a](no.md)` ``[b](`no.md`)``", id="code span"),
        pytest.param("```\n[a](no.md)\n```\n\n    [b](no.md)\n", id="code block"),
        pytest.param("<!-- [a](no.md)\n[b](no.md) -->", id="comment"),
        pytest.param("[a]() a[0](x y)", id="no target"),
        pytest.param("", id="empty"),
    ],
)
def test_a_link_that_leads_somewhere_passes(text: str) -> None:
    assert judged(text).status is PASS


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        pytest.param("\n[a](no.md)", markdown_links.LINK_BROKEN, 2, id="file"),
        pytest.param("![a](img/no.png)", markdown_links.LINK_BROKEN, 1, id="image"),
        pytest.param("[a](docs/Guide.md)", markdown_links.LINK_BROKEN, 1, id="another case"),
        pytest.param("[a](../README.md)", markdown_links.LINK_BROKEN, 1, id="out of the hand-in"),
        pytest.param("[a](docs/../../README.md)", markdown_links.LINK_BROKEN, 1, id="out of it on the way"),
        pytest.param("[![b](no.png)](docs)", markdown_links.LINK_BROKEN, 1, id="image in a link"),
        pytest.param("[a]: no.md", markdown_links.LINK_BROKEN, 1, id="definition"),
        pytest.param("<img src='no.png'>", markdown_links.LINK_BROKEN, 1, id="html"),
        pytest.param("- a\n\n    [b](no.md)", markdown_links.LINK_BROKEN, 3, id="in a list"),
        pytest.param("```\n```\n[a](no.md)", markdown_links.LINK_BROKEN, 3, id="after a code block"),
        pytest.param("a ` b [c](no.md)", markdown_links.LINK_BROKEN, 1, id="after a lone backtick"),
        pytest.param("<!-- a --> [b](no.md)", markdown_links.LINK_BROKEN, 1, id="after a comment"),
        pytest.param("[a](#nowhere)", markdown_links.ANCHOR_BROKEN, 1, id="anchor"),
        pytest.param("[a](docs/guide.md#first-step-2)", markdown_links.ANCHOR_BROKEN, 1, id="anchor elsewhere"),
    ],
)
def test_a_link_that_leads_nowhere_fails_with_its_place(text: str, code: str, line: int) -> None:
    finding = judged(text)
    assert (finding.status, finding.code, finding.values["line"]) == (FAIL, code, line)
    assert finding.evidence is not None and finding.evidence.startswith(f"README.md:{line}: ")


def test_a_link_is_read_from_the_folder_of_its_file() -> None:
    assert judged("[a](guide.md) [b](../src/app.py)", "docs/more.md").status is PASS
    assert judged("[a](docs/guide.md)", "docs/more.md").status is FAIL


def test_all_that_lead_nowhere_are_counted() -> None:
    assert judged("[a](no.md) [b](docs) [c](#no)").values["count"] == 2


def test_a_place_in_a_file_that_cannot_be_read_is_open() -> None:
    finding = judged("[a](secret.md#x)")
    assert (finding.status, finding.code, finding.values["path"]) == (OPEN, FindingCode.FILE_UNREADABLE, "secret.md")
    assert judged("[a](secret.md)").status is PASS


def test_what_is_too_much_or_not_there_is_open() -> None:
    assert judged("x" * (MAX_LINE + 1)).code is FindingCode.TOO_BIG_TO_PARSE
    assert find("markdown_links", evidence_of({"a.py": ""})).code is FindingCode.NOTHING_TO_CHECK
    assert find("markdown_links", evidence_of({"a.md": None})).code is FindingCode.FILE_UNREADABLE


@pytest.mark.parametrize(
    "piece",
    ["[", "](", "![a](<", "`a``", "<a href=", "<!--", "> ", "](a(", "<x id='", "[a](b 'c", "# a [b", "{#", "- "],
)
def test_no_text_takes_long(piece: str) -> None:
    line = piece * (MAX_LINE // len(piece))
    begun = process_time()
    read_markdown("\n".join([line] * 20))
    assert process_time() - begun < 5
