"""All checks by name, and whether a course calls them rightly."""

from collections.abc import Callable, Mapping

import regex

from engine.review.checks import ci_tests, file_exists, min_length, parses, pattern_absent, pattern_present
from engine.review.checks.finding import Check, Param, ParamType
from engine.review.checks.parses import Format
from engine.review.checks.search import PATTERN_CHARACTERS, compiled
from engine.review.evidence import MAX_FOLDERS

_MODULES = (file_exists, pattern_present, pattern_absent, min_length, parses, ci_tests)
KNOWN_CHECKS: Mapping[str, Check] = {module.CHECK.name: module.CHECK for module in _MODULES}

_GLOB_CHARACTERS = 240


def check_params(name: str, params: Mapping[str, object]) -> list[str]:
    """What is wrong with a check as a course calls it, in sentences; empty when all is well."""
    check = KNOWN_CHECKS.get(name)
    if check is None:
        return [f"there is no check {name!r}; there are {', '.join(sorted(KNOWN_CHECKS))}"]
    known = {param.name for param in check.params}
    problems = [f"{name} has no parameter {given!r}" for given in params if given not in known]
    for param in check.params:
        if param.name in params:
            problems += [f"{param.name} {what}" for what in _PROBLEMS[param.type](params[param.name])]
        elif param.required:
            problems.append(f"{name} needs the parameter {param.name!r}: {_doc(param)}")
    return problems


def _doc(param: Param) -> str:
    return f"{param.doc} ({param.type})"


def _glob_problems(value: object) -> list[str]:
    if not isinstance(value, str) or not value.strip() or any(not part.strip() for part in value.split("|")):
        return ["must be a pattern of names such as src/**/*.py, or several with | between them"]
    if len(value) > _GLOB_CHARACTERS:
        return [f"must have at most {_GLOB_CHARACTERS} characters"]
    if any(part.count("**/") > MAX_FOLDERS for part in value.split("|")):
        return [f"must have at most {MAX_FOLDERS} **/"]
    return []


def _regex_problems(value: object) -> list[str]:
    if not isinstance(value, str) or not value:
        return ["must be a regular expression"]
    if len(value) > PATTERN_CHARACTERS:
        return [f"must have at most {PATTERN_CHARACTERS} characters"]
    try:
        fits_nothing = compiled(value).search("", timeout=1.0) is not None
    except (regex.error, TimeoutError, RecursionError) as error:
        return [f"is not a regular expression: {error}"]
    return ["fits an empty text too, so it would be found everywhere"] if fits_nothing else []


def _number_problems(value: object) -> list[str]:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return [] if whole and 1 <= int(str(value)) <= 1_000_000 else ["must be a whole number from 1 to 1,000,000"]


def _format_problems(value: object) -> list[str]:
    return [] if value in [*Format] else [f"must be one of {', '.join(Format)}"]


_PROBLEMS: Mapping[ParamType, Callable[[object], list[str]]] = {
    ParamType.GLOB: _glob_problems,
    ParamType.REGEX: _regex_problems,
    ParamType.WHOLE_NUMBER: _number_problems,
    ParamType.FORMAT: _format_problems,
}
