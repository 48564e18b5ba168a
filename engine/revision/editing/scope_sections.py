"""Sections, and what stands first and last in a text, as a suggestion may name them."""

import re
from collections.abc import Sequence

from engine.domain.counted_parts import EN_PARAGRAPH, ZH_PARAGRAPH, Named, counted
from engine.revision.blocks import Block, BlockKind, Document, heading_text
from engine.revision.editing.scope_parts import (
    MOST_CHOICES,
    NUMBERING,
    Part,
    Reading,
    ScopeProblem,
    ScopeQuestion,
    counted_part,
    even,
    fitting_headings,
    matched_part,
    place_of,
    unquoted,
)
from engine.revision.editing.scope_words import Suggestion

_EN_SECTION = r"(?:sections?|chapters?)"
_ZH_JIE, _ZH_ZHANG = r"(?<![环细季情调春关音佳时])节(?![奏省约日点目制])", r"(?<![文规印图奖简徽勋肩])章(?![程法])"
"""In 环节, 季节, 文章 and the like they are no sections."""
_ZH_SECTION = rf"(?:小)?(?:章节|{_ZH_JIE}|{_ZH_ZHANG}|部分)"
_ABOUT = re.compile(
    r"\b(?P<noun>paragraph|section|chapter|part)\s+(?:on|about|called|titled|named|headed|under|describing)\s+"
    r"(?P<name>[\w_\"'“”’&/ -]+?)(?=$|[,.;:!?]|\s+(?:more|less|much|shorter|longer|simpler|clearer|to|and|into|is|"
    r"should|needs?|so|by|with|a bit|livelier|as|in|must|can|reads|sounds)\b)"
    r"|(?:关于|有关|讲到?|介绍)(?P<zh_name>[^，。,；！？的]{1,20}?)的?[那这]?一?个?"
    rf"(?P<zh_noun>自然段|段|小节|章节|{_ZH_JIE}|{_ZH_ZHANG}|部分)"
    r"|[说写](?![明法作清])(?P<told_name>[^，。,；！？的]{1,20}?)的[那这]?一?个?(?P<told_noun>自然段|段|小节|部分)"
)
_NAMED = re.compile(
    r"\b(?:the\s+)?(?P<name>(?:(?!\bthe\b)[\w_\"'“”’&/-]+\s+){1,4}?)(?P<noun>section|chapter)\b"
    rf"|(?P<zh_name>[^\s，。,、；;：:！？!?]{{1,16}}?)(?P<loose>的)?(?P<that>[那这]?一?个?)(?P<zh_noun>{_ZH_SECTION})"
)
_ZH_LEADING = re.compile(
    r"^.*(?:把|将|只改|只动|改一下|修改|改写|重写|缩短|精简|压缩|润色|删掉|删除|让|请|只|改|在|给|对|到|和|与|里|从|的)(?=.)"
)
_NO_NAME = re.compile(
    r"(?:大|小|这|那|一|两|几|各|每|某|有|全|多|细|环|季|文|规|情|调|前|后|最后|前面|后面|其他|其余|个|"
    r"this|that|each|every|whole|an?|new|short|entire|next|previous|\s)*"
)


def read_named_parts(words: Suggestion, document: Document, _title: str) -> Reading:
    """A section or paragraph by what it is about."""
    taken = [(each.start, each.end) for each in _counted(words)]
    for match in _ABOUT.finditer(words.whole):
        taken.append(match.span())
        if words.is_new(match.start()) or _is_quoted(words, match):
            continue
        name = unquoted(match["name"] or match["zh_name"] or match["told_name"] or "")
        noun = match["noun"] or match["zh_noun"] or match["told_noun"]
        if noun != "paragraph" or not words.masked[match.start("name") - 6 :].startswith("under "):
            is_paragraph = noun in ("paragraph", "段", "自然段")
            yield _paragraph_about(match, name, document) if is_paragraph else _section(match, name, document)
    for match in _NAMED.finditer(words.whole):
        is_taken = any(start < match.end() and match.start() < end for start, end in taken)
        if is_taken or words.is_new(match.start()) or _is_quoted(words, match):
            continue
        name = _ZH_LEADING.sub("", unquoted(match["name"] or match["zh_name"] or ""))
        found = None if _NO_NAME.fullmatch(name) else _section(match, name, document)
        is_plain = match["zh_noun"] in ("节", "章") and not match["that"]  # 春节, 印章: no sections
        is_loose = match["zh_noun"] == "部分" or match["loose"] or is_plain  # “the repeated parts” name no section
        if isinstance(found, Part) or (found is not None and not is_loose):
            yield found


