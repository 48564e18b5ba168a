"""Tells what a test tool could not run from what a test found.

Every tool writes both as `<error>` or `<failure>` and tells them apart in words of its own. What is not
surely the harness's is the test's: a doubt never hides a failure.
"""

import re
from dataclasses import dataclass
from typing import Final

TEXT_CHARACTERS: Final = 50_000
"""So much of a stack trace is looked at, from its beginning."""

_MESSAGE = re.compile(
    r"collection failure|internal error|failed on (?:setup|teardown) with|test (?:setup|teardown) failure"
    r"|test suite failed to run",
    re.IGNORECASE,
)
"""pytest, of every version, and Jest."""
_CLASS = re.compile(r"unittest\.(?:loader|suite)\.|.*\b_ErrorHolder$|test suite failed to run", re.IGNORECASE)
"""unittest, which gives a module or class that cannot be set up a class of its own, and jest-junit."""
_NAME = re.compile(r"(?:setUp|tearDown)(?:Class|Module)\b|initializationError$|(?:before|after)All\b")
"""unittest, JUnit 4, JUnit 5."""
_GO_NAME = re.compile(r".*\[(?:build|setup) failed\]$")
_GO_MESSAGES = frozenset({"Build error", "Runtime error", "No test result found"})
"""go-junit-report: the package did not build, its process broke off, the test never came to an end."""
_GTEST = re.compile(
    r"(?:\n|^)(?:Unknown )?(?:C\+\+|SEH) exception [^\n]*thrown in"
    r" (?:(?:SetUp|TearDown)(?:Test(?:Suite|Case))?\(\)|the test fixture's (?:con|de)structor)\.?\s*$"
)
"""GoogleTest: an exception outside the test's body, which it writes as a failure. Its own words end the message."""
_SET_UP = re.compile(
    r"(?:async)?_?(?:set_?up|tear_?down|before|after)(?:_?(?:class|all|each|test|method))?$", re.IGNORECASE
)
_PYTHON_FRAME = re.compile(r"File \"[^\"\n]{0,500}\", line \d{1,7}, in (\S{1,200})")
_JAVA_FRAME = re.compile(r"^\s{0,8}at (?:[\w.@-]{1,200}/{1,2})?([\w.$]{1,300})\.([\w$<>]{1,200})\(", re.MULTILINE)
_CONSTRUCTORS = frozenset({"<init>", "<clinit>"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One `<failure>` or `<error>` of a test, as the report has it."""

    is_failure: bool
    """Whether it stands as a failure; else as an error."""
    class_name: str
    short_name: str
    kind: str
    """Its `type`; empty where the tool writes none."""
    message: str
    text: str


def is_harness(told: Told) -> bool:
    """Whether it came before or after the test, or from the tool, and not from inside the test."""
    if not told.short_name or _GO_NAME.match(told.short_name):
        return True
    if told.is_failure:
        return bool(_GTEST.search(told.message[-TEXT_CHARACTERS:]))
    return bool(
        told.short_name == told.class_name
        or _MESSAGE.match(told.message)
        or _CLASS.match(told.class_name)
        or _NAME.match(told.short_name)
        or (not told.kind and told.message in _GO_MESSAGES)
        or _raised_in_set_up(told)
    )


def _raised_in_set_up(told: Told) -> bool:
    """Whether the stack trace begins, seen from the harness, in a set-up, a tear-down or a constructor.

    unittest-xml-reporting and Surefire write such an error on the test itself, as one of the test.
    """
    trace = told.text[:TEXT_CHARACTERS]
    entry = _python_entry(trace) or _java_entry(trace, told.class_name)
    if entry is None or entry == re.split(r"[\s(\[{]", told.short_name)[0]:
        return False
    return entry in _CONSTRUCTORS or bool(_SET_UP.match(entry))


def _python_entry(trace: str) -> str | None:
    """The function of the outermost frame, which Python writes first; None without a frame."""
    first = _PYTHON_FRAME.search(trace)
    return first[1] if first else None


def _java_entry(trace: str, class_name: str) -> str | None:
    """The method of the outermost frame in the test's class, which Java writes last; None without such a frame."""
    if not class_name:
        return None
    frames = _JAVA_FRAME.findall(trace.partition("\nCaused by:")[0])
    methods = [method for where, method in frames if where == class_name or where.startswith(f"{class_name}$")]
    return methods[-1] if methods else None
