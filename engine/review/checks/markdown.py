"""The structure of a Markdown text: headings, the places that links can lead to, and the links.

One pass over the lines, each looked at a bounded number of times, so that no text takes longer than its
length asks for. It knows what people write in a README: headings of both kinds, fenced and indented code,
code spans, comments, links, images, reference definitions, and the HTML of both. It renders nothing.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

MAX_CHARACTERS = 2_000_000
MAX_LINE = 20_000
"""Longer texts and lines are not looked at; see `is_readable`."""

_QUOTE = re.compile(r"(?: {0,3}> ?)+")
_FENCE = re.compile(r"\s{0,20}(?:[-*+]\s{1,4})?(`{3,}|~{3,})([^`]*)$")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_CLOSING = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])[ \t]")
_NO_PARAGRAPH = re.compile(r" {0,3}(?:[-*+>|]|\d{1,9}[.)]|<|\[[^\]]{1,200}\]:)")
_TICKS = re.compile(r"`+")
_TARGET = re.compile(
    r"\]\(\s{0,5}(?:<([^<>]*)>|([^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*))(?:\s{1,5}(?:\"[^\"]*\"|'[^']*'))?\s{0,5}\)"
)
_DEFINITION = re.compile(r" {0,3}\[(?!\^)[^\[\]]{1,500}\]:\s{0,5}(?:<([^<>]*)>|(\S+))")
_HTML_TARGET = re.compile(
    r"<(?:a|img)\b[^<>]*?\b(?:href|src)\s{0,3}=\s{0,3}(?:\"([^\"<>]*)\"|'([^'<>]*)')", re.IGNORECASE
)
_HTML_ANCHOR = re.compile(r"<\w[^<>]*?\b(?:id|name)\s{0,3}=\s{0,3}(?:\"([^\"<>]*)\"|'([^'<>]*)')", re.IGNORECASE)
_OWN_ID = re.compile(r"[ \t]*\{#([\w:.-]{1,200})\}[ \t]*$")
_LINK_TEXT = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])?")
_TAG = re.compile(r"</?\w[^<>]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading as a reader sees it."""

    text: str
    level: int
    line: int
    """1-based."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link or an image."""

    target: str
    """As written, without its title."""
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Markdown:
    """What was found, each in the order of the text."""

    headings: tuple[Heading, ...]
    links: tuple[Link, ...]
    anchors: frozenset[str]
    """Where `#…` can lead, in lower case: slugs of headings, ids given by hand, ids of HTML."""


def is_readable(body: str) -> bool:
    """Whether a text is such that people write, and can be looked at in bounded time."""
    return len(body) <= MAX_CHARACTERS and all(len(line) <= MAX_LINE for line in body.split("\n"))


def read_markdown(body: str) -> Markdown:
    """Headings, links and anchors of a text that `is_readable`."""
    headings: list[Heading] = []
    links: list[Link] = []
    anchors: list[str] = []
    before = ""
    for number, line in _prose(body):
        heading = _heading(line, before, number)
        if heading is not None:
            headings.append(heading)
            own = _OWN_ID.search(line if _ATX.match(line) else before)
            anchors += [own[1]] if own else []
        told = _without_code(line)
        anchors += [one or other for one, other in _HTML_ANCHOR.findall(told)]
        links += [Link(target=target, line=number) for target in _targets(told)]
        before = line
    anchors += _slugs(headings)
    return Markdown(
        headings=tuple(headings), links=tuple(links), anchors=frozenset(anchor.lower() for anchor in anchors)
    )


def plain(text: str) -> str:
    """A heading without its marks, as it is compared: one space between words, no case."""
    return " ".join(_shown(text).split()).casefold()


def _heading(line: str, before: str, number: int) -> Heading | None:
    atx = _ATX.match(line)
    if atx:
        text = _CLOSING.sub("", atx[2] or "")
        return Heading(text=_shown(text), level=len(atx[1]), line=number)
    setext = _SETEXT.match(line)
    if setext and before.strip() and not _NO_PARAGRAPH.match(before) and not _ATX.match(before):
        return Heading(text=_shown(before), level=1 if setext[1][0] == "=" else 2, line=number - 1)
    return None


