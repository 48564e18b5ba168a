"""How far the joining of two texts has come: what was chosen where they clash, and what was typed into the result."""

import hashlib
import re
import unicodedata
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate

from engine.revision.aligning.tokens import tokens_of
from engine.revision.merge import Fate, Merge, Stretch, merge
from engine.revision.showing.text_lines import line_breaks

AROUND = 120
"""Characters of the rest of a line that are shown on each side of a clash."""
_BREAKS, _BREAK = ("\r", "\n"), re.compile(r"[\r\n]")
_WIDE = ("W", "F")


class Choice(StrEnum):
    """What stands where two texts clash. Each is one letter, since they are kept as letters."""

    OPEN = "o"
    """Theirs, until something is chosen."""
    YOURS = "y"
    THEIRS = "t"
    BOTH = "b"
    """Yours, and theirs behind it; of whole lines, below it."""
    BY_HAND = "h"
    """What somebody typed there; the text without that would hold theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClashPlace:
    """One clash as it can be shown."""

    clash: Stretch
    choice: Choice
    before: str
    """What stands before it on its line; of a long line the last `AROUND` characters, with an ellipsis."""
    after: str
    """What stands behind it on its line; of a long line the first `AROUND` characters, with an ellipsis."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """A merge and a choice for each of its clashes."""

    merge: Merge
    choices: tuple[Choice, ...]
    """In the order of the clashes."""

    @property
    def open_count(self) -> int:
        """How many clashes wait for a choice."""
        return self.choices.count(Choice.OPEN)

    @property
    def text(self) -> str:
        """What the merge and the choices come to, without what was typed."""
        return "".join(self._pieces())

    @property
    def mark(self) -> str:
        """The choices, and a hash of what they were made about; `with_mark` reads it."""
        return f"{''.join(self.choices)}:{hashlib.sha256(self.text.encode('utf-8', 'surrogatepass')).hexdigest()}"

    @property
    def places(self) -> tuple[ClashPlace, ...]:
        """The clashes, each with the rest of its line."""
        pieces, text, by_line = self._pieces(), self.text, self.merge.is_by_line
        ends = list(accumulate(map(len, pieces)))
        found = [number for number, one in enumerate(self.merge.stretches) if one.fate is Fate.CLASH]
        return tuple(
            ClashPlace(
                clash=self.merge.stretches[number],
                choice=choice,
                before="" if by_line else _line_before(text, ends[number] - len(pieces[number])),
                after="" if by_line else _line_after(text, ends[number]),
            )
            for number, choice in zip(found, self.choices, strict=True)
        )

    def choose(self, number: int, choice: Choice) -> "Joining":
        """The same with another choice for one clash, counted from 0.

        What was typed is a choice only where nothing was chosen before: else the text stays as it was chosen.
        """
        if choice is Choice.BY_HAND and self.choices[number] is not Choice.OPEN:
            return self
        return replace(self, choices=(*self.choices[:number], choice, *self.choices[number + 1 :]))

    def choose_rest(self, choice: Choice) -> "Joining":
        """The same with this choice wherever nothing is chosen yet."""
        return replace(self, choices=tuple(choice if one is Choice.OPEN else one for one in self.choices))

    def over(self, merged: Merge) -> "Joining":
        """A joining of other texts, with the choices made where base and yours are as they were."""
        made = {
            (place.base, place.yours): choice for place, choice in zip(self.merge.clashes, self.choices, strict=True)
        }
        return Joining(
            merge=merged, choices=tuple(made.get((one.base, one.yours), Choice.OPEN) for one in merged.clashes)
        )

    def carry(self, typed: str, later: "Joining", *, over_hand: bool = False) -> str | None:
        """`typed`, which began as this text, with what `later` changes put in.

        None where that very place was changed by hand; with `over_hand` what was typed there gives way.
        """
        carried = merge(self.text, typed, later.text, by_line=self.merge.is_by_line)
        if carried.text is not None or not over_hand:
            return carried.text
        return "".join(one.theirs if one.agreed is None else one.agreed for one in carried.stretches)

    def _pieces(self) -> list[str]:
        """The text of each stretch."""
        choices = iter(self.choices)
        return [
            one.agreed if one.agreed is not None else self._wording(one, next(choices), number)
            for number, one in enumerate(self.merge.stretches)
        ]

    def _wording(self, clash: Stretch, choice: Choice, number: int) -> str:
        """What stands in the place of a clash."""
        match choice:
            case Choice.YOURS:
                return clash.yours
            case Choice.BOTH if clash.yours and clash.theirs:
                return self._both(clash.yours, clash.theirs, number)
            case Choice.BOTH:
                return clash.yours or clash.theirs
            case _:
                return clash.theirs

    def _both(self, yours: str, theirs: str, number: int) -> str:
        """Yours first: whole lines below one another, words one behind the other."""
        if self.merge.is_by_line:
            ended = yours if yours.endswith(_BREAKS) else f"{yours}\n"
            return ended + _apart_from(ended, theirs)
        around = self._break_around(number)
        return _below(yours, theirs, around) if around else _beside(yours, theirs)

    def _break_around(self, number: int) -> str:
        """The line end that parts this stretch from its neighbours; empty where it is part of a line."""
        before = next(filter(None, map(self._around, range(number - 1, -1, -1))), "")
        after = next(filter(None, map(self._around, range(number + 1, len(self.merge.stretches)))), "")
        if (before and before[-1] not in _BREAKS) or (after and after[0] not in _BREAKS):
            return ""
        return "\n\n" if before.endswith("\n\n") or (not before and after.startswith("\n\n")) else "\n"

    def _around(self, number: int) -> str:
        """A stretch whatever is chosen."""
        one = self.merge.stretches[number]
        return one.base if one.agreed is None else one.agreed


def begin_joining(merged: Merge) -> Joining:
    """With nothing chosen."""
    return Joining(merge=merged, choices=(Choice.OPEN,) * len(merged.clashes))


def with_mark(merged: Merge, mark: str) -> Joining | None:
    """The joining whose mark this is; None where it was made about other texts."""
    letters = mark.partition(":")[0]
    if len(letters) != len(merged.clashes) or not {*letters} <= {*Choice}:
        return None
    found = Joining(merge=merged, choices=tuple(map(Choice, letters)))
    return found if found.mark == mark else None


def _below(yours: str, theirs: str, line_break: str) -> str:
    """One below the other, with the break that their neighbours have between them where they bring none."""
    behind, before = yours[len(yours.rstrip("\r\n")) :], theirs[: len(theirs) - len(theirs.lstrip("\r\n"))]
    there = len(line_breaks(behind)) + len(line_breaks(before))
    return yours + _apart_from(yours, line_break[there:] + theirs)


def _beside(yours: str, theirs: str) -> str:
    """One behind the other, with a space where one is usual."""
    ends = yours[-1], theirs[0]
    is_parted = any(end.isspace() or unicodedata.east_asian_width(end) in _WIDE for end in ends)
    return yours + ("" if is_parted else " ") + _apart_from(yours, theirs)


def _apart_from(before: str, words: str) -> str:
    """`words`, which come behind `before`, so that a CR and a LF that meet there stay two line ends."""
    return f"\r{words}" if before.endswith("\r") and words.startswith("\n") else words


def _line_before(text: str, end: int) -> str:
    """What stands before `end` on its line."""
    line = _BREAK.split(text[max(0, end - AROUND - 1) : end])[-1]
    if len(line) <= AROUND:
        return line
    kept = tokens_of(line).items[1:]
    return "…" + "".join(kept)


def _line_after(text: str, start: int) -> str:
    """What stands behind `start` on its line."""
    line = _BREAK.split(text[start : start + AROUND + 1])[0]
    if len(line) <= AROUND:
        return line
    kept = tokens_of(line).items[:-1]
    return "".join(kept) + "…"
