"""Text of others as Markdown: what is kept, and that nothing else comes alive."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pages._widgets.markdown import literal, safe_markdown

JOINER = "\u2060"


@pytest.mark.parametrize(
    "text",
    [
        "plain words, **bold**, *thin*, ~~gone~~ and file_name.py",
        "# Heading\n\n- one\n  - two\n\n1. first\n2. second\n\n> quoted",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "use `x[0]` and `a && b` and ``a ` b``",
        "你好，`pytest` 报了 2 个错。",
    ],
)
def test_ordinary_markdown_stays_as_it_is(text: str) -> None:
    assert safe_markdown(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("![a cat](http://e.test/c.png)", "(picture not shown: a cat)"),
        ("![](http://e.test/c.png) ![ref][r]", "(picture not shown) (picture not shown: ref)"),
        ("<img src=x>", "\\<img src=x\\>"),
        ("[a](javascript:x)", "\\[a\\](javascript\\:x)"),
        ("[a](data:text/html,x)", "\\[a\\](data\\:text/html,x)"),
        ("[a](https://e.test/x?b=1&c=2)", "[a](https\\://e.test/x?b=1\\&c=2)"),
        ("see https://e.test/x?b=1&c=2.", "see <https://e.test/x?b=1&c=2>."),
        ("$x$ and $5", "\\$x\\$ and \\$5"),
        (":red[x]", "\\:red\\[x\\]"),
        (":material/home:", f"\\:{JOINER}material/home\\:"),
        (":image[x]", "\\:image\\[x\\]"),
        ("at 12:30:45", "at 12\\:30\\:45"),
        ("a \\[x\\] b", "a \\[x\\] b"),
        ("C:\\dir", "C\\:\\\\dir"),
        ("a `half", "a \\`half"),
        ("bell\x07 here\r\nnext", "bell here\nnext"),
    ],
)
def test_what_could_act_is_shown_as_characters(text: str, expected: str) -> None:
    assert safe_markdown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```python\nx = a[0]\n```", "\n```python\nx = a[0]\n```\n"),
        ("```mermaid\ngraph\n```", "\n```text\ngraph\n```\n"),
        ("~~~ Mermaid-x\n```\n~~~", "\n````text\n```\n````\n"),
        ("```\nnever closed ![x](http://e.test)", "\n```text\nnever closed ![x](http://e.test)\n```\n"),
        ("1. do\n   ```sh\n   ls\n     -l\n   ```\n   then", "1. do\n\n```sh\nls\n  -l\n```\n\nthen"),
        ("a|b\n-|-\n`x|![y](http://e.test)`", "a|b\n-|-\nx\\|\\!\\[y\\](http\\://e.test)"),
    ],
    ids=["code", "diagram", "tildes", "unclosed", "in a list", "code cut by a table"],
)
def test_code_stays_code_and_only_code(text: str, expected: str) -> None:
    assert safe_markdown(text) == expected


KEPT = re.compile(
    r"""\\[!-/:-@\[-`{-~]                                       # an escaped character
      | (?<!`)(`+)(?!`).+?(?<!`)\1(?!`)                           # a code span
      | \[(?:\\.|[^\\\[\]])+\]\(https?\\://(?:\\.|[^\\()\s])+\)   # a link
      | <https?://[^\s<>|`\[\]]+>                                 # a bare address
    """,
    re.VERBOSE,
)
PIECES = [
    *("![", "![x](", "](", ")", "]", "[", "<", ">", "&", "&#58;", "`", "``", "```", "~~~", "\n", "\n\n", ":", ":::"),
    *("$", "$$", "\\", "|", "\n-|-\n", "javascript:", "data:", "x", "https://e.test/", ":material/home:", ":red["),
    *("    ", "> ", "- ", "mermaid", " "),
]
TEXTS = st.text() | st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
OUR_OWN_WORDS = "(picture not shown: "


def outside_code(markdown: str) -> str:
    """The lines of `markdown` that are not inside its fences, which all stand at the left edge."""
    lines, fence = [], ""
    for line in markdown.split("\n"):
        opening = re.match(r"`{3,}", line)
        if fence:
            fence = "" if line == fence else fence
        elif opening and "`" not in line[opening.end() :]:
            fence = opening[0]
        else:
            lines.append(line)
    assert not fence, "a fence is left open"
    return "\n".join(lines)


@settings(max_examples=200, deadline=None)
@given(TEXTS)
@example("`![x](y)` `\n![x](http://e.test)`")
@example("\\\\![x](http://e.test)")
@example("![](http://e.test)[x](https://e.test)")
def test_outside_code_and_links_nothing_that_could_act_is_left_bare(text: str) -> None:
    written = outside_code(safe_markdown(text)).replace(OUR_OWN_WORDS, "(")
    bare = "\n".join(KEPT.sub("x", line) for line in written.split("\n"))
    without_quotes = re.sub(r"^(?:[ \t]*>)+", "", bare, flags=re.MULTILINE)
    assert re.findall(r"[\\`<>\[\]!$&:]|~~~", without_quotes) == []


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_a_literal_shows_every_character_and_nothing_acts(text: str) -> None:
    shown = literal(text)
    assert "\n" not in shown
    assert re.sub(r"\\[!-/:-@\[-`{-~]", "", shown).isascii() is not None
    assert re.findall(r"[!-/:-@\[-`{-~]", re.sub(r"\\[!-/:-@\[-`{-~]", "", shown)) == []
    kept = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", shown).replace(JOINER, "")
    assert kept == " ".join(re.sub(r"[\x00-\x1f\x7f]", " ", text).split()).replace(JOINER, "")


@pytest.mark.parametrize("piece", ["`", "![", "[a", "https://.", ":a", "\\", "` `` ``` ", "- ", "> ", "~~~ ", "|-"])
@pytest.mark.timeout(20)
def test_a_long_text_of_one_thing_takes_no_long_time(piece: str) -> None:
    assert safe_markdown(piece * (60_000 // len(piece)))