def _is_quoted(words: Suggestion, match: re.Match[str]) -> bool:
    """Whether the noun itself, and not only the name, stands in quotes."""
    noun = next(match.start(name) for name in ("noun", "zh_noun", "told_noun") if match.groupdict().get(name))
    return words.masked[noun] == "_"


def read_under_headings(words: Suggestion, document: Document, _title: str) -> Reading:
    """“In Usage”, “under ‘Setup’”, “「安装」里”: a section by its heading alone."""
    for block in document.headings:
        name = NUMBERING.sub("", heading_text(block)).strip().lower()
        if not even(name):
            continue
        said = rf"[“\"'「『《‘]?{re.escape(name)}[”\"'」』》’]?"
        english = rf"\b(?:in|under|within)\s+(?:the\s+)?(?P<name>{said})(?=\s*(?:[,.;:!?]|$))"
        for match in re.finditer(rf"{english}|[“「『《]{re.escape(name)}[”」』》](?=里|中|下|这里|那里)", words.whole):
            start = match.start("name") if match["name"] else match.start()
            yield Part(start=start, end=match.end(), blocks=section_of(document, block))


def _paragraph_about(match: re.Match[str], name: str, document: Document) -> Part | ScopeQuestion:
    fitting = [block for block in document.paragraphs if name and even(name) in even(block.text)]
    headings = fitting_headings(name, document.headings) if not fitting else []
    if len(headings) == 1:
        fitting = [block for block in document.paragraphs if block.number in section_of(document, headings[0])]
    if len(fitting) == 1:
        return matched_part(match, {fitting[0].number})
    problem = ScopeProblem.SEVERAL if fitting else ScopeProblem.NO_SUCH_PARAGRAPH
    return ScopeQuestion(problem=problem, named=name, count=len(fitting or document.paragraphs))


def _section(match: re.Match[str], name: str, document: Document) -> Part | ScopeQuestion:
    fitting = fitting_headings(name, document.headings)
    if len(fitting) == 1:
        return matched_part(match, section_of(document, fitting[0]))
    problem = ScopeProblem.SEVERAL if fitting else ScopeProblem.NO_SUCH_SECTION
    return _which_section(problem, name, fitting or document.headings)


def _which_section(problem: ScopeProblem, named: str, headings: Sequence[Block]) -> ScopeQuestion:
    choices = tuple(heading_text(block) for block in headings)[:MOST_CHOICES]
    return ScopeQuestion(problem=problem, named=named, count=len(headings), choices=choices)


def section_of(document: Document, heading: Block) -> frozenset[int]:
    """The heading and everything up to the next one of its level or above."""
    numbers = {heading.number}
    for block in document.blocks[heading.number :]:
        if block.kind is BlockKind.HEADING and block.level <= heading.level:
            break
        numbers.add(block.number)
    return frozenset(numbers)


def read_counted_sections(words: Suggestion, document: Document, _title: str) -> Reading:
    """By number: as the headings number themselves, else in the order of the highest level, the title apart."""
    sections = _sections(document)
    for named in _counted(words):
        chosen = [_numbered(number, sections) for number in named.numbers]
        if not all(chosen):
            told = words.whole[named.start : named.end].strip()
            yield _which_section(ScopeProblem.NO_SUCH_SECTION, told, sections)
            return
        yield counted_part(named, [set(section_of(document, block)) for block in chosen if block])


def _counted(words: Suggestion) -> list[Named]:
    found = counted(words.masked, english=_EN_SECTION, chinese=_ZH_SECTION)
    return [named for named in found if not words.is_comparison(named.start, named.end)]


