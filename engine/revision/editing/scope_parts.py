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
    counted: tuple[int, ...] = ()
    """Of paragraphs: by which numbers they were counted, from 1, or from the end by negative ones."""
    is_sentence: bool = False
    """Whether only one sentence of it was named."""

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
    r"|\bthe (?:middle|longest|shortest) paragraph\b|(?:中间|最长|最短)的?(?:那|这)?一?(?:个)?(?:自然)?段"
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
        blocks = frozenset(numbers[place_of(number)] for number in named.numbers)
        yield Part(start=named.start, end=named.end, blocks=blocks, counted=named.numbers)


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
_HEADINGS = re.compile(
    r"\b(?:the|all|every|each)\s+(?:sub)?headings?\b|(?:小|各级|二级|三级|章节|[每各][节段]的?|每个|所有的?|全部的?)标题"
)
_COUNTED_HEADING = r"(?:sub)?headings?\b"
_ZH_COUNTED_HEADING = r"个(?:小|二级|章节)?标题"
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
    opening = {
        block.number for block in document.blocks[:1] if block.level == 1 and even(heading_text(block)) == even(title)
    }
    yield from _read_counted_headings(
        words, [block.number for block in document.headings if block.number not in opening]
    )
    yield from _read_headings(words, document)
    for match in _TITLE.finditer(words.masked):
        if not words.is_new(match.start()) and not words.is_comparison(match.start(), match.end()):
            yield matched_part(match, opening, title=True)


def _read_counted_headings(words: Suggestion, numbers: Sequence[int]) -> Reading:
    """By number, without the one that is the title."""
    for named in counted(words.masked, english=_COUNTED_HEADING, chinese=_ZH_COUNTED_HEADING):
        if not all(1 <= abs(number) <= len(numbers) for number in named.numbers):
            told = words.whole[named.start : named.end].strip()
            yield ScopeQuestion(problem=ScopeProblem.NO_SUCH_PART, named=told, count=len(numbers))
            return
        yield counted_part(named, [{numbers[place_of(number)]} for number in named.numbers])


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


_EN_THING = r"\b(?P<which>the|each|every|all(?: the)?|first|second|third|last|only|except(?: for)?|keep|leave)\s+"
_ZH_THING = (
    r"(?P<zh_which>所有的?|全部的?|每个|各个|两个|这些|那些|那个|这个|那段|这段|第[一二三]个|第[一二三]段|最后一个)?"
)
_THINGS: tuple[tuple[BlockKind, str, str], ...] = (
    (
        BlockKind.LIST,
        r"(?:bullet(?:ed)? |numbered )?lists?\b|(?:bullet|list) (?:points?|items?)\b|bullets\b",
        "列表|清单",
    ),
    (BlockKind.TABLE, r"tables?\b(?! of contents)", "表格"),
    (BlockKind.CODE, r"code(?: blocks?| examples?)?\b", "代码块?"),
)
_PLACES = {"first": 0, "第一": 0, "second": 1, "第二": 1, "third": 2, "第三": 2, "last": -1, "最后": -1}
_WITH_ARTICLE = ("the", "each", "every", "all", *(place for place in _PLACES if place.isascii()))
_MADE = re.compile(r"(?:用|以|成|为|做|转|少|多|加|建|写|列|是)(?:一个|个|一些|些|一点|点)?$")
"""What stands before a kind of block that is to be made, or is only spoken of."""
_SPOKEN_OF = re.compile(r"化|形式|格式|式|解释|说明|讲解|示例|里?的(?:意思|作用)")
_BARE_CODE = re.compile(r"(?:动|改|碰|除了?|除开|留|只|把)$")
"""“代码” is a matter too, of which a text speaks; only these say that the block is meant."""


def read_things(words: Suggestion, document: Document, _title: str) -> Reading:
    """The list, the table, the code in a text."""
    for kind, english, chinese in () if document.is_code else _THINGS:
        there = [block.number for block in document.blocks if block.kind is kind]
        pattern = rf"{_EN_THING}(?P<noun>{english})|\bbullets?(?: points?)?\b|{_ZH_THING}(?P<zh_noun>{chinese})"
        for match in re.finditer(pattern, words.masked):
            if _names_a_thing(words, match, kind, is_there=bool(there)):
                yield _thing(match, there)


def _names_a_thing(words: Suggestion, match: re.Match[str], kind: BlockKind, *, is_there: bool) -> bool:
    before, after = words.masked[: match.start()], words.masked[match.end() :]
    if words.is_comparison(match.start(), match.end()) or words.is_new(match.start()):
        return False
    if match["zh_noun"] is None:
        return match["which"] is not None or (kind is BlockKind.LIST and is_there)
    if match["zh_which"] or re.match("[里中]", after):
        return True
    if not is_there or _MADE.search(before) or _SPOKEN_OF.match(after):
        return False
    is_kept = words.is_exception(match.start(), match.end())
    return kind is not BlockKind.CODE or is_kept or _BARE_CODE.search(before) is not None


def _thing(match: re.Match[str], there: Sequence[int]) -> Part | ScopeQuestion:
    which = match["which"] or match["zh_which"] or ""
    is_item = re.search(r"bullets?\b|points?$|items?$", match.group()) is not None
    place = None if is_item else _PLACES.get(which[:2] if which.startswith(("第", "最")) else which)
    is_all = which.startswith(("each", "every", "all", "所", "全", "每", "各", "两", "这些", "那些"))
    start = match.start() if which.startswith(_WITH_ARTICLE) or not match["which"] else match.start("noun")
    named = match.group()[start - match.start() :]
    if not there or (place is not None and place >= len(there)):
        return ScopeQuestion(problem=ScopeProblem.NO_SUCH_PART, named=named, count=len(there))
    if place is None and len(there) > 1 and not is_all and not named.endswith("s"):
        return ScopeQuestion(problem=ScopeProblem.SEVERAL, named=named, count=len(there))
    return Part(start=start, end=match.end(), blocks=frozenset(there if place is None else [there[place]]))
