"""Places that surely belong together in two long texts: they cut a table too large to be computed into small ones.

First lines that occur once in both texts, never short or blank ones; where there are none, stretches of tokens
that do, from long to short, each grown as far as both texts agree. Of all such blocks the chain that holds the
most characters is kept, so that a moved paragraph does not push aside the text around it.
"""

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from engine.revision.aligning.tokens import LINE_ENDS, Tokens

SHORTEST_LINE = 12
"""Characters, its end included."""
_DOUBLINGS = 5
"""The longest stretch has two to the power of this tokens: 32."""


@dataclass(frozen=True, slots=True, order=True)
class Block:
    """Equal tokens: where they begin in the old list and in the new one, and how many they are."""

    old: int
    new: int
    count: int


@dataclass(frozen=True, slots=True)
class Gap:
    """A part of the old list and one of the new; half-open."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """Both texts, in tokens and as numbers: equal tokens have equal numbers, in both lists."""

    old: Tokens
    new: Tokens
    old_ids: list[int]
    new_ids: list[int]
    lengths: list[int]
    """Characters of the token with this number."""


def sides_of(old: Tokens, new: Tokens) -> Sides:
    """Both texts with their tokens numbered from 0 by first occurrence."""
    numbers = {item: number for number, item in enumerate(dict.fromkeys(chain(old.items, new.items)))}
    old_ids, new_ids = ([*map(numbers.__getitem__, each.items)] for each in (old, new))
    return Sides(old=old, new=new, old_ids=old_ids, new_ids=new_ids, lengths=[*map(len, numbers)])


def find_anchors(sides: Sides, gap: Gap) -> list[Block]:
    """Blocks within the gap that follow one another in both lists; empty when nothing occurs just once in both."""
    blocks = _unique_lines(sides, gap) or next(filter(None, _unique_stretches(sides, gap)), [])
    return heaviest_chain(blocks, sides.old.starts)


def _unique_lines(sides: Sides, gap: Gap) -> list[Block]:
    olds = _once(_lines(sides.old, gap.old_start, gap.old_end))
    news = _once(_lines(sides.new, gap.new_start, gap.new_end))
    lines = [line for line in olds if line in news and len(line) >= SHORTEST_LINE]
    found = (Block(olds[line][0], news[line][0], min(olds[line][1], news[line][1])) for line in lines)
    return [block for block in found if _is_equal(sides, block)]


def _is_equal(sides: Sides, block: Block) -> bool:
    olds = sides.old_ids[block.old : block.old + block.count]
    return olds == sides.new_ids[block.new : block.new + block.count]


def _lines(tokens: Tokens, start: int, end: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """Each line with its end, and the token it begins at with how many it has."""
    begin = start
    for index in range(start, end):
        if tokens.items[index] in LINE_ENDS or index + 1 == end:
            yield "".join(tokens.items[begin : index + 1]), (begin, index + 1 - begin)
            begin = index + 1


def _once(lines: Iterable[tuple[str, tuple[int, int]]]) -> dict[str, tuple[int, int]]:
    """What occurs a single time, in order."""
    found: dict[str, tuple[int, int]] = {}
    again = set()
    for line, place in lines:
        if line in found:
            again.add(line)
        found[line] = place
    return {line: place for line, place in found.items() if line not in again}


def _unique_stretches(sides: Sides, gap: Gap) -> Iterator[list[Block]]:
    """Blocks grown from stretches that occur once in both, for each length of stretch from long to short."""
    olds = sides.old_ids[gap.old_start : gap.old_end]
    news = sides.new_ids[gap.new_start : gap.new_end]
    for old, new in reversed(_levels(olds, news)):
        yield grown(unique_pairs(old, new), olds, news, gap)


def _levels(olds: Sequence[int], news: Sequence[int]) -> list[tuple[Sequence[int], Sequence[int]]]:
    """For stretches of 2, 4, 8 … tokens: a number for the one that begins at each place, the same when equal.

    Ends before the first length of which the two sides share no stretch, for they share no longer one.
    """
    levels: list[tuple[Sequence[int], Sequence[int]]] = []
    half = 1
    for _ in range(_DOUBLINGS):
        base = max(max(olds, default=0), max(news, default=0)) + 1
        numbers: dict[int, int] = {}
        olds = _numbered(olds, half, base, numbers)
        known = len(numbers)
        news = _numbered(news, half, base, numbers)
        if min(news, default=known) >= known:
            break
        levels.append((olds, news))
        half *= 2
    return levels


def _numbered(side: Sequence[int], half: int, base: int, numbers: dict[int, int]) -> Sequence[int]:
    """A number for each pair of neighbouring stretches of `half` tokens, each below `base`."""
    pairs = zip(side, side[half:], strict=False)
    return array("q", [numbers.setdefault(left * base + right, len(numbers)) for left, right in pairs])


def unique_pairs(olds: Sequence[Hashable], news: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Where something stands that occurs once in both, by place in the old list."""
    old_places, new_places = ({item: place for place, item in enumerate(side)} for side in (olds, news))
    shared = [item for item in old_places if item in new_places]
    if not shared:
        return []
    old_counts, new_counts = Counter(olds), Counter(news)
    once = (item for item in shared if old_counts[item] == new_counts[item] == 1)
    return [(old_places[item], new_places[item]) for item in once]


