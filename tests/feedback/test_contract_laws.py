"""Laws of the contract, through the real stores: what never changes the answer, whatever else happened."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.feedback import TraceCode
from engine.domain.states import CriterionKind, CriterionStatus, FeedbackState
from tests.feedback.story import RUBRIC, V1, Story

OTHER_RULES = (
    replace(V1, rubric="rubric-0"),
    replace(V1, prompt="prompt-0"),
    replace(V1, engine="engine-0"),
)
_learners = count(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """One attempt of a plan."""

    name: str
    hand_in: int
    rules: int | None
    """Which of the other rules it was made by; None for those in force."""
    end: str
    """judged, broken, down or open."""
    statuses: tuple[str, ...]

    @property
    def by_name(self) -> dict[str, str]:
        return {line.rubric_id: status for line, status in zip(RUBRIC, self.statuses, strict=True)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Hand-ins of one task and their reviews, in the order of beginning."""

    hand_ins: int
    reviews: tuple[Review, ...]
    hours: tuple[int, ...]
    """Where the clock stands at each step, over and over; in no order."""

    @property
    def of_newest(self) -> tuple[Review, ...]:
        return tuple(review for review in self.reviews if review.hand_in == self.hand_ins - 1)

    @property
    def counting(self) -> Review | None:
        """The newest compatible attempt of the newest hand-in."""
        return next((review for review in reversed(self.of_newest) if review.rules is None), None)


def reviews(most: int, hand_ins: int) -> st.SearchStrategy[tuple[Review, ...]]:
    one = st.builds(
        Review,
        name=st.just(""),
        hand_in=st.integers(0, hand_ins - 1) | st.just(hand_ins - 1),
        rules=st.none() | st.none() | st.integers(0, len(OTHER_RULES) - 1),
        end=st.sampled_from(["judged", "judged", "judged", "broken", "down", "open"]),
        statuses=st.tuples(*[st.sampled_from(list(map(str, CriterionStatus)))] * len(RUBRIC)) | st.just(("PASS",) * 4),
    )
    listed = st.lists(one, max_size=most)
    return listed.map(lambda made: tuple(replace(each, name=f"review {n}") for n, each in enumerate(made)))


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    hand_ins = draw(st.integers(1, 3))
    hours = draw(st.lists(st.integers(-50, 50), min_size=1, max_size=5))
    return Plan(hand_ins=hand_ins, reviews=draw(reviews(4, hand_ins)), hours=tuple(hours))


Answer = tuple[str, tuple[tuple[str, str, str], ...], str | None, str | None, str | None, str | None]


class _Play:
    """Plays a plan from its first step to its last, for a learner of its own."""

    def __init__(self, story: Story, plan: Plan) -> None:
        self.story = story
        self._learner = f"learner {next(_learners)}"
        self._plan = plan
        self._steps = 0

    def to_the_end(self, order: Sequence[int] | None = None, *, at_once: bool = False) -> Answer:
        """Begin every review; end each at once, or all of them later in this order."""
        for number in range(self._plan.hand_ins):
            self._tick()
            self.story.submit(f"hand-in {number}", learner=self._learner)
        for review in self._plan.reviews:
            self._tick()
            versions = V1 if review.rules is None else OTHER_RULES[review.rules]
            self.story.start(review.name, f"hand-in {review.hand_in}", versions)
            if at_once:
                self._end(review)
        for number in [] if at_once else (order or range(len(self._plan.reviews))):
            self._end(self._plan.reviews[number])
        return self.answer()

    def _tick(self) -> None:
        self.story.at(hours=self._plan.hours[self._steps % len(self._plan.hours)])
        self._steps += 1

    def _end(self, review: Review) -> None:
        self._tick()
        match review.end:
            case "judged":
                self.story.finish(review.name, **review.by_name)
            case "broken":
                self.story.finish(review.name, record={"verdict": "PASS", "criteria": []})
            case "down":
                self.story.break_off(review.name)

    def answer(self) -> Answer:
        seen = self.story.see(learner=self._learner)
        items = tuple((str(i["rubric_id"]), str(i["status"]), str(i["reason"])) for i in seen.items)
        feedback = seen.feedback
        assert len([code for code in feedback.trace if code.code in _LAST]) == 1
        return str(seen.state), items, seen.hand_in, seen.attempt, feedback.verdict, feedback.next_step


