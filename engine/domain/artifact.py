"""Pieces of work that are written once and improved many times, and their chain of versions."""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engine.domain.people import Owned


class ArtifactKind(StrEnum):
    """What a text is; code is shown unwrapped, everything else as prose."""

    REPORT = "report"
    README = "readme"
    CODE = "code"
    LESSON_PLAN = "lesson_plan"
    ANNOUNCEMENT = "announcement"


class VersionAuthor(StrEnum):
    """Who wrote a version."""

    STUDENT = "student"
    TEACHER = "teacher"
    MODEL = "model"
    IMPORT = "import"
    """From outside: an upload, or work that was handed in."""


class VersionReason(StrEnum):
    """Why a version came about."""

    FIRST = "first"
    """The first text, typed or pasted."""
    BRIEF = "brief"
    """The first text, written by the model from a brief."""
    EDITED = "edited"
    """By hand."""
    UPLOADED = "uploaded"
    ASKED = "asked"
    """By conversation; the note holds the suggestion."""
    RESTORED = "restored"
    """The text of an older version again."""
    JOINED = "joined"
    """Of two versions that were written from the same one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """A text that has versions. Its words stand in them."""

    artifact_id: str
    course_id: str
    owned: Owned
    """A learner's own work, or, without a learner, the teachers' of that project."""
    task_id: str | None
    """The task that it is handed in for; None for a text that is not handed in."""
    kind: ArtifactKind
    file_name: str
    """Relative path with forward slashes, under which it is handed in and exported."""
    persona_id: str | None
    """Whose style its edits teach and its drafts follow."""
    made_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactVersion:
    """One immutable full text of an artifact."""

    version_id: str
    artifact_id: str
    number: int
    """V1, V2 … inside the artifact, in the order of saving."""
    parent_id: str | None
    """The version that it was made from; None for the first."""
    parent_hash: str | None
    version_hash: str
    """See `hash_version`."""
    title: str
    body: str
    """Byte for byte as it was saved, line endings included; empty once its owner had it erased."""
    author: VersionAuthor
    reason: VersionReason
    note: str
    """The suggestion, or what the person wrote about it; empty where nothing was said."""
    word_count: int
    """See `count_words`."""
    made_at: datetime
    """For display only."""


def hash_version(
    *, parent_hash: str | None, author: VersionAuthor, reason: VersionReason, note: str, title: str, body: str
) -> str:
    """Tie a version to its parent: the algorithm's name, a colon, and the hexadecimal digest of all that it says."""
    told = json.dumps([parent_hash, author, reason, note, title, body], ensure_ascii=True)
    return "sha256:" + hashlib.sha256(told.encode()).hexdigest()
