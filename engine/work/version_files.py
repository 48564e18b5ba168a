"""What is handed in with a version: its own file among those of the newest submission."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.domain.artifact import Artifact, ArtifactKind, ArtifactVersion
from engine.domain.states import FileKind, FileState
from engine.domain.work import Snapshot, WorkFile


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionFiles:
    """The files of a hand-in that comes from a version."""

    files: tuple[WorkFile, ...]
    """The version's file, in place of one of the same path, and those that go along; by path."""
    along: int
    """How many files of the newest submission go along."""
    left_behind: int
    """How many of its test reports do not: they say nothing of changed code."""
    replaces: bool
    """Whether the newest submission has a file of this path."""


def files_with(artifact: Artifact, version: ArtifactVersion, newest: Snapshot | None) -> VersionFiles:
    """Put the text of a version in its place among the files of the newest submission, None where there is none.

    A test report stays behind where the version is code, because it was made before that code was.
    """
    others = [file for file in newest.files if file.path != artifact.file_name] if newest else []
    is_code = artifact.kind is ArtifactKind.CODE
    along = [file for file in others if not (is_code and file.kind is FileKind.REPORT)]
    return VersionFiles(
        files=_ordered([*along, version_file(artifact.file_name, version.body)]),
        along=len(along),
        left_behind=len(others) - len(along),
        replaces=newest is not None and any(file.path == artifact.file_name for file in newest.files),
    )


def version_file(path: str, body: str) -> WorkFile:
    """A text as a file in UTF-8."""
    content = body.encode()
    return WorkFile(
        path=path,
        sha256=hashlib.sha256(content).hexdigest(),
        size_bytes=len(content),
        kind=FileKind.WORK,
        state=FileState.TEXT,
        body=body,
    )


def texts_of(files: Sequence[WorkFile]) -> tuple[WorkFile, ...]:
    """The files that can become an artifact: work that could be read as text, by path."""
    return tuple(file for file in files if file.kind is FileKind.WORK and file.state is FileState.TEXT)


def kind_of(path: str) -> ArtifactKind:
    """What a file is taken for, by its name."""
    name = path.rpartition("/")[2].lower()
    if name.startswith("readme"):
        return ArtifactKind.README
    is_prose = name.endswith((".md", ".txt", ".rst", ".tex", ".html", ".adoc")) or "." not in name
    return ArtifactKind.REPORT if is_prose else ArtifactKind.CODE


def with_line_ends_of(base: str, typed: str) -> str:
    """`typed`, which a browser gives with plain newlines, with the line ends that its lines have in `base`.

    A line has a counterpart where everything before or behind it is equal, or where as many lines stand between as
    before; others end as most of `base` does.
    """
    had, lines = _lines(base), _PLAIN_BREAK.sub("\n", typed).split("\n")
    kept = [line for line, _end in had]
    before = _common(kept, lines)
    behind = min(_common(kept[::-1], lines[::-1]), min(len(kept), len(lines)) - before)
    usual = max(("\n", "\r\n", "\r"), key=[end for _line, end in had].count)
    ends = [end for _line, end in had[:before]]
    ends += [end for _line, end in had[before : len(had) - behind]] if len(had) == len(lines) else []
    ends += [usual] * (len(lines) - behind - len(ends)) + [end for _line, end in had[len(had) - behind :]]
    told: list[str] = []
    for line, end in zip(lines[:-1], ends, strict=False):
        chosen = end or usual
        would_be_one = not line and chosen == "\n" and bool(told) and told[-1].endswith("\r")
        told.append(line + ("\r" if would_be_one else chosen))
    return "".join([*told, lines[-1]])


_PLAIN_BREAK = re.compile(r"\r\n|\r")
_BREAK = re.compile(r"\r\n|\r|\n")


def _lines(text: str) -> list[tuple[str, str]]:
    """Each line and how it ends; the last one, which may be empty, ends with nothing."""
    return list(zip(_BREAK.split(text), [*_BREAK.findall(text), ""], strict=True))


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines both begin with."""
    return next(
        (at for at, (mine, its) in enumerate(zip(one, other, strict=False)) if mine != its), min(len(one), len(other))
    )


def _ordered(files: Sequence[WorkFile]) -> tuple[WorkFile, ...]:
    return tuple(sorted(files, key=lambda file: file.path))
