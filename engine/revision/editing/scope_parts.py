"""The parts of a text that a suggestion may name: paragraphs, titles and headings, lists, tables and code."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.domain.counted_parts import EN_PARAGRAPH, ZH_PARAGRAPH, Named, counted
from engine.revision.blocks import Block, BlockKind, Document, heading_text
from engine.revision.editing.scope_words import Suggestion

MOST_CHOICES = 8
"""Headings that a question lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part that was named, and where in the suggestion."""

    start: int
    end: int
    blocks: frozenset[int]
    title: bool = False

    def holds(self, other: "Part") -> bool:
        """Whether the words of `other` are only some of this part's words."""
        is_around = self.start <= other.start and other.end <= self.end
        return is_around and self.end - self.start > other.end - other.start


class ScopeProblem(StrEnum):
    """Why nobody can say which part is meant."""

    NO_SUCH_PARAGRAPH = "no_such_paragraph"
    NO_SUCH_SECTION = "no_such_section"
    NO_SUCH_PART = "no_such_part"
    """No list, table, code or heading of that kind."""
    SEVERAL = "several"
    """The name fits more than one."""
    WHICH = "which"
    """It points (“this paragraph”) at nothing that can be seen from here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeQuestion:
    """What to ask back."""

    problem: ScopeProblem
    named: str
    """The words in question, as they stand in the suggestion."""
    count: int = 0
    """How many there are of the kind that was named."""
    choices: tuple[str, ...] = ()
    """Headings, where one of them may be meant; at most `MOST_CHOICES`."""


Reading = Iterator[Part | ScopeQuestion]
"""What one reader finds, in the order of the words; a question ends it."""

_EACH_PARAGRAPH = re.compile(
    r"\b(?:each|every|all(?: the)?)\s+paragraphs?\b|(?:每|各)一?(?:个)?(?:自然)?段落?|所有(?:的)?段落"
)
_POINTING = re.compile(
    r"\b(?:this|that|next|previous|following) (?:paragraph|section)\b|\bthe paragraph\b"
    r"|(?:这|那|该|上|下|前|(?<!最)后)一?(?:个)?(?:小)?(?:段|节)(?![奏日约])"
)


def read_paragraphs(words: Suggestion, document: Document, _title: str) -> Reading:
    """By number."""
    numbers = [block.number for block in document.paragraphs]
    for named in counted(words.masked, english=EN_PARAGRAPH, chinese=ZH_PARAGRAPH):
        if words.is_comparison(named.start, named.end):
            continue
        if not all(1 <= abs(number) <= len(numbers) for number in named.numbers):
            told = words.whole[named.start : named.end].strip()
            yield ScopeQuestion(problem=ScopeProblem.NO_SUCH_PARAGRAPH, named=told, count=len(numbers))
            return
        yield counted_part(named, [{numbers[place_of(number)]} for number in named.numbers])


def place_of(number: int) -> int:
    """The index of what is counted from 1, or from the end by negative numbers."""
    return number - 1 if number > 0 else number


def counted_part(named: Named, blocks: Sequence[set[int]]) -> Part:
    """The part that `named` names, made of these blocks."""
    return Part(start=named.start, end=named.end, blocks=frozenset[int]().union(*blocks))


def read_every_paragraph(words: Suggestion, document: Document, _title: str) -> Reading:
    """Each of them, without headings and lists."""
    for match in _EACH_PARAGRAPH.finditer(words.masked):
        yield matched_part(match, {block.number for block in document.paragraphs})


def read_pointing(words: Suggestion, document: Document) -> Reading:
    """One that is only pointed at, which is clear where there is but one."""
    match = _POINTING.search(words.masked)
    if match is None or words.is_new(match.start()):
        return
    count = len(document.paragraphs)
    if count == 1:
        yield matched_part(match, {document.paragraphs[0].number})
    else:
        yield ScopeQuestion(problem=ScopeProblem.WHICH, named=match.group(), count=count)


def matched_part(match: re.Match[str], blocks: set[int] | frozenset[int], *, title: bool = False) -> Part:
    """The part that the matched words name, made of these blocks."""
    return Part(start=match.start(), end=match.end(), blocks=frozenset(blocks), title=title)


_TITLE = re.compile(r"\b(?:main\s+)?titles?\b(?!d)|(?<![小级节段个])(?:大|主|总)?标题(?!党)|题目")
_HEADINGS = re.compile(r"\b(?:the|all|every|each)\s+(?:sub)?headings?\b|(?:小|各级|二级|三级|章节|每节的?|每个)标题")
_ONE_HEADING = re.compile(
    r"\b(?:sub)?heading\s+(?P<name>_+|[\w'’&/ -]+?)(?=$|[,.;:!?]| to | into )|标题(?P<zh_name>_+)"
)


def read_titles(words: Suggestion, document: Document, title: str) -> Reading:
    """One heading by its words, or all headings, or the title."""
    for match in _ONE_HEADING.finditer(words.masked):
        start, end = match.span("name" if match["name"] else "zh_name")
        fitting = fitting_headings(unquoted(words.whole[start:end]), document.headings)
        if len(fitting) == 1:
            yield matched_part(match, {fitting[0].number})
            return
    yield from _read_headings(words, document)
    opening = {
        block.number for block in document.blocks[:1] if block.level == 1 and even(heading_text(block)) == even(title)
    }
    for match in _TITLE.finditer(words.masked):
        if not words.is_new(match.start()):
            yield matched_part(match, opening, title=True)


def _read_headings(words: Suggestion, document: Document) -> Reading:
    for match in _HEADINGS.finditer(words.masked):
        if words.is_new(match.start()):
            continue
        if not document.headings:
            yield ScopeQuestion(problem=ScopeProblem.NO_SUCH_PART, named=match.group())
            return
        yield matched_part(match, {block.number for block in document.headings})


def fitting_headings(name: str, headings: Sequence[Block]) -> list[Block]:
    """Headings that read so; else those that hold the name, else those that the name holds."""
    wanted = even(name)
    texts = [(block, even(NUMBERING.sub("", heading_text(block)))) for block in headings]
    tests: tuple[Callable[[str], bool], ...] = (
        lambda text: text == wanted,
        lambda text: wanted in text,
        lambda text: text in wanted,
    )
    for test in tests:
        fitting = [block for block, text in texts if wanted and text and test(text)]
        if fitting:
            return fitting
    return []


NUMBERING = re.compile(
    r"^\s*(?:第[一二三四五六七八九十百\d]+[章节部篇]|[一二三四五六七八九十]+、|\d+(?:\.\d+)*[.、)]?)\s*"
)
"""How a heading numbers itself."""


def even(text: str) -> str:
    """Letters and digits in lower case, for comparing names."""
    return re.sub(r"[\W_]+", "", text.lower())


def unquoted(name: str) -> str:
    """A name without quotes around it."""
    return name.strip(" _\"'“”‘’「」『』《》`").removesuffix("的")


_EN_THING = r"\b(?P<which>the|each|every|all(?: the)?|first|second|third|last)\s+"
_ZH_THING = r"(?P<zh_which>把|那个|这个|那段|这段|第[一二三]个|第[一二三]段|最后一个)"
_THINGS: tuple[tuple[BlockKind, str, str], ...] = (
    (BlockKind.LIST, r"(?:bullet(?:ed)? |numbered )?lists?\b", "列表|清单"),
    (BlockKind.TABLE, r"tables?\b(?! of contents)", "表格"),
    (BlockKind.CODE, r"code(?: blocks?| examples?)?\b", "代码块?"),
)
_PLACES = {"first": 0, "第一": 0, "second": 1, "第二": 1, "third": 2, "第三": 2, "last": -1, "最后": -1}


def read_things(words: Suggestion, document: Document, _title: str) -> Reading:
    """The list, the table, the code in a text."""
    for kind, english, chinese in () if document.is_code else _THINGS:
        pattern = rf"{_EN_THING}(?:{english})|{_ZH_THING}(?:{chinese})|(?:{chinese})(?=[里中的])"
        for match in re.finditer(pattern, words.masked):
            if not words.is_comparison(match.start(), match.end()):
                yield _thing(match, [block.number for block in document.blocks if block.kind is kind])


def _thing(match: re.Match[str], there: Sequence[int]) -> Part | ScopeQuestion:
    which = match["which"] or match["zh_which"] or ""
    place = _PLACES.get(which[:2] if which.startswith(("第", "最")) else which)
    is_all = which.startswith(("each", "every", "all")) or match.group().endswith("s")
    if not there or (place is not None and place >= len(there)):
        return ScopeQuestion(problem=ScopeProblem.NO_SUCH_PART, named=match.group(), count=len(there))
    if place is None and len(there) > 1 and not is_all:
        return ScopeQuestion(problem=ScopeProblem.SEVERAL, named=match.group(), count=len(there))
    return matched_part(match, set(there if place is None else [there[place]]))