def _sections(document: Document) -> tuple[Block, ...]:
    headings = document.headings
    highest = [block for block in headings if block.level == min(each.level for each in headings)]
    is_title = len(highest) == 1 and len(headings) > 1 and highest[0] is headings[0]
    under = headings[1:] if is_title else headings
    level = min((block.level for block in under), default=0)
    return tuple(block for block in under if block.level == level)


def _numbered(number: int, sections: Sequence[Block]) -> Block | None:
    own = [block for block in sections if _own_number(heading_text(block)) == number]
    if len(own) == 1:
        return own[0]
    return sections[place_of(number)] if 1 <= abs(number) <= len(sections) else None


def _own_number(heading: str) -> int | None:
    numbering = NUMBERING.match(heading)
    said = re.sub(r"[第章节部篇、.)\s]", "", numbering.group()) if numbering else ""
    numbers = [named.numbers for named in counted(f"第{said}节", english="section", chinese="节")] if said else []
    return numbers[0][0] if numbers else None


_FEW = r"(?!\s*[一二两三四五\d])"
_NO_COUNT = r"(?!\s+(?:paragraph|para|section|sentence|line))"
_OPENING = re.compile(
    rf"\b(?:introduction|intro|preface|the (?:opening|beginning|start))\b{_NO_COUNT}"
    rf"|引言|前言|导言|导语|序言|开头{_FEW}|开篇|文首"
)
_ENDING = re.compile(
    rf"\b(?:conclusion|the (?:very )?(?:ending|closing|end)\b(?! of){_NO_COUNT})"
    rf"|结尾{_FEW}|结论|结语|文末|末尾{_FEW}|收尾|最后(?=[加添补写来])|总结(?=那?这?一?[部段节])"
)
_PLACE = re.compile(r"end$|beginning|start|文末|末尾|最后|文首")
"""A place in the text, whatever its headings say."""
_OPENING_HEADS = frozenset({"introduction", "intro", "preface", "引言", "前言", "导言", "导语", "序言", "开头"})
_ENDING_HEADS = frozenset({"conclusion", "closing", "结论", "结语", "结尾", "总结"})
_SENTENCE = re.compile(
    r"\b(?:(?P<first>first|opening)|last|final|closing) (?:sentence|line)\b"
    r"|(?:(?P<zh_first>第一|首|开头第?一?)|最后一|末|结尾那?一?)句"
)


def read_edges(words: Suggestion, document: Document, _title: str) -> Reading:
    """Introduction and conclusion: the section of that name, else what stands before the first heading, or last."""
    sections = _sections(document)
    before = sections[0].number if sections else 0
    prose = {block.number for block in document.blocks if block.kind is BlockKind.PARAGRAPH and block.number < before}
    first = prose or {block.number for block in document.paragraphs[:1]}
    last = {block.number for block in document.blocks[-1:]}
    for pattern, heads, edge in ((_OPENING, _OPENING_HEADS, first), (_ENDING, _ENDING_HEADS, last)):
        for match in pattern.finditer(words.masked):
            if words.is_comparison(match.start(), match.end()) or words.is_new(match.start()):
                continue
            named = [block for block in document.headings if even(NUMBERING.sub("", heading_text(block))) in heads]
            is_section = named and not _PLACE.search(match.group())
            yield matched_part(match, section_of(document, named[0]) if is_section else edge)
    yield from _read_sentences(words, document)


def _read_sentences(words: Suggestion, document: Document) -> Reading:
    """The first and the last sentence, unless a paragraph is named with it."""
    if any(True for _named in counted(words.masked, english=EN_PARAGRAPH, chinese=ZH_PARAGRAPH)):
        return
    for match in _SENTENCE.finditer(words.masked):
        place = 0 if match["first"] or match["zh_first"] else -1
        if document.paragraphs:
            number = document.paragraphs[place].number
            yield Part(start=match.start(), end=match.end(), blocks=frozenset({number}), is_sentence=True)
