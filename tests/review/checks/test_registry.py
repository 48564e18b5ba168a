import pytest

from engine.courses.course_file import read_course
from engine.errors import CourseFileError
from engine.review.checks.registry import KNOWN_CHECKS, check_params
from tests.review.checks.test_every_check import a_right_call


@pytest.mark.parametrize("name", KNOWN_CHECKS)
def test_every_missing_parameter_without_a_default_is_named(name: str) -> None:
    required = [param.name for param in KNOWN_CHECKS[name].params if param.required]
    missing = [problem.field for problem in check_params(name, {}) if "is missing" in problem.what]
    assert missing == required


@pytest.mark.parametrize("name", KNOWN_CHECKS)
def test_a_parameter_too_many_is_named(name: str) -> None:
    (problem,) = check_params(name, {**a_right_call(name), "colour": 3})
    assert problem.field == "colour" and problem.what.startswith(f"is no parameter of {name}; it has ")


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
        pytest.param("pattern_present", "pattern", "a{99999999}", "counts multiply", id="pattern that unfolds"),
        pytest.param("pattern_present", "pattern", "(" * 400, "not a regular expression", id="deep pattern"),
        pytest.param("pattern_present", "pattern", None, "must be a regular", id="no pattern"),
        pytest.param("min_length", "characters", 0, "from 1 to 1,000,000", id="zero"),
        pytest.param("min_length", "characters", True, "whole number", id="truth value as number"),
        pytest.param("min_length", "characters", "300", "whole number", id="text as number"),
        pytest.param("min_length", "characters", 2.5, "whole number", id="broken number"),
        pytest.param("coverage", "percent", 101, "from 1 to 100", id="more than all"),
        pytest.param("parses", "as", "toml", "python, json, yaml, csv", id="unknown format"),
        pytest.param("parses", "as", ["json"], "python, json, yaml, csv", id="list as format"),
        pytest.param("notebook", "outputs", "yes", "yes or no", id="text as truth value"),
        pytest.param("notebook", "outputs", 1, "yes or no", id="number as truth value"),
        pytest.param("markdown_headings", "headings", "Use", "list of 1 to 40", id="text as list"),
        pytest.param("markdown_headings", "headings", [], "list of 1 to 40", id="empty list"),
        pytest.param("markdown_headings", "headings", ["x"] * 41, "list of 1 to 40", id="long list"),
        pytest.param("markdown_headings", "headings", ["Use", " "], "something to read", id="blank text in a list"),
        pytest.param("markdown_headings", "headings", [3], "must hold texts", id="number in a list"),
        pytest.param("markdown_headings", "headings", ["x" * 201], "1 to 200", id="long text in a list"),
    ],
)
def test_a_wrong_parameter_is_told_with_its_name(name: str, param: str, value: object, words: str) -> None:
    (problem,) = check_params(name, {**a_right_call(name), param: value})
    assert problem.field == param and words in problem.what


@pytest.mark.parametrize("name", ["file_count", "file_size", "line_count"])
def test_one_of_two_bounds_is_enough_and_none_is_not(name: str) -> None:
    assert check_params(name, {"files": "*", "at_least": 1}) == check_params(name, {"files": "*", "at_most": 1}) == []
    (problem,) = check_params(name, {"files": "*"})
    assert (problem.field, problem.what) == (None, "needs one of at_least, at_most")


def test_bounds_the_wrong_way_round_are_told() -> None:
    (problem,) = check_params("file_count", {"files": "*", "at_least": 3, "at_most": 2})
    assert (problem.field, problem.what) == ("at_least", "must not be larger than at_most, which is 2")


def test_an_unknown_check_is_told_with_those_there_are() -> None:
    (problem,) = check_params("magic", {})
    assert problem.field == "name" and "'magic'" in problem.what and "ci_tests" in problem.what


@pytest.mark.parametrize(
    ("check", "told"),
    [
        pytest.param("{name: magic}", "line 12: {}.name is 'magic', and there is no such check", id="name"),
        pytest.param(
            "{name: min_length, files: a, characters: 0}", "line 12: {}.characters must be a whole", id="value"
        ),
        pytest.param("{name: min_length, files: a}", "line 12: {}.characters is missing", id="missing"),
        pytest.param("{name: file_exists, path: a, mode: 3}", "line 12: {}.mode is no parameter", id="unknown"),
        pytest.param("{name: file_count, files: a}", "line 12: {} needs one of", id="several together"),
    ],
)
def test_a_course_file_names_the_line_and_the_field_of_a_wrong_check(check: str, told: str) -> None:
    text = f"""id: c
title: C
language: en
projects:
  - id: p
    title: P
    tasks:
      - id: t
        title: T
        goal: G
        criteria:
          - {{id: a, text: A, decided_by: check, check: {check}}}
"""
    with pytest.raises(CourseFileError) as caught:
        read_course(text, known_checks=check_params)
    assert str(caught.value).startswith(told.format("projects[0].tasks[0].criteria[0].check"))
