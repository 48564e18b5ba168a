"""How much of a change lies outside the part that was asked to be changed.

The rule. Places are characters of the old text; the asked part is some half-open ranges of it.

1. If the text outside can be read in the new text whole, in order, from its start to its end, nothing outside
   changed, whatever stands between now.
2. Else the hunks of the raw script are counted. A deleted character counts when it is outside. Inserted characters
   count when their hunk touches no range: text that stands at the border of the asked part belongs to it, and so
   does what replaces a stretch that reaches into it.
3. A hunk that only deletes or only inserts and could stand elsewhere as well, with the same two texts, is taken
   where least of it is outside: nobody can tell which of two equal lines is the new one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.revision.script import Hunk, Script

Range = tuple[int, int]
"""Half-open, in characters of the old text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What a change did outside the part that was asked for."""

    changed: int
    """Characters deleted or inserted outside."""
    characters: int
    """Characters outside in the old text and those inserted outside; at least `changed`."""

    @property
    def share(self) -> float | None:
        """From 0 to 1; None when nothing is outside."""
        return self.changed / self.characters if self.characters else None


def changed_outside(script: Script, asked: Sequence[Range]) -> Outside:
    """The change outside `asked` by the rule above; `script` is a raw one, ranges may overlap, touch or be empty.

    Raises:
        ValueError: a range ends before it starts or reaches beyond the old text.
    """
    ranges = _merged(asked, len(script.old))
    outside = len(script.old) - sum(end - start for start, end in ranges)
    if _reads_unchanged(script, ranges):
        return Outside(changed=0, characters=outside)
    deleted = inserted = 0
    end_before = 0
    behind = [hunk.old_start for hunk in script.hunks[1:]] + [len(script.old)]
    for hunk, start_behind in zip(script.hunks, behind, strict=True):
        placed = _kindest(script, hunk, (end_before, start_behind), ranges)
        deleted += _deleted_outside(placed, ranges)
        inserted += _inserted_outside(placed, ranges)
        end_before = placed.old_end
    return Outside(changed=deleted + inserted, characters=outside + inserted)


def _merged(asked: Sequence[Range], length: int) -> list[Range]:
    """In order, without overlaps; ranges that touch are one, so that no border is between them."""
    merged: list[Range] = []
    for start, end in sorted(asked):
        if not 0 <= start <= end <= length:
            raise ValueError(f"no range of a text of {length} characters: {start} to {end}")
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _reads_unchanged(script: Script, ranges: Sequence[Range]) -> bool:
    """The text between the ranges stands in the new text: first at its start, last at its end, all in order."""
    if not ranges:
        return script.old == script.new
    head, tail = script.old[: ranges[0][0]], script.old[ranges[-1][1] :]
    if len(head) + len(tail) > len(script.new) or not (script.new.startswith(head) and script.new.endswith(tail)):
        return False
    place = len(head)
    for (_, start), (end, _) in pairwise(ranges):
        found = script.new.find(script.old[start:end], place, len(script.new) - len(tail))
        if found < 0:
            return False
        place = found + end - start
    return True


def _kindest(script: Script, hunk: Hunk, room: Range, ranges: Sequence[Range]) -> Hunk:
    """The hunk, slid within `room` to where least of it is outside; where it is when no place is better."""
    left, right = _slide(script, hunk, room)
    places = {0, -left, right, *(by for by in _turning_points(hunk, ranges) if -left < by < right)}
    candidates = (hunk.shifted(by) for by in sorted(places, key=abs))
    return min(candidates, key=lambda each: _deleted_outside(each, ranges) + _inserted_outside(each, ranges))


def _turning_points(hunk: Hunk, ranges: Sequence[Range]) -> Iterator[int]:
    """Slides that bring an end of the hunk to the border of a range; the least is always among them."""
    for border in (border for each in ranges for border in each):
        yield border - hunk.old_start
        yield border - hunk.old_end


def _slide(script: Script, hunk: Hunk, room: Range) -> Range:
    """How many characters a hunk can slide to the left and to the right, with the same two texts."""
    if hunk.old_start < hunk.old_end and hunk.new_start < hunk.new_end:
        return 0, 0
    in_old = hunk.old_start < hunk.old_end
    text = script.old if in_old else script.new
    start, end = (hunk.old_start, hunk.old_end) if in_old else (hunk.new_start, hunk.new_end)
    left = right = 0
    while left < hunk.old_start - room[0] and text[start - 1 - left] == text[end - 1 - left]:
        left += 1
    while right < room[1] - hunk.old_end and text[start + right] == text[end + right]:
        right += 1
    return left, right


def _deleted_outside(hunk: Hunk, ranges: Sequence[Range]) -> int:
    inside = sum(max(0, min(hunk.old_end, end) - max(hunk.old_start, start)) for start, end in ranges)
    return hunk.old_end - hunk.old_start - inside


def _inserted_outside(hunk: Hunk, ranges: Sequence[Range]) -> int:
    touches = any(start <= hunk.old_end and hunk.old_start <= end for start, end in ranges)
    return 0 if touches else hunk.new_end - hunk.new_start
