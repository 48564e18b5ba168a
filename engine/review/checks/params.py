"""Whether the parameters of a check are such as it describes them."""

from collections.abc import Callable, Iterator, Mapping

import regex

from engine.domain.course import CheckProblem
from engine.domain.text import is_blank
from engine.review.checks.finding import Check, Param, ParamType
from engine.review.checks.search import PATTERN_CHARACTERS, compiled
from engine.review.evidence import MAX_FOLDERS

_GLOB_CHARACTERS = 240
_TEXT_CHARACTERS = 200


def param_problems(check: Check, params: Mapping[str, object]) -> Iterator[CheckProblem]:
    """What is wrong with `params`: those nobody knows, then one after the other, then what does not go together."""
    known = {param.name: param for param in check.params}
    for given in params:
        if given not in known:
            what = f"is no parameter of {check.name}; it has {', '.join(known) or 'none'}"
            yield CheckProblem(field=given, what=what)
    for param in check.params:
        if param.name in params:
            yield from _wrong(param, params[param.name])
        elif param.required:
            yield CheckProblem(field=param.name, what=f"is missing; {check.name} needs it: {param.label.en}")
    yield from _together(check, params)


def _wrong(param: Param, value: object) -> Iterator[CheckProblem]:
    what = _PROBLEMS[param.type](param, value)
    if what is not None:
        yield CheckProblem(field=param.name, what=what)


def _together(check: Check, params: Mapping[str, object]) -> Iterator[CheckProblem]:
    if check.needs_one_of and not any(name in params for name in check.needs_one_of):
        yield CheckProblem(field=None, what=f"needs one of {', '.join(check.needs_one_of)}")
    least, most = params.get("at_least"), params.get("at_most")
    if isinstance(least, int) and isinstance(most, int) and least > most:
        yield CheckProblem(field="at_least", what=f"must not be larger than at_most, which is {most}")


def _glob(_param: Param, value: object) -> str | None:
    if not isinstance(value, str) or not value.strip() or any(not part.strip() for part in value.split("|")):
        return "must be a pattern of names such as src/**/*.py, or several with | between them"
    if len(value) > _GLOB_CHARACTERS:
        return f"must have at most {_GLOB_CHARACTERS} characters"
    if any(part.count("**/") > MAX_FOLDERS for part in value.split("|")):
        return f"must have at most {MAX_FOLDERS} **/"
    return None


def _regex(_param: Param, value: object) -> str | None:
    if not isinstance(value, str) or not value:
        return "must be a regular expression"
    if len(value) > PATTERN_CHARACTERS:
        return f"must have at most {PATTERN_CHARACTERS} characters"
    try:
        fits_nothing = compiled(value).search("", timeout=1.0) is not None
    except (regex.error, TimeoutError, RecursionError, MemoryError) as error:
        return f"is not a regular expression that can be used: {error}"
    return "fits an empty text too, so it would be found everywhere" if fits_nothing else None


def _whole_number(param: Param, value: object) -> str | None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if whole and param.least <= int(str(value)) <= param.most:
        return None
    return f"must be a whole number from {param.least:,} to {param.most:,}"


def _choice(param: Param, value: object) -> str | None:
    return None if value in param.choices else f"must be one of {', '.join(param.choices)}"


def _yes_no(_param: Param, value: object) -> str | None:
    return None if isinstance(value, bool) else "must be yes or no"


def _texts(param: Param, value: object) -> str | None:
    texts = list(value) if isinstance(value, list | tuple) else []
    if not 1 <= len(texts) <= param.most:
        return f"must be a list of 1 to {param.most} texts"
    for text in texts:
        if not isinstance(text, str) or is_blank(text) or len(text) > _TEXT_CHARACTERS:
            return f"must hold texts of 1 to {_TEXT_CHARACTERS} characters, each with something to read"
    return None


_PROBLEMS: Mapping[ParamType, Callable[[Param, object], str | None]] = {
    ParamType.GLOB: _glob,
    ParamType.REGEX: _regex,
    ParamType.WHOLE_NUMBER: _whole_number,
    ParamType.CHOICE: _choice,
    ParamType.YES_NO: _yes_no,
    ParamType.TEXTS: _texts,
}
