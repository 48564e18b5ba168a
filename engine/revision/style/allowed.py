"""What the words of a rule may be: about style, in one plain sentence, and never about judging or obeying.

The first lock is the way that rules go: a review is given none, a tutor only our own sentences on language and length
(`for_tutor`), so that a person's words reach nothing but texts of that person. This check is the second lock, and no
list of words is ever whole. It rather refuses a harmless sentence than lets one through that speaks of verdicts or of
rules.
"""

import re
import unicodedata

from engine.domain.preference import Proposal
from engine.domain.text import clean, is_blank

SENTENCE_CHARACTERS = 120
"""The longest rule."""

_FORBIDDEN_WORDS = re.compile(
    r"\b(verdicts?|rubrics?|criteri(?:on|a)|grad(?:e|es|ed|ing)|scor(?:e|es|ed|ing)|mark(?:s|ing)? (?:it|as|every)"
    r"|pass(?:es|ed|ing)?|fail(?:s|ed|ing|ure)?|need_review|review(?:s|er|ers|ed|ing)?|assess\w*|evaluat\w*"
    r"|approv\w*|accept(?:ance|ed|s)?|tutor\w*|teacher\w*|judge\w*|judgement|judgment|feedback"
    r"|ignor(?:e|es|ed|ing)|disregard\w*|forget|overrid\w*|bypass\w*|jailbreak\w*|obey\w*|pretend\w*"
    r"|system|prompts?|instruct\w*|rules?|role|assistant|developer|secrets?|passwords?|keys?|tokens?|json|schema"
    r"|admin\w*|execute|run this|answers?|solutions?)\b"
)
_FORBIDDEN_TURNS = re.compile(
    r"\b(?:requirements? (?:are|is|were|as|to|met)|chang\w* the requirements?|satisf\w*|done|(?:un)?finish\w*"
    r"|(?:is|are|as|be|all) (?:complete|met)|full (?:points|credit)|out of ten|missing|point(?:s|ing)? out"
    r"|(?:for|to|give|tell|ask|show) me|(?:whole|full|entire|complete) (?:program|code)"
    r"|(?:no|without|skip(?: the)?) hints?|as i say|whatever|act as|you are (?:now|my)"
    r"|(?:stands?|said|written|lines?|everything) (?:above|before)|(?:no|without) (?:limits?|restrictions?)"
    r"|reveal\w*|hidden|repeat your|lower the|lenien\w*|generous\w*|rat(?:e|ed|ing) (?:it|this|my|the)|prais\w*"
    r"|excellent|the (?:state|status) (?:to|as|is)|count \w+ tasks?|correct(?:ed)? as)\b"
)
"""What is harmless word by word and speaks of judging, of helping or of obeying together."""
_FORBIDDEN_HAN = re.compile(
    "评审|评判|评分|打分|分数|及格|通过|不合格|合格|标准|依据|准则|判定|判为|裁定|成绩|批改|反馈|导师|老师|教师"
    "|规则|指令|忽略|无视|不要理会|忘记|忘掉|绕过|越权|系统|提示词|角色|扮演|假装|密码|密钥|口令|管理员|答案|参考解"
    "|已完成|做完|算(?:我|做|作|完|通)|也算|没做|满足|达标|给过|放宽|宽松|要求(?:都|全|已|改)|作业要求|指出错误|指出问题"
    "|缺了|缺什么|完整的?(?:代码|程序)|替我|给我|照我|听我|告诉我|(?:不要|不用|别|不给|没有|无需)提示|反问我|问我"
    "|不管上面|上面写|不再受|(?:没有|不受|解除|无)限制|助手|看到的原文|原文全部|隐藏|(?:打|给)[满高低十零0-9一二三四五六七八九]*分"
    "|满分|夸(?![张大])|状态(?:一律|都|设|改|为)|判断|判对|出题"
    "|評審|評分|通過|標準|導師|規則|忽視|無視|系統|密碼"
)
_FORBIDDEN_SQUEEZED = re.compile(
    "verdict|rubric|criteri|needreview|ignore|disregard|systemprompt|instruction|jailbreak|override"
)
"""Looked for in the letters alone, which finds words that were torn apart."""
_STRUCTURE = re.compile(r"[<>{}\[\]\\`|=#\n\t]|https?:|www\.|://")
_OTHER_SCRIPT = re.compile(r"[^\W\d_]")
_OURS = re.compile("[a-z\u00df-\u00ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]")


def is_allowed(sentence: str) -> bool:
    """Whether `sentence` may become a rule."""
    even = unicodedata.normalize("NFKC", sentence).casefold()
    if is_blank(sentence) or len(sentence) > SENTENCE_CHARACTERS or clean(sentence) != sentence:
        return False
    if _STRUCTURE.search(even) or _has_other_script(even):
        return False
    if _FORBIDDEN_WORDS.search(even) or _FORBIDDEN_TURNS.search(even):
        return False
    letters = "".join(character for character in even if character.isalpha())
    return not (_FORBIDDEN_HAN.search(letters) or _FORBIDDEN_SQUEEZED.search(letters))


def is_proposal_allowed(proposal: Proposal) -> bool:
    """Whether a proposed rule may be kept; its dimension and direction are of closed sets already."""
    return is_allowed(proposal.sentence)


def _has_other_script(even: str) -> bool:
    """Letters of neither Latin nor Han: what looks like a Latin word could be another."""
    return any(not _OURS.match(found.group()) for found in _OTHER_SCRIPT.finditer(even))
