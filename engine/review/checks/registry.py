"""All checks by name, and whether a course calls them rightly.

Every module of this folder that has a `CHECK` is one; nothing else must be told of it.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules

from engine.domain.course import CheckProblem
from engine.review import checks
from engine.review.checks.finding import Check
from engine.review.checks.params import param_problems


def _find_checks() -> Iterator[Check]:
    """By the name of the module."""
    for name in sorted(module.name for module in iter_modules(checks.__path__)):
        found = getattr(import_module(f"{checks.__name__}.{name}"), "CHECK", None)
        if isinstance(found, Check):
            yield found


KNOWN_CHECKS: Mapping[str, Check] = {check.name: check for check in _find_checks()}


def check_params(name: str, params: Mapping[str, object]) -> list[CheckProblem]:
    """What is wrong with a check as a course calls it, field by field; empty when all is well."""
    check = KNOWN_CHECKS.get(name)
    if check is None:
        what = f"is {name!r}, and there is no such check; there are {', '.join(KNOWN_CHECKS)}"
        return [CheckProblem(field="name", what=what)]
    return list(param_problems(check, params))
