"""Holds a rule that was only seen against earlier changes that it was not made from. Pure.

Where others draft an earlier text again with the rule and without it, this counts: in the changed place of an
earlier change, as it was kept with the rule that was made from it, the feature is measured on both sides. A change
that goes the other way costs the new rule one more support; one that tells nothing of the feature is passed over.
"""

from collections.abc import Sequence

from engine.domain.preference import Aspect, Check, CheckResult, Evidence, EvidenceKind, Rule
from engine.revision.style.traits import pull_of

MOST_HELD_OUT = 12
"""Earlier changes that a rule is held against; the newest ones."""


def held_out(rule: Rule, others: Sequence[Rule]) -> tuple[Check, ...]:
    """What the earlier changes that tell anything say of `rule`, the oldest first.

    Only changes by hand count, in texts that `rule` reaches as far as was known, and none that spoke of `rule`
    already. Where the places of one change go both ways, it goes the other way.
    """
    spoke = {one.version_id for one in rule.evidence}
    changes: dict[str, list[tuple[Rule, Evidence]]] = {}
    for other in others:
        if other.scope == rule.scope and other.rule_id != rule.rule_id:
            for one in other.evidence:
                if one.kind is EvidenceKind.SEEN and one.version_id not in spoke:
                    changes.setdefault(one.version_id, []).append((other, one))
    newest = sorted(changes.values(), key=lambda places: (places[0][1].at, places[0][1].version_id))[-MOST_HELD_OUT:]
    read = [_read(rule, places) for places in newest]
    return tuple(check for check in read if check is not None)


def _read(rule: Rule, places: Sequence[tuple[Rule, Evidence]]) -> Check | None:
    """What one change says, by its places; None where it tells nothing."""
    agrees: Check | None = None
    for other, one in places:
        is_known = other.aspect is rule.aspect and rule.aspect is not Aspect.OTHER
        pull = other.direction if is_known else pull_of(rule.aspect, one.before, one.after)
        if pull is not None and pull is not rule.direction:
            return Check(result=CheckResult.DISAGREES, change=one)
        if pull is not None:
            agrees = Check(result=CheckResult.AGREES, change=one)
    return agrees
