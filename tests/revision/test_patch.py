"""Patches: that git and patch take them, and what comes out is the new text to the last byte."""

import shutil
import subprocess
from pathlib import Path

import pytest

from engine.revision.diff import raw_script
from engine.revision.showing.patch import unified_patch

LONG = "".join(f"line {number}\n" for number in range(60))
CHANGES = {
    "one word": ("a\nb\nc\n", "a\nB\nc\n"),
    "far apart": (
        LONG,
        LONG.replace("line 3\n", "line three\n").replace("line 50\n", "").replace("line 29\n", "line 29\nnew\n"),
    ),
    "crlf": ("one\r\ntwo\r\nthree\r\n", "one\r\n2\r\nthree\r\n"),
    "line endings": ("one\r\ntwo\r\n", "one\ntwo\n"),
    "break at the end added": ("a\nb", "a\nb\n"),
    "break at the end removed": ("a\nb\n", "a\nb"),
    "no break at either end": ("a\nb", "a\nc"),
    "more without a break": ("a", "a\nb"),
    "from nothing": ("", "a\nb\n"),
    "from nothing, no break": ("", "a"),
    "to nothing": ("a\nb\n", ""),
    "blank lines": ("a\n\n\nb\n", "a\n\nb\n\n"),
    "lone cr": ("a\rb\nc\n", "a\rB\nc\n"),
    "rare breaks": ("a\u2028b\x0cc\x85d\n", "a\u2028b\x0cC\x85d\n"),
    "looks like a patch": ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n", "--- a/y\n+++ b/x\n@@ -1 +1 @@\n-x\n"),
    "chinese": ("一二三\n四五六\n", "一二三\n四五七\n八\n"),
    "moved": ("first\n" + LONG, LONG + "first\n"),
}
NAMES = ["report.md", "my report.md", "a folder/报告 1.md", 'quo"te.md', "tab\there.md", "-dash.md", "back\\slash.md"]


def applied(folder: Path, command: list[str], old: str, patch: bytes, name: str) -> bytes:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(old.encode())
    done = subprocess.run(command, cwd=folder, input=patch, capture_output=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr).decode(errors="replace")
    return path.read_bytes() if path.exists() else b""


@pytest.mark.parametrize(("old", "new"), CHANGES.values(), ids=CHANGES)
def test_git_applies_it_and_gets_the_new_text(tmp_path: Path, old: str, new: str) -> None:
    patch = unified_patch(raw_script(old, new), "report.md")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    assert applied(tmp_path, ["git", "apply", "--whitespace=nowarn", "-"], old, patch, "report.md") == new.encode()


@pytest.mark.parametrize("name", NAMES)
def test_git_applies_it_whatever_the_name(tmp_path: Path, name: str) -> None:
    patch = unified_patch(raw_script(*CHANGES["one word"]), name)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    assert applied(tmp_path, ["git", "apply", "-"], "a\nb\nc\n", patch, name) == b"a\nB\nc\n"


@pytest.mark.skipif(shutil.which("patch") is None, reason="no program `patch`")
@pytest.mark.parametrize(("old", "new"), CHANGES.values(), ids=CHANGES)
def test_patch_applies_it_and_gets_the_new_text(tmp_path: Path, old: str, new: str) -> None:
    patch = unified_patch(raw_script(old, new), "my report.md")
    assert applied(tmp_path, ["patch", "-p1", "--binary", "-s"], old, patch, "my report.md") == new.encode()


def test_equal_texts_need_no_patch() -> None:
    assert unified_patch(raw_script("a\n", "a\n"), "x") == b""


def test_only_the_lines_around_a_change_are_in_it() -> None:
    text = unified_patch(raw_script(*CHANGES["far apart"]), "x").decode()
    assert text.count("@@ -") == 3
    assert "line 20" not in text


@pytest.mark.parametrize(
    ("change", "head"),
    [("from nothing", "@@ -0,0 +1,2 @@"), ("to nothing", "@@ -1,2 +0,0 @@"), ("crlf", "@@ -1,3 +1,3 @@")],
)
def test_a_side_without_lines_is_counted_from_the_line_before(change: str, head: str) -> None:
    assert head in unified_patch(raw_script(*CHANGES[change]), "x").decode()


def test_half_a_pair_is_written_as_it_is() -> None:
    assert b"+\xed\xa0\xbd" in unified_patch(raw_script("a\n", "\ud83d\n"), "x")
