"""Whose style is learned, and the small rules that it is made of."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from engine.domain.artifact import VersionReason
from engine.domain.people import Owned
from engine.domain.states import Language
from engine.domain.text import clean


class Dimension(StrEnum):
    """What a rule may be about; nothing else can be learned, least of all anything about verdicts."""

    LENGTH = "length"
    TONE = "tone"
    FORMAT = "format"
    EXAMPLES = "examples"
    STRUCTURE = "structure"
    CONTENT = "content"
    LANGUAGE = "language"


class Aspect(StrEnum):
    """What exactly a rule is about; two rules can contradict each other only where this is equal."""

    TEXT = "text"
    """How long the whole is."""
    SENTENCES = "sentences"
    """How long they are."""
    PARAGRAPHS = "paragraphs"
    """How long they are."""
    FORMALITY = "formality"
    EXCLAMATIONS = "exclamations"
    SECOND_PERSON = "second_person"
    """Whether the reader is spoken to."""
    CONTRACTIONS = "contractions"
    EMOJI = "emoji"
    LISTS = "lists"
    HEADINGS = "headings"
    SPACING = "spacing"
    """A space between Chinese and Latin."""
    PUNCTUATION = "punctuation"
    """Full-width punctuation in Chinese."""
    EXAMPLES = "examples"
    LANGUAGE = "language"
    """More is Chinese, less is English: the two languages of the product."""
    OTHER = "other"
    """Only its sentence says what it is about."""


DIMENSION_OF = MappingProxyType(
    {
        Aspect.TEXT: Dimension.LENGTH,
        Aspect.SENTENCES: Dimension.LENGTH,
        Aspect.PARAGRAPHS: Dimension.LENGTH,
        Aspect.FORMALITY: Dimension.TONE,
        Aspect.EXCLAMATIONS: Dimension.TONE,
        Aspect.SECOND_PERSON: Dimension.TONE,
        Aspect.CONTRACTIONS: Dimension.TONE,
        Aspect.EMOJI: Dimension.FORMAT,
        Aspect.LISTS: Dimension.FORMAT,
        Aspect.HEADINGS: Dimension.STRUCTURE,
        Aspect.SPACING: Dimension.FORMAT,
        Aspect.PUNCTUATION: Dimension.FORMAT,
        Aspect.EXAMPLES: Dimension.EXAMPLES,
        Aspect.LANGUAGE: Dimension.LANGUAGE,
        Aspect.OTHER: Dimension.CONTENT,
    }
)


class Direction(StrEnum):
    """Which way a rule pulls."""

    MORE = "more"
    LESS = "less"

    @property
    def opposite(self) -> "Direction":
        """The other one."""
        return Direction.LESS if self is Direction.MORE else Direction.MORE


class ScopeLevel(StrEnum):
    """How far a rule reaches, the widest first."""

    EVERYWHERE = "everywhere"
    KIND = "kind"
    TASK = "task"


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """Where a rule holds."""

    level: ScopeLevel = ScopeLevel.EVERYWHERE
    of: str = ""
    """The kind of text or the id of the task; empty where it holds everywhere."""


EVERYWHERE = Scope()


@dataclass(frozen=True, slots=True, kw_only=True)
class StyleRule:
    """One rule as it goes along with a request, as data."""

    rule_id: str
    dimension: Dimension
    sentence: str
    """In the persona's language, one sentence."""
    aspect: Aspect = Aspect.OTHER
    direction: Direction = Direction.MORE


def preferences_payload(rules: Iterable[StyleRule]) -> dict[str, object]:
    """Rules as the data of a request, in one form wherever they go along."""
    return {
        "rules": [
            {
                "rule_id": rule.rule_id,
                "dimension": rule.dimension.value,
                "aspect": rule.aspect.value,
                "direction": rule.direction.value,
                "sentence": clean(rule.sentence),
            }
            for rule in rules
        ]
    }


class RuleOrigin(StrEnum):
    """Whether a person said it, or it was only seen in what a person changed."""

    SAID = "said"
    SEEN = "seen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A rule that a wish states or a change hints at, before it is anybody's rule."""

    aspect: Aspect
    direction: Direction
    sentence: str
    """In the language of the text that it comes from."""
    scope: Scope = EVERYWHERE
    before: str = ""
    """What stood in the changed place; empty where nothing did."""
    after: str = ""
    """What stands there now; empty where it was only deleted."""


