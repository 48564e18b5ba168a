"""How the parts that a suggestion names stand to one another: together, inside or beside one another, or excepted."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from engine.revision.blocks import BlockKind, Document
from engine.revision.editing.scope_parts import Part, ScopeProblem, ScopeQuestion, place_of
from engine.revision.editing.scope_words import Suggestion


def outermost(found: Sequence[Part]) -> list[Part]:
    """In the order of their words, without parts whose words lie inside the words of another."""
    kept = (part for part in found if not any(other.holds(part) for other in found))
    return sorted(kept, key=lambda part: part.start)


def parted(words: Suggestion, parts: Sequence[Part]) -> tuple[list[Part], list[Part]]:
    """What is to be changed, and what must stay; what is named in one breath is treated alike."""
    included: list[Part] = []
    excluded: list[Part] = []
    for group in _groups(words, parts):
        start, end = group[0].start, group[-1].end
        is_kept = words.is_exception(start, end) and not words.is_the_only_one(start, end)
        (excluded if is_kept else included).extend(group)
    return included, excluded


_AND = re.compile(r"\s*[,，、]?\s*(?:and|or|nor|&|和|与|及|以及|跟|或者?|、)\s*(?:also\s+)?(?:the\s+)?\s*")
_COMMA = re.compile(r"\s*[,，、]\s*(?:the\s+)?")


def _groups(words: Suggestion, parts: Sequence[Part]) -> Iterator[list[Part]]:
    """Parts with “and” between them; a comma joins too where an “and” follows it."""
    group: list[Part] = []
    for part in reversed(parts):
        between = words.masked[part.end : group[0].start] if group else ""
        is_one = group and (_AND.fullmatch(between) or (len(group) > 1 and _COMMA.fullmatch(between)))
        if group and not is_one:
            yield group
        group = [part, *group] if is_one else [part]
    if group:
        yield group


_WITHIN = re.compile(r"\s+(?:of|in|under|from|within)\s+(?:the\s+)?")
_ZH_WITHIN = re.compile(r"\s*(?:里面|里|中|下面|下)?的?\s*")
_HEADING_OF = re.compile(r"\b(?:the\s+)?\b(?:sub)?(?:headings?|titles?)\s+(?:of|for|to)\s+(?:the\s+)?$")
_ZH_HEADING_OF = re.compile(r"\s*的?小?标题")


def nested(words: Suggestion, document: Document, parts: Sequence[Part]) -> list[Part] | ScopeQuestion:
    """A paragraph that is counted inside a section, a sentence inside a part, and the heading of a section."""
    rest: list[Part] = []
    for part in outermost([_heading_of(words, document, part) for part in parts]):
        before = rest[-1] if rest else None
        joined = _joined(words, document, before, part) if before is not None else None
        if isinstance(joined, ScopeQuestion):
            return joined
        rest = [*rest[:-1], joined] if joined is not None else [*rest, part]
    return rest


def _heading_of(words: Suggestion, document: Document, part: Part) -> Part:
    """Of a section whose heading is named, the heading alone."""
    before, after = _HEADING_OF.search(words.masked[: part.start]), _ZH_HEADING_OF.match(words.masked[part.end :])
    if not (before or after) or not _is_section(document, part):
        return part
    return Part(
        start=before.start() if before else part.start,
        end=part.end + (after.end() if after else 0),
        blocks=frozenset({min(part.blocks)}),
    )


def _joined(words: Suggestion, document: Document, first: Part, second: Part) -> Part | ScopeQuestion | None:
    """The two as one where one is inside the other; None where they are two."""
    between = words.masked[first.end : second.start]
    english, chinese = _WITHIN.fullmatch(between), _ZH_WITHIN.fullmatch(between)
    if not (english or chinese):
        return None
    inner, outer = (first, second) if english else (second, first)
    if outer.title:
        return None
    if inner.is_sentence:
        return replace(outer, start=first.start, end=second.end)
    if not inner.counted or not _is_section(document, outer):
        return None
    numbers = [block.number for block in document.paragraphs if block.number in outer.blocks]
    if not all(1 <= abs(number) <= len(numbers) for number in inner.counted):
        named = words.whole[first.start : second.end].strip()
        return ScopeQuestion(problem=ScopeProblem.NO_SUCH_PARAGRAPH, named=named, count=len(numbers))
    blocks = frozenset(numbers[place_of(number)] for number in inner.counted)
    return Part(start=first.start, end=second.end, blocks=blocks)


def _is_section(document: Document, part: Part) -> bool:
    opening = document.blocks[min(part.blocks) - 1].kind if part.blocks else None
    return len(part.blocks) > 1 and opening is BlockKind.HEADING and not part.title


_NEIGHBOUR = re.compile(
    r"\bthe\s+paragraph\s+(?:right\s+|just\s+|directly\s+|immediately\s+)?"
    r"(?P<side>before|above|preceding|after|below|following|behind)\s+(?:the\s+)?$"
)
_ZH_NEIGHBOUR = re.compile(r"\s*的?(?P<side>[前上后下])(?:面|边|方)?的?[那这]一?个?(?:自然)?段")
_BEYOND = re.compile(
    r"\b(?:everything|anything|all|what)\s+(?:that\s+)?(?:comes\s+|stands\s+|is\s+)?"
    r"(?P<side>before|above|preceding|after|below|following|behind)\s+(?:the\s+)?$"
)
_ZH_BEYOND = re.compile(
    r"\s*的?(?:[以之往](?P<side>[前上后下])|(?P<place>[前上后下])[面边])的?(?:都|全|所有|内容|部分|文字|各段|几段|段落)"
)
_FROM = re.compile(r"\bfrom\s+(?:the\s+)?$|从\s*$")
_ONWARDS = re.compile(
    r"\s+(?:on\b|onwards?\b|downwards?\b|(?:to|until|till|through)\s+the\s+(?:very\s+)?end\b)"
    r"|\s*(?:开始|起)?(?:一直|直)?到(?:最后|结尾|文末|末尾|结束|尾)|\s*(?:开始|起)(?!到|至|一直|直)"
)
_TOWARDS_END = ("after", "below", "following", "behind", "后", "下")


def placed(words: Suggestion, document: Document, parts: Sequence[Part]) -> list[Part] | ScopeQuestion:
    """What is named by the part before or behind it: a paragraph beside it, or everything from there."""
    found: list[Part] = []
    for part in parts:
        one = _placed(words, document, part)
        if isinstance(one, ScopeQuestion):
            return one
        found.append(one)
    return outermost(found)


def _placed(words: Suggestion, document: Document, part: Part) -> Part | ScopeQuestion:
    before, after = words.masked[: part.start], words.masked[part.end :]
    if not part.blocks:
        return part
    if beside := _NEIGHBOUR.search(before) or _ZH_NEIGHBOUR.match(after):
        behind = beside["side"] in _TOWARDS_END
        numbers = [each.number for each in document.paragraphs if (each.number > max(part.blocks)) is behind]
        numbers = [number for number in numbers if number not in part.blocks]
        if not numbers:
            return ScopeQuestion(
                problem=ScopeProblem.WHICH, named=beside.group().strip(), count=len(document.paragraphs)
            )
        return _widened(words, part, [numbers[0] if behind else numbers[-1]], beside)
    if beyond := _BEYOND.search(before) or _ZH_BEYOND.match(after):
        said = beyond.groupdict()
        is_behind = (said["side"] or said.get("place")) in _TOWARDS_END
        chosen = list(_beyond((each.number for each in document.blocks), part, is_behind=is_behind))
        if not chosen:
            return ScopeQuestion(problem=ScopeProblem.NO_SUCH_PART, named=beyond.group().strip())
        return _widened(words, part, chosen, beyond)
    onwards = _ONWARDS.match(after) if _FROM.search(before) else None
    if onwards:
        start = min(part.blocks)
        return _widened(words, part, (each.number for each in document.blocks if each.number >= start), onwards)
    return part


def _beyond(numbers: Iterable[int], part: Part, *, is_behind: bool) -> Iterator[int]:
    for number in numbers:
        if (number > max(part.blocks)) if is_behind else (number < min(part.blocks)):
            yield number


def _widened(words: Suggestion, part: Part, blocks: Iterable[int], match: re.Match[str]) -> Part:
    """The part with other blocks, and with the words that say so."""
    is_before = match.end() == len(words.masked[: part.start]) and match.re in (_NEIGHBOUR, _BEYOND)
    return Part(
        start=match.start() if is_before else part.start,
        end=part.end if is_before else part.end + match.end(),
        blocks=frozenset(blocks),
    )
