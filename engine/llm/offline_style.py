"""What of a style can be applied without understanding a text: marks, spacing, set words, cutting and joining.

Equal text and rules, equal result; applying twice changes no more than once. Everything else needs a model, and
whoever asks is told what was not applied.
"""

import re
from collections.abc import Callable, Iterable, Mapping

import regex

from engine.domain.preference import Aspect, Direction, StyleRule

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_EMOJI = regex.compile(
    r"[ ]?(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f)"
    r"(?:\p{Emoji_Modifier}|\ufe0f|\u200d\p{Extended_Pictographic}\ufe0f?)*"
)
ONE_EMOJI = "✨"
_BLANK = re.compile(r"\n{2,}")
_LIST_LINE = re.compile(r"^(?:[-*•] |\d{1,2}[.)] )")
_HEADING = re.compile(r"^#{1,6} ")
_CLOSING = "[\"'”’)\\]』」）》]*+"
_LATIN_END = rf"[.!?]++{_CLOSING}(?=[\s{_HAN}]|$)"
"""Where a space or Han follows: what stands in a number, a path or a file name ends nothing."""
_SENTENCE = re.compile(rf"(?:(?!(?<![.!?]){_LATIN_END})[^。！？\n])*+(?:{_LATIN_END}|[。！？]++{_CLOSING})?")
_CLOSE = re.compile(f"[{_HAN}\u3000-\u303f\uff00-\uffef]")
"""What needs no space beside it."""
LEAST_ITEMS = 3
"""Sentences of a paragraph that becomes a list."""
_PER_PARAGRAPH = 2
"""Sentences of a short paragraph."""

_CONTRACTED: tuple[tuple[str, str], ...] = (
    ("do not", "don't"),
    ("does not", "doesn't"),
    ("did not", "didn't"),
    ("is not", "isn't"),
    ("are not", "aren't"),
    ("cannot", "can't"),
    ("will not", "won't"),
    ("should not", "shouldn't"),
    ("it is", "it's"),
    ("that is", "that's"),
    ("we are", "we're"),
    ("you are", "you're"),
    ("they are", "they're"),
    ("we will", "we'll"),
    ("you will", "you'll"),
)
_FORMAL: tuple[tuple[str, str], ...] = (
    ("in order to", "to"),
    ("utilize", "use"),
    ("furthermore", "also"),
    ("subsequently", "later"),
    ("commence", "start"),
    ("terminate", "end"),
    ("approximately", "about"),
    ("assist", "help"),
    ("demonstrate", "show"),
    ("sufficient", "enough"),
    ("numerous", "many"),
    ("prior to", "before"),
    ("综上所述", "总之"),
    ("因此", "所以"),
    ("此外", "另外"),
    ("旨在", "想"),
    ("进行了", "做了"),
    ("应当", "要"),
    ("敬请", "请大家"),
    ("较为", "比较"),
    ("即可", "就行"),
)


def apply_rules(text: str, rules: Iterable[StyleRule]) -> tuple[str, tuple[StyleRule, ...]]:
    """`text` in the style of `rules`, and those of them that were applied, in their order.

    A rule counts as applied when it could be, also where the text was so already.
    """
    applied = tuple(rule for rule in rules if can_apply(rule))
    wanted = {(rule.aspect, rule.direction) for rule in applied}
    for step, change in _STEPS.items():
        if step in wanted:
            text = change(text)
    return text, applied


def can_apply(rule: StyleRule) -> bool:
    """Whether a rule is among those that need no understanding."""
    return (rule.aspect, rule.direction) in _STEPS


def split_sentences(text: str) -> list[str]:
    """Sentences of one paragraph with their marks, without the space around them."""
    return [found.group().strip() for found in _SENTENCE.finditer(text) if found.group().strip()]


def _is_chinese(text: str) -> bool:
    return bool(re.search(f"[{_HAN}]", text))


def _blocks(text: str, change: Callable[[str], str]) -> str:
    """Each running paragraph changed; headings and lists stay."""
    blocks = _BLANK.split(text)
    return "\n\n".join(one if _is_marked(one) else change(one) for one in blocks)


def _is_marked(block: str) -> bool:
    return bool(_HEADING.match(block) or _LIST_LINE.match(block))


def _joined(sentences: Iterable[str]) -> str:
    text = ""
    for sentence in filter(None, sentences):
        is_close = not text or _CLOSE.match(text[-1]) or _CLOSE.match(sentence)
        text += sentence if is_close else f" {sentence}"
    return text


def _no_emoji(text: str) -> str:
    return _EMOJI.sub("", text)


def _one_emoji(text: str) -> str:
    if _EMOJI.search(text):
        return text
    blocks = _BLANK.split(text)
    place = next((at for at, one in enumerate(blocks) if not _is_marked(one)), 0)
    blocks[place] += f" {ONE_EMOJI}"
    return "\n\n".join(blocks)


def _exclaim(text: str) -> str:
    """The first running paragraph ends with an exclamation mark."""
    if re.search("[!！]", text):
        return text
    blocks = _BLANK.split(text)
    for place, one in enumerate(blocks):
        if not _is_marked(one):
            blocks[place] = re.sub(r"[.。](?=\W*$)", lambda found: "！" if found.group() == "。" else "!", one, count=1)
            break
    return "\n\n".join(blocks)


def _calm(text: str) -> str:
    return text.replace("！", "。").replace("!", ".")