class EvidenceKind(StrEnum):
    """What speaks for a rule or against it."""

    SAID = "said"
    """The person's own words."""
    SEEN = "seen"
    """A change that the person made by hand."""
    KEPT = "kept"
    """A draft followed the rule, and the person left that as it was while changing other things."""
    AGAINST = "against"
    """A change or a word in the opposite direction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One thing that speaks for a rule or against it."""

    kind: EvidenceKind
    artifact_id: str
    version_id: str
    """The version that the change or the wish led to."""
    edit_number: int
    """How many changes of the persona were learned from before and with this one; 1 is the first."""
    at: datetime
    words: str = ""
    """What the person said; empty where nothing was said, or where it was erased."""
    before: str = ""
    after: str = ""


class RuleEventKind(StrEnum):
    """What a person did to a rule."""

    MUTED = "muted"
    UNMUTED = "unmuted"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    EDITED = "edited"
    DELETED = "deleted"
    UNDONE = "undone"
    """The wish that made it was taken back."""
    CONFIRMED = "confirmed"
    """Keep to it now, without waiting for a second time."""
    REPLACED = "replaced"
    """A later wish says the opposite."""
    PUT_BACK = "put_back"
    """It was deleted or taken back, and that was not meant."""
    REOPENED = "reopened"
    """The wish that had replaced it was taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleEvent:
    """One thing that a person did to a rule."""

    kind: RuleEventKind
    at: datetime
    sentence: str = ""
    """The new words of an edited rule; empty otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleUse:
    """One version that a model wrote, a draft or what came of an edit, with the rule given along."""

    artifact_id: str
    version_id: str
    number: int
    """Of the version inside its artifact."""
    reason: VersionReason
    """Why the version came about."""
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A persona's rule with everything that is known about it. Its state is never stored: see `preferences`."""

    rule_id: str
    dimension: Dimension
    aspect: Aspect
    direction: Direction
    scope: Scope
    origin: RuleOrigin
    sentence: str
    """As it was made; an edited one has its words in its newest event of that kind."""
    made_at: datetime
    evidence: tuple[Evidence, ...] = ()
    """Oldest first."""
    events: tuple[RuleEvent, ...] = ()
    """Oldest first."""
    uses: tuple[RuleUse, ...] = ()
    """Oldest first."""


class RuleState(StrEnum):
    """Whether a rule goes along with a draft."""

    CANDIDATE = "candidate"
    ACTIVE = "active"
    MUTED = "muted"


class MuteReason(StrEnum):
    """Why a rule does not hold."""

    BY_PERSON = "by_person"
    FADED = "faded"
    """Nothing spoke for it for long, or too much against it."""
    BEATEN = "beaten"
    """Another rule on the same thing goes first."""
    REPLACED = "replaced"
    """A later wish says the opposite."""


class CheckResult(StrEnum):
    """What an earlier change that a rule was not made from says of it."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    """It goes the other way, so that one more support is needed."""
    UNTOLD = "untold"
    """No earlier change tells anything of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What a rule that was only seen was held against before it may hold."""

    result: CheckResult
    change: Evidence | None = None
    """The earlier change by hand, as it stands with the rule that was made from it; None where none tells anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What holds of a rule at one moment."""

    rule: Rule
    state: RuleState
    sentence: str
    """The words in force."""
    score: float
    """Support less contradiction, both fading; see `preferences`."""
    supports: int
    """Artifacts in which something speaks for it, and every time it was said."""
    is_pinned: bool
    is_said: bool
    """Whether a person stated or confirmed it."""
    why: MuteReason | None = None
    """None while it is not muted."""
    check: Check | None = None
    """None where nothing is to be checked yet, or any more: it was seen in one text at most, or a person said it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """Whose style is learned: a learner's in a project, or that of the teachers of a project."""

    persona_id: str
    owned: Owned
    language: Language
    """Of the sentences that its first rules are written in."""
    made_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaRules:
    """Everything that is known of a persona's rules."""

    persona: Persona
    rules: tuple[Rule, ...]
    """The oldest first, deleted ones included."""
    edits: int
    """Versions that were learned from."""
