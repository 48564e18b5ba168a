"""The offline editor: does what needs no understanding, by fixed rules, and says plainly that the rest needs a model.

It reads the same request as a model and answers in the same form, so its operations are checked like a model's.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import regex

from engine.domain.counted_parts import EN_PARAGRAPH, ZH_PARAGRAPH, counted
from engine.domain.data_message import DataKind, unwrap_all
from engine.llm.offline_pairs import ABOUT_EMOJI, FEWER, NARROWER, PUNCTUATION, SPACES, deleted, replaced
from engine.llm.offline_rewriting import (
    EMOJI,
    append_emoji,
    first_sentences,
    replace_words,
    space_scripts,
    widen_punctuation,
    without_emoji,
    without_words,
)

NEEDS_MODEL = {
    True: "我是离线编辑：没有接入模型，只按固定规则改。这条要求需要模型来做：“{asked}”",
    False: "I am the offline editor: no model is connected, so I follow set rules. This needs a model: “{asked}”",
}
"""By whether Chinese was written."""
_USUAL_EMOJI = "🎉"
_PROSE = frozenset({"paragraph", "list", "heading", "table"})
_HAN = regex.compile(r"\p{Han}")


def offline_edit(messages: Sequence[Mapping[str, object]]) -> str:
    """The answer to an edit request, as JSON: equal messages, equal answer."""
    found = dict(unwrap_all(str(messages[1].get("content")))) if len(messages) > 1 else {}
    asked = found.get(DataKind.ASKED, {}).get("suggestions")
    desk = _Desk(found.get(DataKind.TEXT, {}))
    question = None
    for suggestion in asked if isinstance(asked, list) else []:
        words = str(suggestion.get("text"))
        if not desk.follow(_Asked.read(suggestion, desk.blocks)):
            question = question or NEEDS_MODEL[_HAN.search(words) is not None].format(asked=words[:80])
    return json.dumps({"operations": desk.operations(), "question": question}, ensure_ascii=False)


@dataclass(slots=True)
class _Block:
    """A block with the text that it has by now."""

    number: int
    kind: str
    begins: str
    text: str
    followed: list[int]
    """Suggestions that have changed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """One suggestion, and what may be changed for it."""

    number: int
    words: str
    allowed: frozenset[int]
    is_named: bool
    """Whether a part of the text was named."""
    may_change_title: bool
    named: tuple[int, ...]
    """Blocks of the counted paragraphs, in the order in which they were named."""

    @classmethod
    def read(cls, suggestion: Mapping[str, object], blocks: Mapping[int, _Block]) -> "_Asked":
        may_change, words = suggestion.get("may_change"), str(suggestion.get("text"))
        paragraphs = [block.number for block in blocks.values() if block.kind == "paragraph"] or list(blocks)
        numbers = [
            number
            for named in counted(words.lower(), english=EN_PARAGRAPH, chinese=ZH_PARAGRAPH)
            for number in named.numbers
        ]
        named = [
            paragraphs[number - 1 if number > 0 else number] for number in numbers if abs(number) <= len(paragraphs)
        ]
        return cls(
            number=int(str(suggestion.get("number"))),
            words=words,
            allowed=frozenset(may_change if isinstance(may_change, list) else blocks),
            is_named=isinstance(may_change, list),
            may_change_title=bool(suggestion.get("may_change_title")),
            named=tuple(named),
        )