def _swap(pairs: Iterable[tuple[str, str]]) -> Callable[[str], str]:
    """Set words replaced, a capital at the beginning kept."""
    table = dict(pairs)
    ordered = sorted(table, key=len, reverse=True)
    pattern = re.compile(
        "|".join(word if _is_chinese(word) else rf"\b{re.escape(word)}\b" for word in ordered), re.IGNORECASE
    )

    def replaced(found: re.Match[str]) -> str:
        word = table[found.group().casefold()]
        return word[:1].upper() + word[1:] if found.group()[:1].isupper() else word

    return lambda text: pattern.sub(replaced, text.replace("’", "'"))


def _listed(text: str) -> str:
    def as_list(block: str) -> str:
        found = split_sentences(block)
        return "\n".join(f"- {one}" for one in found) if len(found) >= LEAST_ITEMS else block

    return _blocks(text, as_list)


def _unlisted(text: str) -> str:
    def as_prose(block: str) -> str:
        lines = block.split("\n")
        if not all(map(_LIST_LINE.match, lines)):
            return block
        return _joined(_LIST_LINE.sub("", line).strip() for line in lines)

    return "\n\n".join(as_prose(block) for block in _BLANK.split(text))


def _no_headings(text: str) -> str:
    return "\n\n".join(block for block in _BLANK.split(text) if not _HEADING.match(block) or "\n" in block)


def _short_sentences(text: str) -> str:
    """Cut where a clause can stand alone."""
    text = re.sub(r"([,;]) (?:and|so) (\w)", lambda found: f". {found[2].upper()}", text)
    return re.sub("[,;，；](?:而且|并且|所以)|[;；]", "。" if _is_chinese(text) else ".", text)


def _short_paragraphs(text: str) -> str:
    def cut(block: str) -> str:
        found = split_sentences(block)
        pieces = [found[at : at + _PER_PARAGRAPH] for at in range(0, len(found), _PER_PARAGRAPH)]
        return "\n\n".join(map(_joined, pieces))

    return _blocks(text, cut)


def _long_paragraphs(text: str) -> str:
    """Neighbouring running paragraphs become one."""
    kept: list[str] = []
    for block in _BLANK.split(text):
        if kept and not _is_marked(block) and not _is_marked(kept[-1]):
            kept[-1] = _joined([kept[-1], block])
        else:
            kept.append(block)
    return "\n\n".join(kept)


def _short_text(text: str) -> str:
    """The first two sentences of each running paragraph; lists and headings stay."""
    return _blocks(text, lambda block: _joined(split_sentences(block)[:_PER_PARAGRAPH]))


def _spaced(text: str) -> str:
    text = re.sub(f"([{_HAN}])([A-Za-z0-9])", r"\1 \2", text)
    return re.sub(f"([A-Za-z0-9])([{_HAN}])", r"\1 \2", text)


def _unspaced(text: str) -> str:
    text = re.sub(f"([{_HAN}]) ([A-Za-z0-9])", r"\1\2", text)
    return re.sub(f"([A-Za-z0-9]) ([{_HAN}])", r"\1\2", text)


_WIDE = str.maketrans(",;:!?", "，；：！？")
_NARROW = str.maketrans("，；：！？", ",;:!?")


def _full_width(text: str) -> str:
    text = re.sub(f"(?<=[{_HAN}])[,;:!?]", lambda found: found.group().translate(_WIDE), text)
    return re.sub(rf"(?<=[{_HAN}])\.(?=\s|$|[{_HAN}])", "。", text)


def _half_width(text: str) -> str:
    return text.translate(_NARROW)


_STEPS: Mapping[tuple[Aspect, Direction], Callable[[str], str]] = {
    (Aspect.HEADINGS, Direction.LESS): _no_headings,
    (Aspect.LISTS, Direction.LESS): _unlisted,
    (Aspect.TEXT, Direction.LESS): _short_text,
    (Aspect.PARAGRAPHS, Direction.MORE): _long_paragraphs,
    (Aspect.SENTENCES, Direction.LESS): _short_sentences,
    (Aspect.PARAGRAPHS, Direction.LESS): _short_paragraphs,
    (Aspect.LISTS, Direction.MORE): _listed,
    (Aspect.FORMALITY, Direction.LESS): _swap(_FORMAL),
    (Aspect.FORMALITY, Direction.MORE): _swap(
        (plain, formal) for formal, plain in _FORMAL if plain not in ("to", "想")
    ),
    (Aspect.CONTRACTIONS, Direction.MORE): _swap(_CONTRACTED),
    (Aspect.CONTRACTIONS, Direction.LESS): _swap((short, spelt) for spelt, short in _CONTRACTED),
    (Aspect.PUNCTUATION, Direction.MORE): _full_width,
    (Aspect.PUNCTUATION, Direction.LESS): _half_width,
    (Aspect.EXCLAMATIONS, Direction.LESS): _calm,
    (Aspect.EXCLAMATIONS, Direction.MORE): _exclaim,
    (Aspect.EMOJI, Direction.LESS): _no_emoji,
    (Aspect.EMOJI, Direction.MORE): _one_emoji,
    (Aspect.SPACING, Direction.MORE): _spaced,
    (Aspect.SPACING, Direction.LESS): _unspaced,
}
"""In the order of applying: what removes or regroups first, single marks last."""
