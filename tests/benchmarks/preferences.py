"""What learning a writer's taste saves, measured on simulated writers whose tastes are hidden.

Every round a draft is written in the style of the rules that a way of learning offers, the writer edits it, and the
characters that had to change are counted by the raw script of our own diff. All ways meet the same drafts and the
same writers. Ours runs through the real store and the real learner, in a database of its own, without a model: what
is measured is the learning, not somebody's model. The writer is code in a file of its own that imports nothing of
the product; it is simulated all the same, and real people differ from it in ways that nobody has measured. The
formal words of the house style all stand in the product's tables; where some do not, no rule can exchange them
without a model, and raw examples, which repeat any words, cost less than even the oracle's drafts.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

from engine.domain.artifact import ArtifactKind, NewVersion, VersionAuthor, VersionReason
from engine.domain.course import Course, Criterion, Project, Task
from engine.domain.people import LOCAL_VIEWER, Owned
from engine.domain.preference import DIMENSION_OF, EVERYWHERE, Aspect, Direction, StyleRule
from engine.domain.states import CriterionKind, Language, Source
from engine.llm.offline import offline_gateway
from engine.llm.offline_style import apply_rules
from engine.revision.diff import raw_script
from engine.revision.style.traits import read_change
from engine.wiring import Space, build_space
from tests.benchmarks.bars import Bar, Report
from tests.benchmarks.house_style import house_draft
from tests.benchmarks.simulated_writer import Writer, suited

ROUNDS, SWITCH_AT = 200, 100
SEEDS = (11, 23, 47)
EXAMPLES = 5
"""Edits that are imitated word for word, as many as the literature shows a model."""
WINDOW = 5
"""Rounds in a row in which drafts must cost no more than the oracle's before a writer's change counts as followed."""
_TIDY = {"emoji": "less", "exclamations": "less", "headings": "less", "sentences": "less"}
_LIVELY = {"formality": "less", "contractions": "more", "lists": "less"}
_CHINESE = {"spacing": "more", "formality": "less", "emoji": "less"}
Taste = dict[str, str]


def writers(switch_at: int) -> dict[str, Writer]:
    """The simulated people, by name."""

    def one(language: str, tastes: Taste, after: Taste | None = None, notices: float = 1.0) -> Writer:
        after = tastes if after is None else after
        return Writer(language=language, tastes=tastes, after_switch=after, switch_at=switch_at, notices=notices)

    return {
        "tidy, then lively (en)": one("en", _TIDY, _TIDY | {"emoji": "more", "exclamations": "more"}),
        "plain, then by the book (en)": one("en", _LIVELY, _LIVELY | {"contractions": "less"}),
        "plain, changes spacing (zh)": one("zh", _CHINESE, _CHINESE | {"spacing": "less", "emoji": "more"}),
        "tidy but absent-minded (en)": one("en", _TIDY, notices=0.6),
        "without a taste (en)": one("en", {}),
        "without a taste (zh)": one("zh", {}),
    }


class Way(Protocol):
    """A way of learning: what it would have a draft look like, and what it makes of an edit."""

    def draft(self, plain: str, number: int, /) -> str:
        """The draft of a round."""

    def see(self, draft: str, edited: str, number: int, /) -> None:
        """The draft came back like this."""


class NoLearning:
    """Every draft in the house style."""

    def draft(self, plain: str, _number: int) -> str:
        """As it is."""
        return plain

    def see(self, _draft: str, _edited: str, _number: int) -> None:
        """Nothing is made of it."""


@dataclass
class Oracle:
    """Knows the tastes, and can do no more about them than anybody's rules can."""

    writer: Writer

    def draft(self, plain: str, number: int) -> str:
        """In the style that is wanted in this round."""
        wanted = self.writer.wants(number).items()
        return apply_rules(plain, [rule_of(Aspect(name), Direction(way)) for name, way in wanted])[0]

    def see(self, _draft: str, _edited: str, _number: int) -> None:
        """It knows already."""


@dataclass
class OneGlobalRule:
    """Keeps what the newest edit hinted at most clearly, for everything, and forgets all else."""

    rule: StyleRule | None = None

    def draft(self, plain: str, _number: int) -> str:
        """By the one rule."""
        return apply_rules(plain, [self.rule] if self.rule else [])[0]

    def see(self, draft: str, edited: str, _number: int) -> None:
        """The newest hint stands over the one before."""
        hints = read_change(raw_script(draft, edited), EVERYWHERE).proposals
        if hints:
            self.rule = rule_of(hints[0].aspect, hints[0].direction)


