import pytest

from engine.review.checks import markdown_headings
from engine.review.checks.finding import Finding, FindingCode
from engine.review.checks.markdown import MAX_LINE
from tests.review.builders import FAIL, OPEN, PASS, evidence_of, find


def judged(body: str | None, *headings: str) -> Finding:
    return find("markdown_headings", evidence_of({"README.md": body}), files="README*", headings=headings)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("# Use\ntext\n## Set-up\n", id="plain"),
        pytest.param("Use\n===\n\nSet-up\n------\n", id="underlined"),
        pytest.param("#   USE  ##\n### **Set-up**\n", id="closed, bold, another case"),
        pytest.param("# `Use`\n# More\n# [Set-up](x.md)\n", id="code, link, another between"),
        pytest.param("> # Use\n> text\n> # Set-up\n", id="in a quotation"),
        pytest.param("# Use {#use}\r\n# Set-up\r\n", id="own id, Windows lines"),
        pytest.param("---\ntitle: x\n---\n# Use\n# Set-up", id="after front matter"),
    ],
)
def test_headings_in_their_order_pass_however_they_are_written(body: str) -> None:
    assert judged(body, "Use", "Set-up").status is PASS


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("", id="empty"),
        pytest.param("Use\n", id="text"),
        pytest.param("#Use\n", id="no space"),
        pytest.param("```\n# Use\n```\n", id="in a fence"),
        pytest.param("~~~~sh\n# Use\n~~~\n# Use\n", id="in a fence that does not end"),
        pytest.param("\n    # Use\n", id="in indented code"),
        pytest.param("<!-- a\n# Use\n-->\n", id="commented out"),
        pytest.param("- Use\n---\n", id="a list above a line"),
        pytest.param("# Use case\n", id="more words"),
    ],
)
def test_what_is_no_such_heading_fails(body: str) -> None:
    finding = judged(body, "Use")
    assert (finding.status, finding.code, finding.values["heading"]) == (FAIL, markdown_headings.HEADING_MISSING, "Use")


def test_a_heading_in_another_place_is_told_with_its_line() -> None:
    finding = judged("# Set-up\n\n# Use\n", "Use", "Set-up")
    assert (finding.code, finding.evidence) == (markdown_headings.HEADING_MISPLACED, "README.md:1")


def test_a_heading_asked_for_twice_must_stand_twice() -> None:
    assert judged("# A\n# B\n# A\n", "A", "B", "A").status is PASS
    assert judged("# A\n# B\n", "A", "B", "A").status is FAIL


def test_chinese_headings_are_compared_too() -> None:
    assert judged("# 用法\n\n## 环境  准备\n", "用法", "环境 准备").status is PASS


def test_every_file_must_have_them() -> None:
    evidence = evidence_of({"a.md": "# A", "b.md": "# B"})
    assert find("markdown_headings", evidence, files="*.md", headings=("A",)).values["path"] == "b.md"


def test_what_cannot_be_read_or_is_too_much_is_open() -> None:
    assert judged(None, "A").code is FindingCode.FILE_UNREADABLE
    finding = judged("x" * (MAX_LINE + 1), "A")
    assert (finding.status, finding.code) == (OPEN, FindingCode.TOO_BIG_TO_PARSE)
