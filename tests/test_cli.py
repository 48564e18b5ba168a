"""`tutorloop verify` prints what it saw, and its end says whether all was as expected."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.cli import main, write_table
from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import Language
from engine.llm.offline import offline_gateway
from engine.scenarios.proof_contract import CONTRACT
from engine.scenarios.proof_old_path import OLD_PATH
from engine.wiring import opened

ROOT = Path(__file__).parents[1]
VECTORS = Path(__file__).parent / "scenarios" / "vectors.json"


def _cases(*names: str) -> list[dict[str, object]]:
    cases = {case["name"]: case for case in json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]}
    return [cases[name] for name in names]


def _file(folder: Path, cases: object) -> str:
    path = folder / "cases.json"
    path.write_text(json.dumps({"format": 1, "cases": cases}), encoding="utf-8")
    return str(path)


def test_verify_prints_three_tables_on_both_databases(database_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["verify", "--database", database_url])

    lines = capsys.readouterr().out.splitlines()
    assert code == 0
    assert lines[-1] == "26 passed, 0 failed"
    blocks = lines.index("Blocks with everything open, in characters")
    assert lines.index("Old path") < lines.index("Contract") < blocks
    assert sum(line.endswith("✓") for line in lines) == 26
    assert sum(line.endswith("✓") for line in lines[blocks:]) == 6
    flowed = " ".join(" ".join(lines).split())
    assert not any("✗" in line for line in lines)
    assert "row expected seen" in flowed


def test_every_row_stands_on_one_line_where_there_is_no_terminal(tmp_path: Path) -> None:
    printed = _run(tmp_path, "verify").stdout

    lines = [re.split(r" {2,}", line) for line in printed.splitlines()]
    shown = [(cells[0], cells[1], cells[2], cells[3]) for cells in lines if len(cells) == 4 and cells[3] != "-"]
    wanted = [(case.name, case.expected) for case in OLD_PATH] + [(case.name, case.expected) for case in CONTRACT]
    assert shown == [(name, expected, expected, "✓") for name, expected in wanted]
    assert list(tmp_path.iterdir()) == []


def test_a_vector_file_is_printed_case_by_case(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["verify", "--vectors", str(VECTORS)])

    names = [case["name"] for case in json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]]
    assert code == 0
    assert capsys.readouterr().out.splitlines() == [*(f"✓ {name}" for name in names), "10 passed, 0 failed"]


def test_a_case_that_fails_is_told_with_both_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = _cases("a learner who has not begun", "a friend's review")
    bad["expect"] = {"state": "current", "items": ["tests"]}

    code = main(["verify", "--vectors", _file(tmp_path, [good, bad])])

    assert code == 1
    assert capsys.readouterr().out.splitlines() == [
        "✓ a learner who has not begun",
        "✗ a friend's review",
        "    expected {'state': 'current', 'items': ['tests']}",
        "    seen     {'state': 'none', 'items': []}",
        "1 passed, 1 failed",
    ]


def _missing(folder: Path) -> Path:
    return folder / "missing.json"


def _folder(folder: Path) -> Path:
    return folder


def _latin(folder: Path) -> Path:
    (folder / "latin.json").write_bytes("é".encode("latin-1"))
    return folder / "latin.json"


def _text(folder: Path) -> Path:
    (folder / "text.json").write_text("format: 1", encoding="utf-8")
    return folder / "text.json"


def _empty(folder: Path) -> Path:
    return Path(_file(folder, []))


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (_missing, "missing.json cannot be read: No such file"),
        (_folder, "cannot be read: Is a directory"),
        (_latin, "latin.json cannot be read: it is not UTF-8 text"),
        (_text, "this is not a vector file of format 1"),
        (_empty, "cases.json holds no cases"),
    ],
    ids=["missing", "a folder", "not UTF-8", "not JSON", "no cases"],
)
def test_a_file_that_cannot_be_used_is_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], make: Callable[[Path], Path], sentence: str
) -> None:
    code = main(["verify", "--vectors", str(make(tmp_path))])

    printed = capsys.readouterr()
    assert code == 2
    assert sentence in printed.err
    assert "passed" not in printed.out


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("mysql://somewhere/db", "--database must begin with sqlite:/// or postgresql://"),
        ("sqlite://", "--database must begin with sqlite:/// or postgresql://"),
        ("sqlite:///:memory:", "--database needs a file"),
        ("sqlite:////proc/nowhere/verify.db", "the database cannot be opened: "),
        ("postgresql://x:port/db", "the database cannot be opened: "),
    ],
    ids=["another kind", "no file", "in memory", "no folder", "no address"],
)
def test_a_database_that_cannot_be_used_is_told_in_a_sentence(
    capsys: pytest.CaptureFixture[str], url: str, sentence: str
) -> None:
    code = main(["verify", "--database", url])

    printed = capsys.readouterr()
    assert code == 2
    assert printed.err.startswith(f"tutorloop: {sentence}")
    assert printed.out == ""


def test_a_database_with_courses_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path / 'own.db'}"
    with opened(url, offline_gateway()) as space:
        space.desk.my_course(LOCAL_VIEWER, Language.EN, "Ada")

    code = main(["verify", "--database", url])

    assert code == 2
    assert "this database is in use" in capsys.readouterr().err
    with opened(url, offline_gateway()) as space:
        assert len(space.courses.courses(LOCAL_VIEWER)) == 1


def _run(folder: Path, *arguments: str, encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, its output a pipe of this encoding, its temporary files in `folder`."""
    environ = os.environ | {"PYTHONIOENCODING": encoding, "TMPDIR": str(folder)}
    environ.pop("COLUMNS", None)
    return subprocess.run(
        [sys.executable, "-m", "engine.cli", *arguments],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        encoding=encoding,
        check=False,
        timeout=100,
    )


def test_a_pipe_without_the_marks_gets_words(tmp_path: Path) -> None:
    good, bad = _cases("a learner who has not begun", "a friend's review")
    good["name"] = "还没有提交"
    bad["expect"] = {"state": "current", "items": []}

    ended = _run(tmp_path, "verify", "--vectors", _file(tmp_path, [good, bad]), encoding="ascii")

    lines = ended.stdout.splitlines()
    assert ended.stderr == ""
    assert ended.returncode == 1
    assert (lines[0], lines[1], lines[-1]) == ("ok ?????", "NO a friend's review", "1 passed, 1 failed")


def test_without_a_command_the_usage_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([])

    assert ended.value.code == 2
    assert "verify" in capsys.readouterr().err


@pytest.mark.parametrize("columns", [80, 100, 400])
def test_a_table_fits_its_terminal_and_loses_no_word(columns: int) -> None:
    rows = [
        ("row", "expected", "seen", ""),
        ("one two three " * 5, "four five " * 8, "six " * 20, "✓"),
        ("a", "b", "c", "✗"),
    ]

    lines = list(write_table(rows, columns))

    assert max(map(len, lines)) <= columns
    told = sorted(word for line in lines for word in line.split() if set(word) != {"-"})
    assert told == sorted(word for row in rows for cell in row for word in cell.split())


def test_the_columns_of_a_table_are_aligned() -> None:
    rows = [("row", "expected", "seen", ""), ("long name", "x", "x", "✓"), ("short", "longer", "y", "✗")]

    assert list(write_table(rows, 80)) == [
        "row        expected  seen",
        "---------  --------  ----  -",
        "long name  x         x     ✓",
        "short      longer    y     ✗",
    ]
