"""What a persona learns from one version: which rules it makes, supports, contradicts or replaces. Pure.

A wish in the person's own words is a rule at once and replaces its opposite. A change by hand supports a rule or
speaks against one that reaches as far as it does: what somebody said for every text is not taken back by habits in
one kind of text, where the narrower rule goes first anyway. What a model changed on a wish teaches nothing beyond the
wish: those are not the person's words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.domain.artifact import VersionReason
from engine.domain.learning import ChangeKind
from engine.domain.preference import (
    DIMENSION_OF,
    EVERYWHERE,
    EvidenceKind,
    Proposal,
    Rule,
    RuleEventKind,
    RuleOrigin,
    Scope,
)
from engine.revision.style.preferences import Context, conflict_key, is_gone

SPOKEN = frozenset({VersionReason.ASKED, VersionReason.EDITED})
"""Reasons of versions whose note is a person's own words."""
BY_HAND = frozenset({VersionReason.EDITED, VersionReason.UPLOADED})
"""Reasons of versions that a person wrote."""
KEPT_EVERY = 10
"""Changes between two notes that a rule was kept to."""

_SHUT = (RuleEventKind.MUTED, RuleEventKind.REPLACED)
_OPENED = (RuleEventKind.UNMUTED, RuleEventKind.CONFIRMED, RuleEventKind.PINNED, RuleEventKind.REOPENED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What was found in one version."""

    change: ChangeKind
    said: tuple[Proposal, ...] = ()
    """What the person's words state."""
    seen: tuple[Proposal, ...] = ()
    """What the person's change hints at."""
    words: str = ""
    """What the person said about it."""
    is_by_hand: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing to write down about a rule."""

    rule_id: str | None
    """None: the rule is new, by `proposal`."""
    proposal: Proposal | None = None
    """What speaks for it or against it; None where the rule was only kept."""
    origin: RuleOrigin = RuleOrigin.SEEN
    """Of a new rule."""
    evidence: EvidenceKind | None = None
    """None: nothing is to be added."""
    event: RuleEventKind | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The version that is learned from."""

    artifact_id: str
    version_id: str
    edit_number: int
    """How many versions the persona has learned from with this one."""


def plan_lesson(rules: Sequence[Rule], findings: Findings, context: Context, place: Place) -> tuple[Step, ...]:
    """What to write down, at most one piece of evidence for each rule; `rules` are all of the persona.

    A change speaks only of rules that reach the `context`. A version that spoke of a rule already says nothing new.
    """
    live = [rule for rule in rules if not is_gone(rule)]
    reaching = [rule for rule in live if context.holds(rule.scope)]
    steps = [*_from_words(live, findings, context), *_from_change(reaching, findings)]
    if findings.is_by_hand:
        steps += _kept(reaching, steps, place)
    already = {rule.rule_id for rule in rules if any(one.version_id == place.version_id for one in rule.evidence)}
    fresh: dict[object, Step] = {}
    for step in steps:
        if step.rule_id not in already:
            fresh.setdefault(step.rule_id or step.proposal, step)
    return tuple(fresh.values())


def _from_words(rules: Sequence[Rule], findings: Findings, context: Context) -> Iterator[Step]:
    for wish in findings.said:
        same = [rule for rule in rules if _is_same(rule, wish) and rule.scope == wish.scope]
        for rule in same[:1]:
            opens = RuleEventKind.UNMUTED if _is_shut(rule) else None
            yield Step(rule_id=rule.rule_id, proposal=wish, evidence=EvidenceKind.SAID, event=opens)
        if not same:
            yield Step(rule_id=None, proposal=wish, origin=RuleOrigin.SAID, evidence=EvidenceKind.SAID)
        for rule in rules:
            if _is_opposite(rule, wish) and _is_inside(rule.scope, wish.scope, context):
                event = None if _is_shut(rule) else RuleEventKind.REPLACED
                yield Step(rule_id=rule.rule_id, proposal=wish, evidence=EvidenceKind.AGAINST, event=event)


def _from_change(rules: Sequence[Rule], findings: Findings) -> Iterator[Step]:
    stated = {wish.aspect for wish in findings.said}
    for hint in findings.seen:
        if hint.aspect in stated:
            continue
        same = sorted((rule for rule in rules if _is_same(rule, hint)), key=lambda rule: rule.scope != hint.scope)
        for rule in same[:1]:
            yield Step(rule_id=rule.rule_id, proposal=hint, evidence=EvidenceKind.SEEN)
        if not same:
            yield Step(rule_id=None, proposal=hint, evidence=EvidenceKind.SEEN)
        for rule in rules:
            if _is_opposite(rule, hint) and rule.scope == hint.scope:
                yield Step(rule_id=rule.rule_id, proposal=hint, evidence=EvidenceKind.AGAINST)


def _kept(rules: Sequence[Rule], steps: Sequence[Step], place: Place) -> Iterator[Step]:
    """Rules that this artifact was drafted by and that nothing in this change speaks about.

    Now and then is enough to keep a rule alive, so that evidence does not pile up. That one went along with an edit
    shows nothing: all but the part that was asked about was there before.
    """
    spoken_of = {step.rule_id for step in steps}
    for rule in rules:
        drafted = [use.artifact_id for use in rule.uses if use.reason is not VersionReason.ASKED]
        newest = max((one.edit_number for one in rule.evidence), default=0)
        if place.artifact_id in drafted and place.edit_number - newest >= KEPT_EVERY and rule.rule_id not in spoken_of:
            yield Step(rule_id=rule.rule_id, evidence=EvidenceKind.KEPT)


def _is_inside(inner: Scope, outer: Scope, context: Context) -> bool:
    """Whether a wish of the outer scope, made in this context, also means what holds in the inner one."""
    return inner == outer or (outer == EVERYWHERE and context.holds(inner))


def _key(proposal: Proposal) -> object:
    return conflict_key(proposal.aspect, DIMENSION_OF[proposal.aspect], proposal.sentence)


def _is_about(rule: Rule, proposal: Proposal) -> bool:
    return conflict_key(rule.aspect, rule.dimension, rule.sentence) == _key(proposal)


def _is_same(rule: Rule, proposal: Proposal) -> bool:
    return _is_about(rule, proposal) and rule.direction is proposal.direction


def _is_opposite(rule: Rule, proposal: Proposal) -> bool:
    return _is_about(rule, proposal) and rule.direction is not proposal.direction


def _is_shut(rule: Rule) -> bool:
    """Whether a person muted it, or a later wish replaced it, and nobody opened it again."""
    last = [event.kind for event in rule.events if event.kind in (*_SHUT, *_OPENED)]
    return bool(last) and last[-1] in _SHUT
