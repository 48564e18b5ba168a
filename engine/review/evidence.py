"""What a review stands on: the handed-in files and what the test reports among them say."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import product

from engine.domain.states import FileKind
from engine.domain.work import Snapshot, WorkFile
from engine.review.ci_report import CiReport, ReportProblem, read_report

MAX_FOLDERS = 4
"""How many `**/` one glob may hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Everything a check may look at."""

    files: tuple[WorkFile, ...]
    """All files of the snapshot, ordered by path."""
    reports: tuple[CiReport, ...]
    """One per report file, in the same order."""

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
    return Evidence(files=snapshot.files, reports=reports)


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
