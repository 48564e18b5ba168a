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
    begun_from: str | None = None
    """The submission whose file was its first text; None where it came otherwise."""
    made_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionLine:
    """One version as it stands in the chain, without its text."""

    version_id: str
    artifact_id: str
    number: int
    """V1, V2 … inside the artifact, in the order of saving."""
    parent_id: str | None
    """The version that it was made from; None for the first."""
    parent_hash: str | None
    source_id: str | None = None
    """A second version that it was made from: of a restored one the old version, of a joined one the other."""
    version_hash: str
    """See `hash_version`."""
    title: str
    author: VersionAuthor
    reason: VersionReason
    note: str
    """The suggestion, or what the person wrote about it; empty where nothing was said."""
    characters: int = 0
    """Of the text, in code points; it outlives an erased text."""
    word_count: int
    """See `count_words`; it outlives an erased text."""
    made_at: datetime
    """For display only."""
    is_erased: bool = False
    """Whether its owner had the words erased: title, text and note are empty then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactVersion(VersionLine):
    """One immutable full text of an artifact."""

    body: str
    """Byte for byte as it was saved, line endings included; empty once its owner had it erased."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersion:
    """What is to become a version."""

    title: str
    body: str
    author: VersionAuthor
    reason: VersionReason
    note: str = ""
    source_id: str | None = None
    """As in `VersionLine`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What became of saving."""

    version: ArtifactVersion
    is_new: bool
    """False where this very text was there already, as the newest version or as the one it was made from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactEntry:
    """An artifact in a list, with its newest version."""

    artifact: Artifact
    newest: VersionLine


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionHandedIn:
    """That a version became a submission."""

    version_id: str
    artifact_id: str
    number: int
    """Of the version."""
    title: str
    """Of the version; empty once it was erased."""
    submission_id: str
    submission_seq: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionDraft:
    """A text on its way to become a version, as it was typed so far. Working state of one person."""

    draft_id: str
    """Of the form that it is typed in; two tabs have two."""
    base_id: str
    """The version that it is made from."""
    title: str
    body: str
    is_branch: bool = False
    """Whether its base was older than the newest version from the start, and the person knew."""
    choices: str = ""
    """Of a draft in which two texts are joined: the mark of what was chosen so far; empty of any other."""
    saved_at: datetime


def hash_version(
    *, parent_hash: str | None, author: VersionAuthor, reason: VersionReason, note: str, title: str, body: str
) -> str:
    """Tie a version to its parent: the algorithm's name, a colon, and the hexadecimal digest of all that it says."""
    told = json.dumps([parent_hash, author, reason, note, title, body], ensure_ascii=True)
    return "sha256:" + hashlib.sha256(told.encode()).hexdigest()
