"""Reads JUnit XML. What was not run is never a failure, and a report is never expanded, only read.

A `<failure>`, and an `<error>` raised inside a test, is a failed test. What a harness writes when it
could not get as far (collection, a build, set-up, tear-down, a whole suite) is told apart by
`engine.review.harness`; such a test, a skipped and a disabled one did not run. A test that failed and
passed when it was tried again has passed, as the tool itself counts it.
"""

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from xml.etree.ElementTree import Element, ParseError

import junitparser
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from engine.domain.states import TestState
from engine.domain.text import clean
from engine.review.harness import Told, is_harness
from engine.review.logs import head_and_tail
from engine.review.redaction import redact

_NOT_RUN_STATUS = frozenset({"notrun", "disabled", "skipped", "suppressed", "ignored"})
_FAILED_STATUS = frozenset({"fail", "failed"})
MESSAGE_CHARACTERS = 2000
"""At most so much of what a report says about a test is kept, from its beginning and its end."""
MAX_NOTES = 30
NOTE_CHARACTERS = 200
_TELLS_ENVIRONMENT = re.compile(
    r"(?:os|system|platform|arch|runtime|interpreter|compiler|java|jdk|kotlin|python|node|npm|go|ruby|php|dotnet|rust"
    r"|gcc|clang|cmake|maven|gradle|browser|database)(?:[._ -]?(?:name|version|vendor|arch|release|type))?",
    re.IGNORECASE,
)
_PLACE = re.compile(r"^([^\s:][^:\n]{0,239}:\d{1,7}): ", re.MULTILINE)
"""`path:line: ` at the beginning of a line; pytest ends a failure with it."""
_STRENGTH = {TestState.NOT_RUN: 0, TestState.PASSED: 1, TestState.FAILED: 2}


