"""What holds for every check, so that a new one needs its own file and its own test and nothing else."""

import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from engine.domain.course import Scalar
from engine.domain.states import FileKind, FileState, Language
from engine.domain.work import WorkFile, take_snapshot
from engine.review import checks
from engine.review.checks.finding import Check, Param, ParamType
from engine.review.checks.registry import KNOWN_CHECKS, check_params
from engine.review.evidence import gather_evidence
from tests.review.builders import FAIL, OPEN, case, evidence_of, find, suite

SHARED = {"bounds", "finding", "markdown", "params", "readable", "registry", "search"}
"""Modules of the folder that are no check, but what checks are made of."""
BY_NAME_AND_SIZE = {"file_absent", "file_count", "file_exists", "file_size"}
"""Checks that look into no file, so that one that cannot be read is a file like any other."""

every_check = pytest.mark.parametrize("name", KNOWN_CHECKS)


def a_value(param: Param) -> Scalar:
    """A value that the description of the parameter allows."""
    values: Mapping[ParamType, Scalar] = {
        ParamType.GLOB: "**/*",
        ParamType.REGEX: "x",
        ParamType.WHOLE_NUMBER: max(param.least, 1),
        ParamType.CHOICE: param.choices[0] if param.choices else "",
        ParamType.YES_NO: True,
        ParamType.TEXTS: ("x",),
    }
    return values[param.type]


def a_right_call(name: str) -> dict[str, Scalar]:
    return {param.name: a_value(param) for param in KNOWN_CHECKS[name].params}


def test_every_module_of_the_folder_is_a_known_check_of_its_name_or_shared() -> None:
    modules = {module.name for module in iter_modules(checks.__path__)}
    assert modules - SHARED == set(KNOWN_CHECKS)
    for name in modules - SHARED:
        assert import_module(f"engine.review.checks.{name}").CHECK is KNOWN_CHECKS[name]


@every_check
def test_every_check_has_a_test_module_that_calls_it(name: str) -> None:
    module = Path(__file__).parent / f"test_{name}.py"
    assert f'find("{name}", ' in module.read_text(encoding="utf-8")


@every_check
def test_every_parameter_is_described_in_both_languages(name: str) -> None:
    labels = [KNOWN_CHECKS[name].label, *(param.label for param in KNOWN_CHECKS[name].params)]
    for label in labels:
        english, chinese = label.text(Language.EN), label.text(Language.ZH)
        assert english[:1].isupper() or english.startswith(("Ki", "Co"))
        assert not re.search("[一-鿿]", english) and re.search("[一-鿿]", chinese)
        assert not re.search(r"[一-鿿][A-Za-z0-9]|[A-Za-z0-9][一-鿿]|[一-鿿][,;:()]", chinese)


@every_check
def test_a_form_can_be_drawn_from_the_descriptions(name: str) -> None:
    for param in KNOWN_CHECKS[name].params:
        assert (param.type is ParamType.CHOICE) == bool(param.choices)
        assert param.least <= param.most
        assert re.fullmatch("[a-z][a-z_]*", param.name) and param.name != "name"


@every_check
def test_a_right_call_and_every_default_have_no_problem(name: str) -> None:
    check = KNOWN_CHECKS[name]
    call = a_right_call(name)
    assert check_params(name, call) == []
    defaults = {param.name: param.default for param in check.params if param.default is not None}
    assert check_params(name, {**call, **defaults}) == []


@every_check
def test_what_is_left_out_is_the_default(name: str) -> None:
    check, call = KNOWN_CHECKS[name], a_right_call(name)
    evidence = evidence_of({"a.md": "x", "coverage.xml": "<coverage line-rate='1'/>"}, {"r.xml": suite(case("t"))})
    for param in check.params:
        if param.default is not None:
            given = check.function(evidence, {**call, param.name: param.default})
            left_out = check.function(evidence, {key: value for key, value in call.items() if key != param.name})
            assert given == left_out


@every_check
def test_equal_evidence_gives_an_equal_finding(name: str) -> None:
    evidence = evidence_of({"a.md": "x", "b.py": None})
    assert find(name, evidence, **a_right_call(name)) == find(name, evidence, **a_right_call(name))


@every_check
@pytest.mark.parametrize("state", [FileState.BINARY, FileState.UNDECODABLE, FileState.TOO_LARGE])
def test_a_file_that_cannot_be_read_is_never_a_failure(name: str, state: FileState) -> None:
    kind = FileKind.REPORT if name == "ci_tests" else FileKind.WORK
    file = WorkFile(path="a.py", sha256="0", size_bytes=1024, kind=kind, state=state, body=None)
    finding = find(name, gather_evidence(take_snapshot((file,))), **a_right_call(name))
    assert finding.status is not FAIL if name in BY_NAME_AND_SIZE - {"file_absent"} else True
    assert name in BY_NAME_AND_SIZE or finding.status is OPEN


def test_a_check_is_what_the_registry_finds_by_its_type() -> None:
    assert all(isinstance(check, Check) and check.name == name for name, check in KNOWN_CHECKS.items())
