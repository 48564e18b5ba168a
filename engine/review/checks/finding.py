"""What a check is made of: its parameters, and the finding it answers with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.domain.course import Scalar
from engine.domain.states import CriterionStatus
from engine.feedback.cutting import clean_and_cut, cut
from engine.review.evidence import Evidence

EVIDENCE_CHARACTERS = 240
"""How much of a line or message an evidence shows; a card has room for it, a block cuts further."""


class FindingCode(StrEnum):
    """What was found. Words, in both languages, stand in `engine/review/wording.py`."""

    FILE_THERE = "file_there"
    FILE_MISSING = "file_missing"
    NOTHING_TO_CHECK = "nothing_to_check"
    FILE_UNREADABLE = "file_unreadable"
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
    code: FindingCode
    values: Mapping[str, str | int]
    """What the sentence of this code says in its blanks; several names stand one a line."""
    evidence: str | None = None
    """Where it can be seen, `path:line` first where there is one."""


Params = Mapping[str, Scalar]
Judge = Callable[[Evidence, Params], Finding]
"""A pure function; what it raises is a broken tool, never a verdict."""


class ParamType(StrEnum):
    """What a parameter must be."""

    GLOB = "glob"
    REGEX = "regex"
    WHOLE_NUMBER = "whole number"
    FORMAT = "format"


@dataclass(frozen=True, slots=True, kw_only=True)
class Param:
    """One parameter of a check."""

    name: str
    type: ParamType
    doc: str
    """One line for the course author."""
    default: Scalar | None = None
    """None: it must be given."""

    @property
    def required(self) -> bool:
        """Whether a course must give it."""
        return self.default is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A check as the registry lists it."""

    name: str
    function: Judge
    params: tuple[Param, ...]
    codes: tuple[FindingCode, ...]
    """Every code it may answer with."""


def text_of(params: Params, name: str) -> str:
    """A parameter as text.

    Raises:
        ValueError: it is missing or something else; a course that was checked has none such.
    """
    value = params.get(name)
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


def place(path: str, line: int | None, quote: str = "") -> str:
    """An evidence: `path:line: quote`, the quote on one line and shortened."""
    name = shorten(path, EVIDENCE_CHARACTERS)
    where = name if line is None else f"{name}:{line}"
    shown = shorten(quote, EVIDENCE_CHARACTERS)
    return f"{where}: {shown}" if shown else where


def shorten(text: str, limit: int) -> str:
    """`text` cleaned, on one line, at most `limit` code points; a cut is shown by an ellipsis."""
    # Cut twice, because a line of minified code may have millions of characters to put on one line.
    beginning, _ = clean_and_cut(text, 4 * limit)
    line, _ = cut(" ".join(beginning.split()), limit)
    return line
