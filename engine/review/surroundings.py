"""The lines of a handed-in file around the place that an evidence names."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.domain.work import WorkFile

AROUND = 4
"""Lines shown before and after the place."""
LINE_CHARACTERS = 300
"""More of a line is not shown; minified files have lines of megabytes."""
_PLACE = re.compile(r"(?P<path>[^\n]+?):(?P<first>\d{1,7})(?:-(?P<last>\d{1,7}))?(?=$|[\s:,])", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """A stretch of one file."""

    path: str
    first: int
    """Number of the first line shown, from 1."""
    place: int | None
    """Number of the line that the evidence names; None where it names the file alone."""
    lines: tuple[str, ...]


def lines_around(evidence: str | None, files: Iterable[WorkFile]) -> Surroundings | None:
    """The stretch around the first place in `evidence` that is there, or the beginning of the file that it names.

    None where it names neither.
    """
    bodies = {file.path: file.body for file in files if file.body is not None}
    for found in _PLACE.finditer(evidence or ""):
        body = bodies.get(found["path"].strip())
        lines = [] if body is None else body.splitlines()
        place = int(found["first"])
        if 1 <= place <= len(lines):
            last = min(int(found["last"] or place), place + 2 * AROUND)
            first = max(1, place - AROUND)
            shown = lines[first - 1 : max(place, last) + AROUND]
            return Surroundings(path=found["path"].strip(), first=first, place=place, lines=_cut(shown))
    whole = bodies.get((evidence or "").strip())
    if whole is None:
        return None
    return Surroundings(
        path=(evidence or "").strip(), first=1, place=None, lines=_cut(whole.splitlines()[: 2 * AROUND])
    )


def _cut(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line[:LINE_CHARACTERS] for line in lines)
