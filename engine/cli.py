"""The command line: `tutorloop verify` shows on this machine that the feedback contract holds.

`tutorloop faults` shows how bad input, an ill database and an ill model service end. `tutorloop worker` runs jobs.
"""

import argparse
import io
import logging
import shutil
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from engine import job_process
from engine.domain.people import LOCAL_VIEWER
from engine.errors import InputError, SettingsError, TutorloopError
from engine.llm.offline import offline_gateway
from engine.scenarios.faults import FAULT_CASES, FaultCase, FaultRow, play_faults
from engine.scenarios.proof import ProofRow
from engine.scenarios.proof_blocks import BlockRun, prove_blocks
from engine.scenarios.proof_contract import prove_contract
from engine.scenarios.proof_old_path import prove_old_path
from engine.scenarios.vectors import VectorResult, VectorStores, play_vectors
from engine.settings import Settings
from engine.wiring import SqliteRig, opened

ALL_PASSED, SOME_FAILED, NOT_USABLE = 0, 1, 2
"""What the process ends with; 2 is argparse's own word for input that cannot be used."""
_NARROWEST = 24
"""Characters of a column below which words are no longer readable."""
_NO_TERMINAL = 1000
"""Columns of a pipe or file: a row stays on one line there, for whatever reads it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """How a row says that it is as expected, or not."""

    good: str
    bad: str

    def of(self, is_good: bool) -> str:
        """The mark for a result."""
        return self.good if is_good else self.bad


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; gives 0 when all passed, 1 when something failed, 2 when the input cannot be used."""
    _never_fail_to_print()
    chosen = _parser().parse_args(arguments)
    if chosen.command == "worker":
        return job_process.work(chosen)
    try:
        results = show_faults() if chosen.command == "faults" else _verify_on(chosen)
    except TutorloopError as error:
        print(f"tutorloop: {error}", file=sys.stderr)
        return NOT_USABLE
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return ALL_PASSED if all(results) else SOME_FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tutorloop", description="Tutorloop on the command line.")
    commands = parser.add_subparsers(dest="command", required=True)
    verify = commands.add_parser(
        "verify",
        help="show that each tutor request holds the review in force, and no other",
        description="Plays an old path that loses reviews and the feedback contract, and prints what each request "
        "held; then writes the feedback of every task of the sample courses with everything open, and prints what "
        "was left out. With --vectors, plays the conformance cases of a file instead.",
    )
    verify.add_argument("--vectors", metavar="FILE", type=Path, help="a file of conformance cases (format 1)")
    verify.add_argument(
        "--database", metavar="URL", help="an empty SQLite or PostgreSQL database to play on; default: a temporary one"
    )
    commands.add_parser(
        "faults",
        help="show that bad input, an ill database and an ill model service end well",
        description="Lets everything go wrong that can, on a temporary database, and prints what the person is told, "
        "whether all that was there is kept, and that no student failure and no score comes of it.",
    )
    worker = commands.add_parser(
        "worker",
        help="run jobs until told to end",
        description="Runs what was asked for in the background, such as reviewing many submissions again. The app "
        "starts one by itself unless TUTORLOOP_WORKER is off.",
    )
    job_process.add_arguments(worker)
    return parser


def _verify_on(chosen: argparse.Namespace) -> list[bool]:
    with _database(chosen.database) as url:
        return _verify(url) if chosen.vectors is None else _verify_vectors(url, chosen.vectors)


def show_faults(cases: Sequence[FaultCase] = FAULT_CASES) -> list[bool]:
    """Play each fault on a temporary database, print the table, and give each row's result."""
    # What the product would write into its log is what these rows are about.
    logging.getLogger("engine").addHandler(logging.NullHandler())
    with _database(None) as url:
        rows = list(play_faults(SqliteRig(url=url), cases))
    _print_lines("Faults", [_FAULT_HEAD, *map(_fault_cells, rows)])
    return [row.as_expected for row in rows]


_FAULT_HEAD = ("what was done", "what the person is told", "kept", "no failure", "no score", "")


def _fault_cells(row: FaultRow) -> tuple[str, ...]:
    answers = ("yes" if answer else "no" for answer in (row.kept, row.no_failure, row.no_score))
    return row.name, row.told, *answers, _marks().of(row.as_expected)


def _verify(url: str) -> list[bool]:
    """Print the three tables and give each row's result."""
    old_path = list(prove_old_path())
    _print_table("Old path", old_path)
    contract = list(prove_contract(partial(opened, url)))
    _print_table("Contract", contract)
    return [*(row.as_expected for row in (*old_path, *contract)), *_verify_blocks()]


_BLOCK_HEAD = ("course", "tasks", "texts of the review", "omitted", "largest block", "spare", "longest criterion", "")


