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
        """Whether what is named from `start` to `end` must stay as it is."""
        before, after = self.masked[:start], self.masked[end:]
        clause = re.split("[.;!?。；！？,，]", after)[0]
        if _EXCEPT_BEFORE.search(before) or _KEPT_AFTER.match(clause):
            return True
        if _KEEP_BEFORE.search(before) and not _HOW_AFTER.match(clause):
            return True
        return _PRAISED_AFTER.match(after) is not None

    def is_the_only_one(self, start: int, end: int) -> bool:
        """Whether nothing is to be touched but what is named: an exception from what must stay."""
        before, after = self.masked[:start], self.masked[end:]
        is_except = _EXCEPT_BEFORE.search(before) is not None or _OUTSIDE.match(after) is not None
        return _NOTHING_BUT.search(before) is not None or (is_except and _REST_STAYS.match(after) is not None)

    def is_comparison(self, start: int, end: int) -> bool:
        """Whether a part is named only as what another one shall be like."""
        before, after = self.masked[:start], self.masked[end:]
        return _LIKE_BEFORE.search(before) is not None or _LIKE_AFTER.match(after) is not None

    def is_new(self, start: int) -> bool:
        """Whether a part is named as what shall be added."""
        return _ADDED_BEFORE.search(self.masked[:start]) is not None


