"""What a change by hand tells of a person's style, by counting alone. Pure, and equal for equal scripts.

Sentences that are new, or gone, say what the person wanted to tell, not how: they are left out on both sides
before anything is counted. So a content-only change hints at nothing, however it is written.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import regex

from engine.domain.artifact import ArtifactKind
from engine.domain.learning import ChangeKind
from engine.domain.preference import (
    Aspect,
    Direction,
    Proposal,
    Scope,
    ScopeLevel,
)
from engine.domain.states import Language
from engine.revision.script import Hunk, Script
from engine.revision.style.measures import (
    GAUGES,
    HAN,
    Gauge,
    Span,
    count_letters,
    count_words,
    is_heading,
    paragraphs,
    sentences,
    share_of_han,
    without_code,
)
from engine.revision.style.rule_words import SENTENCES

KEPT_SHARE = 0.5
"""A sentence of which less stayed is another sentence."""
SHORTER = 0.8
LONGER = 1.25
"""Ratios of lengths from which on a difference is meant."""
MUCH_SHORTER = 0.75
OF_CODE = Scope(ScopeLevel.KIND, ArtifactKind.CODE)
HAN_SHARE = 0.3
"""From so much Chinese on a rule is worded in Chinese."""
EVIDENCE_CHARACTERS = 160
MOST_TRAITS = 4
"""Of one change; who changes more than that rewrites."""

_LEAST_RUN = 6
_TWO_HAN = regex.compile(f"{HAN}{{2}}")
_TOKEN = regex.compile(rf"{HAN}|[^\W_\u3400-\u4dbf\u4e00-\u9fff]+(?:[.,:/-]\d+)*")
_NUMBER = regex.compile(r"\d|^[零〇一二三四五六七八九十百千万亿两年月日]$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a change is, and the rules that it hints at."""

    change: ChangeKind
    proposals: tuple[Proposal, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    """Both texts without the sentences that are only new or only gone."""

    old: str
    new: str
    old_changed: tuple[str, ...]
    """Sentences that were touched and stayed, headings left out."""
    new_changed: tuple[str, ...]
    is_cut_in_places: bool
    """Whether sentences are gone in two places at least."""


def read_change(script: Script, scope: Scope) -> Reading:
    """Classify a change by hand, and propose rules within `scope`, the clearest first; a program has no such style."""
    sides = _compare(script)
    found = [] if scope == OF_CODE else [*_counted(sides), *_lengths(script, sides)]
    if not found:
        return Reading(change=ChangeKind.FACT if _is_fact(script) else ChangeKind.ONE_OFF, proposals=())
    language = language_of(script.new or script.old)
    proposals = [_proposal(script, aspect, direction, language, scope) for aspect, direction in found[:MOST_TRAITS]]
    return Reading(change=ChangeKind.STYLE, proposals=tuple(proposals))


def pull_of(aspect: Aspect, before: str, after: str) -> Direction | None:
    """Which way one changed place goes in this respect; None where it tells nothing, or where nothing is counted."""
    gauge = GAUGES.get(aspect)
    if gauge is not None:
        return _pull(gauge, before, after)
    match aspect:
        case Aspect.SENTENCES:
            return _pulled_length(_cut(before), _cut(after))
        case Aspect.PARAGRAPHS:
            return _pulled_length(paragraphs(before), paragraphs(after))
        case _:
            return None


def _cut(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentences(text)]


def language_of(text: str) -> Language:
    """The language that a rule about `text` is worded in."""
    return Language.ZH if share_of_han(text) >= HAN_SHARE else Language.EN


def _compare(script: Script) -> _Sides:
    old_kept, new_kept = _kept(script)
    old, old_changed, gone = _split(script.old, old_kept, [(hunk.old_start, hunk.old_end) for hunk in script.hunks])
    new, new_changed, _new = _split(script.new, new_kept, [(hunk.new_start, hunk.new_end) for hunk in script.hunks])
    return _Sides(old=old, new=new, old_changed=old_changed, new_changed=new_changed, is_cut_in_places=gone > 1)


def _kept(script: Script) -> tuple[list[Span], list[Span]]:
    """Runs that stayed and are too long to be equal by chance, in both texts."""
    old: list[Span] = []
    new: list[Span] = []
    for at_old, at_new, length in script.equal_runs():
        if length >= _LEAST_RUN or _TWO_HAN.search(script.old, at_old, at_old + length):
            old.append(Span(at_old, at_old + length))
            new.append(Span(at_new, at_new + length))
    return old, new


def _split(text: str, kept: Sequence[Span], hunks: Sequence[tuple[int, int]]) -> tuple[str, tuple[str, ...], int]:
    """The text without other sentences, the touched ones that stayed, and in how many places some were left out."""
    cut = list(sentences(text))
    shares = _kept_shares(text, cut, kept)
    text = without_code(text)
    is_other = [share < KEPT_SHARE for share in shares]
    for place in reversed(range(len(cut))):
        # A new heading over words that stayed is a matter of form.
        if is_other[place] and is_heading(text[cut[place].start : cut[place].end]):
            is_other[place] = _is_next_other(text, cut, is_other, place)
    stay = [text[span.start : span.end] for span, other in zip(cut, is_other, strict=True) if not other]
    touched = _touched(cut, hunks)
    changed = tuple(
        text[span.start : span.end]
        for span, other, is_touched in zip(cut, is_other, touched, strict=True)
        if is_touched and not other and not is_heading(text[span.start : span.end])
    )
    return "".join(stay), changed, sum(other and not before for before, other in pairwise([False, *is_other]))


def _kept_shares(text: str, cut: Sequence[Span], kept: Sequence[Span]) -> list[float]:
    """Of each sentence how much of it stayed; 1 where it has no words."""
    shares: list[float] = []
    at = 0
    for span in cut:
        while at < len(kept) and kept[at].end <= span.start:
            at += 1
        words = text[span.start : span.end].strip()
        shares.append(_stayed(span, kept, at) / len(words) if count_letters(words) else 1.0)
    return shares


def _stayed(span: Span, kept: Sequence[Span], at: int) -> int:
    stayed = 0
    while at < len(kept) and kept[at].start < span.end:
        stayed += min(kept[at].end, span.end) - max(kept[at].start, span.start)
        at += 1
    return stayed


def _is_next_other(text: str, cut: Sequence[Span], is_other: Sequence[bool], place: int) -> bool:
    """Whether what stands under a heading is new, or nothing."""
    for span, other in zip(cut[place + 1 :], is_other[place + 1 :], strict=True):
        if count_letters(text[span.start : span.end]):
            return other
    return True


def _touched(cut: Sequence[Span], hunks: Sequence[tuple[int, int]]) -> list[bool]:
    """For each sentence, whether a changed place meets it."""
    touched: list[bool] = []
    at = 0
    for span in cut:
        while at < len(hunks) and hunks[at][1] < span.start:
            at += 1
        touched.append(at < len(hunks) and hunks[at][0] < span.end and hunks[at][1] >= span.start)
    return touched


def _counted(sides: _Sides) -> Iterator[tuple[Aspect, Direction]]:
    for aspect, gauge in GAUGES.items():
        direction = _pull(gauge, sides.old, sides.new)
        if direction is not None:
            yield aspect, direction


def _pull(gauge: Gauge, old: str, new: str) -> Direction | None:
    """Which way a text went by this gauge; None where it stayed, or where nothing was exchanged."""
    change = gauge.more(new) - gauge.more(old)
    if abs(change) < gauge.least:
        return None
    direction = Direction.MORE if change > 0 else Direction.LESS
    if gauge.less is None:
        return direction
    other = gauge.less(new) - gauge.less(old)
    return direction if change * other < 0 else None


def _lengths(script: Script, sides: _Sides) -> Iterator[tuple[Aspect, Direction]]:
    before, after = count_words(script.old), count_words(script.new)
    is_same_text = count_words(sides.new) >= KEPT_SHARE * after
    if is_same_text and sides.is_cut_in_places and after <= MUCH_SHORTER * before:
        yield Aspect.TEXT, Direction.LESS
    by_sentence = _pulled_length(sides.old_changed, sides.new_changed)
    if by_sentence is not None:
        yield Aspect.SENTENCES, by_sentence
    by_paragraph = _pulled_length(paragraphs(sides.old), paragraphs(sides.new))
    if by_paragraph is not None:
        yield Aspect.PARAGRAPHS, by_paragraph


def _pulled_length(old: Sequence[str], new: Sequence[str]) -> Direction | None:
    """Whether about the same words now stand in more and shorter pieces, or in fewer and longer ones."""
    before, after = [count_words(one) for one in old], [count_words(one) for one in new]
    before, after = [one for one in before if one], [one for one in after if one]
    if not before or not after or len(before) == len(after):
        return None
    if not SHORTER <= sum(after) / sum(before) <= LONGER:
        return None
    ratio = (sum(after) / len(after)) / (sum(before) / len(before))
    if ratio <= SHORTER:
        return Direction.LESS
    return Direction.MORE if ratio >= LONGER else None


def _proposal(script: Script, aspect: Aspect, direction: Direction, language: Language, scope: Scope) -> Proposal:
    before, after = _evidence(script, aspect, direction)
    sentence = SENTENCES[language][aspect, direction]
    return Proposal(aspect=aspect, direction=direction, sentence=sentence, scope=scope, before=before, after=after)


def _evidence(script: Script, aspect: Aspect, direction: Direction) -> tuple[str, str]:
    """The first changed place that goes this way, in its sentences; the first of all where no single one does."""
    places = [place_of(script, hunk) for hunk in script.hunks]
    gauge = GAUGES.get(aspect)
    telling = [place for place in places if gauge is not None and _pull(gauge, *place) is direction]
    before, after = (telling or places)[0]
    return before, after


def place_of(script: Script, hunk: Hunk) -> tuple[str, str]:
    """A changed place as it can be shown: with its sentence on both sides, cut where it is long."""
    return (
        _around(script.old, hunk.old_start, hunk.old_end),
        _around(script.new, hunk.new_start, hunk.new_end),
    )


def _around(text: str, start: int, end: int) -> str:
    left = max(0, start - EVIDENCE_CHARACTERS)
    window = text[left : end + EVIDENCE_CHARACTERS]
    touched = [
        window[span.start : span.end]
        for span in sentences(window)
        if span.start + left <= end and span.end + left >= start
    ]
    return "".join(touched).strip()[:EVIDENCE_CHARACTERS]


def _is_fact(script: Script) -> bool:
    """Whether all words that were exchanged are numbers, dates or names, as many on both sides."""
    old, new = Counter(_TOKEN.findall(script.old)), Counter(_TOKEN.findall(script.new))
    gone, come = old - new, new - old
    return bool(gone) and gone.total() == come.total() and all(map(_is_factual, (*gone, *come)))


def _is_factual(token: str) -> bool:
    return bool(_NUMBER.search(token)) or (token[:1].isupper() and token.casefold() != token)
