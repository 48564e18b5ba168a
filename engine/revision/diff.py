"""How two texts differ: the fewest characters for numbers, the same change told readably for eyes, what moved."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import attrgetter

from engine.revision.aligning.anchors import Block, Gap, Sides, find_anchors, sides_of
from engine.revision.aligning.lcs import heaviest_pairs
from engine.revision.aligning.moves import find_moves
from engine.revision.aligning.readable import made_readable
from engine.revision.aligning.tokens import letters_of, tokens_of
from engine.revision.script import Diff, Hunk, Script

EXACT_CELLS = 700_000_000
"""Characters of one text times characters of the other, up to which a part is solved exactly."""


def compare(old: str, new: str) -> Diff:
    """What changed from `old` to `new`; never fails, never gives up, always the same for the same texts.

    Changes mark whole tokens: see `engine.revision.aligning.tokens`. The raw script is the smallest of all such
    scripts, in characters, up to `EXACT_CELLS`; above, places that surely belong together are held fast first.
    """
    sides = sides_of(tokens_of(old), tokens_of(new))
    raw = _changed(sides)
    display, moves = find_moves(sides, made_readable(sides, raw))
    return Diff(
        raw=_script(sides, old, new, raw),
        display=_script(sides, old, new, display),
        moves=moves,
    )


def raw_script(old: str, new: str) -> Script:
    """The raw script of `compare` alone."""
    sides = sides_of(tokens_of(old), tokens_of(new))
    return _script(sides, old, new, _changed(sides))


def letter_script(old: str, new: str) -> Script:
    """As the display script of `compare`, but a word may change in part: for a look into a short changed stretch."""
    sides = sides_of(letters_of(old), letters_of(new))
    return _script(sides, old, new, made_readable(sides, _changed(sides)))


def _script(sides: Sides, old: str, new: str, changed: Sequence[Hunk]) -> Script:
    """Places of tokens become places of characters."""
    olds, news = sides.old.starts, sides.new.starts
    hunks = (
        Hunk(olds[each.old_start], olds[each.old_end], news[each.new_start], news[each.new_end]) for each in changed
    )
    return Script(old=old, new=new, hunks=tuple(hunks))


def _changed(sides: Sides) -> list[Hunk]:
    """What is between the tokens that stay; in places of tokens."""
    kept = sorted(_kept(sides), key=attrgetter("old"))
    ends = [Block(0, 0, 0), *kept, Block(len(sides.old_ids), len(sides.new_ids), 0)]
    between = (
        Hunk(left.old + left.count, right.old, left.new + left.count, right.new) for left, right in pairwise(ends)
    )
    return [hunk for hunk in between if hunk.old_start < hunk.old_end or hunk.new_start < hunk.new_end]


def _kept(sides: Sides) -> Iterator[Block]:
    """Equal blocks, in no order; none is empty."""
    gaps = [Gap(0, len(sides.old_ids), 0, len(sides.new_ids))]
    while gaps:
        whole = gaps.pop()
        gap = _trimmed(sides, whole)
        yield from _cut_off(whole, gap)
        if gap.old_start == gap.old_end or gap.new_start == gap.new_end:
            continue
        anchors = find_anchors(sides, gap) if _cells(sides, gap) > EXACT_CELLS else []
        if anchors:
            yield from anchors
            gaps += _around(gap, anchors)
        else:
            yield from _exact(sides, gap)


def _trimmed(sides: Sides, gap: Gap) -> Gap:
    """The gap without the tokens at its start and at its end that are equal."""
    olds, news = sides.old_ids, sides.new_ids
    most = min(gap.old_end - gap.old_start, gap.new_end - gap.new_start)
    starts, ends = range(most), range(1, most + 1)
    head = next((at for at in starts if olds[gap.old_start + at] != news[gap.new_start + at]), most)
    tail = next((at for at in ends if olds[gap.old_end - at] != news[gap.new_end - at]), most + 1) - 1
    tail = min(tail, most - head)
    return Gap(gap.old_start + head, gap.old_end - tail, gap.new_start + head, gap.new_end - tail)


def _cut_off(whole: Gap, gap: Gap) -> Iterator[Block]:
    """What `_trimmed` took away."""
    if gap.old_start > whole.old_start:
        yield Block(whole.old_start, whole.new_start, gap.old_start - whole.old_start)
    if gap.old_end < whole.old_end:
        yield Block(gap.old_end, gap.new_end, whole.old_end - gap.old_end)


def _around(gap: Gap, anchors: Sequence[Block]) -> Iterator[Gap]:
    """The parts of a gap before, between and after its anchors."""
    first, last = Block(gap.old_start, gap.new_start, 0), Block(gap.old_end, gap.new_end, 0)
    for left, right in pairwise([first, *anchors, last]):
        yield Gap(left.old + left.count, right.old, left.new + left.count, right.new)


def _cells(sides: Sides, gap: Gap) -> int:
    olds, news = sides.old.starts, sides.new.starts
    return (olds[gap.old_end] - olds[gap.old_start]) * (news[gap.new_end] - news[gap.new_start])


def _exact(sides: Sides, gap: Gap) -> Iterator[Block]:
    """The heaviest common tokens of a gap, neighbours as one block."""
    olds = sides.old_ids[gap.old_start : gap.old_end]
    news = sides.new_ids[gap.new_start : gap.new_end]
    begin = end = (0, 0)
    for old, new in heaviest_pairs(olds, news, sides.lengths):
        if (old, new) != end:
            yield from _block(gap, begin, end)
            begin = (old, new)
        end = (old + 1, new + 1)
    yield from _block(gap, begin, end)


def _block(gap: Gap, begin: tuple[int, int], end: tuple[int, int]) -> Iterator[Block]:
    if begin != end:
        yield Block(gap.old_start + begin[0], gap.new_start + begin[1], end[0] - begin[0])