@dataclass
class RawExamples:
    """Repeats the exchanges of the last edits word for word, as a model shown raw examples is hoped not to."""

    examples: list[list[tuple[str, str]]] = field(default_factory=list)

    def draft(self, plain: str, _number: int) -> str:
        """Every exchange of the last edits made again, wherever its words stand."""
        for old, new in (pair for example in self.examples[-EXAMPLES:] for pair in example):
            plain = plain.replace(old, new)
        return plain

    def see(self, draft: str, edited: str, _number: int) -> None:
        """Keep what was exchanged; what was only added has no place where it could be added again."""
        script = raw_script(draft, edited)
        pairs = [(draft[hunk.old_start : hunk.old_end], edited[hunk.new_start : hunk.new_end]) for hunk in script.hunks]
        self.examples.append([(old, new) for old, new in pairs if old.strip()])


class Ours:
    """The product's own learner and store."""

    def __init__(self, space: Space, owned: Owned, days: list[datetime]) -> None:
        self._space = space
        self._owned = owned
        self._days = days
        self._rules: tuple[StyleRule, ...] = ()
        self.held: list[frozenset[tuple[str, str]]] = []
        """Of each round the rules that went along: aspect and direction."""

    def draft(self, plain: str, number: int) -> str:
        """By the rules that stand on this day."""
        self._days[0] = START + timedelta(days=number)
        habits = self._space.preferences.habits
        self._rules = habits.for_text(LOCAL_VIEWER, self._owned, ArtifactKind.ANNOUNCEMENT, None)
        self.held.append(frozenset((rule.aspect.value, rule.direction.value) for rule in self._rules))
        return apply_rules(plain, self._rules)[0]

    def see(self, draft: str, edited: str, number: int) -> None:
        """Store the draft and the edit as two versions, and learn from the second."""
        first = NewVersion(title="", body=draft, author=VersionAuthor.MODEL, reason=VersionReason.BRIEF)
        artifact, version = self._space.artifacts.begin(
            LOCAL_VIEWER,
            self._owned,
            first,
            kind=ArtifactKind.ANNOUNCEMENT,
            file_name=f"{number}.md",
            rules=[rule.rule_id for rule in self._rules],
        )
        preferences = self._space.preferences
        if edited == draft:
            return
        by_hand = NewVersion(title="", body=edited, author=VersionAuthor.STUDENT, reason=VersionReason.EDITED)
        saved = self._space.artifacts.save(LOCAL_VIEWER, artifact.artifact_id, version.version_id, by_hand)
        preferences.learner.learn(LOCAL_VIEWER, artifact.artifact_id, saved.version.version_id)


START = datetime(2026, 3, 1, tzinfo=UTC)
_CRITERION = Criterion(rubric_id="any", kind=CriterionKind.ACCEPTANCE, text="Any", decided_by=Source.MODEL)
_COURSE = Course(
    course_id="course",
    title="Course",
    language=Language.EN,
    projects=(
        Project(
            project_id="one",
            title="One",
            tasks=(Task(task_id="any", title="Any", goal="Any", criteria=(_CRITERION,)),),
        ),
    ),
)


@contextmanager
def ours() -> Iterator[Ours]:
    """On an empty database of its own; a day passes with each round."""
    days = [START]
    with tempfile.TemporaryDirectory(prefix="tutorloop-") as folder:
        url = f"sqlite:///{Path(folder) / 'taste.db'}"
        space = build_space(url, offline_gateway(delay_s=0), clock=lambda: days[0])
        try:
            course = space.courses.keep_course(LOCAL_VIEWER, _COURSE)
            learner = space.courses.add_learner(LOCAL_VIEWER, "Ada", course_id=course.course_id)
            owned = Owned(learner_id=learner.learner_id, project_id=course.projects[0].project_id)
            yield Ours(space, owned, days)
        finally:
            space.close()


def rule_of(aspect: Aspect, direction: Direction) -> StyleRule:
    """A rule as it goes along, for ways that keep none."""
    return StyleRule(
        rule_id=f"{aspect} {direction}",
        dimension=DIMENSION_OF[aspect],
        sentence="",
        aspect=aspect,
        direction=direction,
    )


def play(way: Way, writer: Writer, seed: int, rounds: int) -> list[int]:
    """What each round cost: characters deleted and inserted."""
    costs: list[int] = []
    for number in range(rounds):
        draft = way.draft(house_draft(writer.language, seed, number), number)
        edited = writer.edit(draft, seed, number)
        script = raw_script(draft, edited)
        costs.append(script.deleted + script.inserted)
        way.see(draft, edited, number)
    return costs


@dataclass(frozen=True, slots=True)
class Played:
    """One writer and seed: what each round cost each way of learning, and the rules that ours had in it."""

    costs: dict[str, list[int]]
    held: list[frozenset[tuple[str, str]]]