class ReportProblem(StrEnum):
    """Why a report could not be read to its end."""

    BROKEN = "broken"
    """The XML breaks off or is malformed; what stands before the break was read."""
    REFUSED = "refused"
    """It declares a document type or entities, which no test tool needs; nothing was read."""
    UNREADABLE = "unreadable"
    """The file is not text, or too large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestCase:
    """One test of a report."""

    __test__ = False

    name: str
    """`classname.name`, or the name alone where there is no class."""
    short_name: str
    """The name as the report has it."""
    state: TestState
    message: str | None
    """What the report says about it: its beginning and end, cleaned, without secrets; None for a passed test."""
    where: str | None
    """`path:line` where it broke, or the path of the test; None where the report tells neither."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentNote:
    """One thing that is said of where the work was run."""

    path: str
    """The file that says it."""
    name: str
    """Such as `java.version` or `os.name`, cleaned."""
    value: str
    """Cleaned, without secrets, at most 200 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CiReport:
    """What one report file says."""

    path: str
    cases: tuple[TestCase, ...]
    """In the order of the file; of equal names only one, see `merge_cases`."""
    problem: ReportProblem | None = None
    line: int | None = None
    """1-based line of the break; None unless the report is broken."""
    notes: tuple[EnvironmentNote, ...] = ()
    """What its properties say of the environment, each name once, in the order of the file."""


def read_report(path: str, text: str) -> CiReport:
    """Read a report; a bad one is told by its `problem`, never raised."""
    cases: list[TestCase] = []
    notes: dict[str, EnvironmentNote] = {}
    problem, line = None, None
    try:
        for found in _found(path, text):
            if isinstance(found, TestCase):
                cases.append(found)
            elif len(notes) < MAX_NOTES:
                notes.setdefault(found.name, found)
    except ParseError as error:
        problem, line = ReportProblem.BROKEN, error.position[0]
    except DefusedXmlException:
        return CiReport(path=path, cases=(), problem=ReportProblem.REFUSED)
    return CiReport(path=path, cases=merge_cases(cases), problem=problem, line=line, notes=tuple(notes.values()))


def environment_note(path: str, name: str, value: str) -> EnvironmentNote | None:
    """A note, if `name` is one that tells of an environment: of the system, a language, a tool and its version.

    Others may hold anything, such as every variable of a machine, and are left where they are.
    """
    if not _TELLS_ENVIRONMENT.fullmatch(name):
        return None
    shown = clean(redact(value[: 4 * NOTE_CHARACTERS]))[:NOTE_CHARACTERS]
    return EnvironmentNote(path=path, name=name, value=shown) if shown else None


def merge_cases(cases: Iterable[TestCase]) -> tuple[TestCase, ...]:
    """One case per name (class and name), at the place of its first occurrence, in one report and across several.

    Failed wins over passed, passed over not run: a failure somewhere is a fact, and a test that one
    machine skips is proved by another that ran it. Of two equally strong ones the first stays. So the
    order of the reports decides nothing but which message is shown.
    """
    merged: dict[str, TestCase] = {}
    for case in cases:
        known = merged.get(case.name)
        if known is None or _STRENGTH[case.state] > _STRENGTH[known.state]:
            merged[case.name] = case
    return tuple(merged.values())


def _found(path: str, text: str) -> Iterator[TestCase | EnvironmentNote]:
    """Every test, every suite that could not start and every note, as soon as its element is complete."""
    for _, element in iterparse(io.StringIO(text), forbid_dtd=True):
        element.tag = element.tag.rpartition("}")[2]
        if element.tag == "testcase":
            yield _test_case(element)
            # Emptied at once: nested elements are looked at once, whatever their depth.
            element.clear()
        elif element.tag == "testsuite":
            if (error := _suite_error(element)) is not None:
                yield error
            element.clear()
        elif element.tag == "property":
            note = environment_note(path, element.get("name", ""), element.get("value", ""))
            if note is not None:
                yield note


def _test_case(element: Element) -> TestCase:
    case = junitparser.TestCase.fromelem(element)  # type: ignore[no-untyped-call]  # the library's gap
    results = [result for result in case if isinstance(result, junitparser.junitparser.FinalResult)]
    class_name, short_name = case.classname or "", case.name or ""
    state, decisive = _state(element, results, class_name, short_name)
    return TestCase(
        name=clean(".".join(part for part in (class_name, short_name) if part)) or "testcase",
        short_name=clean(short_name),
        state=state,
        message=_message(decisive),
        where=_where(decisive, element),
    )


def _state(
    element: Element, results: list[junitparser.junitparser.FinalResult], class_name: str, short_name: str
) -> tuple[TestState, junitparser.junitparser.FinalResult | None]:
    """The state, and the result that decides it."""
    failures = [result for result in results if isinstance(result, junitparser.Failure)]
    errors = [result for result in results if isinstance(result, junitparser.Error)]
    for result in (*failures, *errors):
        if not is_harness(_told(result, class_name, short_name)):
            return TestState.FAILED, result
    if results:
        return TestState.NOT_RUN, results[0]
    status = element.get("status", "").lower()
    if status in _FAILED_STATUS:
        return TestState.FAILED, None
    not_run = status in _NOT_RUN_STATUS or element.get("result") in _NOT_RUN_STATUS
    return (TestState.NOT_RUN if not_run else TestState.PASSED), None


def _told(result: junitparser.junitparser.FinalResult, class_name: str, short_name: str) -> Told:
    return Told(
        is_failure=isinstance(result, junitparser.Failure),
        class_name=class_name,
        short_name=short_name,
        kind=result.type or "",
        message=result.message or "",
        text=result.text or "",
    )


def _suite_error(suite: Element) -> TestCase | None:
    """A suite that carries an error itself, or counts one and names no test: something did not run."""
    child = next((child for child in suite if child.tag in ("error", "failure")), None)
    if child is None:
        return _unnamed_error(suite)
    result = junitparser.Error.fromelem(child)  # type: ignore[no-untyped-call]  # the library's gap
    name = clean(suite.get("name", "")) or "testsuite"
    message = _message(result)
    return TestCase(name=name, short_name=name, state=TestState.NOT_RUN, message=message, where=_where(result, suite))


def _unnamed_error(suite: Element) -> TestCase | None:
    names_tests = any(child.tag in ("testcase", "testsuite") for child in suite)
    if names_tests or not suite.get("errors", "").strip("0 "):
        return None
    name = clean(suite.get("name", "")) or "testsuite"
    return TestCase(name=name, short_name=name, state=TestState.NOT_RUN, message=None, where=_where(None, suite))


def _message(result: junitparser.junitparser.FinalResult | None) -> str | None:
    if result is None:
        return None
    told = head_and_tail(str(result.message or result.text or ""), 4 * MESSAGE_CHARACTERS)
    return clean(head_and_tail(redact(told), MESSAGE_CHARACTERS)) or None


def _where(result: junitparser.junitparser.FinalResult | None, element: Element) -> str | None:
    # The `line` of old pytest reports counts from 0, that of other tools from 1: only the path is taken.
    places = _PLACE.findall((result.text or "") if result is not None else "")
    return clean(places[-1] if places else element.get("file", "")) or None
