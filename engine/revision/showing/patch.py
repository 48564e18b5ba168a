"""A change as a unified patch, as `git apply` and `patch` read it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.revision.script import Script

CONTEXT = 3
"""Unchanged lines around a change."""
_QUOTED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_NO_BREAK = "\\ No newline at end of file\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One line of a patch: its sign and the line with its break."""

    sign: str
    line: str


def unified_patch(script: Script, file_name: str) -> bytes:
    """The patch that turns the old text into the new one, under the same name; empty when they are equal.

    Lines end at LF only, so that a CR is a character of its line and nothing is lost. `script` must be of the texts
    as they are. Halves of surrogate pairs are written as they would be alone.
    """
    steps = tuple(_steps(script))
    hunks = "".join(_hunks(steps))
    if not hunks:
        return b""
    old, new = _quote(f"a/{file_name}"), _quote(f"b/{file_name}")
    head = f"diff --git {old} {new}\n--- {_ended(old)}\n+++ {_ended(new)}\n"
    return (head + hunks).encode("utf-8", "surrogatepass")


def _quote(name: str) -> str:
    """A name as git writes it: in quotes where a character in it would end it."""
    if not any(one in _QUOTED or ord(one) < 32 for one in name):
        return name
    return '"' + "".join(_QUOTED.get(one) or (f"\\{ord(one):03o}" if ord(one) < 32 else one) for one in name) + '"'


def _ended(name: str) -> str:
    """A name with a blank in it is ended by a tab, as otherwise it would be taken to end at the blank."""
    return f"{name}\t" if " " in name and not name.startswith('"') else name


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _steps(script: Script) -> Iterator[_Step]:
    """Every line of both texts once, kept ones in common, in order."""
    old, new = _lines(script.old), _lines(script.new)
    i = j = 0
    for kept_old, kept_new in (*_kept(script, old, new), (len(old), len(new))):
        yield from (_Step(sign="-", line=line) for line in old[i:kept_old])
        yield from (_Step(sign="+", line=line) for line in new[j:kept_new])
        if kept_old < len(old):
            yield _Step(sign=" ", line=old[kept_old])
        i, j = kept_old + 1, kept_new + 1


def _kept(script: Script, old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Lines that the script leaves alone as a whole, as numbers in both texts."""
    old_starts = {start: number for number, start in enumerate(_starts(old))}
    new_starts = {start: number for number, start in enumerate(_starts(new))}
    before = (-1, -1)
    for start_old, start_new, length in script.equal_runs():
        place = 0
        while place < length:
            pair = old_starts.get(start_old + place), new_starts.get(start_new + place)
            found = script.old.find("\n", start_old + place, start_old + length)
            stop = found + 1 - start_old if found >= 0 else length
            i, j = pair
            if i is not None and j is not None and old[i] == new[j] and i > before[0] and j > before[1]:
                before = i, j
                yield before
            place = stop


def _starts(lines: Sequence[str]) -> Iterator[int]:
    start = 0
    for line in lines:
        yield start
        start += len(line)


def _hunks(steps: Sequence[_Step]) -> Iterator[str]:
    changed = [place for place, step in enumerate(steps) if step.sign != " "]
    groups: list[tuple[int, int]] = []
    for place in changed:
        begin, end = max(0, place - CONTEXT), min(len(steps), place + CONTEXT + 1)
        if groups and begin <= groups[-1][1]:
            groups[-1] = groups[-1][0], end
        else:
            groups.append((begin, end))
    old = new = 1
    done = 0
    for begin, end in groups:
        old += sum(step.sign != "+" for step in steps[done:begin])
        new += sum(step.sign != "-" for step in steps[done:begin])
        done = begin
        yield _hunk(steps[begin:end], old, new)


def _hunk(steps: Sequence[_Step], old: int, new: int) -> str:
    """One hunk; a side without lines is counted from the line before it."""
    old_count, new_count = sum(step.sign != "+" for step in steps), sum(step.sign != "-" for step in steps)
    head = f"@@ -{old - (not old_count)},{old_count} +{new - (not new_count)},{new_count} @@\n"
    return head + "".join(
        f"{step.sign}{step.line}" if step.line.endswith("\n") else f"{step.sign}{step.line}\n{_NO_BREAK}"
        for step in steps
    )