def play_all(writer: Writer, seed: int, rounds: int) -> Played:
    """Every way of learning on the same writer, drafts and days."""
    ways: dict[str, Callable[[], Way]] = {
        NONE: NoLearning,
        GLOBAL: OneGlobalRule,
        RAW: RawExamples,
        ORACLE: lambda: Oracle(writer),
    }
    costs = {name: play(make(), writer, seed, rounds) for name, make in ways.items()}
    with ours() as way:
        costs[OURS] = play(way, writer, seed, rounds)
    return Played(costs, way.held)


NONE, GLOBAL, RAW, OURS, ORACLE = "no learning", "one global rule", "raw examples", "ours", "oracle"
NAMES = (NONE, GLOBAL, RAW, OURS, ORACLE)


def rounds_to_recover(costs: Sequence[int], oracle: Sequence[int], switch_at: int) -> int | None:
    """Rounds from the switch until no draft of a window costs more than the oracle's; None: not before the end."""
    is_followed = [spent <= least for spent, least in zip(costs, oracle, strict=True)]
    for start in range(switch_at, len(costs) - WINDOW + 1):
        if all(is_followed[start : start + WINDOW]):
            return start - switch_at
    return None


def unmet(writer: Writer, number: int) -> set[tuple[str, str]]:
    """The tastes of a round that drafts in the house style do not suit anyway: what there is to be found."""
    drafts = [house_draft(writer.language, SEEDS[0], each) for each in range(WINDOW)]
    wanted = writer.wants(number).items()
    return {
        (name, way) for name, way in wanted if any(suited(one, {name: way}, writer.language) != one for one in drafts)
    }


def found(writer: Writer, played: Sequence[Played], rounds: Sequence[int]) -> tuple[int, int, int]:
    """Of the rules in these rounds, all seeds together: tastes found, tastes to be found, rules that answer to none."""
    held = [(number, one.held[number]) for one in played for number in rounds]
    return (
        sum(len(unmet(writer, number) & rules) for number, rules in held),
        sum(len(unmet(writer, number)) for number, _rules in held),
        sum(len(rules - set(writer.wants(number).items())) for number, rules in held),
    )


def measure(is_quick: bool) -> Report:
    """Play every writer with every seed, and hold the sums against the bars."""
    rounds, seeds = (40, SEEDS[:1]) if is_quick else (ROUNDS, SEEDS)
    switch_at = rounds // 2
    told = [
        f"{rounds} rounds, seeds {', '.join(map(str, seeds))}; characters changed by the writer, all seeds together.",
        "The writers are simulated: the figures say what the learner does with such people, not what real ones gain.",
        "All formal words here stand in the tables of the product; of others, raw examples save more than any rule.",
        "",
        f"{'writer':32}" + "".join(f"{name:>16}" for name in NAMES) + f"{'tastes found':>18}{'followed after':>20}",
    ]
    bars: list[Bar] = []
    for name, writer in writers(switch_at).items():
        played = [play_all(writer, seed, rounds) for seed in seeds]
        sums = {way: sum(sum(one.costs[way]) for one in played) for way in NAMES}
        seen, there, beside = found(writer, played, (switch_at - 1, rounds - 1))
        told.append(
            f"{name:32}"
            + "".join(f"{sums[way]:16,}" for way in NAMES)
            + f"{f'{seen} of {there}, +{beside}':>18}{_recovered(writer, played, switch_at):>20}"
        )
        bars += _bars(name, writer, played, sums)
    told += (
        "",
        "Tastes found: at the end of each half, of those that the house style does not suit; + rules that suit none.",
        f"Followed after: rounds from the change of taste until {WINDOW} drafts in a row cost what the oracle's do.",
    )
    return Report(times=(), told=tuple(told), bars=tuple(bars))


def _recovered(writer: Writer, played: Sequence[Played], switch_at: int) -> str:
    if writer.tastes == writer.after_switch:
        return ""
    after = [rounds_to_recover(one.costs[OURS], one.costs[ORACLE], switch_at) for one in played]
    return ", ".join("never" if one is None else str(one) for one in after) + " rounds"


MOST_OF_NONE, MOST_OF_OTHERS, MOST_WITHOUT_TASTE = 0.5, 1.0, 1.0
"""The bars: of what no learning, the better of the other two ways, and no learning without a taste cost."""


def _bars(name: str, writer: Writer, played: Sequence[Played], sums: dict[str, int]) -> Iterator[Bar]:
    if not writer.tastes:
        worst = max(sum(one.costs[OURS]) / sum(one.costs[NONE]) for one in played)
        yield Bar(name=f"{name}: ours to no learning, the worst seed", figure=worst, limit=MOST_WITHOUT_TASTE)
        return
    yield Bar(name=f"{name}: ours to no learning", figure=sums[OURS] / sums[NONE], limit=MOST_OF_NONE)
    other = min(sums[GLOBAL], sums[RAW])
    yield Bar(name=f"{name}: ours to the better of the other ways", figure=sums[OURS] / other, limit=MOST_OF_OTHERS)
