"""Which of a persona's rules hold, and which of them go along with a request. Pure: the moment is handed in.

The score of a rule is its supports less what speaks against it, each worth 2^(-age). The age of a piece of evidence
is counted in days / 30 or in changes / 20, whichever is less, so that neither a holiday nor a busy day forgets a
habit. From 1.5 on a rule is active, below 0.5 it is muted; between the two it stays as it was. These figures are
our choice. What a person said is active at once and does not fade by age alone. A rule that was only seen is held
against an earlier change before it becomes active; one that went the other way counts like a contradiction.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from engine.domain.artifact import ArtifactKind
from engine.domain.preference import (
    Aspect,
    Check,
    CheckResult,
    Dimension,
    Evidence,
    EvidenceKind,
    MuteReason,
    Rule,
    RuleEventKind,
    RuleOrigin,
    RuleState,
    Scope,
    ScopeLevel,
    Standing,
    StyleRule,
)
from engine.revision.style.held_out import held_out
from engine.revision.style.rule_words import SENTENCES
from engine.revision.style.traits import language_of

HALF_LIFE = timedelta(days=30)
HALF_LIFE_EDITS = 20
ACTIVE_FROM = 1.5
MUTED_BELOW = 0.5
SAID_WEIGHT = 2.0
"""Of the person's own words: more than `ACTIVE_FROM`, so that they hold at once."""
KEPT_WEIGHT = 0.5
"""Of a draft that was left as the rule made it: it keeps a rule alive and never makes one."""
LEAST_SUPPORTS = 2
"""Artifacts in which a change has to be seen before its rule holds."""
MOST_RULES = 8
MOST_CHARACTERS = 600
"""Of all sentences in one request together."""
TUTOR_DIMENSIONS = frozenset({Dimension.LANGUAGE, Dimension.LENGTH})
"""Of the rules that reach a tutor's reply."""

