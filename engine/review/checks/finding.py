"""What a check is made of: its parameters, the finding it answers with, and the words of both."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.domain.course import Scalar
from engine.domain.states import CriterionStatus, Language
from engine.feedback.cutting import clean_and_cut, cut
from engine.review.evidence import Evidence
from engine.review.redaction import redact

EVIDENCE_CHARACTERS = 240
"""How much of a line or message an evidence shows; a card has room for it, a block cuts further."""


class FindingCode(StrEnum):
    """What several checks, or those of files, patterns and tests, can find; `engine/review/wording.py` words it.

    A check whose findings are its own brings their codes and words in its own file.
    """

    FILE_THERE = "file_there"
    FILE_MISSING = "file_missing"
    NOTHING_TO_CHECK = "nothing_to_check"
    FILE_UNREADABLE = "file_unreadable"
    TOO_BIG_TO_SEARCH = "too_big_to_search"
    PATTERN_FOUND = "pattern_found"
    PATTERN_MISSING = "pattern_missing"
    PATTERN_UNWANTED = "pattern_unwanted"
    PATTERN_ABSENT = "pattern_absent"
    LONG_ENOUGH = "long_enough"
    TOO_SHORT = "too_short"
    PARSED = "parsed"
    NOT_PARSED = "not_parsed"
    TOO_BIG_TO_PARSE = "too_big_to_parse"
    TESTS_PASSED = "tests_passed"
    TESTS_FAILED = "tests_failed"
    TESTS_NOT_RUN = "tests_not_run"
    NO_MATCHING_TEST = "no_matching_test"
    NO_REPORT = "no_report"
    REPORT_BROKEN = "report_broken"
    REPORT_REFUSED = "report_refused"
    REPORT_UNREADABLE = "report_unreadable"
    NO_MODEL = "no_model"
    WAITS_FOR_TEACHER = "waits_for_teacher"
    NOT_JUDGED = "not_judged"
    EVIDENCE_NOT_FOUND = "evidence_not_found"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The answer of a check, not yet in words."""

    status: CriterionStatus
    code: str
    """One of `Check.codes`."""
    values: Mapping[str, str | int]
    """What the sentence of this code says in its blanks; several names stand one a line."""
    evidence: str | None = None
    """Where it can be seen, `path:line` first where there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The sentences of one code in one language."""

    reason: str
    next_step: str | None = None
    """None for what is only ever a PASS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A few words for an editor, in both languages."""

    en: str
    zh: str

    def text(self, language: Language) -> str:
        """The words in one language."""
        return self.zh if language is Language.ZH else self.en


Params = Mapping[str, Scalar]
Judge = Callable[[Evidence, Params], Finding]
"""A pure function; what it raises is a broken tool, never a verdict."""


class ParamType(StrEnum):
    """What a parameter must be; the value is its kind as a form names it."""

    GLOB = "glob"
    """Names of files or tests: text with * and ?, several with | between them."""
    REGEX = "regex"
    """A regular expression."""
    WHOLE_NUMBER = "whole number"
    """Between `least` and `most`, both allowed."""
    CHOICE = "choice"
    """One of `choices`."""
    YES_NO = "yes or no"
    TEXTS = "list of texts"
    """One to `most` lines of text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Param:
    """One parameter of a check, described so that a form can be drawn from it."""

    name: str
    """As it stands in a course file."""
    type: ParamType
    label: Label
    """What it is for."""
    default: Scalar | None = None
    """What holds where it is left out; None where nothing does."""
    optional: bool = False
    """Whether it may be left out although it has no default."""
    least: int = 1
    """Smallest whole number."""
    most: int = 1_000_000
    """Largest whole number, or how many texts."""
    choices: tuple[str, ...] = ()
    """What can be chosen, in the order of a form."""

    @property
    def required(self) -> bool:
        """Whether a course must give it."""
        return self.default is None and not self.optional


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A check as the registry lists it."""

    name: str
    """As it stands in a course file; the name of its module."""
    label: Label
    """What it is about."""
    function: Judge
    params: tuple[Param, ...]
    """In the order of a form."""
    codes: tuple[str, ...]
    """Every code it may answer with."""
    words: Mapping[str, Mapping[Language, Words]] = field(default_factory=dict)
    """The words of those codes that are its own."""
    needs_one_of: tuple[str, ...] = ()
    """Optional parameters of which at least one must be given."""


def text_of(params: Params, name: str, default: str | None = None) -> str:
    """A parameter as text.

    Raises:
        ValueError: it is missing or something else; a course that was checked has none such.
    """
    value = params.get(name, default)
    if not isinstance(value, str):
        raise ValueError(f"the parameter {name} is {value!r}; it must be text")
    return value


def number_of(params: Params, name: str) -> int:
    """A parameter as a whole number.

    Raises:
        ValueError: it is missing or something else; a course that was checked has none such.
    """
    value = params.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"the parameter {name} is {value!r}; it must be a whole number")
    return value


def number_or_none(params: Params, name: str) -> int | None:
    """The same for a parameter that may be left out."""
    return number_of(params, name) if name in params else None


def place(path: str, line: int | None, quote: str = "") -> str:
    """An evidence: `path:line: quote`, the quote on one line, without secrets, and shortened."""
    name = shorten(path, EVIDENCE_CHARACTERS)
    where = name if line is None else f"{name}:{line}"
    shown = shorten(redact(quote[: 8 * EVIDENCE_CHARACTERS]), EVIDENCE_CHARACTERS)
    return f"{where}: {shown}" if shown else where


def shorten(text: str, limit: int) -> str:
    """`text` cleaned, on one line, at most `limit` code points; a cut is shown by an ellipsis."""
    # Cut twice, because a line of minified code may have millions of characters to put on one line.
    beginning, _ = clean_and_cut(text, 4 * limit)
    line, _ = cut(" ".join(beginning.split()), limit)
    return line
