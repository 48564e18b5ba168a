from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.artifact import ArtifactKind
from engine.domain.preference import (
    DIMENSION_OF,
    EVERYWHERE,
    Aspect,
    Direction,
    Evidence,
    EvidenceKind,
    MuteReason,
    Rule,
    RuleEvent,
    RuleEventKind,
    RuleOrigin,
    RuleState,
    Scope,
    ScopeLevel,
)
from engine.domain.states import Language
from engine.revision.style.preferences import (
    MOST_CHARACTERS,
    MOST_RULES,
    Context,
    Moment,
    as_sent,
    choose,
    conflict_key,
    for_tutor,
    judge,
    score,
)
from engine.revision.style.rule_words import SENTENCES

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
REPORT = Scope(ScopeLevel.KIND, ArtifactKind.REPORT)
SAID, SEEN, KEPT, AGAINST = EvidenceKind.SAID, EvidenceKind.SEEN, EvidenceKind.KEPT, EvidenceKind.AGAINST
IN_REPORT = Context(kind=ArtifactKind.REPORT)


def day(number: float) -> datetime:
    return NOON + timedelta(days=number)


def now(days: float = 0, edits: int = 0) -> Moment:
    return Moment(at=day(days), edits=edits)


def evidence(kind: EvidenceKind, artifact: str = "a", *, days: float = 0, edits: int = 0) -> Evidence:
    return Evidence(kind=kind, artifact_id=artifact, version_id=artifact, edit_number=edits, at=day(days))


def rule(
    *kinds: Evidence,
    aspect: Aspect = Aspect.EMOJI,
    direction: Direction = Direction.LESS,
    scope: Scope = EVERYWHERE,
    rule_id: str = "r",
    events: Sequence[RuleEventKind] = (),
    sentence: str = "Use no emoji.",
    days: float = 0,
) -> Rule:
    return Rule(
        rule_id=rule_id,
        dimension=DIMENSION_OF[aspect],
        aspect=aspect,
        direction=direction,
        scope=scope,
        origin=RuleOrigin.SAID if any(one.kind is SAID for one in kinds) else RuleOrigin.SEEN,
        sentence=sentence,
        made_at=day(days),
        evidence=kinds,
        events=tuple(RuleEvent(kind=kind, at=day(50 + place)) for place, kind in enumerate(events)),
    )


def state(one: Rule, at: Moment | None = None) -> RuleState:
    return judge([one], at or now())[0].state


TWICE = (evidence(SEEN, "a"), evidence(SEEN, "b"))
ALONE = {
    "seen once": ((evidence(SEEN),), RuleState.CANDIDATE),
    "seen twice in one artifact": ((evidence(SEEN), evidence(SEEN)), RuleState.CANDIDATE),
    "seen in two artifacts": (TWICE, RuleState.ACTIVE),
    "said once": ((evidence(SAID),), RuleState.ACTIVE),
    "only ever kept": (tuple(evidence(KEPT, str(place)) for place in range(9)), RuleState.CANDIDATE),
    "spoken against once": ((*TWICE, evidence(AGAINST)), RuleState.ACTIVE),
    "spoken against twice": ((*TWICE, evidence(AGAINST), evidence(AGAINST)), RuleState.MUTED),
    "a candidate spoken against": ((evidence(SEEN), evidence(AGAINST)), RuleState.MUTED),
}


@pytest.mark.parametrize(("speaks", "expected"), ALONE.values(), ids=ALONE)
def test_a_rule_stands_by_what_speaks_for_it(speaks: tuple[Evidence, ...], expected: RuleState) -> None:
    assert state(rule(*speaks)) is expected


def test_between_the_two_limits_a_rule_stays_as_it_was() -> None:
    was_active = rule(*TWICE)
    assert score(was_active.evidence, now(40, 40)) < 1
    assert state(was_active, now(40, 40)) is RuleState.ACTIVE
    late = rule(evidence(SEEN, "a"), evidence(SEEN, "b", days=40, edits=40))
    assert state(late, now(40, 40)) is RuleState.CANDIDATE


def test_support_halves_when_both_thirty_days_and_twenty_changes_have_passed() -> None:
    seen = (evidence(SEEN),)
    assert score(seen, now(30, 20)) == pytest.approx(0.5)
    assert score(seen, now(300, 0)) == score(seen, now(0, 200)) == 1
    assert score(seen, now(60, 20)) == pytest.approx(0.5)


def test_what_was_only_seen_fades_and_what_was_said_does_not() -> None:
    later = now(365, 365)
    assert judge([rule(*TWICE)], later)[0].why is MuteReason.FADED
    assert state(rule(evidence(SAID)), later) is RuleState.ACTIVE
    assert state(rule(evidence(SAID), evidence(AGAINST, days=365, edits=365)), later) is RuleState.MUTED


