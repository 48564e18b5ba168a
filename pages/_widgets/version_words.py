"""What is said of artifacts and their versions, in words."""

from collections.abc import Mapping

from engine.domain.artifact import ArtifactEntry, ArtifactKind, VersionAuthor, VersionLine, VersionReason
from engine.revision.chain import ChainProblem
from pages._widgets.words import N_, _, ngettext

KINDS: Mapping[ArtifactKind, str] = {
    ArtifactKind.REPORT: N_("Report"),
    ArtifactKind.README: N_("README"),
    ArtifactKind.CODE: N_("Code"),
    ArtifactKind.LESSON_PLAN: N_("Lesson plan"),
    ArtifactKind.ANNOUNCEMENT: N_("Announcement"),
}
AUTHORS: Mapping[VersionAuthor, str] = {
    VersionAuthor.STUDENT: N_("student"),
    VersionAuthor.TEACHER: N_("teacher"),
    VersionAuthor.MODEL: N_("model"),
    VersionAuthor.IMPORT: N_("from outside"),
}
REASONS: Mapping[VersionReason, str] = {
    VersionReason.FIRST: N_("first text"),
    VersionReason.BRIEF: N_("written from a brief"),
    VersionReason.EDITED: N_("edited by hand"),
    VersionReason.UPLOADED: N_("uploaded"),
    VersionReason.ASKED: N_("edited by conversation"),
    VersionReason.RESTORED: N_("restored"),
    VersionReason.JOINED: N_("two versions joined"),
}
AUTHOR_ICONS: Mapping[VersionAuthor, str] = {
    VersionAuthor.STUDENT: "person",
    VersionAuthor.TEACHER: "co_present",
    VersionAuthor.MODEL: "smart_toy",
    VersionAuthor.IMPORT: "move_to_inbox",
}
REASON_ICONS: Mapping[VersionReason, str] = {
    VersionReason.FIRST: "draft",
    VersionReason.BRIEF: "article",
    VersionReason.EDITED: "edit",
    VersionReason.UPLOADED: "upload",
    VersionReason.ASKED: "edit_note",
    VersionReason.RESTORED: "history",
    VersionReason.JOINED: "merge",
}
"""Names of Material symbols; the word stands beside each, or in its tip."""
PROBLEMS: Mapping[ChainProblem, str] = {
    ChainProblem.NUMBER: N_("V{n}: a number before it is missing"),
    ChainProblem.ROOT: N_("V{n}: it should have a parent, or it should have none"),
    ChainProblem.PARENT: N_("V{n}: the version that it was made from is missing"),
    ChainProblem.PARENT_HASH: N_("V{n}: it was made from something other than its parent"),
    ChainProblem.HASH: N_("V{n}: its words are not those that were saved"),
    ChainProblem.SOURCE: N_("V{n}: it is not the text that it was restored from"),
}


def title_of(line: VersionLine, file_name: str) -> str:
    """The title of a version, or the name of its file where it has none."""
    return line.title or file_name


def entry_name(entry: ArtifactEntry) -> str:
    """An artifact in a list."""
    name = title_of(entry.newest, entry.artifact.file_name)
    kind = _(KINDS[entry.artifact.kind])
    file_name = [entry.artifact.file_name] if name != entry.artifact.file_name else []
    return " · ".join([name, kind, *file_name, f"V{entry.newest.number}"])


def words_counted(line: VersionLine) -> str:
    """How long a version is."""
    return ngettext("{n:,} word", "{n:,} words", line.word_count)