_WEIGHTS = {EvidenceKind.SAID: SAID_WEIGHT, EvidenceKind.SEEN: 1.0, EvidenceKind.KEPT: KEPT_WEIGHT}
_LEVELS = {level: place for place, level in enumerate(ScopeLevel)}
Key = tuple[Dimension, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When rules are judged."""

    at: datetime
    edits: int
    """Changes of the persona that were learned from so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a draft is for."""

    kind: ArtifactKind | None = None
    task_id: str | None = None

    def holds(self, scope: Scope) -> bool:
        """Whether a rule of this scope reaches so far."""
        match scope.level:
            case ScopeLevel.EVERYWHERE:
                return True
            case ScopeLevel.KIND:
                return scope.of == self.kind
            case ScopeLevel.TASK:
                return scope.of == self.task_id


def conflict_key(aspect: Aspect, dimension: Dimension, sentence: str) -> Key:
    """What two rules must share to be about the same thing; with equal scopes only one of them can hold.

    Inside a dimension the aspect tells: a rule on lists says nothing about emoji.
    """
    return dimension, " ".join(sentence.casefold().split()) if aspect is Aspect.OTHER else aspect


def score(evidence: Iterable[Evidence], now: Moment) -> float:
    """Support less contradiction at `now`, both faded."""
    return sum(_weight(one) * 2 ** -_age(one, now) for one in evidence)


def _weight(one: Evidence) -> float:
    return -1.0 if one.kind is EvidenceKind.AGAINST else _WEIGHTS[one.kind]


def _age(one: Evidence, now: Moment) -> float:
    days = max(now.at - one.at, timedelta()) / HALF_LIFE
    return min(days, max(now.edits - one.edit_number, 0) / HALF_LIFE_EDITS)


def judge(rules: Sequence[Rule], now: Moment, context: Context | None = None) -> tuple[Standing, ...]:
    """How each rule stands, deleted ones left out, in an order that does not depend on that of `rules`.

    Pinned ones come first, then what a person said, then the higher score, then the newer. Of rules on the same
    thing the one that goes first mutes the others: within one scope always, across scopes only inside a `context`,
    where rules that do not reach it are left out, and the narrower scope goes before all else.
    """
    live = [rule for rule in rules if not is_gone(rule)]
    alone = [_alone(rule, live, now) for rule in live]
    if context is not None:
        alone = [one for one in alone if context.holds(one.rule.scope)]
    alone.sort(key=_order)
    by_strength = sorted(alone, key=_narrowest_first) if context is not None else alone
    winners: dict[object, Standing] = {}
    beaten: set[str] = set()
    for one in by_strength:
        if one.state is not RuleState.ACTIVE:
            continue
        key = conflict_key(one.rule.aspect, one.rule.dimension, one.sentence)
        place = key if context is not None else (key, one.rule.scope)
        if winners.setdefault(place, one) is not one:
            beaten.add(one.rule.rule_id)
    return tuple(
        replace(one, state=RuleState.MUTED, why=MuteReason.BEATEN) if one.rule.rule_id in beaten else one
        for one in alone
    )


def choose(rules: Sequence[Rule], now: Moment, context: Context) -> tuple[StyleRule, ...]:
    """The rules for one request: active ones that reach it, at most 8 and 600 characters, whole ones only."""
    chosen: list[StyleRule] = []
    left = MOST_CHARACTERS
    for one in judge(rules, now, context):
        if one.state is RuleState.ACTIVE and len(chosen) < MOST_RULES and len(one.sentence) <= left:
            chosen.append(as_sent(one))
            left -= len(one.sentence)
    return tuple(chosen)


def for_tutor(rules: Iterable[StyleRule]) -> tuple[StyleRule, ...]:
    """Those that a tutor's reply respects, on its language and its length, each in our own words.

    What a person or a model wrote into such a rule never reaches a tutor: only sentences of a closed set do.
    """
    return tuple(
        replace(rule, sentence=SENTENCES[language_of(rule.sentence)][rule.aspect, rule.direction])
        for rule in rules
        if rule.dimension in TUTOR_DIMENSIONS and rule.aspect is not Aspect.OTHER
    )


def as_sent(standing: Standing) -> StyleRule:
    """The rule as it goes along."""
    rule = standing.rule
    return StyleRule(
        rule_id=rule.rule_id,
        dimension=rule.dimension,
        sentence=standing.sentence,
        aspect=rule.aspect,
        direction=rule.direction,
    )


def sentence_of(rule: Rule) -> str:
    """The words of a rule that are in force."""
    edited = [event.sentence for event in rule.events if event.kind is RuleEventKind.EDITED and event.sentence]
    return edited[-1] if edited else rule.sentence


def is_gone(rule: Rule) -> bool:
    """Whether it was deleted or taken back, and not put back since."""
    kinds = [event.kind for event in rule.events]
    last = _last(kinds, RuleEventKind.DELETED, RuleEventKind.UNDONE, RuleEventKind.PUT_BACK)
    return last not in (None, RuleEventKind.PUT_BACK)


def _alone(rule: Rule, live: Sequence[Rule], now: Moment) -> Standing:
    """How a rule stands when no other has to give way or goes first; of the others only their changes are looked at."""
    kinds = [event.kind for event in rule.events]
    is_said = rule.origin is RuleOrigin.SAID or bool(
        {RuleEventKind.CONFIRMED, RuleEventKind.EDITED, RuleEventKind.UNMUTED} & set(kinds)
    )
    is_pinned = _last(kinds, RuleEventKind.PINNED, RuleEventKind.UNPINNED) is RuleEventKind.PINNED
    supports = _supports(rule.evidence)
    is_checked = not is_said and supports >= LEAST_SUPPORTS
    checks = held_out(rule, live) if is_checked else ()
    state, why = _state(rule, now, is_said, is_pinned, checks)
    return Standing(
        rule=rule,
        state=state,
        sentence=sentence_of(rule),
        score=score(_all_evidence(rule), now),
        supports=supports,
        is_pinned=is_pinned,
        is_said=is_said,
        why=why,
        check=_newest(checks, rule.evidence[-1].at) if is_checked else None,
    )


def _state(
    rule: Rule, now: Moment, is_said: bool, is_pinned: bool, checks: Sequence[Check]
) -> tuple[RuleState, MuteReason | None]:
    """By the person's own hand first, then by the score."""
    by_hand = [event.kind for event in rule.events]
    decided = _last(
        by_hand,
        RuleEventKind.MUTED,
        RuleEventKind.REPLACED,
        RuleEventKind.UNMUTED,
        RuleEventKind.CONFIRMED,
        RuleEventKind.PINNED,
        RuleEventKind.REOPENED,
    )
    if decided is RuleEventKind.MUTED:
        return RuleState.MUTED, MuteReason.BY_PERSON
    if decided is RuleEventKind.REPLACED:
        return RuleState.MUTED, MuteReason.REPLACED
    reached = RuleState.ACTIVE if is_pinned else _by_score(rule, now, is_said, checks)
    return reached, MuteReason.FADED if reached is RuleState.MUTED else None


def _by_score(rule: Rule, now: Moment, is_said: bool, checks: Sequence[Check]) -> RuleState:
    """Played through in the order of evidence, since between the two limits a rule stays as it was."""
    evidence = _all_evidence(rule)
    state = RuleState.CANDIDATE
    for count, one in enumerate(evidence, start=1):
        then = Moment(at=one.at, edits=one.edit_number)
        state = _next(state, evidence[:count], then, is_said, checks)
    return _next(state, evidence, now, is_said, checks)


def _next(
    state: RuleState, evidence: Sequence[Evidence], now: Moment, is_said: bool, checks: Sequence[Check]
) -> RuleState:
    reached = score(evidence, now)
    is_backed = is_said or _supports(evidence) >= LEAST_SUPPORTS
    if is_backed and reached >= ACTIVE_FROM and reached - _doubt(checks, now) >= ACTIVE_FROM:
        return RuleState.ACTIVE
    is_opposed = any(one.kind is EvidenceKind.AGAINST for one in evidence)
    if reached < MUTED_BELOW and (is_opposed or not is_said) and (state is RuleState.ACTIVE or is_opposed):
        return RuleState.MUTED
    return state


def _doubt(checks: Sequence[Check], now: Moment) -> float:
    """What an earlier change that goes the other way takes from a rule that is about to hold."""
    change = _newest(checks, now.at).change
    is_against = bool(checks) and _newest(checks, now.at).result is CheckResult.DISAGREES
    return 2 ** -_age(change, now) if change is not None and is_against else 0.0


def _newest(checks: Sequence[Check], at: datetime) -> Check:
    """The newest that was known by then; that nothing tells anything where none was."""
    known = [check for check in checks if check.change is not None and check.change.at < at]
    return known[-1] if known else Check(result=CheckResult.UNTOLD)


def _all_evidence(rule: Rule) -> tuple[Evidence, ...]:
    """What was seen and said, and the person's own yes, which counts like saying it. Oldest first.

    What a wish said against the rule is left out where the wish was taken back.
    """
    taken_back = _taken_back(rule)
    standing = [one for one in rule.evidence if one not in taken_back]
    confirmed = [
        Evidence(
            kind=EvidenceKind.SAID,
            artifact_id="",
            version_id="",
            edit_number=max((one.edit_number for one in rule.evidence if one.at <= event.at), default=0),
            at=event.at,
        )
        for event in rule.events
        if event.kind in (RuleEventKind.CONFIRMED, RuleEventKind.EDITED, RuleEventKind.UNMUTED)
    ]
    return tuple(sorted((*standing, *confirmed), key=lambda one: one.at))


def _taken_back(rule: Rule) -> list[Evidence]:
    """Of each wish that had replaced the rule and was taken back, what it said against it."""
    found: list[Evidence] = []
    replaced_at: datetime | None = None
    for event in rule.events:
        if event.kind is RuleEventKind.REPLACED:
            replaced_at = event.at
        elif event.kind is RuleEventKind.REOPENED and replaced_at is not None:
            against = [one for one in rule.evidence if one.kind is EvidenceKind.AGAINST and one.at <= replaced_at]
            found += against[-1:]
    return found


def _supports(evidence: Iterable[Evidence]) -> int:
    """Artifacts in which the change was seen, and every time that it was said."""
    seen = {one.artifact_id for one in evidence if one.kind is EvidenceKind.SEEN}
    return len(seen) + sum(one.kind is EvidenceKind.SAID for one in evidence)


def _last(kinds: Sequence[RuleEventKind], *among: RuleEventKind) -> RuleEventKind | None:
    return next((kind for kind in reversed(kinds) if kind in among), None)


def _order(one: Standing) -> tuple[bool, bool, float, float, str]:
    return not one.is_pinned, not one.is_said, -one.score, -one.rule.made_at.timestamp(), one.rule.rule_id


def _narrowest_first(one: Standing) -> int:
    return -_LEVELS[one.rule.scope.level]
