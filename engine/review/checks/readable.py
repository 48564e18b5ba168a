"""Which of the matching files can be searched as text, and what stands in the way of the others."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.domain.states import CriterionStatus, FileState
from engine.domain.work import WorkFile
from engine.review.checks.finding import Finding, FindingCode
from engine.review.evidence import Evidence

_NEVER_TEXT = (
    *(".7z", ".gz", ".jar", ".tar", ".tgz", ".xz", ".zip"),
    *(".bmp", ".gif", ".ico", ".jpeg", ".jpg", ".png", ".psd", ".webp"),
    *(".avi", ".mov", ".mp3", ".mp4", ".ogg", ".wav", ".webm"),
    *(".docx", ".pdf", ".pptx", ".xlsx"),
    *(".otf", ".ttf", ".woff", ".woff2"),
    *(".bin", ".class", ".dll", ".exe", ".o", ".so", ".wasm"),
    *(".db", ".npy", ".npz", ".parquet", ".pickle", ".pkl", ".pt", ".sqlite", ".sqlite3"),
)
"""Formats nobody writes by hand. That an image is not text is no obstacle to searching all files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readable:
    """The files that fit a glob."""

    texts: tuple[tuple[str, str], ...]
    """Path and body of those that can be read, ordered by path."""
    unread: tuple[WorkFile, ...]
    """Those that should be text and cannot be read: a verdict that depends on them is open."""

    def named(self, glob: str) -> str:
        """How a sentence names the files: the only one by its path, several by the glob."""
        return self.texts[0][0] if len(self.texts) == 1 else glob

    def unreadable(self) -> Finding:
        """The open verdict when `unread` decides."""
        path = self.unread[0].path
        values: dict[str, str | int] = {"path": path, "count": len(self.unread)}
        return Finding(
            status=CriterionStatus.NEED_REVIEW, code=FindingCode.FILE_UNREADABLE, values=values, evidence=path
        )

    def left_open(self, glob: str, too_big: Sequence[str] = (), shown_format: str = "") -> Finding | None:
        """The open verdict where nothing failed and yet not everything was looked at; None where all of it was.

        Args:
            glob: what the files fit.
            too_big: paths of those that are too large to be read as what they are.
            shown_format: what that is, as a sentence names it.
        """
        if too_big:
            values: dict[str, str | int] = {"path": too_big[0], "format": shown_format}
            return Finding(
                status=CriterionStatus.NEED_REVIEW,
                code=FindingCode.TOO_BIG_TO_PARSE,
                values=values,
                evidence=too_big[0],
            )
        if self.unread:
            return self.unreadable()
        return None if self.texts else nothing_to_check(glob)


def readable(evidence: Evidence, glob: str) -> Readable:
    """Look up the files that fit `glob`; images and the like count only where nothing else fits."""
    matching = evidence.matching(glob)
    texts = tuple((file.path, file.body) for file in matching if file.body is not None)
    unread = tuple(file for file in matching if file.body is None)
    expected = tuple(file for file in unread if not _is_never_text(file))
    return Readable(texts=texts, unread=expected if texts or expected else unread)


def nothing_to_check(glob: str) -> Finding:
    """The open verdict when no file fits: a rule about files that are not there says nothing."""
    return Finding(
        status=CriterionStatus.NEED_REVIEW, code=FindingCode.NOTHING_TO_CHECK, values={"glob": glob}, evidence=None
    )


def too_big_to_search(paths: tuple[str, ...]) -> Finding:
    """The open verdict when files have lines that no pattern can be looked for in bounded time."""
    values: dict[str, str | int] = {"path": paths[0], "count": len(paths)}
    return Finding(
        status=CriterionStatus.NEED_REVIEW, code=FindingCode.TOO_BIG_TO_SEARCH, values=values, evidence=paths[0]
    )


def _is_never_text(file: WorkFile) -> bool:
    return file.state is not FileState.TEXT and file.path.lower().endswith(_NEVER_TEXT)
