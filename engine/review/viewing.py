"""A file of a submission as people read it: some of its lines with their numbers, without secrets where tools wrote."""

from dataclasses import dataclass

from engine.domain.states import FileKind
from engine.domain.work import WorkFile
from engine.review.evidence import shown_lines
from engine.review.logs import count_lines, head_and_tail, is_log
from engine.review.redaction import REDACTED, redact

WINDOW_LINES = 200
"""So many lines are shown at once."""
ABOVE = 6
"""So many lines stand above the one that is meant, so that it is in view without scrolling."""
SHOWN_CHARACTERS = 500
"""More of a line is not shown; minified files have lines of megabytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownLine:
    """One line, or a gap."""

    number: int
    """From 1, in the file as it was handed in."""
    text: str
    gap_before: int = 0
    """How many lines of a log are not shown between this one and the one before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileView:
    """What is shown of one file that could be read."""

    lines: tuple[ShownLine, ...]
    """In order; none where a file is empty or was erased."""
    total: int
    """Lines of the file."""
    earlier: int | None
    """Where to begin to see the lines before these; None where there are none."""
    later: int | None
    """The same for the lines after these."""
    hidden: int
    """Secrets that were hidden in these lines."""
    is_digest: bool
    """Whether it is a log of which only the beginning and the end can be shown."""
    has_marked: bool
    """Whether the line that was asked for is among these."""


def view_file(file: WorkFile, *, line: int | None = None, begin: int | None = None) -> FileView:
    """The lines around `line`, or from the line `begin` on, or from the first one.

    Takes the same time for every place in a file. Line numbers out of bounds lead to the nearest end.
    """
    if is_log(file):
        return _view_log(file, line)
    lines = _split(file.body)
    first = min(max(1, begin or (line or 1) - ABOVE), max(1, len(lines)))
    raw = [_short(one) for one in lines[first - 1 : first - 1 + WINDOW_LINES]]
    cleaned = redact("\n".join(raw)).split("\n") if raw and file.kind is FileKind.REPORT else raw
    shown = tuple(ShownLine(number=number, text=text) for number, text in enumerate(cleaned, first))
    after = first + len(shown)
    return FileView(
        lines=shown,
        total=len(lines),
        earlier=max(1, first - WINDOW_LINES) if first > 1 else None,
        later=after if after <= len(lines) else None,
        hidden=_hidden(shown) - sum(text.count(REDACTED) for text in raw),
        is_digest=False,
        has_marked=line is not None and first <= line < after,
    )


def _view_log(file: WorkFile, line: int | None) -> FileView:
    shown: list[ShownLine] = []
    for number, text in shown_lines(file):
        gap = number - shown[-1].number - 1 if shown else 0
        shown.append(ShownLine(number=number, text=_short(text), gap_before=gap))
    return FileView(
        lines=tuple(shown),
        total=count_lines(file.body) if file.body else 0,
        earlier=None,
        later=None,
        hidden=_hidden(tuple(shown)),
        is_digest=any(one.gap_before for one in shown),
        has_marked=any(one.number == line for one in shown),
    )


def _split(body: str | None) -> list[str]:
    return body.removesuffix("\n").split("\n") if body else []


def _short(line: str) -> str:
    return head_and_tail(line.rstrip("\r"), SHOWN_CHARACTERS)


def _hidden(shown: tuple[ShownLine, ...]) -> int:
    return sum(line.text.count(REDACTED) for line in shown)
