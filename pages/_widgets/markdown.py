"""Markdown that others wrote, made harmless: no HTML, no pictures, no diagrams, no commands to Streamlit.

The text is not searched for what is bad. It is written anew from the few things that are kept: paragraphs,
headings, lists, quotes, tables, emphasis, code, and links to http(s) addresses. Everything else comes out
as the characters that it is made of.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from engine.domain.states import Language
from pages._widgets.words import _, language

_FENCE = re.compile(
    r"(?P<lead>[ \t]*+(?:(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))[ \t]*+)*+)(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)"
)
_LANGUAGES = frozenset(
    {
        *("bash", "c", "cpp", "csharp", "css", "diff", "go", "html", "ini", "java", "javascript", "js", "json"),
        *("kotlin", "php", "powershell", "python", "py", "r", "ruby", "rust", "sh", "sql", "text", "toml", "ts"),
        *("typescript", "xml", "yaml", "yml"),
    }
)
"""Code that may be coloured; `mermaid` and `math` would be drawn instead."""
_TABLE_RULE = frozenset(" \t>|:*+-.)0123456789")
_INLINE = re.compile(
    r"""
      \\(?P<escaped>[!-/:-@\[-`{-~])
    | (?<!`)(?P<ticks>`++)(?P<code>[^\n]+?)(?<!`)(?P=ticks)(?!`)
    | !\[(?P<alt>[^\]\n]{0,500})\](?:\([^)\n]{0,2000}\)|\[[^\]\n]{0,500}\])?
    | (?<!!)\[(?P<words>[^\[\]`|<>\\\n]{1,500})\]\((?P<target>https?://[^\s()<>\[\]`|\\"']{1,2000})\)
    | (?P<url>https?://(?:[^\s():<>\[\]`|\\"'\u0080-\U0010ffff]|:(?=\d{1,5}(?![\d:]))){0,2000}
      [^\s()<>\[\]`|\\"'.,;:!?*_~\u0080-\U0010ffff])
    """,
    re.VERBOSE,
)
"""What is kept alive inside a line. A code span ends on its line; a link is http(s) and nothing else."""
_LIVE = re.compile(r"[\\`<>\[\]!$&:]|~{3,}")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_SHORTCODE = re.compile(r"\\:(?!(?!100\\|1234\\)\d+\\:)(?=[\w+/\\-]++:)", re.ASCII)
"""An escaped colon that begins `:name:`. Streamlit looks for icons and emoji after escapes are gone, so the
name is parted from its colon; a time such as 12:30:45 is left alone."""
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_KEPT_LENGTH = 10_000
"""Characters; longer texts are rare and would fill the memory."""
_WORD_JOINER = "\u2060"


def safe_markdown(text: str) -> str:
    """`text` as Markdown that shows what was written and does nothing else."""
    return _cleaned(text, language()) if len(text) <= _KEPT_LENGTH else _clean(text)


@lru_cache(maxsize=512)
def _cleaned(text: str, reader: Language) -> str:  # noqa: ARG001 - a picture is named in the reader's language
    """Kept, since every run of a page shows the same turns."""
    return _clean(text)


def _clean(text: str) -> str:
    lines = _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    tables = any("-" in line and _TABLE_RULE.issuperset(line) for line in lines)
    return "\n".join(_blocks(lines, tables=tables))


def literal(text: str) -> str:
    """`text` as one line of Markdown that shows exactly its characters."""
    line = " ".join(_UNSEEN.sub(" ", text).split())
    return _part_shortcodes(_PUNCTUATION.sub(_escape, line))


def _blocks(lines: list[str], *, tables: bool) -> Iterator[str]:
    """Code blocks at the left edge, in fences longer than any inside; all else line by line."""
    rest, dedent = iter(lines), 0
    for line in rest:
        opening = _FENCE.fullmatch(line)
        if opening:
            dedent = len(opening["lead"])
            yield from _code_block(opening, rest)
            continue
        indent = len(line) - len(line.lstrip(" "))
        if line and not indent:
            dedent = 0
        yield _line(line[min(dedent, indent) :], tables=tables)


def _code_block(opening: re.Match[str], rest: Iterator[str]) -> Iterator[str]:
    fence, indent = opening["fence"], len(opening["lead"])
    closing = re.compile(rf"[ \t>]*{re.escape(fence[0])}{{{len(fence)},}}[ \t]*")
    body = []
    for line in rest:
        if closing.fullmatch(line):
            break
        body.append(line[min(indent, len(line) - len(line.lstrip(" "))) :])
    longest = max((len(run) for run in re.findall(r"`+", "\n".join(body))), default=0)
    language = opening["info"].strip().lower()
    own_fence = "`" * max(3, longest + 1)
    yield from ("", own_fence + (language if language in _LANGUAGES else "text"), *body, own_fence, "")


def _line(line: str, *, tables: bool) -> str:
    quote = re.match(r"(?:[ \t]*>)*", line)
    start = quote.end() if quote else 0
    parts, end = [line[:start]], start
    for found in _INLINE.finditer(line, start):
        parts += [_plain(line[end : found.start()]), _kept(found, tables=tables)]
        end = found.end()
    return _part_shortcodes("".join([*parts, _plain(line[end:])]))


def _kept(found: re.Match[str], *, tables: bool) -> str:
    match found.lastgroup:
        case "escaped":
            return "\\" + found["escaped"]
        case "code":
            return _code_span(found["code"], tables=tables)
        case "alt":
            return _picture(found["alt"])
        case "target":
            return f"[{_plain(found['words'])}]({_LIVE.sub(_escape, found['target'])})"
        case _:
            return f"<{found['url']}>"


def _code_span(code: str, *, tables: bool) -> str:
    if tables and "|" in code:  # a table would cut the code in two, and its halves would come alive
        return _plain(code).replace("|", "\\|")
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{ticks}{pad}{code}{pad}{ticks}"


def _picture(alt: str) -> str:
    return _("(picture not shown: {alt})", alt=_plain(alt)) if alt.strip() else _("(picture not shown)")


def _plain(text: str) -> str:
    return _LIVE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return "".join("\\" + character for character in found[0])


def _part_shortcodes(line: str) -> str:
    return _SHORTCODE.sub(rf"\\:{_WORD_JOINER}", line)
