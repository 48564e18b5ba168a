"""Joins two texts that were made from one: what one side changed is taken, and where both did, a person chooses.

A side's changes are those of its display script, because there a change is whole as a reader sees it: chance
islands inside a rewritten sentence are part of it, so two rewritings of it are never woven into one another.

Changes of the two sides are apart, and both are taken, where at least one of these is unchanged between them:

- a line end, or the end of a sentence: what stands beyond it was written for itself;
- two letters or digits, which is a short word, or two Han characters: nearer than that, two people have most
  likely changed one phrase, and each of the two wordings fits without the other only.

A whole line that one side put in above or below a changed line touches no word of it and is apart from it as well.
Everything nearer is a clash, and so are two different texts put in at the same place, whose order nobody knows.

Code is joined by whole lines: half a line of each side is a line that nobody wrote. There a change is of whole lines,
two changes of one line are a clash of that line, and changes of neighbouring lines are apart.

A line end of the joined text is one of a text that it was made of: changes that would bring the CR of one before the
LF of another, which a reader would take for one line end, are a clash as well.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.revision.line_changes import LineChange, common_ends, line_changes, split, whole_line_changes

_ENOUGH = re.compile(r"[\r\n。！？]|\w\W*\w")
_SENTENCE_END = re.compile(r"[.!?…][)\]\"'”’」』）》]*(?=\s)")
_BREAKS = ("\r", "\n")


class Fate(StrEnum):
    """What became of a stretch of the base."""

    KEPT = "kept"
    """Neither side changed it."""
    YOURS = "yours"
    """Only you changed it."""
    THEIRS = "theirs"
    """Only they changed it."""
    SAME = "same"
    """Both made the same change."""
    CLASH = "clash"
    """Both changed it, each in another way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """The same place in all three texts; at least one of the three is not empty."""

    base: str
    yours: str
    theirs: str

    @property
    def fate(self) -> Fate:
        """What became of it; follows from the three texts alone."""
        if self.yours == self.theirs:
            return Fate.KEPT if self.yours == self.base else Fate.SAME
        if self.theirs == self.base:
            return Fate.YOURS
        return Fate.THEIRS if self.yours == self.base else Fate.CLASH

    @property
    def agreed(self) -> str | None:
        """The text that follows from all three; None where that is for a person to say."""
        match self.fate:
            case Fate.CLASH:
                return None
            case Fate.THEIRS:
                return self.theirs
            case _:
                return self.yours


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Three texts cut at the same places."""

    stretches: tuple[Stretch, ...]
    """In order. Their `base`, their `yours` and their `theirs`, joined, are the three texts; no cut is inside a
    line end or a grapheme of any of them, and none parts a CR from a LF whatever is chosen."""
    is_by_line: bool = False
    """Whether all of them are whole lines."""

    @property
    def clashes(self) -> tuple[Stretch, ...]:
        """The stretches for a person to choose in."""
        return tuple(one for one in self.stretches if one.fate is Fate.CLASH)

    @property
    def text(self) -> str | None:
        """The joined text; None while there is a clash."""
        agreed = [one.agreed for one in self.stretches]
        return None if None in agreed else "".join(each or "" for each in agreed)

    def count(self, fate: Fate) -> int:
        """How many stretches met this fate."""
        return sum(one.fate is fate for one in self.stretches)


@dataclass(frozen=True, slots=True)
class _Sided:
    """A change and who made it; both, where they made the same."""

    change: LineChange
    is_yours: bool
    is_theirs: bool


_Apart = Callable[[str, LineChange, LineChange], bool]
"""Whether changes of two sides, of which the second begins no earlier, can both be taken into this base."""


def merge(base: str, yours: str, theirs: str, *, by_line: bool = False) -> Merge:
    """Join `yours` and `theirs`, both made from `base`; never fails, always the same for the same texts."""
    changes = whole_line_changes if by_line else line_changes
    mine, other = changes(base, yours), changes(base, theirs)
    shared = {*mine} & {*other}
    sided = [_Sided(each, True, each in shared) for each in mine]
    sided += [_Sided(each, False, True) for each in other if each not in shared]
    sided.sort(key=lambda one: (one.change.start, one.change.end, one.change.new))  # never by whose it is
    groups = _groups(base, sided, _are_apart_lines if by_line else _are_apart)
    return Merge(stretches=_with_line_ends_apart(_cut(base, groups)), is_by_line=by_line)


def _cut(base: str, groups: Iterable[list[_Sided]]) -> Iterator[Stretch]:
    """The base from end to end, cut around each change and each clash."""
    at = 0
    for group in groups:
        start, end = group[0].change.start, max(one.change.end for one in group)
        if at < start:
            yield _kept(base[at:start])
        piece = Stretch(
            base=base[start:end],
            yours=_replaced(base, start, end, [one.change for one in group if one.is_yours]),
            theirs=_replaced(base, start, end, [one.change for one in group if one.is_theirs]),
        )
        yield from _narrowed(piece) if piece.fate is Fate.CLASH else [piece]
        at = end
    if at < len(base):
        yield _kept(base[at:])


def _kept(words: str) -> Stretch:
    return Stretch(base=words, yours=words, theirs=words)


def _replaced(base: str, start: int, end: int, changes: Sequence[LineChange]) -> str:
    """This stretch of the base with these changes, which are in order, in it."""
    parts, at = [], start
    for change in changes:
        parts += [base[at : change.start], change.new]
        at = change.end
    return "".join([*parts, base[at:end]])


def _groups(base: str, sided: Sequence[_Sided], are_apart: _Apart) -> Iterator[list[_Sided]]:
    """The changes, with those that clash together."""
    group: list[_Sided] = []
    last: dict[bool, LineChange] = {}
    """The last change in the group of yours, under True, and of theirs."""
    for one in sided:
        other = last.get(not one.is_yours)
        is_near = other is not None and not (one.is_yours and one.is_theirs) and not are_apart(base, other, one.change)
        if group and not is_near:
            yield group
            group, last = [], {}
        group.append(one)
        if one.is_yours != one.is_theirs:
            last[one.is_yours] = one.change
    if group:
        yield group


def _are_apart(base: str, left: LineChange, right: LineChange) -> bool:
    """Whether changes of two sides, of which `right` begins no earlier, can both be taken; see the module."""
    if right.start < left.end or left.start == right.end:
        return False
    between = base[left.end : right.start]
    behind = (right.new or base[right.start : right.end])[:1]
    if _ENOUGH.search(between) or _SENTENCE_END.search(between + behind):
        return True
    return _is_line_above(base, left) or _is_line_below(base, right)


def _are_apart_lines(_base: str, left: LineChange, right: LineChange) -> bool:
    """The same where both are of whole lines; a line without a break has nothing behind it."""
    if right.start < left.end or left.start == right.end:
        return False
    return not left.new or left.new.endswith(_BREAKS)


def _is_line_above(base: str, left: LineChange) -> bool:
    """Whether whole lines were put in, above whatever the other side changed."""
    begins = left.start == 0 or base[left.start - 1] in _BREAKS
    return left.start == left.end and begins and left.new.endswith("\n")


def _is_line_below(base: str, right: LineChange) -> bool:
    """Whether whole lines were put in below whatever the other side changed."""
    ends = right.end == len(base) or base[right.end] in _BREAKS
    return right.start == right.end and ends and right.new.startswith(_BREAKS)


def _narrowed(clash: Stretch) -> Iterator[Stretch]:
    """A clash without the whole lines at its beginning and at its end that both sides wrote alike."""
    yours, theirs = split(clash.yours), split(clash.theirs)
    head, tail = common_ends(yours, theirs)
    if head:
        yield _alike("".join(yours[:head]))
    yield Stretch(
        base=clash.base,
        yours="".join(yours[head : len(yours) - tail]),
        theirs="".join(theirs[head : len(theirs) - tail]),
    )
    if tail:
        yield _alike("".join(yours[len(yours) - tail :]))


def _with_line_ends_apart(stretches: Iterable[Stretch]) -> tuple[Stretch, ...]:
    """The stretches; those that could bring a CR before a LF of another are one."""
    done: list[Stretch] = []
    for one in stretches:
        done.append(one)
        while (at := _meets(done)) is not None:
            done[at:] = [_as_one(done[at:])]
    return tuple(done)


def _meets(stretches: Sequence[Stretch]) -> int | None:
    """The stretch that can end in a CR right before a LF with which the last one can begin; None where none does."""
    if not any(words.startswith("\n") for words in _wordings(stretches[-1])):
        return None
    for at in range(len(stretches) - 2, -1, -1):
        if any(words.endswith("\r") for words in _wordings(stretches[at])):
            return at
        if all(_wordings(stretches[at])):
            break
    return None


def _wordings(one: Stretch) -> tuple[str, ...]:
    """All that can stand there."""
    return (one.yours, one.theirs) if one.agreed is None else (one.agreed,)


def _as_one(stretches: Sequence[Stretch]) -> Stretch:
    return Stretch(
        base="".join(one.base for one in stretches),
        yours="".join(one.yours for one in stretches),
        theirs="".join(one.theirs for one in stretches),
    )


def _alike(words: str) -> Stretch:
    """What both sides put in."""
    return Stretch(base="", yours=words, theirs=words)
