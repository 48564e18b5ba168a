"""What a review stands on: the handed-in files and what the test reports among them say."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import product

from engine.domain.states import FileKind
from engine.domain.work import Snapshot, WorkFile
from engine.review.ci_report import CiReport, EnvironmentNote, ReportProblem, environment_note, read_report
from engine.review.logs import digest_log, is_log

MAX_FOLDERS = 4
"""How many `**/` one glob may hold."""
NOTE_FILES = "**/environment.txt|**/environment.md|**/ENVIRONMENT.md"
"""Where a learner may write down where the work was run, one `name: value` a line."""
_NOTE_LINES = 200
_NOTE = re.compile(r"[-*\s]{0,8}([A-Za-z][A-Za-z0-9._ -]{0,40}?)\s{0,5}[:=]\s{0,5}(\S.{0,400})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Everything a check may look at."""

    files: tuple[WorkFile, ...]
    """All files of the snapshot, ordered by path."""
    reports: tuple[CiReport, ...]
    """One per report file, in the same order."""
    environment: tuple[EnvironmentNote, ...] = ()
    """Where the work was run, as the reports say and then as files say; of equal names all."""

    @property
    def unread(self) -> tuple[WorkFile, ...]:
        """The files that are there and could not be read, with why; none of them is a missing file."""
        return tuple(file for file in self.files if file.body is None)

    def matching(self, glob: str) -> tuple[WorkFile, ...]:
        """The files of the work (never reports) whose path fits `glob`, ordered by path."""
        globs = _plain_globs(glob)
        return tuple(
            file
            for file in self.files
            if file.kind is FileKind.WORK and any(fnmatchcase(file.path, plain) for plain in globs)
        )


def gather_evidence(snapshot: Snapshot) -> Evidence:
    """Read the test reports of a snapshot; a bad report is told by its own `problem`."""
    reports = tuple(_report(file) for file in snapshot.files if file.kind is FileKind.REPORT)
    evidence = Evidence(files=snapshot.files, reports=reports)
    told = (*(note for report in reports for note in report.notes), *_notes_of_files(evidence))
    return Evidence(files=snapshot.files, reports=reports, environment=told)


def shown_lines(file: WorkFile) -> tuple[tuple[int, str], ...]:
    """The lines of a file as they are shown, with their numbers from 1: all, but of a log its redacted digest.

    Checks look at whole files; this is for what people and models read. Empty where there is no text.
    """
    if file.body is None:
        return ()
    if is_log(file):
        return digest_log(file.body).numbered()
    lines = file.body.removesuffix("\n").split("\n")
    return tuple((number, line.rstrip("\r")) for number, line in enumerate(lines, start=1))


def _notes_of_files(evidence: Evidence) -> Iterator[EnvironmentNote]:
    said = (file for file in evidence.files if file.kind is FileKind.ENVIRONMENT)
    for file in (*evidence.matching(NOTE_FILES), *said):
        for line in (file.body or "").split("\n", _NOTE_LINES)[:_NOTE_LINES]:
            told = _NOTE.match(line)
            note = environment_note(file.path, told[1], told[2]) if told else None
            if note is not None:
                yield note


def _report(file: WorkFile) -> CiReport:
    if file.body is None:
        return CiReport(path=file.path, cases=(), problem=ReportProblem.UNREADABLE)
    return read_report(file.path, file.body)


def _plain_globs(glob: str) -> tuple[str, ...]:
    """Globs as `fnmatch` knows them, one of which fits when `glob` does.

    `*` and `?` stand for any characters, slashes included; `**/` for any number of folders, none
    included; `|` separates alternatives; upper and lower case differ.
    """
    plain: list[str] = []
    for alternative in glob.split("|"):
        first, *rest = alternative.strip().split("**/", MAX_FOLDERS)
        for folders in product(("", "*/"), repeat=len(rest)):
            plain.append(first + "".join(folder + part for folder, part in zip(folders, rest, strict=True)))
    return tuple(plain)
