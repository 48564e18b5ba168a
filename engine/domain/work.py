"""Work as it was handed in: files, their snapshot, and the submission made of it."""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime

from engine.domain.keys import FeedbackKey
from engine.domain.states import FileKind, FileState


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkFile:
    """One file of a snapshot. `body` is None unless it could be read as text."""

    path: str
    """Relative, forward slashes, as the learner named it."""
    sha256: str
    """Of the bytes handed in; for a file over the limit, of its name and size."""
    size_bytes: int
    kind: FileKind
    state: FileState
    body: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Everything that was handed in at one moment, addressed by content."""

    snapshot_hash: str
    files: tuple[WorkFile, ...]
    """Ordered by path."""


def take_snapshot(files: tuple[WorkFile, ...]) -> Snapshot:
    """Address `files` by content: equal paths and bytes give an equal hash, whatever order they came in."""
    ordered = tuple(sorted(files, key=lambda file: file.path))
    listed = json.dumps([[file.kind, file.path, file.sha256] for file in ordered], ensure_ascii=True)
    return Snapshot(snapshot_hash=hashlib.sha256(listed.encode()).hexdigest(), files=ordered)


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A version handed in for review."""

    submission_id: str
    key: FeedbackKey
    submission_seq: int | None
    """Order inside the key; None for imported history whose order is unknown, which never becomes current."""
    version_id: str
    version_number: int
    """V1, V2 … inside the key."""
    snapshot_hash: str
    handed_in_at: datetime
    """For display only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where the files of a submission came from, if from a repository. Told, and no part of what is compared."""

    address: str
    """As it was typed; never with a user or password."""
    wanted: str
    """Branch, tag or commit as it was typed; empty for where the repository's own HEAD stood."""
    commit_id: str
    """Full, in hexadecimal digits."""
