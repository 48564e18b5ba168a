"""Which words a request wants replaced or deleted, and why the offline editor could not follow it. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.llm.offline_rewriting import EMOJI, replace_words, space_scripts, widen_punctuation


@dataclass(frozen=True, slots=True)
class Pair:
    """Words that a request names, and what shall stand in their place."""

    old: str
    new: str
    """Empty where the words are to go."""
    is_certain: bool
    """Whether `old` can be nothing but words of the text: it is quoted, or the verb replaces words."""


class WhyNot(StrEnum):
    """Why nothing was changed for a request."""

    NEEDS_MODEL = "needs_model"
    """It cannot be done by fixed rules."""
    NOT_IN_TEXT = "not_in_text"
    """The words that it names stand nowhere."""
    NOT_IN_PART = "not_in_part"
    """The words that it names stand in the text, but not in the part that it names."""
    OTHER_LETTERS = "other_letters"
    """The words that it names stand there in small letters for capitals, or the other way."""
    ALREADY_SO = "already_so"
    """The text is like that."""


_Q, _UNQ = "[“\"'「『‘`《]", "[”\"'」』’`》]"
_BY = "(?:with|to|into|by|改成|改为|换成|换为|替换成|替换为)"
_QUOTED = (
    re.compile(
        rf"{_Q}(?P<old>[^”\"」』’`》]+?){_UNQ}[^“”\"「『‘`《]{{0,40}}?{_BY}\s*{_Q}(?P<new>[^”\"」』’`》]*){_UNQ}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"用\s*{_Q}(?P<new>[^”\"」』’`》]*){_UNQ}\s*(?:来)?(?:替换|代替|取代|换掉)\s*{_Q}(?P<old>[^”\"」』’`》]+){_UNQ}"
    ),
)
_BARE = re.compile(
    r"\b(?P<verb>replace|change|rename)\s+(?:every |all |the )?(?P<old>\S.*?)\s+(?:with|to|into|by)\s+"
    r"(?P<new>\S.*?)[.!]?$"
    r"|[把将](?P<zh_old>[^，。]+?)(?:都|全部?|统统)?(?P<zh_verb>改成|改为|换成|换为|替换成|替换为)(?P<zh_new>[^，。！]+)",
    re.IGNORECASE,
)
_REPLACING = frozenset({"replace", "rename", "换成", "换为", "替换成", "替换为"})
_DELETED = re.compile(
    rf"(?:\b(?:delete|remove|drop|cut)\b|删掉|删除|删去|去掉|去除|拿掉)(?P<between>[^“\"「『‘`《]{{0,24}})"
    rf"{_Q}(?P<old>[^”\"」』’`》]+){_UNQ}(?P<behind>.{{0,12}})"
    rf"|[把将]\s*{_Q}(?P<zh_old>[^”\"」』’`》]+){_UNQ}(?P<zh_behind>[^，。]{{0,8}})(?:删掉|删除|删去|去掉|去除|拿掉|删了)",
    re.IGNORECASE,
)
_LARGE = (
    r"(?:paragraphs?|paras?|sections?|chapters?|parts?|headings?|lists?|tables?|title)\b"
    r"|[段节章]|部分|标题|列表|清单|表格"
)
_LARGE_PART = re.compile(rf"\b{_LARGE}", re.IGNORECASE)
_PART_OF_THAT_NAME = re.compile(rf"\s*(?:[这那]?一?个?小?)?(?:{_LARGE})", re.IGNORECASE)
_OF_PART = re.compile(
    r"^(?:全文|文中|文章|标题|题目|[首末]段|(?:最后|倒数)?第?[一二三四五六七八九十\d]+个?(?:自然)?[段节章])(?:里面?|中|内|当中)?的\s*"
    r"|\s+(?:in|of|from|within)\s+(?:the\s+)?(?:[\w-]+\s+){0,3}"
    r"(?:paragraphs?|paras?|sections?|title|headings?|lists?|tables?|text)\b.*$",
    re.IGNORECASE,
)
_A_PART = re.compile(
    r"\b(?:paragraphs?|paras?|sections?|title|headings?|lists?|tables?|sentences?|tone|style|wording|text|everything|it)\b"
    r"|[段节章句]|标题|题目|列表|表格|语气|口吻|风格|文风|说法|全文|文章",
    re.IGNORECASE,
)
SPACES = re.compile(r"\bspac(?:e|es|ing)\b|空格", re.IGNORECASE)
PUNCTUATION = re.compile(r"\bpunctuation\b|标点", re.IGNORECASE)
ABOUT_EMOJI = re.compile(r"\bemojis?\b|表情", re.IGNORECASE)
FEWER = re.compile(r"\b(?:remove|delete|without|no|drop)\b|去掉|去除|删|不要|别用", re.IGNORECASE)
NARROWER = re.compile(r"\bhalf-?width\b|半角", re.IGNORECASE)


def replaced(words: str) -> Iterator[Pair]:
    """What may be meant to be replaced, the likeliest first."""
    quoted = next((found for pattern in _QUOTED if (found := pattern.search(words))), None)
    found = quoted or _BARE.search(words)
    if found is None:
        return
    named = {name: value.strip() for name, value in found.groupdict().items() if value is not None}
    old, new = named.get("old") or named.get("zh_old") or "", named.get("new") or named.get("zh_new") or ""
    verb = (named.get("verb") or named.get("zh_verb") or "").lower()
    for each in dict.fromkeys((old, _OF_PART.sub("", old))):
        is_words = verb in _REPLACING and not _A_PART.search(each)
        if each:
            yield Pair(each, new, quoted is not None or is_words)


def deleted(words: str) -> Iterator[Pair]:
    """The quoted words that are to go, unless they only name a part of the text."""
    found = _DELETED.search(words)
    if found is None:
        return
    between, behind = found["between"] or "", found["behind"] or found["zh_behind"] or ""
    if not _LARGE_PART.search(between) and not _PART_OF_THAT_NAME.match(behind):
        yield Pair((found["old"] or found["zh_old"]).strip(), "", True)


def holds(texts: Sequence[str], old: str) -> bool:
    """Whether `old` stands in one of the texts as words that can be replaced."""
    return any(replace_words(text, old, f"{old}{old}") != text for text in texts)


def why_not(words: str, allowed: Sequence[str], everything: Sequence[str]) -> tuple[WhyNot, str]:
    """Why nothing was changed for a request, and the words that it is about, the spelling that stands there below.

    Args:
        words: the request.
        allowed: the texts that might be changed for it.
        everything: all texts, the title among them.
    """
    pairs = [*replaced(words), *deleted(words)]
    certain = [pair for pair in pairs if pair.is_certain]
    if certain:
        return _why_not_replaced(certain[-1], allowed, everything)
    return (WhyNot.ALREADY_SO if _is_so(words, allowed) else WhyNot.NEEDS_MODEL), ""


def _why_not_replaced(pair: Pair, allowed: Sequence[str], everything: Sequence[str]) -> tuple[WhyNot, str]:
    if holds(allowed, pair.old):
        return (WhyNot.ALREADY_SO if pair.old == pair.new else WhyNot.NEEDS_MODEL), ""
    if holds(everything, pair.old):
        return WhyNot.NOT_IN_PART, pair.old
    spelled = re.compile(re.escape(pair.old), re.IGNORECASE)
    other = next((found.group() for text in everything if (found := spelled.search(text))), pair.old)
    if other != pair.old and holds(everything, other):
        return WhyNot.OTHER_LETTERS, f"{pair.old}\n{other}"
    return WhyNot.NOT_IN_TEXT, pair.old


def _is_so(words: str, allowed: Sequence[str]) -> bool:
    """Whether a request on spaces, punctuation or emoji finds nothing to do."""
    if ABOUT_EMOJI.search(words) and FEWER.search(words):
        return not any(EMOJI.search(text) for text in allowed)
    if FEWER.search(words) or NARROWER.search(words):
        return False
    changes = [
        change
        for pattern, change in ((PUNCTUATION, widen_punctuation), (SPACES, space_scripts))
        if pattern.search(words)
    ]
    return bool(changes) and all(change(text) == text for change in changes for text in allowed)
