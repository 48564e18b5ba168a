"""What of a text's style can be counted: marks, words and lengths, in Chinese and English."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import regex

from engine.domain.preference import Aspect

HAN = r"[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]"
_PICTURE = r"(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f)"
_SENTENCE_END = regex.compile(
    rf"(?:(?<![.!?])[.!?]++[\"')\]]*+(?=\s|$|{_PICTURE})|[。！？…]+[”’」』）]*)(?:[ \t]*{_PICTURE})*[ \t]*|\n+"
)
_LETTERS = regex.compile(rf"{HAN}|[^\W\d_]+")
_LETTER = regex.compile(r"[^\W\d_]")
_EMOJI = regex.compile(_PICTURE)
_CONTRACTED = regex.compile(
    r"\b(?:\w+n['’]t|(?:i|you|we|they|he|she|it|that|there|what|who|let)['’](?:m|re|ll|ve|s|d))\b", regex.IGNORECASE
)
_SPELT_OUT = regex.compile(
    r"\b(?:(?:do|does|did|is|are|was|were|has|have|had|would|could|should|must) not|cannot|can not|will not"
    r"|i am|(?:you|we|they) are|(?:i|you|we|they|he|she|it) will|(?:i|you|we|they) have|(?:it|that|there|what) is"
    r"|let us)\b",
    regex.IGNORECASE,
)
_FORMAL = regex.compile(
    r"\b(?:utili[sz]es?|utili[sz]ing|commences?|terminates?|endeavou?rs?|facilitates?|demonstrates?|approximately"
    r"|subsequently|furthermore|moreover|therefore|thus|hence|consequently|additionally|in order to|prior to"
    r"|with regard to|in accordance with|it is necessary to|purchase|obtain|require[sd]?|sufficient|numerous"
    r"|assist(?:s|ance)?|regarding|hereby|shall)\b"
    "|综上所述|因此|鉴于|故而|予以|进行了|进行|旨在|此外|从而|以及|应当|(?<!必)须(?!知)|(?<!平)均(?![匀值分衡摊])|(?<!应)该"
    "|其中|相关(?!性)|若干|较为|倘若|即可|敬请|谨此",
    regex.IGNORECASE,
)
_PLAIN = regex.compile(
    r"\b(?:uses?|using|starts?|ends?|tr(?:y|ies)|helps?|shows?|about|later|also|so|then|buy|get|need(?:s|ed)?|enough"
    r"|many|lots? of|to|before|will|hey|okay|guys|folks|pretty|really|just|stuff)\b"
    "|总之|所以|因为|(?<![供交])给(?!予)|做了|做(?!法)|(?<![思理设])想(?!法|象)|另外|这样|还有"
    "|(?<![重主需必摘概纲])要(?![求点素领旨])|(?<![成首])都(?!市)|这个|里面|有关|几个|比较|要是|就行|啦|呀|哦|吧|呢|咱们|大家"
    "|真的|超(?![过出市时级链文])|挺",
    regex.IGNORECASE,
)
_YOU = regex.compile(r"\b(?:you|your|yours|yourself)\b|您们?|你们?", regex.IGNORECASE)
_LIST_ITEM = regex.compile(
    r"(?m)^[ \t]*(?:[-*+][ \t]|[•·]|\d{1,2}(?:[.)][ \t]|、)|[（(]?[一二三四五六七八九十]{1,2}[)）、])[ \t]*(?=\S)"
)
_HEADING = regex.compile(r"(?m)^#{1,6}[ \t]+\S")
_SPACED = regex.compile(rf"(?<={HAN}) (?=[A-Za-z0-9])|(?<=[A-Za-z0-9]) (?={HAN})")
_UNSPACED = regex.compile(rf"(?<={HAN})(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?={HAN})")
_FULL_WIDTH = regex.compile(rf"(?<={HAN})[，。！？；：（）]")
_HALF_WIDTH = regex.compile(rf"(?<={HAN})[,.!?;:()](?!\w)|(?<={HAN})[,;:](?={HAN})")
_EXCLAIMED = regex.compile(r"!(?![\[=])|！")
_CODE = regex.compile(r"(?ms)^[ \t]*(```+|~~~+).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)|`[^`\n]+`")
_INK = regex.compile(r"[^\n]")
_BLANK_LINE = regex.compile(r"\n[ \t]*\n\s*")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text, half open, in code points."""

    start: int
    end: int


def sentences(text: str) -> Iterator[Span]:
    """All of `text` in order, cut behind every end of a sentence and every line."""
    start = 0
    for found in _SENTENCE_END.finditer(text):
        if found.end() > start:
            yield Span(start, found.end())
            start = found.end()
    if start < len(text):
        yield Span(start, len(text))


def without_code(text: str) -> str:
    """The text with spaces in place of fenced and inline code of Markdown, every place where it was."""
    return _CODE.sub(lambda found: _INK.sub(" ", found.group()), text) if "`" in text or "~~~" in text else text


def count_letters(text: str) -> int:
    """Letters and Chinese characters; no digits, marks or spaces."""
    return len(_LETTER.findall(text))


def count_words(text: str) -> int:
    """Latin words, and every Chinese character."""
    return len(_LETTERS.findall(text))


def paragraphs(text: str) -> list[str]:
    """Running paragraphs: between blank lines, without headings and lists."""
    blocks = [block.strip() for block in _BLANK_LINE.split(text)]
    return [block for block in blocks if block and not _HEADING.match(block) and not _LIST_ITEM.match(block)]


def is_heading(line: str) -> bool:
    """Whether a line is a heading of Markdown."""
    return bool(_HEADING.match(line))


def share_of_han(text: str) -> float:
    """Of all letters; 0 where there are none."""
    letters = count_letters(text)
    return len(regex.findall(HAN, text)) / letters if letters else 0.0


def count_emoji(text: str) -> int:
    """Pictures that are drawn in colour; ©, ® and arrows are none."""
    return len(_EMOJI.findall(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """How far a text goes one way, and, where only an exchange tells anything, how far it goes the other."""

    more: Callable[[str], int]
    less: Callable[[str], int] | None = None
    """None: marks stand for themselves; else both must change, in opposite ways."""
    least: int = 1
    """So much must `more` change to mean anything."""


def _count(pattern: regex.Pattern[str]) -> Callable[[str], int]:
    return lambda text: len(pattern.findall(text))


GAUGES: Mapping[Aspect, Gauge] = {
    Aspect.EMOJI: Gauge(more=count_emoji),
    Aspect.EXCLAMATIONS: Gauge(more=_count(_EXCLAIMED)),
    Aspect.HEADINGS: Gauge(more=_count(_HEADING)),
    Aspect.LISTS: Gauge(more=_count(_LIST_ITEM), least=2),
    Aspect.SECOND_PERSON: Gauge(more=_count(_YOU), least=2),
    Aspect.CONTRACTIONS: Gauge(more=_count(_CONTRACTED), less=_count(_SPELT_OUT)),
    Aspect.FORMALITY: Gauge(more=_count(_FORMAL), less=_count(_PLAIN)),
    Aspect.SPACING: Gauge(more=_count(_SPACED), less=_count(_UNSPACED)),
    Aspect.PUNCTUATION: Gauge(more=_count(_FULL_WIDTH), less=_count(_HALF_WIDTH)),
}
"""What is counted. Lengths are compared apart, in `traits`."""