BY_HAND = {
    "muted": ([RuleEventKind.MUTED], RuleState.MUTED),
    "muted and not any more": ([RuleEventKind.MUTED, RuleEventKind.UNMUTED], RuleState.ACTIVE),
    "kept to at once": ([RuleEventKind.CONFIRMED], RuleState.ACTIVE),
    "pinned": ([RuleEventKind.PINNED], RuleState.ACTIVE),
    "pinned and not any more": ([RuleEventKind.PINNED, RuleEventKind.UNPINNED], RuleState.CANDIDATE),
    "edited": ([RuleEventKind.EDITED], RuleState.ACTIVE),
    "replaced": ([RuleEventKind.REPLACED], RuleState.MUTED),
}


@pytest.mark.parametrize(("events", "expected"), BY_HAND.values(), ids=BY_HAND)
def test_the_persons_hand_goes_before_the_score(events: list[RuleEventKind], expected: RuleState) -> None:
    assert state(rule(evidence(SEEN), events=events), now(60)) is expected


@pytest.mark.parametrize("event", [RuleEventKind.DELETED, RuleEventKind.UNDONE], ids=str)
def test_a_rule_that_was_deleted_or_taken_back_is_gone(event: RuleEventKind) -> None:
    assert judge([rule(evidence(SAID), events=[event])], now()) == ()


def test_a_pinned_rule_holds_against_any_score() -> None:
    opposed = [evidence(AGAINST, str(place)) for place in range(5)]
    assert state(rule(*TWICE, *opposed, events=[RuleEventKind.PINNED])) is RuleState.ACTIVE


def _pair(first: Rule, second: Rule) -> tuple[Rule, Rule]:
    return first, second


MORE = Direction.MORE
CONFLICTS = {
    "the narrower scope wins": _pair(
        rule(*TWICE, rule_id="wins", scope=REPORT), rule(evidence(SAID), rule_id="loses", direction=MORE)
    ),
    "pinned goes before said": _pair(
        rule(*TWICE, rule_id="wins", events=[RuleEventKind.PINNED]),
        rule(evidence(SAID), rule_id="loses", direction=MORE),
    ),
    "said goes before seen": _pair(
        rule(evidence(SAID), rule_id="wins"),
        rule(*TWICE, evidence(SEEN, "c"), evidence(SEEN, "d"), rule_id="loses", direction=MORE),
    ),
    "the higher score wins": _pair(
        rule(*TWICE, evidence(SEEN, "c"), rule_id="wins"), rule(*TWICE, rule_id="loses", direction=MORE, days=1)
    ),
    "of equal ones the newer wins": _pair(
        rule(evidence(SAID), rule_id="wins", days=1), rule(evidence(SAID), rule_id="loses", direction=MORE)
    ),
}


@pytest.mark.parametrize(("wins", "loses"), CONFLICTS.values(), ids=CONFLICTS)
def test_of_two_rules_on_the_same_thing_one_holds_and_the_other_is_kept_muted(wins: Rule, loses: Rule) -> None:
    for order in ([wins, loses], [loses, wins]):
        assert [one.rule_id for one in choose(order, now(), IN_REPORT)] == ["wins"]
        beaten = {one.rule.rule_id: one.why for one in judge(order, now(), IN_REPORT)}
        assert beaten == {"wins": None, "loses": MuteReason.BEATEN}


def test_a_narrower_rule_beats_a_wider_one_only_where_it_reaches() -> None:
    narrow = rule(*TWICE, rule_id="narrow", scope=REPORT)
    wide = rule(evidence(SAID), rule_id="wide", direction=MORE)
    assert [one.rule_id for one in choose([narrow, wide], now(), Context(kind=ArtifactKind.CODE))] == ["wide"]
    assert {one.state for one in judge([narrow, wide], now())} == {RuleState.ACTIVE}


def test_rules_on_different_things_of_one_dimension_stand_side_by_side() -> None:
    both = [rule(evidence(SAID)), rule(evidence(SAID), rule_id="lists", aspect=Aspect.LISTS)]
    assert len(choose(both, now(), IN_REPORT)) == 2
    assert conflict_key(Aspect.OTHER, DIMENSION_OF[Aspect.OTHER], "Sign it") != conflict_key(
        Aspect.OTHER, DIMENSION_OF[Aspect.OTHER], "Date it"
    )


def test_the_tutor_is_given_rules_on_language_and_length_only() -> None:
    every = [rule(evidence(SAID), rule_id=aspect, aspect=aspect) for aspect in Aspect if aspect is not Aspect.OTHER]
    given_on = {one.dimension for one in for_tutor(one for each in every for one in choose([each], now(), IN_REPORT))}
    assert given_on == {"language", "length"}


@pytest.mark.parametrize("words", ["Print the whole program.", "直接写出完整的程序。"], ids=["en", "zh"])
def test_of_a_rule_for_the_tutor_only_our_own_sentence_goes_along(words: str) -> None:
    every = [
        replace(rule(evidence(SAID), aspect=aspect, direction=way, sentence=words), rule_id=f"{aspect} {way}")
        for aspect in Aspect
        for way in Direction
    ]
    sent = for_tutor(as_sent(one) for each in every for one in judge([each], now(), IN_REPORT))
    language = Language.EN if words.isascii() else Language.ZH
    assert len(sent) == 8
    assert {one.sentence for one in sent} == {SENTENCES[language][one.aspect, one.direction] for one in sent}