def grown(pairs: Iterable[tuple[int, int]], olds: Sequence[int], news: Sequence[int], gap: Gap) -> list[Block]:
    """The largest equal block around each pair, each once; pairs are counted from the gap's start."""
    reached: dict[int, int] = {}
    """How far blocks go already, by diagonal."""
    blocks = []
    for old, new in pairs:
        if reached.get(new - old, -1) > old:
            continue
        begin = end = 0
        while old + begin > 0 < new + begin and olds[old + begin - 1] == news[new + begin - 1]:
            begin -= 1
        while old + end < len(olds) and new + end < len(news) and olds[old + end] == news[new + end]:
            end += 1
        reached[new - old] = old + end
        blocks.append(Block(gap.old_start + old + begin, gap.new_start + new + begin, end - begin))
    return blocks


def heaviest_chain(blocks: Sequence[Block], starts: Sequence[int]) -> list[Block]:
    """Blocks of which each begins behind the one before in both lists, with the most characters in all."""
    edges = sorted({block.new + block.count for block in blocks})
    best = _Best(len(edges))
    by_start = sorted(range(len(blocks)), key=lambda index: blocks[index])
    by_end = sorted(by_start, key=lambda index: blocks[index].old + blocks[index].count)
    weights, before = [0] * len(blocks), [-1] * len(blocks)
    done = 0
    for index in by_start:
        block = blocks[index]
        while blocks[by_end[done]].old + blocks[by_end[done]].count <= block.old:
            ended = blocks[by_end[done]]
            best.offer(bisect_right(edges, ended.new + ended.count), weights[by_end[done]], by_end[done])
            done += 1
        weight, before[index] = best.up_to(bisect_right(edges, block.new))
        weights[index] = weight + starts[block.old + block.count] - starts[block.old]
    return _followed(blocks, weights, before)


def _followed(blocks: Sequence[Block], weights: Sequence[int], before: Sequence[int]) -> list[Block]:
    """The heaviest chain, first block first."""
    index = max(range(len(blocks)), key=weights.__getitem__, default=-1)
    chain = []
    while index >= 0:
        chain.append(blocks[index])
        index = before[index]
    return chain[::-1]


class _Best:
    """The heaviest chain that ends at or before an edge (a Fenwick tree of maxima)."""

    def __init__(self, count: int) -> None:
        self._heaviest = [(0, -1)] * (count + 1)

    def offer(self, place: int, weight: int, index: int) -> None:
        """A chain of this weight ends at edge `place`, counted from 1, with block `index`."""
        while place < len(self._heaviest):
            if weight > self._heaviest[place][0]:
                self._heaviest[place] = (weight, index)
            place += place & -place

    def up_to(self, place: int) -> tuple[int, int]:
        """The greatest weight at edges 1 to `place` and its last block; 0 and -1 when there is none."""
        found = (0, -1)
        while place:
            if self._heaviest[place][0] > found[0]:
                found = self._heaviest[place]
            place -= place & -place
        return found
