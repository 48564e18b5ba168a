"""Style wishes in a person's own words, in Chinese and English: what they state becomes a rule at once. Pure.

A wish about one place ("the third paragraph", 第三段) or about the matter is no rule, unless it says that it is
meant for always. What is not understood states nothing; nothing is guessed.
"""

import re
from collections.abc import Iterator, Sequence

from engine.domain.artifact import ArtifactKind
from engine.domain.preference import EVERYWHERE, Aspect, Direction, Proposal, Scope, ScopeLevel
from engine.domain.text import clean
from engine.revision.style.allowed import is_allowed
from engine.revision.style.rule_words import SENTENCES
from engine.revision.style.traits import language_of
from engine.revision.style.wish_words import (
    ASKED,
    EN_LESS,
    EN_MORE,
    NEGATED,
    NOUNS,
    OF_PARTS,
    OWN_WORDS,
    REQUESTED,
    SAID,
    ZH_LESS,
    ZH_LESS_AFTER,
    ZH_MORE,
    ZH_MORE_AFTER,
)

MOST_WISHES = 4
"""Rules from one suggestion."""

MORE, LESS = Direction.MORE, Direction.LESS

_SENTENCE_END = re.compile(r"(?<=[。！？；!?;\n])|(?<=\.)(?=\s|$)")
_CLAUSE_END = re.compile(r"[,，、:：]|\b(?:and|but|also)\b|但是?|并且|而且|同时")
_ALWAYS = re.compile(
    r"\b(?:always|from now on|in (?:the )?future|every time|never|going forward)\b"
    r"|以后|今后|往后|每次|每回|总是|始终|永远|从现在起|从今|一律|一直"
)
_PLACE = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|last|next|previous|\d+(?:st|nd|rd|th)) "
    r"(?:\w+ )?(?:paragraph|sentence|section|line|point|bullet|heading|part|word|chapter)s?\b"
    r"|\b(?:paragraph|section|line|sentence|chapter|step|figure|item) (?:\d|one|two|three|four|five|on|about)"
    r"|\bthe (?:title|introduction|intro|conclusion|ending|beginning|opening|summary|abstract|appendix"
    r"|heading|caption|footer|header)\b"
    r"|\b(?:this|that) (?:sentence|paragraph|line|section|part|word)\b|\bonly the\b|\b(?:replace|swap|move|rename)\b"
    "|第[一二三四五六七八九十百0-9]+[个]?(?:段|句|节|部分|行|点|章|条)|最后[一两]?(?:段|句|节|部分|行)"
    "|(?<!小)(?<!分)标题|开头|开篇|结尾|末尾|引言|结论|摘要|[这那]一?[段句节行]|只[改动]|关于.{1,20}(?:部分|一节|那段)"
    "|把.{1,60}(?:改成|改为|换成|替换|移到|挪到)|替换|互换|对调"
)
_KINDS = (
    (ArtifactKind.ANNOUNCEMENT, r"announcements|公告|通知"),
    (ArtifactKind.REPORT, r"reports|报告"),
    (ArtifactKind.LESSON_PLAN, r"lesson plans|教案"),
    (ArtifactKind.README, r"readmes?|readme"),
)
_KIND_BEFORE = r"\b(?:in|for|all) (?:my |our |all |the )?(?:{0})\b|(?:{0})(?:里|中|时|都|一律|的话)"


def _patterns() -> Iterator[tuple[Aspect, Direction, re.Pattern[str]]]:
    """What is said of marks and words, the refusals first, since “no more emoji” has “more emoji” in it."""
    any_en, any_zh = ("|".join(noun[place] for noun in NOUNS) for place in (1, 2))
    for aspect, en, zh in NOUNS:
        no_en = rf"\b{EN_LESS} (?:(?:{any_en}) or (?:any )?)?{en}"
        no_zh = rf"{ZH_LESS} ?(?:(?:{any_zh}) ?[和或跟与] ?)?{zh}"
        yield aspect, LESS, re.compile(rf"{no_en}|{no_zh}|{zh} ?{ZH_LESS_AFTER}")
        yield aspect, MORE, re.compile(rf"\b{EN_MORE} {en}|{ZH_MORE} ?{zh}|{zh} ?{ZH_MORE_AFTER}")
    for aspect, direction, said in SAID:
        yield aspect, direction, re.compile("|".join(said))


