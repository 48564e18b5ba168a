"""Both READMEs tell the truth about the tree and the commands, and tell the same."""

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
READMES = ("README.md", "README.zh-CN.md")
RUN = "python3 -m venv .venv && .venv/bin/pip install -c constraints.txt -e . && .venv/bin/streamlit run app.py"
TEST = "python3 -m venv .venv && .venv/bin/pip install -c constraints.txt -e '.[test]' && .venv/bin/pytest"
FULL = ("pages", "engine", "db")
"""Folders of which every file has a line; of `tests` every folder has one."""

both = pytest.mark.parametrize("name", READMES)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    """What stands in fences of `language`, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)


def told_tree(name: str) -> Iterator[str]:
    """The paths of the tree in a README, folders with a slash at the end. Every line must describe its path."""
    above: list[str] = []
    (tree,) = blocks(read(name), "text")
    for line in tree.splitlines():
        match = re.fullmatch(r"((?:  )*)(\S+)  +(\S.*)", line)
        assert match, f"no description: {line!r}"
        depth = len(match[1]) // 2
        assert depth <= len(above), f"no folder above: {line!r}"
        above[depth:] = [match[2]]
        yield "".join(above)
        if not match[2].endswith("/"):
            above.pop()


def real_tree() -> set[str]:
    tests = {f"tests/{path.name}/" for path in (ROOT / "tests").iterdir() if _holds_python(path)}
    return {*_top_level(), *tests, *(path for folder in FULL for path in _below(ROOT / folder))}


def _top_level() -> Iterator[str]:
    """Files, folders of ours, and the files in hidden folders."""
    ignored = [line.strip("/") for line in read(".gitignore").splitlines()]
    for path in ROOT.iterdir():
        if path.name == ".git" or any(fnmatch(path.name, pattern) for pattern in ignored):
            continue
        if path.is_dir() and path.name.startswith("."):
            yield from (f"{path.name}/{inner.name}" for inner in path.iterdir())
        else:
            yield f"{path.name}/" if path.is_dir() else path.name


def _below(folder: Path) -> Iterator[str]:
    """What has a line of its own: files, and folders; a folder without Python is told as a whole."""
    for path in folder.iterdir():
        shown = path.relative_to(ROOT).as_posix()
        if path.is_dir() and path.name != "__pycache__":
            yield f"{shown}/"
            if _holds_python(path):
                yield from _below(path)
        elif path.is_file() and path.name != "__init__.py":
            yield shown


def _holds_python(path: Path) -> bool:
    return path.is_dir() and any(path.rglob("*.py"))


@both
def test_the_tree_is_the_real_one(name: str) -> None:
    told = list(told_tree(name))
    assert len(told) == len(set(told))
    assert set(told) == real_tree()


@both
def test_the_first_two_commands_run_and_test(name: str) -> None:
    assert [block.rstrip("\n") for block in blocks(read(name), "bash")][:2] == [RUN, TEST]


def test_both_have_the_same_commands() -> None:
    english, chinese = (blocks(read(name), "bash") for name in READMES)
    assert english == chinese


def test_ci_takes_its_commands_from_the_readme() -> None:
    script = read(".ci/run")
    assert re.findall(r"^python3 -m venv .*$", read("README.md"), flags=re.MULTILINE) == [RUN, TEST]
    assert "README.md" in script
    assert "pip install -c" not in script


def test_both_have_the_same_shape() -> None:
    shapes = [re.findall(r"^(#+|\d+\.|\|.*?\||-|```\w*|!\[) ?", read(name), flags=re.MULTILINE) for name in READMES]
    kinds = [["|" if mark.startswith("|") else mark for mark in shape] for shape in shapes]
    assert kinds[0] == kinds[1]


@both
def test_every_path_that_is_named_is_there(name: str) -> None:
    text = read(name)
    linked = re.findall(r"\]\(([^):]+)\)", text)
    named = re.findall(r"`((?:pages|engine|db|tests|\.ci)/[\w./-]*|[\w-]+\.(?:toml|txt|mako))`", text)
    assert linked
    assert named
    anywhere = {path.name for folder in FULL for path in (ROOT / folder).rglob("*")}
    missing = [path for path in (*linked, *named) if not (ROOT / path).exists() and path not in anywhere]
    assert missing == []


@both
def test_every_setting_is_told(name: str) -> None:
    source = read("engine/settings.py") + read("tests/conftest.py")
    known = set(re.findall(r'"(TUTORLOOP_[A-Z_]+)"', source))
    assert known - set(re.findall(r"`(TUTORLOOP_[A-Z_]+)`", read(name))) == set()
    assert set(re.findall(r"TUTORLOOP_[A-Z_]+", read(name))) <= known


def test_the_newest_changes_stand_first() -> None:
    versions = re.findall(r"^## (\S+)", read("CHANGELOG.md"), flags=re.MULTILINE)
    assert versions[0] == "Unreleased"
    numbers = [tuple(map(int, version.split("."))) for version in versions[1:]]
    assert all(newer > older for newer, older in pairwise(numbers))