_WIDE = str.maketrans({wide: chr(ord("0") + digit) for digit, wide in enumerate("０１２３４５６７８９")})
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|『[^』]*』|《[^》]*》|(?<!\w)'[^']*'(?!\w)|`[^`]*`|‘[^’]*’")
_CHANGE = r"(?:touch(?:ing)?|chang(?:e|ing)|edit(?:ing)?|alter(?:ing)?|modify(?:ing)?|rewrit(?:e|ing)|revis(?:e|ing))"
_NEVER = r"(?:don['’]?t|do not|never|without|no need to)"
_BUT = r"(?:but|except(?:ing)?(?: for)?|other than|besides|apart from|aside from)"
_ALL = r"(?:everything|anything|nothing|all|everywhere|(?:every|each|any|no)\s+\w+|all(?:\s+\w+){1,3})"
_THE = r"\s+(?:for\s+|in\s+)?(?:the\s+)?$"
_ZH_NOT = r"(?:不要|不用|不必|不需要?|不能|不许|不准|不得|无需|无须|请?勿|别|甭|不)(?:再|去|做|作|进行|任何)*"
_ZH_CHANGE = r"(?:改动|修改|改|变动|动|碰|调整|更改|编辑)"
_ZH_EXCEPT = r"(?<![删去移扣清剔消解拆])(?:除了|除开|除去|除)"
_EXCEPT_BEFORE = re.compile(
    rf"\b(?:except(?:ing)?(?: for)?|excluding|apart from|aside from|other than|besides){_THE}"
    rf"|\b{_ALL}\s+but{_THE}|(?<!\bis )(?<!\bare )(?<!\bwhy )\bnot{_THE}"
    rf"|\b{_NEVER}\s+{_CHANGE}\s+(?:anything in\s+)?(?:the\s+)?$"
    rf"|{_ZH_EXCEPT}\s*$|{_ZH_NOT}{_ZH_CHANGE}[到了]?\s*$|保留\s*$"
)
_KEEP_BEFORE = re.compile(r"\b(?:leave|keep)\s+(?:the\s+)?$")
_HOW_AFTER = re.compile(
    r"\s*(?:out\b|short|brief|simple|concise|small|crisp|clear|plain|formal|informal|friendly|to\b|under\b|below\b|"
    r"within\b|at\b|but\b|\w+er\b)"
)
"""“Keep paragraph 2 short”, “leave it out”: that is something to do."""
_KEPT_AFTER = re.compile(
    r"\s*(?:as (?:it is|they are|is)|alone|unchanged|untouched|the same)\b"
    r"|\s*(?:should |must |can |may |shall |will )?(?:stays?|remains?)\b(?!\s+(?:short|brief|under|below|within|at))"
    r"|\s*(?:should|must|may|can|need)(?:\s*not|n['’]t)\s+(?:be\s+)?(?:touched|changed?|edited|altered)\b"
    rf"|\s*(?:请|先|就|都|也|均|全|暂时|一起)*{_ZH_NOT}(?:{_ZH_CHANGE}|变(?![得成短长]))"
    r"|\s*(?:请|就|都|先|均)*(?:保持|维持|保留)(?:不变|不动|原样|原状|原文|原貌|着)?\s*$|\s*(?:都|就|请)?(?:保持|维持)"
    r"(?:不变|不动|原样|原状|原文)|\s*(?:照旧|原封不动|就这样)|\s*(?:以外|之外|除外)"
)
_PRAISED_AFTER = re.compile(
    r"\s*(?:is|are|looks?|reads?)\s+(?:already\s+|very\s+)?(?:fine|good|great|perfect|ok(?:ay)?)\b[^.;!?]*"
    r"\b(?:rest|others?|everything else)\b"
    r"|\s*(?:已经|写得|就|都|也)*(?:很好|不错|挺好|没问题|满意|可以了)[^。；！？]*(?:其他|其它|其余|别的|剩下|余下)"
)
"""What is praised while the rest is to be changed."""
_NOTHING_BUT = re.compile(
    rf"\bnothing\b[^.;!?,]{{0,40}}\b{_BUT}{_THE}"
    rf"|\b{_NEVER}\s+{_CHANGE}\s+(?:any|every|it\b|the (?:text|rest|others?|wording)|a (?:thing|word))"
    rf"[^.;!?,]{{0,30}},?\s*\b{_BUT}{_THE}"
    rf"|\b(?:keep|leave)\s+(?:everything|all|the (?:rest|text))\b[^.;!?,]{{0,30}},?\s*\b{_BUT}{_THE}"
    rf"|(?:什么|哪里|哪儿|其他|其它|其余|别的|全文|全部|都|一概|一律|内容)[^。；！？]{{0,8}}?{_ZH_NOT}{_ZH_CHANGE}"
    rf"[^。；！？]{{0,3}}[,，]?\s*{_ZH_EXCEPT}\s*$"
)
_OUTSIDE = re.compile(r"\s*(?:以外|之外)")
_REST_STAYS = re.compile(
    r"\s*(?:should |must |can |may |shall )?(?:stays?|remains?|unchanged|untouched|as (?:it|they))\b"
    r"|\s*(?:以外|之外|外)?\s*[,，]?\s*(?:请|把)?(?:其他|其它|其余|别的|剩下|余下|什么|哪里|哪儿|任何|全部)?[^,，。；！？]{0,6}?"
    rf"(?:请|都|也|全|全部|一律|统统|均|一概)*(?:{_ZH_NOT}(?:{_ZH_CHANGE}|变)|(?:保持|维持)(?:不变|不动|原样|原状|原文))"
)
"""Behind an exception: that all else stays, so that the exception is the only thing to be changed."""
_LIKE_BEFORE = re.compile(
    r"(?<!\bother )\b(?:like|than|as [a-z]+ as|similar to|match(?:es|ing)?)\s+(?:in\s+)?(?:the\s+)?$"
    r"|(?:像|比|参照|仿照)\s*$"
)
_LIKE_AFTER = re.compile(r"\s*(?:一样|那样|那么|类似)")
_ADDED_BEFORE = re.compile(
    r"\b(?:add|insert|append|write|put|give it|into|in|as|make it)\s+(?:in\s+)?(?:an?|another|one more|some|two|three)"
    r"\s+(?:(?!at\b|to\b|in\b|on\b|of\b)\w+\s+){0,3}$"
    r"|(?:加|添|增加|添加|插入|补|补充|写|新增|改成|变成|做成)(?:上|入|写|一|两|三|几|个|条|张|段|小|新|短|的)*\s*$"
)
