"""What is handed in with a version: its own file among those of the newest submission."""

import hashlib
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
    """`typed`, which a browser gives with plain newlines, with the line ends of `base` where all of those are CRLF."""
    if "\r\n" not in base or "\n" in base.replace("\r\n", "") or "\r" in base.replace("\r\n", ""):
        return typed
    return typed.replace("\r\n", "\n").replace("\n", "\r\n")


def _ordered(files: Sequence[WorkFile]) -> tuple[WorkFile, ...]:
    return tuple(sorted(files, key=lambda file: file.path))