class _Desk:
    """The text while suggestion after suggestion is followed."""

    def __init__(self, text: Mapping[str, object]) -> None:
        self.title = str(text.get("title") or "")
        self._is_code = bool(text.get("is_code"))
        listed = text.get("blocks")
        self.blocks = {block.number: block for block in _read_blocks(listed if isinstance(listed, list) else [])}
        self._titled: tuple[str, int] | None = None
        self._others: list[dict[str, object]] = []

    def follow(self, asked: _Asked) -> bool:
        """Do it, if one of the rules can; they are tried in their order."""
        return any(rule(self, asked) for rule in _RULES)

    def operations(self) -> list[dict[str, object]]:
        """Everything that was done, each block once."""
        done = [
            _operation(block.followed, "replace", block, text=block.text)
            for block in self.blocks.values()
            if block.followed
        ]
        if self._titled is not None:
            title, number = self._titled
            done.append(_operation([number], "title", None, text=title))
        return done + self._others

    def rewrite(self, asked: _Asked, change: Callable[[str], str], *, kinds: frozenset[str] = _PROSE) -> bool:
        """Change the allowed blocks of these kinds; False where none of them changes."""
        is_any = False
        for block in self._allowed(asked):
            new = change(block.text) if self._is_code or block.kind in kinds else block.text
            if new != block.text and new.strip():
                block.text = new
                block.followed.append(asked.number)
                is_any = True
        return is_any

    def retitle(self, asked: _Asked, title: str) -> bool:
        """Change the title, and the heading that opens the text with it."""
        if not title or not asked.may_change_title or title == self.title:
            return False
        opening = self.blocks.get(1)
        if opening is not None and opening.number in asked.allowed and opening.text.lstrip("# ") == self.title:
            opening.text = f"# {title}"
            opening.followed.append(asked.number)
        self._titled = title, asked.number
        return True

    def replace(self, asked: _Asked, old: str, new: str) -> bool:
        """Other words for those that are named, or none; False where they do not stand there."""

        def change(text: str) -> str:
            return replace_words(text, old, new) if new else without_words(text, old)

        is_any = self.rewrite(asked, change, kinds=_PROSE | {"code", "front_matter"})
        title = change(self.title)
        is_titled = asked.may_change_title and title != self.title and self.retitle(asked, title)
        return is_any or is_titled

    def delete(self, asked: _Asked) -> bool:
        """Every allowed block."""
        for block in self._allowed(asked):
            self._others.append(_operation([asked.number], "delete", block))
        return bool(asked.allowed)

    def move(self, asked: _Asked, number: int, verb: str, anchor: int) -> bool:
        """Put a block beside another one."""
        if number not in asked.allowed or anchor not in self.blocks or number == anchor:
            return False
        self._others.append(_operation([asked.number], verb, self.blocks[number], anchor=anchor))
        return True

    def insert_before(self, asked: _Asked, text: str) -> bool:
        """A new block before the first allowed one."""
        first = self.blocks[min(asked.allowed)]
        self._others.append(_operation([asked.number], "insert_before", first, text=text))
        return True

    def last_paragraph(self, asked: _Asked) -> frozenset[int]:
        """The last allowed paragraph."""
        numbers = [block.number for block in self._allowed(asked) if block.kind == "paragraph"]
        return frozenset(numbers[-1:])

    @property
    def top(self) -> int:
        """The first block behind the front matter and the title that opens the text."""
        heads = ("front_matter", "heading")
        return next((number for number, block in self.blocks.items() if block.kind not in heads), 1)

    @property
    def is_code(self) -> bool:
        """Whether the text is a program."""
        return self._is_code

    def _allowed(self, asked: _Asked) -> list[_Block]:
        return [block for block in self.blocks.values() if block.number in asked.allowed]


def _read_blocks(listed: Sequence[object]) -> Iterator[_Block]:
    for block in listed:
        if isinstance(block, dict) and not block.get("is_cut"):
            text = str(block.get("text"))
            yield _Block(int(block["number"]), str(block.get("kind")), text[:24], text, [])


def _operation(
    follows: Sequence[int], do: str, block: _Block | None, *, text: str = "", anchor: int = 0
) -> dict[str, object]:
    return {
        "suggestions": list(dict.fromkeys(follows)),
        "do": do,
        "block": block.number if block else 0,
        "begins": block.begins if block else "",
        "anchor": anchor,
        "text": text,
    }


_Q = "[“\"'「『‘`《]"
_UNQ = "[”\"'」』’`》]"
_TITLE = re.compile(
    r"\btitle\s*(?:to|into|:|=|should be|shall be|must be)\s*(?P<title>.+)$"
    r"|(?<![小级节段])(?:标题|题目)\s*(?:改成|改为|换成|设为|叫|：|:)\s*(?P<zh_title>.+)$",
    re.IGNORECASE,
)
_HEADING = re.compile(
    rf"\badd\s+(?:a\s+|the\s+)?(?:sub)?heading\s*{_Q}?(?P<text>[^”\"」』]+?){_UNQ}?\s+(?:before|above)\b"
    rf"|前面?(?:加|添|插入)(?:上|入)?一?个?小?标题\s*[:：]?\s*{_Q}?(?P<zh_text>[^”\"」』。]+)"
    rf"|(?:加|添|插入)(?:上|入)?一?个?小?标题\s*[:：]?\s*{_Q}(?P<zh_before>[^”\"」』。]+){_UNQ}\s*[到在].+前",
    re.IGNORECASE,
)
_DELETES = re.compile(
    r"^\W*(?:please\s+)?(?:delete|remove|drop|cut)\b|删掉|删除|删去|去掉|去除|拿掉|删了", re.IGNORECASE
)
_PARTS = re.compile(
    r"\b(?:paragraphs?|paras?|sections?|chapters?|headings?|lists?|tables?|code|introduction|conclusion)\b"
    r"|段|节|章|部分|小标题|列表|清单|表格|代码|引言|结语",
    re.IGNORECASE,
)
_SMALLER = re.compile(
    r"\b(?:sentences?|words?|phrases?|commas?|emojis?|characters?)\b|句|词|字|逗号|表情|emoji", re.IGNORECASE
)
_MOVES = re.compile(r"\b(?:move|put)\b|移到|挪到|放到|移至|调到|挪至", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:before|above|top|beginning|start)\b|前|开头", re.IGNORECASE)
_TO_END = re.compile(r"\bto the (?:very )?(?:end|bottom)\b|最后(?!一|两)|末尾|结尾|文末", re.IGNORECASE)
_TO_TOP = re.compile(r"\bto the (?:very )?(?:top|beginning|start)\b|最前|开头|文首", re.IGNORECASE)
_SWAPS = re.compile(r"\b(?:swap|switch|exchange)\b|对调|交换|互换|调换", re.IGNORECASE)
_SHORTENS = re.compile(
    r"\b(?:shorten|shorter|condense|cut down|too long)\b|缩短|短一?[点些]|太长|精简|压缩|更短|改短|简短", re.IGNORECASE
)
_SENTENCES = re.compile(r"\b(one|two|three|four|five|\d+)\s+sentences?\b|([一两二三四五\d])句", re.IGNORECASE)
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5}