def _verify_blocks() -> list[bool]:
    """Print the block run of each sample course and give each row's result."""
    runs = list(prove_blocks())
    _print_lines("Blocks with everything open, in characters", [_BLOCK_HEAD, *map(_block_cells, runs)])
    return [run.as_expected for run in runs]


def _block_cells(run: BlockRun) -> tuple[str, ...]:
    largest, longest = run.largest, run.longest_criterion
    sizes = f"{largest.size} ({largest.task.task_id})", str(run.spare), f"{len(longest.text)} ({longest.rubric_id})"
    counts = str(len(run.blocks)), run.writing, str(run.omitted_count)
    return run.course.course_id, *counts, *sizes, _marks().of(run.as_expected)


def _verify_vectors(url: str, path: Path) -> list[bool]:
    """Print a line a case as it is played and give each case's result."""
    text = _read(path)
    results: list[bool] = []
    with opened(url, offline_gateway()) as space:
        stores = VectorStores(courses=space.courses, work=space.work, reviews=space.reviews, feedback=space.feedback)
        for result in play_vectors(text, stores):
            print("\n".join(_told_case(result)), flush=True)
            results.append(result.passed)
    if not results:
        raise InputError(f"{path} holds no cases")
    return results


def _told_case(result: VectorResult) -> Iterator[str]:
    yield f"{_marks().of(result.passed)} {result.name}"
    if not result.passed:
        yield f"    expected {dict(result.expected)}"
        yield f"    seen     {dict(result.seen)}"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} cannot be read: it is not UTF-8 text") from error


@contextmanager
def _database(chosen: str | None) -> Iterator[str]:
    """The address of an empty database: the one that was chosen, or a temporary one that is removed afterwards."""
    if chosen is None:
        with tempfile.TemporaryDirectory(prefix="tutorloop-") as folder:
            yield f"sqlite:///{Path(folder) / 'verify.db'}"
        return
    url = _checked(chosen)
    try:
        with opened(url, offline_gateway()) as space:
            is_used = bool(space.courses.courses(LOCAL_VIEWER))
    except (SQLAlchemyError, OSError, ValueError) as error:
        cause = str(getattr(error, "orig", None) or error).partition("\n")[0]
        raise InputError(f"the database cannot be opened: {cause}") from error
    if is_used:
        raise InputError("this database is in use; name an empty one, because what is played here stays in it")
    yield url


def _checked(url: str) -> str:
    if url in ("sqlite:///", "sqlite:///:memory:"):
        raise InputError("--database needs a file, because the proof opens it more than once")
    try:
        return Settings.from_env({"TUTORLOOP_DATABASE_URL": url}).database_url
    except SettingsError:
        raise InputError("--database must begin with sqlite:/// or postgresql://") from None


def _print_table(title: str, rows: Sequence[ProofRow]) -> None:
    cells = [(row.name, row.expected, row.seen, _marks().of(row.as_expected)) for row in rows]
    _print_lines(title, [("row", "expected", "seen", ""), *cells])


def _print_lines(title: str, rows: Sequence[tuple[str, ...]]) -> None:
    columns = shutil.get_terminal_size(fallback=(_NO_TERMINAL, 24)).columns
    print(f"{title}\n" + "\n".join(write_table(rows, columns)), end="\n\n", flush=True)


def write_table(rows: Sequence[tuple[str, ...]], columns: int) -> Iterator[str]:
    """Aligned lines, the words of each cell wrapped where the terminal is too narrow; a rule under the first row."""
    widths = _widths(rows, columns)
    for number, row in enumerate(rows):
        yield from _lines(row, widths)
        if number == 0:
            yield "  ".join("-" * width for width in widths)


def _widths(rows: Sequence[tuple[str, ...]], columns: int) -> list[int]:
    """The width that each column wants, the wide ones made equal where that is too much for `columns`."""
    wanted = [max(1, *(len(cell) for cell in column)) for column in zip(*rows, strict=True)]
    room = columns - 2 * (len(wanted) - 1)
    widest = max(wanted)
    while widest > _NARROWEST and sum(min(width, widest) for width in wanted) > room:
        widest -= 1
    return [min(width, widest) for width in wanted]


def _lines(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    wrapped = [textwrap.wrap(cell, width) or [""] for cell, width in zip(row, widths, strict=True)]
    for number in range(max(map(len, wrapped))):
        yield "  ".join(_padded(lines, number, width) for lines, width in zip(wrapped, widths, strict=True)).rstrip()


def _padded(lines: Sequence[str], number: int, width: int) -> str:
    return (lines[number] if number < len(lines) else "").ljust(width)


def _marks() -> Marks:
    """✓ and ✗, or words where standard output cannot write them."""
    try:
        "✓✗".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return Marks(good="ok", bad="NO")
    return Marks(good="✓", bad="✗")


def _never_fail_to_print() -> None:
    """Write what the terminal's encoding lacks as a question mark."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


if __name__ == "__main__":
    sys.exit(main())
