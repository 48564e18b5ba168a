import pytest

from engine.review.checks.registry import KNOWN_CHECKS, check_params

GOOD: dict[str, dict[str, object]] = {
    "file_exists": {"path": "README*|readme*"},
    "pattern_present": {"pattern": r"^def \w+", "files": "src/**/*.py"},
    "pattern_absent": {"pattern": "(?m)^<{7} ", "files": "**/*"},
    "min_length": {"files": "README*", "characters": 300},
    "parses": {"files": "*.json", "as": "json"},
    "ci_tests": {"tests": "*"},
}


def test_the_checks_are_those_the_courses_know() -> None:
    assert set(KNOWN_CHECKS) == set(GOOD)


@pytest.mark.parametrize("name", GOOD)
def test_a_right_call_has_no_problem(name: str) -> None:
    assert check_params(name, GOOD[name]) == []


@pytest.mark.parametrize("name", GOOD)
def test_every_missing_parameter_without_a_default_is_named(name: str) -> None:
    problems = check_params(name, {})
    required = [param.name for param in KNOWN_CHECKS[name].params if param.required]
    assert len(problems) == len(required)
    assert all(f"needs the parameter {wanted!r}" in problem for wanted, problem in zip(required, problems, strict=True))


@pytest.mark.parametrize("name", GOOD)
def test_a_parameter_too_many_is_named(name: str) -> None:
    assert check_params(name, {**GOOD[name], "lines": 3}) == [f"{name} has no parameter 'lines'"]


@pytest.mark.parametrize(
    ("name", "param", "value", "words"),
    [
        pytest.param("file_exists", "path", "", "pattern of names", id="empty glob"),
        pytest.param("file_exists", "path", "a||b", "pattern of names", id="empty alternative"),
        pytest.param("file_exists", "path", 3, "pattern of names", id="number as glob"),
        pytest.param("file_exists", "path", "**/" * 5 + "a", "at most 4", id="too many folders"),
        pytest.param("file_exists", "path", "a" * 241, "at most 240", id="long glob"),
        pytest.param("pattern_present", "pattern", "(", "not a regular expression", id="broken pattern"),
        pytest.param("pattern_present", "pattern", "a*", "empty text", id="pattern that fits everywhere"),
        pytest.param("pattern_present", "pattern", "a" * 501, "at most 500", id="long pattern"),
        pytest.param("pattern_present", "pattern", None, "must be a regular", id="no pattern"),
        pytest.param("min_length", "characters", 0, "whole number", id="zero"),
        pytest.param("min_length", "characters", True, "whole number", id="truth value as number"),
        pytest.param("min_length", "characters", "300", "whole number", id="text as number"),
        pytest.param("min_length", "characters", 2.5, "whole number", id="broken number"),
        pytest.param("parses", "as", "toml", "python, json, yaml", id="unknown format"),
        pytest.param("parses", "as", ["json"], "python, json, yaml", id="list as format"),
    ],
)
def test_a_wrong_parameter_is_told_with_its_name(name: str, param: str, value: object, words: str) -> None:
    (problem,) = check_params(name, {**GOOD[name], param: value})
    assert problem.startswith(param) and words in problem


def test_an_unknown_check_is_told_with_those_there_are() -> None:
    (problem,) = check_params("magic", {})
    assert problem.startswith("there is no check 'magic'") and "ci_tests" in problem
