"""What can be done to a stretch of text without understanding it; equal text, equal result."""

import re
from collections.abc import Callable

import regex

_PROTECTED = re.compile(r"`[^`]*`|\]\([^()\n]*+\)|https?://[^\s）)」”]+|(?<![\w.-])[\w.-]++@[\w.-]+")
"""Code, addresses and the targets of links: nothing in them is touched. No character is looked at from many places,
so that a text of brackets or dots alone does not hold up everybody."""
_HAN = r"[\u3400-\u4dbf\u4e00-\u9fff]"
_SPACELESS = re.compile(rf"(?<={_HAN})(?=[A-Za-z0-9])|(?<=[A-Za-z0-9%+])(?={_HAN})")
_WIDE = str.maketrans({",": "，", ";": "；", ":": "：", "!": "！", "?": "？", ".": "。"})
_NARROW_MARK = re.compile(rf"(?<={_HAN}|[”」』）])[ \t]*([,;:!?]|\.(?!\.))[ \t]*(?![\d.])")
_NARROW_PAIR = re.compile(rf"\((?=[^()]*{_HAN})([^()]*)\)")
_SENTENCE = re.compile(r".+?(?:[。！？!?…]+[”’」』\")）]*|\.[\"')\]]*(?=\s|$)|$)\s*", re.DOTALL)
EMOJI = regex.compile(r"\p{Extended_Pictographic}(?:\ufe0f|\u200d\p{Extended_Pictographic}|\p{Emoji_Modifier})*")
"""One emoji with what belongs to it."""


def replace_words(text: str, old: str, new: str) -> str:
    """`new` for every `old`; words of Latin letters are replaced whole only."""
    before = r"(?<!\w)" if re.match(r"[A-Za-z0-9]", old) else ""
    after = r"(?!\w)" if re.search(r"[A-Za-z0-9]$", old) else ""
    return re.sub(f"{_unless_han(before)}{re.escape(old)}{_unless_han(after)}", lambda _found: new, text)


def without_words(text: str, old: str) -> str:
    """The text without any `old`, and without the blank that then would stand double, at an end or before a mark."""
    gone = replace_words(text, old, "\0")
    for pattern in (r"[ \t]+\0(?=[ \t,.;:!?]|$)", r"^\0[ \t]+", r"\0"):
        gone = re.sub(pattern, "", gone, flags=re.MULTILINE)
    return gone


def _unless_han(border: str) -> str:
    """A Han character beside a Latin word is no part of it, though it is a letter too."""
    return border.replace(r"\w", "[A-Za-z0-9_]")


def space_scripts(text: str) -> str:
    """A space between Han characters and Latin letters or digits."""
    return _outside_protected(text, lambda part: _SPACELESS.sub(" ", part))


def widen_punctuation(text: str) -> str:
    """Full-width punctuation behind Han characters, and around brackets that hold some."""

    def widen(part: str) -> str:
        marked = _NARROW_MARK.sub(lambda found: found.group(1).translate(_WIDE), part)
        return _NARROW_PAIR.sub(lambda found: f"（{found.group(1)}）", marked)

    return _outside_protected(text, widen)


def _outside_protected(text: str, change: Callable[[str], str]) -> str:
    pieces: list[str] = []
    place = 0
    for found in _PROTECTED.finditer(text):
        pieces += [change(text[place : found.start()]), found.group()]
        place = found.end()
    return "".join([*pieces, change(text[place:])])


def first_sentences(text: str, count: int | None) -> str:
    """The first `count` sentences; without a number the first half, at least one."""
    sentences = [found for found in _SENTENCE.findall(text) if found.strip()]
    kept = max(1, len(sentences) // 2) if count is None else count
    return "".join(sentences[:kept]).rstrip()


def append_emoji(text: str, emoji: str) -> str:
    """The text with the emoji at its end; behind a Latin word or full stop a space stands before it."""
    stripped = text.rstrip()
    joint = " " if stripped and stripped[-1].isascii() else ""
    return f"{stripped}{joint}{emoji}"


def without_emoji(text: str) -> str:
    """The text without any emoji, and without the space that stood before it."""
    return regex.sub(rf"(?<![ \t])[ \t]*+(?:{EMOJI.pattern})", "", text)