def _replaces(desk: _Desk, asked: _Asked) -> bool:
    return any(desk.replace(asked, pair.old, pair.new) for pair in replaced(asked.words))


def _deletes_words(desk: _Desk, asked: _Asked) -> bool:
    return any(desk.replace(asked, pair.old, "") for pair in deleted(asked.words))


def _retitles(desk: _Desk, asked: _Asked) -> bool:
    found = _TITLE.search(asked.words)
    said = (found["title"] or found["zh_title"]) if found else ""
    return desk.retitle(asked, said.strip().rstrip("。.").strip("“”\"'「」『』《》 "))


def _adds_heading(desk: _Desk, asked: _Asked) -> bool:
    found = _HEADING.search(asked.words)
    if found is None or desk.is_code or not asked.is_named or not asked.allowed:
        return False
    said = found["text"] or found["zh_text"] or found["zh_before"]
    return desk.insert_before(asked, f"## {said.strip()}")


def _swaps(desk: _Desk, asked: _Asked) -> bool:
    if not _SWAPS.search(asked.words) or len(set(asked.named)) != 2:
        return False
    first, second = sorted(set(asked.named))
    behind_first = [number for number in desk.blocks if first < number < second]
    is_moved = desk.move(asked, second, "move_before", first)
    if not is_moved or not behind_first:
        return is_moved
    return desk.move(asked, first, "move_after", behind_first[-1])


def _moves(desk: _Desk, asked: _Asked) -> bool:
    if not _MOVES.search(asked.words) or not asked.named:
        return False
    numbers = list(desk.blocks)
    if len(asked.named) == 1 and _TO_END.search(asked.words):
        return desk.move(asked, asked.named[0], "move_after", numbers[-1])
    if len(asked.named) == 1 and _TO_TOP.search(asked.words):
        return desk.move(asked, asked.named[0], "move_before", desk.top)
    if len(asked.named) != 2:
        return False
    verb = "move_before" if _BEFORE.search(asked.words) else "move_after"
    return desk.move(asked, asked.named[0], verb, asked.named[1])


def _deletes(desk: _Desk, asked: _Asked) -> bool:
    is_plain = _DELETES.search(asked.words) and _PARTS.search(asked.words) and not _SMALLER.search(asked.words)
    names_words = any(deleted(asked.words))
    return bool(is_plain) and not names_words and asked.is_named and desk.delete(asked)


def _shortens(desk: _Desk, asked: _Asked) -> bool:
    if not _SHORTENS.search(asked.words) or not asked.is_named:
        return False
    told = _SENTENCES.search(asked.words)
    said = (told.group(1) or told.group(2)).lower() if told else ""
    count = (int(said) if said.isdecimal() else _COUNTS[said]) if said else None
    return desk.rewrite(asked, lambda text: first_sentences(text, count), kinds=frozenset({"paragraph"}))


def _types_well(desk: _Desk, asked: _Asked) -> bool:
    changes = [
        change
        for pattern, change in ((PUNCTUATION, widen_punctuation), (SPACES, space_scripts))
        if pattern.search(asked.words) and not FEWER.search(asked.words) and not NARROWER.search(asked.words)
    ]

    def change_all(text: str) -> str:
        for change in changes:
            text = change(text)
        return text

    return bool(changes) and not desk.is_code and desk.rewrite(asked, change_all)


def _puts_emoji(desk: _Desk, asked: _Asked) -> bool:
    named = EMOJI.search(asked.words)
    if named is None and not ABOUT_EMOJI.search(asked.words):
        return False
    if FEWER.search(asked.words):
        return desk.rewrite(asked, without_emoji)
    emoji = named.group() if named else _USUAL_EMOJI
    last = desk.last_paragraph(asked)
    return desk.rewrite(replace(asked, allowed=last), lambda text: append_emoji(text, emoji))


_RULES: tuple[Callable[[_Desk, _Asked], bool], ...] = (
    _retitles,
    _replaces,
    _deletes_words,
    _adds_heading,
    _swaps,
    _moves,
    _deletes,
    _types_well,
    _puts_emoji,
    _shortens,
)
