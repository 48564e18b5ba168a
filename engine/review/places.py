"""From the evidence of a criterion to the file and line of the submission that it speaks of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.domain.states import FileKind
from engine.domain.work import WorkFile

_LINE = re.compile(r":([0-9]{1,7})(?![0-9])")
_BEFORE_QUOTE = re.compile(r"(?s)(.+?:[0-9]{1,7})(?=:\s|$)|(.+?)(?=: |$)")
PLACE_CHARACTERS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A file of a submission, and a line of it."""

    path: str
    line: int | None
    """From 1; None where the whole file is meant. It may be more than the file has lines."""
    is_told: bool = True
    """Whether the evidence names this file; else it is the test report that must have been meant."""

    def __str__(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}"


def place_in(evidence: str) -> str:
    """The `path:line` at the beginning of an evidence, without what is quoted, short enough for an address."""
    found = _BEFORE_QUOTE.match(evidence.strip()[:PLACE_CHARACTERS])
    return found[0].strip() if found else ""


def find_place(told: str, files: Sequence[WorkFile]) -> Place | None:
    """The file that `told` begins with, and the line after its name; None where it is about none of them.

    A path that another machine wrote, with its own folders before it or some missing, is found where only one file
    ends like it. What names no file at all, such as the name of a test, leads to the test report, if there is one.
    """
    exact = [file.path for file in files if told == file.path or told.startswith(f"{file.path}:")]
    if exact:
        path = max(exact, key=len)
        return Place(path=path, line=_line(told[len(path) :]))
    name = _LINE.split(told, maxsplit=1)[0].replace("\\", "/").strip()
    alike = [file.path for file in files if _ends_alike(name, file.path)]
    if len(alike) == 1:
        return Place(path=alike[0], line=_line(told[len(name) :]))
    reports = [file.path for file in files if file.kind is FileKind.REPORT]
    return Place(path=reports[0], line=None, is_told=False) if told and reports else None


def _ends_alike(name: str, path: str) -> bool:
    return bool(name) and (name.endswith(f"/{path}") or path.endswith(f"/{name}"))


def _line(rest: str) -> int | None:
    found = _LINE.match(rest)
    return int(found[1]) if found and int(found[1]) else None
