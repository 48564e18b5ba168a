"""Logs as they are shown: the beginning and the end, without secrets. What was left out is said."""

from dataclasses import dataclass

from engine.domain.work import WorkFile
from engine.review.redaction import redact

HEAD_LINES = 40
"""The beginning tells what was started, where and with which versions."""
TAIL_LINES = 120
"""The end tells how it came out; compilers and test tools write what matters there."""
LINE_CHARACTERS = 500
OMISSION = "…"
_SUFFIXES = (".log", ".log.txt")


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


def digest_log(text: str) -> LogDigest:
    """Shorten and redact; no more than the lines that are shown is looked at."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) <= HEAD_LINES + TAIL_LINES:
        return LogDigest(head=_shown(lines), omitted=0, tail=())
    omitted = len(lines) - HEAD_LINES - TAIL_LINES
    return LogDigest(head=_shown(lines[:HEAD_LINES]), omitted=omitted, tail=_shown(lines[-TAIL_LINES:]))


def head_and_tail(text: str, limit: int) -> str:
    """At most `limit` characters of `text`: a third from the beginning, the rest from the end, a mark between."""
    if len(text) <= limit:
        return text
    head = (limit - len(OMISSION)) // 3
    return text[:head] + OMISSION + text[head + len(OMISSION) - limit :]


def _shown(lines: list[str]) -> tuple[str, ...]:
    # Shortened before anything else, so that a line of 25 MB costs nothing, and again after redaction, so that
    # no half of a secret that the first cut went through is left.
    short = "\n".join(head_and_tail(line.rstrip("\r"), 2 * LINE_CHARACTERS) for line in lines)
    return tuple(head_and_tail(line, LINE_CHARACTERS) for line in redact(short).split("\n"))
