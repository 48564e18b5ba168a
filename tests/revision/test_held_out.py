"""A rule that was only seen is held against an earlier change before it holds."""

from dataclasses import replace

import pytest

from engine.domain.artifact import ArtifactKind
from engine.domain.preference import (
    EVERYWHERE,
    Aspect,
    CheckResult,
    Direction,
    Evidence,
    EvidenceKind,
    Rule,
    RuleEventKind,
    RuleState,
    Scope,
    ScopeLevel,
    Standing,
)
from engine.revision.style.held_out import MOST_HELD_OUT, held_out
from engine.revision.style.preferences import judge
from tests.revision.test_preferences import REPORT, SEEN, evidence, now, rule

MORE, LESS = Direction.MORE, Direction.LESS
AGREES, DISAGREES, UNTOLD = CheckResult.AGREES, CheckResult.DISAGREES, CheckResult.UNTOLD
CALM = ("It starts at two!", "It starts at two.")
CHEER = CALM[::-1]
LONG = (
    "We meet at two and we bring laptops and we leave at six.",
    "We meet at two. We bring laptops. We leave at six.",
)


def change(
    version: str, *, day: float = 0, quote: tuple[str, str] = ("", ""), kind: EvidenceKind = SEEN, edits: int = 0
) -> Evidence:
    return replace(evidence(kind, version, days=day, edits=edits), before=quote[0], after=quote[1])


def candidate(aspect: Aspect = Aspect.EXCLAMATIONS, direction: Direction = LESS, scope: Scope = REPORT) -> Rule:
    """Seen in two texts on the second and third day."""
    seen = change("v2", day=2, quote=CALM), change("v3", day=3, quote=CALM)
    return rule(*seen, aspect=aspect, direction=direction, scope=scope, rule_id="new")


def earlier(
    *changes: Evidence, aspect: Aspect = Aspect.EMOJI, direction: Direction = LESS, scope: Scope = REPORT
) -> Rule:
    return rule(*changes, aspect=aspect, direction=direction, scope=scope, rule_id="old")


def standing(*rules: Rule, day: float = 3) -> Standing:
    return next(one for one in judge(rules, now(day)) if one.rule.rule_id == "new")


FIRST = "v1"
CASES = {
    "no earlier change": ((candidate(),), UNTOLD, RuleState.ACTIVE),
    "an earlier change of the other way, made a rule of": (
        (candidate(), earlier(change(FIRST), aspect=Aspect.EXCLAMATIONS, direction=MORE)),
        DISAGREES,
        RuleState.CANDIDATE,
    ),
    "a place of another rule that goes the other way": (
        (candidate(), earlier(change(FIRST, quote=CHEER))),
        DISAGREES,
        RuleState.CANDIDATE,
    ),
    "a place of another rule that goes the same way": (
        (candidate(), earlier(change(FIRST, quote=CALM))),
        AGREES,
        RuleState.ACTIVE,
    ),
    "a place that tells nothing of it": (
        (candidate(), earlier(change(FIRST, quote=("🎉 Hi!", "Hi!")))),
        UNTOLD,
        RuleState.ACTIVE,
    ),
    "the newest one that tells something": (
        (candidate(), earlier(change("v0", quote=CHEER), change(FIRST, day=1, quote=CALM))),
        AGREES,
        RuleState.ACTIVE,
    ),
    "sentences that were split": (
        (candidate(Aspect.SENTENCES, MORE), earlier(change(FIRST, quote=LONG))),
        DISAGREES,
        RuleState.CANDIDATE,
    ),
    "another kind of text": (
        (candidate(), earlier(change(FIRST, quote=CHEER), scope=Scope(ScopeLevel.KIND, ArtifactKind.CODE))),
        UNTOLD,
        RuleState.ACTIVE,
    ),
    "words, which are no change by hand": (
        (candidate(), earlier(change(FIRST, quote=CHEER, kind=EvidenceKind.SAID))),
        UNTOLD,
        RuleState.ACTIVE,
    ),
    "a change that came after it held": (
        (candidate(), earlier(change("v9", day=9, quote=CHEER))),
        UNTOLD,
        RuleState.ACTIVE,
    ),
    "a rule that a person deleted": (
        (candidate(), replace(earlier(change(FIRST, quote=CHEER)), events=rule(events=[RuleEventKind.DELETED]).events)),
        UNTOLD,
        RuleState.ACTIVE,
    ),
    "another rule that only its words tell apart": (
        (candidate(Aspect.OTHER, MORE), earlier(change(FIRST, quote=CALM), aspect=Aspect.OTHER, direction=MORE)),
        UNTOLD,
        RuleState.ACTIVE,
    ),
    "a rule that nothing is counted for": (
        (candidate(Aspect.OTHER, MORE), earlier(change(FIRST, quote=CHEER))),
        UNTOLD,
        RuleState.ACTIVE,
    ),
}