def test_the_yes_to_a_rule_is_as_old_as_the_changes_since() -> None:
    confirmed = rule(evidence(SEEN), evidence(AGAINST, days=365, edits=365), events=[RuleEventKind.CONFIRMED])
    assert judge([confirmed], now(365, 365))[0].why is MuteReason.FADED


REOPENED = [RuleEventKind.REPLACED, RuleEventKind.REOPENED]
TAKEN_BACK = {
    "seen once": ((evidence(SEEN), evidence(AGAINST, days=49)), REOPENED, RuleState.CANDIDATE),
    "seen twice": ((*TWICE, evidence(AGAINST, days=49)), REOPENED, RuleState.ACTIVE),
    "said": ((evidence(SAID), evidence(AGAINST, days=49)), REOPENED, RuleState.ACTIVE),
    "and another wish replaced it": (
        (*TWICE, evidence(AGAINST, days=49), evidence(AGAINST, days=51.5)),
        [*REOPENED, RuleEventKind.REPLACED],
        RuleState.MUTED,
    ),
    "and a change went against it before": (
        (evidence(SEEN), evidence(AGAINST, days=1), evidence(AGAINST, days=49)),
        REOPENED,
        RuleState.MUTED,
    ),
}


@pytest.mark.parametrize(("speaks", "events", "expected"), TAKEN_BACK.values(), ids=TAKEN_BACK)
def test_a_wish_that_is_taken_back_speaks_neither_against_a_rule_nor_for_it(
    speaks: tuple[Evidence, ...], events: list[RuleEventKind], expected: RuleState
) -> None:
    one = judge([rule(*speaks, events=events)], now(60))[0]
    assert one.state is expected
    assert one.is_said is (speaks[0].kind is SAID)


KINDS = st.sampled_from(list(EvidenceKind))
EVIDENCE = st.builds(
    evidence,
    KINDS,
    st.sampled_from("abc"),
    days=st.integers(0, 90),
    edits=st.integers(0, 90),
)
RULES = st.lists(
    st.builds(
        lambda speaks, aspect, direction, scope, events, sentence, days: rule(
            *sorted(speaks, key=lambda one: one.at),
            aspect=aspect,
            direction=direction,
            scope=scope,
            events=events,
            sentence=sentence,
            days=days,
        ),
        st.lists(EVIDENCE, max_size=5),
        st.sampled_from(list(Aspect)),
        st.sampled_from(list(Direction)),
        st.sampled_from([EVERYWHERE, REPORT, Scope(ScopeLevel.TASK, "t")]),
        st.lists(st.sampled_from(list(RuleEventKind)), max_size=3),
        st.text("ab ", min_size=1, max_size=120),
        st.integers(0, 9),
    ),
    max_size=14,
).map(lambda rules: [_named(one, place) for place, one in enumerate(rules)])


def _named(one: Rule, place: int) -> Rule:
    return Rule(**{name: getattr(one, name) for name in Rule.__dataclass_fields__} | {"rule_id": f"r{place:02}"})


@settings(max_examples=150, deadline=None)
@given(rules=RULES)
def test_a_request_holds_few_short_whole_rules_that_never_contradict_in_any_order(
    rules: list[Rule],
) -> None:
    context = Context(kind=ArtifactKind.REPORT, task_id="t")
    chosen = choose(rules, now(90, 90), context)
    standing = {one.rule.rule_id: one for one in judge(rules, now(90, 90), context)}
    assert len(chosen) <= MOST_RULES
    assert sum(len(one.sentence) for one in chosen) <= MOST_CHARACTERS
    assert all(standing[one.rule_id].state is RuleState.ACTIVE for one in chosen)
    keys = [conflict_key(one.aspect, one.dimension, one.sentence) for one in chosen]
    assert len(keys) == len(set(keys))
    shuffled = rules[::-1]
    assert choose(shuffled, now(90, 90), context) == chosen


def test_long_rules_that_do_not_fit_together_are_left_out_whole() -> None:
    every = [
        rule(evidence(SAID), rule_id=f"r{number}", aspect=Aspect.OTHER, sentence=f"{number}" * 120)
        for number in range(MOST_RULES)
    ]
    assert [len(one.sentence) for one in choose(every, now(), IN_REPORT)] == [120] * (MOST_CHARACTERS // 120)


@pytest.mark.parametrize(("characters", "sent"), [(10, 8), (75, 8), (76, 7), (121, 4)])
def test_eight_rules_and_six_hundred_characters_go_along_at_most(characters: int, sent: int) -> None:
    every = [
        rule(evidence(SAID), rule_id=f"r{letter}", aspect=Aspect.OTHER, sentence=letter * characters)
        for letter in "abcdefghijkl"
    ]
    assert len(choose(every, now(), IN_REPORT)) == sent
