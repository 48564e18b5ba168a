"""What of the work a model is shown for one criterion: whole files while they fit, else the parts that are about it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.domain.data_message import escaped_json
from engine.domain.states import FileKind
from engine.domain.work import WorkFile
from engine.review.evidence import shown_lines
from engine.review.logs import is_log

WORK_CHARACTERS = 12_000
"""Room for files in one request, in characters as they are sent; fits a window of 16,000 tokens in any script."""
CHUNK_LINES = 30
"""A file that does not fit whole is shown in parts of so many lines."""
NOTE_CHARACTERS = 1_000
"""So much is shown of what a learner says of the system that the work is for."""
LINE_CHARACTERS = 500
"""More of a line is not shown; minified files have lines of megabytes."""
NAMED_LEFT_OUT = 40
"""So many files that were left out are named; how many there are is always said."""

_NO_ROOM = "no room"
_CUT = "…"
_TERM = re.compile(r"[a-z][a-z0-9]{2,}|[\u4e00-\u9fff]{2}")
_HAN_RUN = re.compile("[\u4e00-\u9fff]{2,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownWork:
    """What a model is given of the work."""

    payload: Mapping[str, object]
    """Files with numbered lines, which lines of each are shown, and which files were left out."""
    bodies: Mapping[str, str]
    """The whole text of each file of which something is shown, by path; quotes are looked for in it."""
    hidden: int
    """Files of which something or everything is not shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chunk:
    """Some lines of one file."""

    path: str
    first: int
    """Number of its first line, from 1."""
    lines: tuple[str, ...]
    score: int
    """How many different words of the criterion stand in it, and once more if its file is named."""


def show_work(asked: str, files: Sequence[WorkFile], limit: int = WORK_CHARACTERS) -> ShownWork:
    """Choose within `limit` characters as they are sent.

    Files that `asked` names come first, then small before large, of equal ones by path; while whole files fit they
    are shown whole. Of the others the parts that hold most of the words of `asked` are shown, as many as fit. What
    is no text, and test reports, which are no work, are not shown; what is left out is told. What a learner says of
    the environment stands beside the files, outside the limit, and is nothing that quotes are looked for in.

    Args:
        asked: criterion and goal, in whose words parts are looked for.
        files: of one submission.
        limit: characters.
    """
    work = [file for file in files if file.kind is FileKind.WORK]
    readable = sorted((file for file in work if file.body is not None), key=lambda file: _rank(file, asked))
    shown: dict[str, list[_Chunk]] = {}
    room, rest = limit, []
    for file in readable:
        whole = _chunks(file, asked, lines=max(1, len(_lines(file.body or ""))))
        cost = _cost(file.path, whole)
        if cost <= room:
            shown[file.path], room = whole, room - cost
        else:
            rest.append(file)
    _add_parts(rest, asked, shown, room)
    chosen = _shown(work, readable, shown)
    said = next((file.body for file in files if file.kind is FileKind.ENVIRONMENT and file.body), None)
    return chosen if said is None else replace(chosen, payload={**chosen.payload, "environment": _said(said)})


def _said(note: str) -> str:
    return note if len(note) <= NOTE_CHARACTERS else note[: NOTE_CHARACTERS - 1] + _CUT


def _rank(file: WorkFile, asked: str) -> tuple[bool, int, str]:
    return not _is_named(file, asked), len(file.body or ""), file.path


def _is_named(file: WorkFile, asked: str) -> bool:
    return file.path.rpartition("/")[2].casefold() in asked.casefold()


def _add_parts(files: Sequence[WorkFile], asked: str, shown: dict[str, list[_Chunk]], room: int) -> None:
    """Put the best parts of what did not fit whole into `shown`."""
    parts = [chunk for file in files for chunk in _chunks(file, asked, lines=CHUNK_LINES)]
    for chunk in sorted(parts, key=lambda one: (-one.score, one.path, one.first)):
        cost = _cost(chunk.path, [chunk])
        if cost <= room:
            shown.setdefault(chunk.path, []).append(chunk)
            room -= cost


def _chunks(file: WorkFile, asked: str, *, lines: int) -> list[_Chunk]:
    wanted, named = _terms(asked), _is_named(file, asked)
    return [
        _Chunk(
            path=file.path,
            first=first + start,
            lines=tuple(_short(line) for line in listed[start : start + lines]),
            score=len(wanted & _terms(" ".join(listed[start : start + lines]))) + named,
        )
        for first, listed in _runs(file)
        for start in range(0, len(listed), lines)
    ]


def _runs(file: WorkFile) -> list[tuple[int, list[str]]]:
    """Lines that follow one another, with the number of the first: one run, but two of a long log."""
    runs: list[tuple[int, list[str]]] = []
    for number, line in shown_lines(file):
        if not runs or number != runs[-1][0] + len(runs[-1][1]):
            runs.append((number, []))
        runs[-1][1].append(line)
    return runs


def _terms(text: str) -> set[str]:
    """Latin words of three letters and more, and pairs of Han characters."""
    found = set(_TERM.findall(text.casefold()))
    for run in _HAN_RUN.findall(text):
        found.update(run[place : place + 2] for place in range(len(run) - 1))
    return found


def _short(line: str) -> str:
    return line if len(line) <= LINE_CHARACTERS else line[: LINE_CHARACTERS - 1] + _CUT


def _lines(body: str) -> list[str]:
    return [line.rstrip("\r") for line in body.removesuffix("\n").split("\n")]


def _cost(path: str, chunks: Sequence[_Chunk]) -> int:
    return len(escaped_json({"path": path, "lines": "", "text": _numbered(chunks)})) + len("1-100000, ") * len(chunks)


def _numbered(chunks: Sequence[_Chunk]) -> str:
    """Each line with its number; a gap is seen by the numbers."""
    return "".join(f"{number}\t{line}\n" for chunk in chunks for number, line in enumerate(chunk.lines, chunk.first))


def _shown(work: Sequence[WorkFile], readable: Sequence[WorkFile], shown: Mapping[str, list[_Chunk]]) -> ShownWork:
    entries, cut = [], 0
    for file in readable:
        if chunks := sorted(shown.get(file.path, ()), key=lambda one: one.first):
            total = len(_lines(file.body or ""))
            entry = {"path": file.path, "text": _numbered(chunks)}
            if sum(len(chunk.lines) for chunk in chunks) < total:
                cut += 1
                entry["lines"] = f"{', '.join(_ranges(chunks))} of {total}"
            entries.append(entry)
    left_out = [
        {"path": file.path, "why": str(file.state) if file.body is None else _NO_ROOM}
        for file in sorted(work, key=lambda file: file.path)
        if file.path not in shown
    ]
    payload = {"files": entries, "left_out": left_out[:NAMED_LEFT_OUT], "left_out_count": len(left_out)}
    bodies = {file.path: _body(file) for file in readable if file.path in shown}
    return ShownWork(payload=payload, bodies=bodies, hidden=cut + len(left_out))


def _body(file: WorkFile) -> str:
    """The text that quotes are looked for in: of a log only what can be shown, which holds no secret."""
    if is_log(file):
        return "\n".join(line for _, line in shown_lines(file))
    return file.body or ""


def _ranges(chunks: Sequence[_Chunk]) -> Iterator[str]:
    first = last = 0
    for chunk in chunks:
        if first and chunk.first == last + 1:
            last = chunk.first + len(chunk.lines) - 1
            continue
        if first:
            yield f"{first}-{last}"
        first, last = chunk.first, chunk.first + len(chunk.lines) - 1
    yield f"{first}-{last}"
