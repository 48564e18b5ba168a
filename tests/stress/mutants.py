"""Breaks the contract in one place at a time, in a copy of the source, and tells which test notices.

By hand: `python -m tests.stress.mutants` for all of them, or with some names. Ends with 1 if one survives.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
COPIED = ("db", "engine", "tests", "pyproject.toml")
TESTS = ("tests/feedback/test_contract.py", "tests/feedback/test_contract_budget.py")
SECONDS = 180
STORE = "engine/feedback/feedback_store.py"
SELECTOR = "engine/feedback/selector.py"
RULES = (
    "wrong_type",
    "unknown_status",
    "rubric_id_empty",
    "rubric_id_too_long",
    "duplicate",
    "unknown_to_rubric",
    "missing_criterion",
    "verdict_mismatch",
    "snapshot_mismatch",
    "reason_blank",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One piece of source, which occurs once, and what stands there instead."""

    file: str
    old: str
    new: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One way of breaking the contract."""

    name: str
    edits: tuple[Edit, ...]


def _in_store(name: str, *replaced: tuple[str, str]) -> Mutant:
    return Mutant(name=name, edits=tuple(Edit(file=STORE, old=old, new=new) for old, new in replaced))


_BY_SEQ = ".order_by(col(fitting.attempt_seq).desc())"
_NEWEST = ".order_by(col(SubmissionRow.submission_seq).desc())"
_LEARNER = 'col(SubmissionRow.learner_id) == bindparam("learner_id"),'
_PROJECT = 'col(SubmissionRow.project_id) == bindparam("project_id"),'
_TASK = 'col(SubmissionRow.task_id) == bindparam("task_id"),'
_VERSIONS = tuple(
    f'col(fitting.{kind}_version) == bindparam("{kind}_version"),\n' for kind in ("rubric", "prompt", "engine")
)
_KNOWN_ORDER = "col(SubmissionRow.submission_seq).is_not(None),"
MUTANTS = (
    _in_store("take the oldest attempt", (_BY_SEQ, _BY_SEQ.replace("desc", "asc"))),
    _in_store(
        "order attempts by when they finished",
        (
            _BY_SEQ,
            ".outerjoin(OutcomeRow, col(OutcomeRow.attempt_id) == col(fitting.id))"
            ".order_by(col(OutcomeRow.finished_at).desc().nulls_last())",
        ),
    ),
    _in_store("order attempts by when they began", (_BY_SEQ, ".order_by(col(fitting.started_at).desc())")),
    _in_store("ignore the learner", (_LEARNER, "")),
    _in_store("ignore the project", (_PROJECT, "")),
    _in_store("ignore the task", (_TASK, "")),
    _in_store("take the oldest submission", (_NEWEST, _NEWEST.replace("desc", "asc"))),
    _in_store("order submissions by time", (_NEWEST, ".order_by(col(SubmissionRow.handed_in_at).desc())")),
    _in_store("any version is compatible", *((line, "") for line in _VERSIONS)),
    *(
        _in_store(f"any {kind} version is compatible", (line, ""))
        for kind, line in zip(("rubric", "prompt", "engine"), _VERSIONS, strict=True)
    ),
    Mutant(
        name="an unknown order counts",
        edits=(
            Edit(file=STORE, old=_KNOWN_ORDER),
            Edit(
                file=SELECTOR,
                old="if submission is None or submission.submission_seq is None:",
                new="if submission is None:",
            ),
            Edit(file=SELECTOR, old="submission, submission.submission_seq, record", new="submission, 0, record"),
        ),
    ),
    *(
        Mutant(name=f"without the rule {rule}", edits=(Edit(file="engine/feedback/validity.py", old=f"    {rule},\n"),))
        for rule in RULES
    ),
    Mutant(
        name="the next step does not give way",
        edits=(
            Edit(
                file="engine/feedback/budgeter.py",
                old="    return head, replace(head, next_step=ShownText(text=None, is_cut=True))",
                new="    return (head,)",
            ),
        ),
    ),
    Mutant(
        name="a cut may split a character",
        edits=(
            Edit(
                file="engine/feedback/cutting.py",
                old="text[: _boundary(text, cap - len(OMISSION))]",
                new="text[: cap - len(OMISSION)]",
            ),
        ),
    ),
)


def named(name: str) -> Mutant:
    """The mutant of this name."""
    return next(mutant for mutant in MUTANTS if mutant.name == name)


def killers(mutant: Mutant, *, first_only: bool = True) -> tuple[str, ...]:
    """The tests that notice the mutant; none if it survives.

    Raises:
        ValueError: the source is no longer what the mutant was written for, or the tests did not run.
    """
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        copy = Path(folder)
        for name in COPIED:
            _copy(ROOT / name, copy / name)
        for edit in mutant.edits:
            _apply(edit, copy)
        return tuple(_failed(copy, first_only=first_only))


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "e2e"))
    else:
        shutil.copy(source, target)


def _apply(edit: Edit, copy: Path) -> None:
    path = copy / edit.file
    text = path.read_text("utf-8")
    if text.count(edit.old) != 1:
        raise ValueError(f"{edit.file} holds {text.count(edit.old)} times, not once: {edit.old.strip()}")
    path.write_text(text.replace(edit.old, edit.new), "utf-8")


def _failed(copy: Path, *, first_only: bool) -> Iterator[str]:
    """Names of failed tests, on SQLite alone, which is enough to notice."""
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=no", "-rf", "-m", "not postgres", *TESTS]
    ran = subprocess.run(
        [*command, *(["-x"] if first_only else [])],
        cwd=copy,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if ran.returncode not in (0, 1):
        raise ValueError(f"the tests did not run:\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    for failed in re.findall(r"^FAILED \S+::(\S+)", ran.stdout, re.MULTILINE):
        yield str(failed)


def main(names: Sequence[str]) -> int:
    """Print a line for each mutant; 1 if one survives, else 0.

    Raises:
        ValueError: a test is red without any mutant, so that nothing could be learned.
    """
    if red := killers(Mutant(name="none", edits=())):
        raise ValueError(f"{red[0]} is red already")
    survivors = 0
    for mutant in [named(name) for name in names] or MUTANTS:
        found = killers(mutant)
        survivors += not found
        print(f"{mutant.name:45} {found[0] if found else 'SURVIVED'}", flush=True)  # noqa: T201 - the table
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