@pytest.mark.parametrize(("rules", "result", "state"), CASES.values(), ids=CASES)
def test_before_a_seen_rule_holds_an_earlier_change_is_asked(
    rules: tuple[Rule, ...], result: CheckResult, state: RuleState
) -> None:
    for order in (rules, rules[::-1]):
        one = standing(*order)
        assert one.check is not None
        assert (one.check.result, one.state) == (result, state)
        assert (one.check.change is None) == (result is UNTOLD)


def test_one_more_support_goes_over_an_earlier_change_of_the_other_way() -> None:
    against = earlier(change(FIRST, quote=CHEER))
    third = replace(candidate(), evidence=(*candidate().evidence, change("v4", day=4, quote=CALM)))
    assert standing(third, against, day=4).state is RuleState.ACTIVE


def test_an_earlier_change_of_the_other_way_fades_like_everything() -> None:
    long_ago = earlier(change(FIRST, quote=CHEER))
    seen = change("v2", day=200, edits=100), change("v3", day=200, edits=100)
    late = replace(candidate(), evidence=seen)
    one = next(one for one in judge([late, long_ago], now(200, 100)) if one.rule.rule_id == "new")
    assert one.state is RuleState.ACTIVE
    assert one.check is not None and one.check.result is DISAGREES


def test_a_change_that_spoke_of_the_rule_is_not_asked_once_more() -> None:
    against = change("v1", day=2.5, kind=EvidenceKind.AGAINST)
    spoken = replace(candidate(), evidence=(*candidate().evidence, against))
    assert held_out(spoken, [earlier(change("v1", day=2.5, quote=CHEER))]) == ()


@pytest.mark.parametrize("said", [RuleEventKind.CONFIRMED, RuleEventKind.EDITED], ids=str)
def test_what_a_person_said_needs_no_check(said: RuleEventKind) -> None:
    confirmed = replace(candidate(), events=rule(events=[said]).events)
    one = standing(confirmed, earlier(change(FIRST, quote=CHEER)), day=60)
    assert (one.state, one.check) == (RuleState.ACTIVE, None)


def test_what_was_seen_once_is_not_checked_yet() -> None:
    once = replace(candidate(), evidence=candidate().evidence[:1])
    assert standing(once, earlier(change(FIRST, quote=CHEER))).check is None


def test_only_so_many_earlier_changes_are_asked() -> None:
    silent = [change(f"s{number:02}", day=1 + number / 100) for number in range(MOST_HELD_OUT)]
    assert held_out(candidate(), [earlier(change(FIRST, quote=CHEER), *silent)]) == ()
    assert held_out(candidate(), [earlier(change(FIRST, quote=CHEER), *silent[1:])]) != ()


def test_a_rule_that_holds_everywhere_is_not_asked_about_one_kind_of_text() -> None:
    wide = candidate(scope=EVERYWHERE)
    assert held_out(wide, [earlier(change(FIRST, quote=CHEER))]) == ()
