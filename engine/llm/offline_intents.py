"""What the newest words of a student ask for, told by fixed patterns in both languages."""

import re
from enum import StrEnum

import regex


class Intent(StrEnum):
    """What words ask for; where more fits, the earlier one."""

    CLAIMS_FIXED = "claims_fixed"
    ASKS_PLAN = "asks_plan"
    ASKS_CHANGES = "asks_changes"
    ASKS_CRITERIA = "asks_criteria"
    ASKS_WHY = "asks_why"
    TELLS_TRIED = "tells_tried"
    ASKS_NEXT = "asks_next"
    OTHER = "other"


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_FIXED_EN = _any_of(
    r"\b(?:fixed|solved|resolved|repaired|finished|completed|done now)\b",
    r"\b(?:it's|i'm|is|am|all|now) done\b",
    r"\b(?:works?|passes|passing) now\b",
    r"\b(?:now|it|everything|all) (?:works|passes)\b",
)
_DENIED_EN = re.compile(
    r"(?:\b(?:not|never|cannot|cant|how|unable|until|if|when)|n't)\b[^.,;!?\n]{0,30}$", re.IGNORECASE
)
_FIXED_ZH = _any_of(
    "修好|改好|改完|弄好|做好了|做完|搞定",
    "修复了|已修复|已经修复|解决了|已解决|已经解决",
    "已完成|完成了|已经改|通过了",
)
_DENIED_ZH = re.compile(r"(?:没|未|不能|无法|怎么|怎样|如何|等)[^。，；！？,;!?\n]{0,12}$")

_PATTERNS = {
    Intent.ASKS_PLAN: _any_of(
        r"\b(?:make|give|write|draw up|need|want|change|new|another)\b[^.?!\n]{0,30}\bplan\b",
        "(?:做|给|列|写|订|定|要|换|改|重新|新)[^。？！\n]{0,8}(?:计划|规划)|(?:计划|规划)一下",
    ),
    Intent.ASKS_CHANGES: _any_of(
        r"what(?:'s| has| have)? changed|what is (?:new|different)|since (?:the |my )?last|compared? (?:to|with)",
        "有什么变化|有哪些变化|什么变化|变了什么|哪里变|和上次|跟上次|与上次|比上次",
    ),
    Intent.ASKS_CRITERIA: _any_of(
        r"\bcriteria\b|\b(?:judged|graded|looked at)\b|how .{0,20}\breviewed\b",
        "有哪些标准|什么标准|标准是什么|哪些标准|怎么评|如何评|评什么|看什么|看哪些|看哪几",
    ),
    Intent.ASKS_WHY: _any_of(
        r"\bexplain|\bwhy\b|\bmeans?\b|went wrong|wrong with|(?:don't|do not) understand|\bunclear\b",
        "解释|说明一下|为什么|为何|什么意思|看不懂|不明白|没看懂|怎么回事|错在哪|哪里错|哪里不对",
    ),
    Intent.TELLS_TRIED: _any_of(
        r"\b(?:i|we)(?:'ve| have)?(?: already| also| just)? (?:tried|changed|added|removed|replaced|wrote|ran)\b",
        r"\btried to\b",
        "我试|试过|试了|尝试过|尝试了|我改了|我加了|我删了|我换了|我写了|我跑了|我运行了|已经加了|已经写了",
    ),
    Intent.ASKS_NEXT: _any_of(
        r"what (?:now|next)|next step|what (?:should|can|do|must) i\b",
        r"where (?:do|should) i|how (?:do|can|should) i\b|\bhelp\b|\bstuck\b",
        "怎么办|下一步|怎么改|怎么做|怎么修|如何改|如何做|从哪|做什么|帮我|卡住",
    ),
}


def read_intent(words: str) -> Intent:
    """What `words` ask for. A claim to have fixed something comes first, unless it is denied."""
    plain = words.replace("’", "'")
    if _is_claimed(plain, _FIXED_EN, _DENIED_EN) or _is_claimed(plain, _FIXED_ZH, _DENIED_ZH):
        return Intent.CLAIMS_FIXED
    return next((intent for intent, pattern in _PATTERNS.items() if pattern.search(plain)), Intent.OTHER)


def _is_claimed(words: str, claim: re.Pattern[str], denial: re.Pattern[str]) -> bool:
    return any(not denial.search(words[max(0, found.start() - 45) : found.start()]) for found in claim.finditer(words))


def quote_tried(words: str, limit: int = 60) -> str:
    """The sentence of `words` that tells what was tried, on one line, at most `limit` characters with its mark."""
    sentences = [part for part in re.split(r"(?<=[.!?])\s+|(?<=[。！？])|\n+", words) if part.strip()]
    tried = _PATTERNS[Intent.TELLS_TRIED]
    sentence = next((part for part in sentences if tried.search(part.replace("’", "'"))), words)
    return cut_words(" ".join(sentence.split()), limit)


def cut_words(text: str, limit: int) -> str:
    """`text`, at most `limit` characters with its mark; what is seen as one character is never split."""
    if len(text) <= limit:
        return text
    kept = ""
    for grapheme in regex.findall(r"\X", text[: limit + 1]):
        if len(kept) + len(grapheme) > limit - 1:
            break
        kept += grapheme
    return kept.rstrip() + "…"