def _shown(text: str) -> str:
    """What is left of inline marks when they are rendered."""
    text = _LINK_TEXT.sub(r"\1", _OWN_ID.sub("", text))
    return unescape(_TAG.sub("", text).replace("**", "").replace("`", "").replace("*", "")).strip()


def _slugs(headings: list[Heading]) -> Iterator[str]:
    """As code hosts make them: lower case, no punctuation, hyphens for spaces, a number for a repeated one.

    Some fold several hyphens into one; both forms count.
    """
    seen: Counter[str] = Counter()
    for heading in headings:
        kept = "".join(character for character in heading.text.lower() if _in_slug(character))
        slug = kept.replace(" ", "-")
        numbered = f"{slug}-{seen[slug]}" if seen[slug] else slug
        seen[slug] += 1
        yield numbered
        yield re.sub("-{2,}", "-", numbered).strip("-")


def _in_slug(character: str) -> bool:
    return character in " -_" or unicodedata.category(character)[0] in "LNM"


def _targets(line: str) -> Iterator[str]:
    for pattern in (_TARGET, _HTML_TARGET):
        for one, other in pattern.findall(line):
            yield unescape(one or other)
    definition = _DEFINITION.match(line)
    if definition:
        yield unescape(definition[1] or definition[2] or "")


def _prose(body: str) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, without blocks of code, comments, front matter and the marks of quotations."""
    fence, in_comment, in_list, blank = "", False, False, True
    first = _after_front_matter(body)
    for number, raw in enumerate(body.split("\n")[first:], start=first + 1):
        line = raw.rstrip("\r")
        line = _QUOTE.sub("", line, count=1) if line.lstrip().startswith(">") else line
        marks = None if in_comment else _FENCE.match(line)
        if marks or fence:
            fence = _next_fence(fence, marks)
            continue
        if line.startswith("    ") and blank and not in_list:
            continue
        line, in_comment = _without_comments(line, in_comment)
        in_list = bool(_LIST_ITEM.match(line)) or (in_list and (not line.strip() or line.startswith((" ", "\t"))))
        blank = not line.strip()
        yield number, line


def _after_front_matter(body: str) -> int:
    """How many lines at the beginning are YAML between two lines of three hyphens."""
    if not body.startswith("---\n"):
        return 0
    end = body.find("\n---", 3)
    return body.count("\n", 0, end) + 2 if end >= 0 else 0


def _next_fence(fence: str, marks: re.Match[str] | None) -> str:
    """The fence that is open after a line; empty when none is."""
    if not fence:
        return marks[1] if marks else ""
    closes = marks is not None and marks[1].startswith(fence) and not marks[2].strip()
    return "" if closes else fence


def _without_comments(line: str, inside: bool) -> tuple[str, bool]:
    """The line without what is commented out, and whether a comment goes on at its end."""
    kept: list[str] = []
    rest = line
    while True:
        before, found, rest = rest.partition("-->" if inside else "<!--")
        kept += [] if inside else [before]
        if not found:
            return "".join(kept), inside
        inside = not inside


def _without_code(line: str) -> str:
    """The line without the insides of code spans: a run of backticks ends at the next run as long."""
    runs = list(_TICKS.finditer(line))
    next_of_length: dict[int, int] = {}
    ends: dict[int, int | None] = {}
    for index in range(len(runs) - 1, -1, -1):  # from behind, so that each run is looked at once
        length = len(runs[index][0])
        ends[index] = next_of_length.get(length)
        next_of_length[length] = index
    kept: list[str] = []
    position = index = 0
    while index < len(runs):
        end = ends[index]
        if end is not None:
            kept.append(line[position : runs[index].end()])
            position = runs[end].start()
        index = index + 1 if end is None else end + 1
    return "".join(kept) + line[position:]
