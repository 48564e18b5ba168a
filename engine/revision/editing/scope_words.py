"""A suggestion as its words are read: what is quoted, excepted, compared or to be added, and what is about tone."""

import re
from dataclasses import dataclass, field

from engine.domain.text import clean

_TONE = re.compile(
    r"\b(?:tone|style|livel(?:y|ier)|formal|informal|casual|friendl(?:y|ier)|warm(?:er)?|conversational|playful|serious|"
    r"polite|enthusiastic|academic|professional|stiff|dry|boring|plain(?:er)? (?:words|language|english)|"
    r"simpler (?:words|language)|vivid|engaging|personal|upbeat)\b"
    r"|语气|口吻|口气|风格|文风|正式|活泼|生动|轻松|亲切|口语|书面|严肃|幽默|客气|礼貌|俏皮|官腔|生硬|通俗|热情|学术"
)
_STRUCTURE = re.compile(
    r"\b(?:add|insert|append|delete|remove|drop|split|merge|combine|move|swap|reorder|break)\b"
    r"[^.;!?]{0,40}\b(?:paragraphs?|sections?|headings?|subheadings?|lists?|tables?|parts?)\b"
    r"|(?:加|添|插入|补|删|去掉|拆|合并|移|调换|换到|分成)[^。；！？]{0,12}(?:段|节|标题|列表|表格|部分)"
)


def is_about_tone(words: str) -> bool:
    """Whether a suggestion is about how the text sounds, and asks for nothing that moves its parts."""
    return _TONE.search(words) is not None and _STRUCTURE.search(words) is None


@dataclass(slots=True)
class Suggestion:
    """A suggestion in lower case; in `masked` what stands in quotes is blanked out, since it is text and no name."""

    said: str
    whole: str = field(init=False)
    masked: str = field(init=False)

    def __post_init__(self) -> None:
        self.whole = clean(self.said).lower().translate(_WIDE)
        self.masked = _QUOTED.sub(lambda found: "_" * len(found.group()), self.whole)

    def is_exception(self, start: int, end: int) -> bool:
        """Whether the part is named as what must stay."""
        before = re.split("[.;!?。；！？,，]", self.masked[:start])[-1]
        after = re.split("[.;!?。；！？,，]", self.masked[end:])[0]
        return _EXCEPT_BEFORE.search(before) is not None or _KEPT_AFTER.match(after) is not None

    def is_comparison(self, start: int, end: int) -> bool:
        """Whether a part is named only as what another one shall be like."""
        before, after = self.masked[:start], self.masked[end:]
        return _LIKE_BEFORE.search(before) is not None or _LIKE_AFTER.match(after) is not None

    def is_new(self, start: int) -> bool:
        """Whether a part is named as what shall be added."""
        return _ADDED_BEFORE.search(self.masked[:start]) is not None


_WIDE = str.maketrans({wide: chr(ord("0") + digit) for digit, wide in enumerate("０１２３４５６７８９")})
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|『[^』]*』|《[^》]*》|(?<!\w)'[^']*'(?!\w)|`[^`]*`|‘[^’]*’")
_EXCEPT_BEFORE = re.compile(
    r"\b(?:but|except(?: for)?|excluding|apart from|other than|besides)\s+(?:the\s+)?$"
    r"|\b(?:don'?t|do not|never|without)\s+(?:touch(?:ing)?|chang(?:e|ing)|edit(?:ing)?|alter(?:ing)?)\s+(?:the\s+)?$"
    r"|\b(?:leave|keep)\s+(?:the\s+)?$|(?<![删去移清消剔扣拆])(?:除了?|除开)\s*$|(?:别动|不要动|不动|别改|不要改|保留)\s*$"
)
_KEPT_AFTER = re.compile(
    r"\s*(?:as (?:it is|they are|is)|alone|unchanged|untouched|stays?|the same)\b"
    r"|\s*(?:就|都|先)?(?:不要|别|不用|不必|不)(?:动|改|变)|\s*(?:保持|维持)(?:不变|原样|原文)|\s*(?:以外|之外)"
)
_LIKE_BEFORE = re.compile(
    r"\b(?:like|than|as [a-z]+ as|similar to|match(?:es|ing)?)\s+(?:in\s+)?(?:the\s+)?$|(?:像|比|参照|仿照)\s*$"
)
_LIKE_AFTER = re.compile(r"\s*(?:一样|那样|那么|类似)")
_ADDED_BEFORE = re.compile(
    r"\b(?:add|insert|append|write|put|give it|into|in|as|make it)\s+(?:in\s+)?(?:an?|another|one more|some|two|three)"
    r"\s+(?:(?!at\b|to\b|in\b|on\b|of\b)\w+\s+){0,3}$"
    r"|(?:加|添|增加|添加|插入|补|补充|写|新增|改成|变成|做成)(?:上|入|写|一|两|三|几|个|条|张|段|小|新|短|的)*\s*$"
)