_PATTERNS = tuple(_patterns())
_OWN_WORDS, _ASKED, _REQUESTED = re.compile(OWN_WORDS), re.compile(ASKED), re.compile(REQUESTED)
_NEGATED, _OF_PARTS = re.compile(NEGATED), re.compile(OF_PARTS)
_COUNTED = frozenset(aspect for aspect, _en, _zh in NOUNS) - {Aspect.FORMALITY}


def read_wishes(suggestion: str) -> tuple[Proposal, ...]:
    """The rules that a suggestion states, in the order in which it does, at most one on each thing.

    A later word on the same thing goes before an earlier one: people correct themselves as they write.
    """
    found: dict[tuple[Aspect, str], Proposal] = {}
    about_a_place = False
    for sentence in _SENTENCE_END.split(clean(suggestion)[:2000]):
        read = _read(sentence.strip())
        for proposal in read:
            if about_a_place and proposal.aspect is Aspect.TEXT and not _ALWAYS.search(sentence.casefold()):
                continue  # “The third paragraph rambles. Shorten it.”
            place = proposal.aspect, proposal.sentence if proposal.aspect is Aspect.OTHER else ""
            found.pop(place, None)
            found[place] = proposal
        about_a_place = about_a_place or bool(_PLACE.search(sentence.casefold()))
    return tuple(found.values())[:MOST_WISHES]


def says_opposite(aspect: Aspect, direction: Direction, sentence: str) -> bool:
    """Whether words say the other way of what a rule says: they are no new wording of it."""
    return any(one.aspect is aspect and one.direction is not direction for one in read_wishes(sentence))


def _read(sentence: str) -> list[Proposal]:
    even = sentence.casefold()
    if _ASKED.search(even) and not _REQUESTED.search(even):
        return []
    scope, is_for_always = _scope(even), bool(_ALWAYS.search(even))
    free = ",".join(_CLAUSE_END.split(even) if is_for_always else _before_a_place(even))
    language = language_of(sentence)
    read = [
        Proposal(aspect=aspect, direction=direction, sentence=SENTENCES[language][aspect, direction], scope=scope)
        for aspect, direction in _stated(free)
    ]
    own = [sentence] if is_for_always and not read else [] if is_for_always else _own_words(sentence)
    return read + [
        Proposal(aspect=Aspect.OTHER, direction=MORE, sentence=words, scope=scope) for words in own if is_allowed(words)
    ]


def _is_unsure(aspect: Aspect, direction: Direction, words: str, found: re.Match[str]) -> bool:
    """Whether what stands beside the words that were found, in the same part, could turn their meaning."""
    before = words[words.rfind(",", 0, found.start()) + 1 : found.start()]
    beside = before + words[found.end() :].split(",", maxsplit=1)[0]
    if aspect is Aspect.TEXT:
        return bool(_OF_PARTS.search(beside))
    return aspect in _COUNTED and direction is MORE and bool(_NEGATED.search(beside))


def _own_words(sentence: str) -> list[str]:
    """Parts that wish for something of style which no aspect names, as they were said."""
    parts = [part.strip(" .。!！;；") for part in _before_a_place(sentence)]
    return [part for part in parts if _OWN_WORDS.search(part.casefold())]


def _stated(words: str) -> Sequence[tuple[Aspect, Direction]]:
    stated: dict[Aspect, Direction] = {}
    for aspect, direction, pattern in _PATTERNS:
        found = pattern.search(words) if aspect not in stated else None
        if found is not None and not _is_unsure(aspect, direction, words, found):
            stated[aspect] = direction
    if {Aspect.SENTENCES, Aspect.PARAGRAPHS} & stated.keys():
        stated.pop(Aspect.TEXT, None)  # 短一点 was said of them
    return tuple(stated.items())


def _before_a_place(sentence: str) -> list[str]:
    """The parts of a sentence that speak of no single place: behind one, everything is about it."""
    free: list[str] = []
    start = 0
    for end in (*_CLAUSE_END.finditer(sentence), None):
        clause = sentence[start : end.start() if end else len(sentence)]
        if _PLACE.search(clause.casefold()):
            break
        free.append(clause)
        start = end.end() if end else start
    return free


def _scope(even: str) -> Scope:
    for kind, words in _KINDS:
        if re.search(_KIND_BEFORE.format(words), even):
            return Scope(ScopeLevel.KIND, kind)
    return EVERYWHERE