_LAST = frozenset(TraceCode) - {TraceCode.NEWEST_SUBMISSION, TraceCode.NEWEST_ATTEMPT, TraceCode.KEEPS_CONTRACT}
"""The trace steps that end a selection."""


def told_by_the_table(plan: Plan) -> tuple[str, list[str]]:
    """State and items by the contract's table, written down once more without any database."""
    review = plan.counting
    if review is None:
        return ("stale_rules" if plan.of_newest else "pending"), []
    if review.end != "judged":
        return {"open": "pending", "down": "unavailable", "broken": "invalid"}[review.end], []
    acceptance = {line.rubric_id for line in RUBRIC if line.kind is CriterionKind.ACCEPTANCE}
    unmet = [(status, name) for name, status in review.by_name.items() if name in acceptance and status != "PASS"]
    return ("current" if unmet else "passed"), [name for _, name in sorted(unmet)]


def check_order_of_ending(story: Story, plan: Plan, order: Sequence[int]) -> None:
    assert _Play(story, plan).to_the_end(order) == _Play(story, plan).to_the_end(at_once=True)


def check_older_hand_ins(story: Story, plan: Plan, order: Sequence[int]) -> None:
    newest = [replace(review, hand_in=0) for review in plan.of_newest]
    alone = _Play(story, replace(plan, hand_ins=1, reviews=tuple(newest))).to_the_end()
    state, items, _, *rest = _Play(story, plan).to_the_end(order)
    assert (state, items, *rest) == (alone[0], alone[1], *alone[3:])


def check_older_attempts(story: Story, plan: Plan, order: Sequence[int]) -> None:
    counting = plan.counting
    older = plan.reviews[: plan.reviews.index(counting)] if counting else ()
    without = tuple(review for review in plan.reviews if review not in older)
    assert _Play(story, plan).to_the_end(order) == _Play(story, replace(plan, reviews=without)).to_the_end()


def check_one_state(story: Story, plan: Plan, order: Sequence[int]) -> None:
    play = _Play(story, plan)
    state, items, hand_in, attempt, verdict, next_step = play.to_the_end(order)
    assert (state, [name for name, _, _ in items]) == told_by_the_table(plan)
    assert [one for one in FeedbackState if one == state] == [state]
    assert hand_in == f"hand-in {plan.hand_ins - 1}"
    assert attempt == (plan.counting.name if plan.counting else None)
    assert (verdict is not None) == (state in ("passed", "current"))
    assert (next_step is not None) == (state == "current")


@st.composite
def played(draw: st.DrawFn) -> tuple[Plan, Sequence[int]]:
    """A plan, and an order in which its reviews end."""
    plan = draw(plans())
    return plan, draw(st.permutations(range(len(plan.reviews))))


@settings(max_examples=25, deadline=None)
@given(played())
def test_the_order_in_which_reviews_end_never_changes_the_answer(
    on_sqlite_told: Story, told: tuple[Plan, Sequence[int]]
) -> None:
    check_order_of_ending(on_sqlite_told, *told)


@settings(max_examples=25, deadline=None)
@given(played())
def test_older_hand_ins_and_their_reviews_never_change_the_answer(
    on_sqlite_told: Story, told: tuple[Plan, Sequence[int]]
) -> None:
    check_older_hand_ins(on_sqlite_told, *told)


@settings(max_examples=25, deadline=None)
@given(played())
def test_attempts_older_than_the_newest_compatible_one_never_change_the_answer(
    on_sqlite_told: Story, told: tuple[Plan, Sequence[int]]
) -> None:
    check_older_attempts(on_sqlite_told, *told)


@settings(max_examples=40, deadline=None)
@given(played())
def test_whatever_happened_there_is_exactly_one_state_and_the_table_says_which(
    on_sqlite_told: Story, told: tuple[Plan, Sequence[int]]
) -> None:
    check_one_state(on_sqlite_told, *told)


@pytest.mark.postgres
@settings(max_examples=4, deadline=None)
@given(played())
def test_all_four_laws_hold_on_postgresql_too(on_postgres_told: Story, told: tuple[Plan, Sequence[int]]) -> None:
    for law in (check_order_of_ending, check_older_hand_ins, check_older_attempts, check_one_state):
        law(on_postgres_told, *told)
