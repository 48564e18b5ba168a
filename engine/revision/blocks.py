"""A text as numbered blocks that join back byte for byte, so that an edit can name what it touches.

Prose is split into front matter, headings, paragraphs, lists, tables, fenced code and dividing lines; program text
into the runs that begin at the left margin behind a blank line. Nothing is lost: what stands between two blocks
belongs to the first of them as its gap.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


class BlockKind(StrEnum):
    """What a block is."""

    FRONT_MATTER = "front_matter"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    """Items that follow one another, blank lines between them included."""
    TABLE = "table"
    CODE = "code"
    """Fenced code inside prose, or one run of a program."""
    RULE = "rule"
    """A line that only divides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One block as it stands in the text."""

    number: int
    """1, 2 … in the text."""
    kind: BlockKind
    text: str
    """From its first character to its last, without the line end behind it."""
    gap: str
    """What stands behind it up to the next block, or to the end of the text: line ends and blank lines."""
    level: int = 0
    """Of a heading 1 to 6; 0 of everything else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text in blocks; `join` gives it back."""

    lead: str
    """Blank lines before the first block; the whole text where there is no block."""
    blocks: tuple[Block, ...]
    is_code: bool
    line_end: str
    """The line end that is used most; of equally frequent ones CRLF, then LF; LF where there is none."""
    usual_gap: str
    """What stands between two paragraphs here: a blank line, or only a line end where no blank line is used."""

    def join(self) -> str:
        """The text, byte for byte."""
        return self.lead + "".join(block.text + block.gap for block in self.blocks)

    @property
    def paragraphs(self) -> tuple[Block, ...]:
        """What people count as paragraphs: blocks of prose; of a text without any, and of a program, all blocks.

        Headings, lists, tables, code and front matter do not count.
        """
        prose = tuple(block for block in self.blocks if block.kind is BlockKind.PARAGRAPH)
        return prose or self.blocks

    @property
    def headings(self) -> tuple[Block, ...]:
        """Every heading, in order."""
        return tuple(block for block in self.blocks if block.kind is BlockKind.HEADING)


def split_blocks(text: str, *, is_code: bool) -> Document:
    """Split `text`; `is_code` for a file of a program."""
    lines = [_Line(start, line) for start, line in _lines(text)]
    runs = list(_code_runs(lines) if is_code else _prose_runs(lines))
    starts = [*(lines[run.first].start for run in runs), len(text)]
    blocks = [_block(text, lines, run, number, starts[number]) for number, run in enumerate(runs, start=1)]
    line_end = _line_end(text)
    return Document(
        lead=text[: starts[0]],
        blocks=tuple(blocks),
        is_code=is_code,
        line_end=line_end,
        usual_gap=line_end if not is_code and _is_tight(blocks) else line_end * 2,
    )


def heading_text(block: Block) -> str:
    """The words of a heading, without its marks."""
    line = block.text.splitlines()[0].strip()
    return _HASHES.sub("", line).rstrip("#").strip()


def opening_heading(text: str) -> str:
    """The words of the heading of the first level that a prose text opens with; empty where it opens otherwise."""
    blocks = split_blocks(text, is_code=False).blocks
    opens = bool(blocks) and blocks[0].kind is BlockKind.HEADING and blocks[0].level == 1
    return heading_text(blocks[0]) if opens else ""


_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_LINE_END = re.compile(r"\r\n|\r|\n")
_HASHES = re.compile(r"^#{1,6}\s*")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
"""What opens a block of code; a line that closes its backticks itself does not."""
_ITEM = re.compile(r" {0,3}(?:[-*+•·][ \t]+\S|\d{1,3}[.)][ \t]+\S|\d{1,3}、|[（(][一二三四五六七八九十\d]{1,3}[)）])")
_INDENTED = re.compile(r"(?: {2,}|\t)\S")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_TABLE = re.compile(r" {0,3}\|")
_UNDER_TABLE = re.compile(r" {0,3}:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$")
"""The second line of a table, which shows that the first one is its head."""
_NUMBERED_ZH = re.compile(r"\s*(?:第[一二三四五六七八九十百\d]+[章节部篇]|[一二三四五六七八九十]+、)")
_SENTENCE_END = re.compile(r"[。！？…!?.:：;；，,]\s*$")
_ENDS_LIKE_A_SENTENCE = re.compile(r"[^\w\s,，、;；(（\[【<《/\\—–-]\s*$")
"""By punctuation, a closing mark or an emoji; a wrapped line ends in a word or a comma."""
_MOST_HEADING = 40
"""Characters of a line that is a heading only by being numbered."""


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    whole: str
    """With its line end."""

    @property
    def words(self) -> str:
        return self.whole.rstrip("\r\n")

    @property
    def is_blank(self) -> bool:
        return not self.whole.strip()


@dataclass(frozen=True, slots=True)
class _Run:
    """Lines of one block: from `first` up to and without `end`."""

    first: int
    end: int
    kind: BlockKind
    level: int = 0


def _line_end(text: str) -> str:
    ends = _LINE_END.findall(text)
    return max(("\r\n", "\n", "\r"), key=ends.count) if ends else "\n"


def _is_tight(blocks: Sequence[Block]) -> bool:
    """Whether no blank line stands between any two."""
    return len(blocks) > 1 and all(len(_LINE_END.findall(block.gap)) == 1 for block in blocks[:-1])


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((found.start(), found.group()) for found in _LINE.finditer(text))


def _block(text: str, lines: Sequence[_Line], run: _Run, number: int, next_start: int) -> Block:
    last = lines[run.end - 1]
    end = last.start + len(last.words)
    return Block(
        number=number,
        kind=run.kind,
        text=text[lines[run.first].start : end],
        gap=text[end:next_start],
        level=run.level,
    )


def _code_runs(lines: Sequence[_Line]) -> Iterator[_Run]:
    """A blank line ends a run only where the next one begins at the left margin."""
    first: int | None = None
    for at, line in enumerate(lines):
        if line.is_blank:
            continue
        is_new = at > 0 and lines[at - 1].is_blank and not line.whole[0].isspace()
        if first is None:
            first = at
        elif is_new:
            yield _Run(first, _trimmed(lines, first, at), BlockKind.CODE)
            first = at
    if first is not None:
        yield _Run(first, _trimmed(lines, first, len(lines)), BlockKind.CODE)


def _trimmed(lines: Sequence[_Line], first: int, end: int) -> int:
    """`end` without the blank lines before it."""
    while end > first + 1 and lines[end - 1].is_blank:
        end -= 1
    return end


def _prose_runs(lines: Sequence[_Line]) -> Iterator[_Run]:
    at = 0
    while at < len(lines):
        if lines[at].is_blank:
            at += 1
            continue
        runs = next(found for read in _READERS if (found := read(lines, at)))
        yield from runs
        at = runs[-1].end


def _front_matter(lines: Sequence[_Line], at: int) -> tuple[_Run, ...]:
    """Between two lines of three dashes, at the very beginning only; a blank line behind the first makes it a rule."""
    if at or lines[0].words.rstrip() != "---" or (len(lines) > 1 and lines[1].is_blank):
        return ()
    for end in range(1, len(lines)):
        if lines[end].words.rstrip() in ("---", "..."):
            return (_Run(0, end + 1, BlockKind.FRONT_MATTER),)
    return ()


def _fenced(lines: Sequence[_Line], at: int) -> tuple[_Run, ...]:
    """To the closing fence, or to the end of the text where there is none."""
    opened = _FENCE.match(lines[at].words)
    if opened is None:
        return ()
    fence = opened.group(1)
    for end in range(at + 1, len(lines)):
        words = lines[end].words.strip()
        if words.startswith(fence) and not words.strip(fence[0]):
            return (_Run(at, end + 1, BlockKind.CODE),)
    return (_Run(at, _trimmed(lines, at, len(lines)), BlockKind.CODE),)


def _rule(lines: Sequence[_Line], at: int) -> tuple[_Run, ...]:
    return (_Run(at, at + 1, BlockKind.RULE),) if _RULE.match(lines[at].words) else ()


def _heading(lines: Sequence[_Line], at: int) -> tuple[_Run, ...]:
    hashes = _ATX.match(lines[at].words)
    if hashes:
        return (_Run(at, at + 1, BlockKind.HEADING, len(hashes.group(1))),)
    under = _SETEXT.match(lines[at + 1].words) if at + 1 < len(lines) else None
    if under and not _ITEM.match(lines[at].words):
        return (_Run(at, at + 2, BlockKind.HEADING, 1 if under.group(1)[0] == "=" else 2),)
    if _is_numbered_heading(lines, at):
        return (_Run(at, at + 1, BlockKind.HEADING, 2),)
    return ()


def _is_numbered_heading(lines: Sequence[_Line], at: int) -> bool:
    """A short Chinese line such as “二、安装” that is no sentence and not one of a list of such lines."""

    def is_one(place: int) -> bool:
        return 0 <= place < len(lines) and _NUMBERED_ZH.match(lines[place].words) is not None

    words = lines[at].words.strip()
    is_short = len(words) <= _MOST_HEADING and not _SENTENCE_END.search(words)
    return is_one(at) and is_short and not is_one(at - 1) and not is_one(at + 1)


def _table(lines: Sequence[_Line], at: int) -> tuple[_Run, ...]:
    """Lines that begin with a bar, or hold one and stand under a head with its line of dashes."""
    end = at
    has_head = at + 1 < len(lines) and "|" in lines[at].words and _UNDER_TABLE.match(lines[at + 1].words)
    while end < len(lines) and (_TABLE.match(lines[end].words) or (has_head and "|" in lines[end].words)):
        end += 1
    return (_Run(at, end, BlockKind.TABLE),) if end > at else ()


def _list(lines: Sequence[_Line], at: int) -> tuple[_Run, ...]:
    """Items with the lines that belong to them; a blank line ends a list unless an item or an indented line follows."""
    if not _ITEM.match(lines[at].words):
        return ()
    end = at + 1
    while end < len(lines):
        after = _trimmed_start(lines, end)
        if after == len(lines):
            break
        words = lines[after].words
        belongs = _ITEM.match(words) or _INDENTED.match(words)
        if not belongs and (after > end or _begins(lines, after)):
            break
        end = after + 1
    return (_Run(at, end, BlockKind.LIST),)


def _trimmed_start(lines: Sequence[_Line], at: int) -> int:
    while at < len(lines) and lines[at].is_blank:
        at += 1
    return at


def _paragraphs(lines: Sequence[_Line], at: int) -> tuple[_Run, ...]:
    """To the next blank line or other block; lines that all end like sentences are a paragraph each."""
    end = at + 1
    while end < len(lines) and not lines[end].is_blank and not _begins(lines, end):
        end += 1
    if all(_ENDS_LIKE_A_SENTENCE.search(lines[each].words) for each in range(at, end)):
        return tuple(_Run(each, each + 1, BlockKind.PARAGRAPH) for each in range(at, end))
    return (_Run(at, end, BlockKind.PARAGRAPH),)


def _begins(lines: Sequence[_Line], at: int) -> bool:
    """Whether another block than a paragraph begins here."""
    return (
        any(read(lines, at) for read in (_fenced, _rule, _heading, _table)) or _ITEM.match(lines[at].words) is not None
    )


_Reader = Callable[[Sequence[_Line], int], tuple[_Run, ...]]
_READERS: tuple[_Reader, ...] = (_front_matter, _fenced, _rule, _heading, _table, _list, _paragraphs)
