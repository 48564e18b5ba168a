"""Logs as they are shown: the beginning and the end, without secrets. What was left out is said."""

import re
from dataclasses import dataclass, replace

from engine.domain.states import FileKind
from engine.domain.work import WorkFile
from engine.review.redaction import redact

HEAD_LINES = 40
"""The beginning tells what was started, where and with which versions."""
TAIL_LINES = 120
"""The end tells how it came out; compilers and test tools write what matters there."""
LINE_CHARACTERS = 500
KEPT_HEAD_LINES = 200
KEPT_TAIL_LINES = 800
"""So many lines of a log are stored from its beginning and its end; checks look at these."""
OMISSION = "…"
_SUFFIXES = (".log", ".log.txt")
_LEFT_OUT = re.compile(r"… ([0-9,]{1,15}) lines left out …")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogDigest:
    """What is shown of a log."""

    head: tuple[str, ...]
    """The first lines, redacted, each shortened in its middle; all lines where nothing is left out."""
    omitted: int
    """How many lines stand between head and tail and are not shown."""
    tail: tuple[str, ...]
    """The last lines; empty where nothing is left out."""

    def numbered(self) -> tuple[tuple[int, str], ...]:
        """The lines shown with their numbers in the whole log, from 1."""
        first = len(self.head) + self.omitted + 1
        return (*enumerate(self.head, start=1), *enumerate(self.tail, start=first))


def is_log(file: WorkFile) -> bool:
    """Whether a handed-in file is taken for a log, by its name."""
    return file.path.lower().endswith(_SUFFIXES)


def keep_told(file: WorkFile) -> WorkFile:
    """A log as it is stored: head and tail, without secrets; a note without secrets; any other file as it is.

    This is where logs enter, so that no secret of theirs reaches the database. The hash stays that of the bytes
    handed in. A log that is kept already stays as it is.
    """
    if file.body is not None and file.kind is FileKind.ENVIRONMENT:
        return replace(file, body=redact(file.body))
    if not is_log(file) or file.body is None:
        return file
    lines = file.body.removesuffix("\n").split("\n")
    gone = len(lines) - KEPT_HEAD_LINES - KEPT_TAIL_LINES
    if _left_out(lines) or gone <= 0:
        return replace(file, body="\n".join(_redacted(lines)))
    kept = (*_redacted(lines[:KEPT_HEAD_LINES]), f"… {gone:,} lines left out …", *_redacted(lines[-KEPT_TAIL_LINES:]))
    return replace(file, body="\n".join(kept))


def count_lines(text: str) -> int:
    """How many lines a log had when it was handed in."""
    lines = text.removesuffix("\n").split("\n")
    return len(lines) + _left_out(lines)


def digest_log(text: str) -> LogDigest:
    """Shorten and redact; no more than the lines that are shown is looked at."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) <= HEAD_LINES + TAIL_LINES:
        return LogDigest(head=_shown(lines), omitted=0, tail=())
    omitted = len(lines) + _left_out(lines) - HEAD_LINES - TAIL_LINES
    return LogDigest(head=_shown(lines[:HEAD_LINES]), omitted=omitted, tail=_shown(lines[-TAIL_LINES:]))


def head_and_tail(text: str, limit: int) -> str:
    """At most `limit` characters of `text`: a third from the beginning, the rest from the end, a mark between."""
    if len(text) <= limit:
        return text
    head = (limit - len(OMISSION)) // 3
    return text[:head] + OMISSION + text[head + len(OMISSION) - limit :]


def _left_out(lines: list[str]) -> int:
    """How many lines more than these a kept log had: the mark stands for them and is none of them."""
    if len(lines) != KEPT_HEAD_LINES + 1 + KEPT_TAIL_LINES:
        return 0
    mark = _LEFT_OUT.fullmatch(lines[KEPT_HEAD_LINES])
    return int(mark[1].replace(",", "")) - 1 if mark else 0


def _redacted(lines: list[str]) -> list[str]:
    """Each line shortened first, so that redaction takes a bounded time, then without secrets."""
    return redact("\n".join(head_and_tail(line.rstrip("\r"), 2 * LINE_CHARACTERS) for line in lines)).split("\n")


def _shown(lines: list[str]) -> tuple[str, ...]:
    # Shortened before anything else, so that a line of 25 MB costs nothing, and again after redaction, so that
    # no half of a secret that the first cut went through is left.
    return tuple(head_and_tail(line, LINE_CHARACTERS) for line in _redacted(lines))
