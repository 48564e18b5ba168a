"""Finds what was taken from one place and put, word for word, into another."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from engine.revision.aligning.anchors import Block, Gap, Sides, grown, unique_pairs
from engine.revision.aligning.readable import can_step_over, joined_where
from engine.revision.aligning.tokens import Tokens
from engine.revision.script import Hunk, Move

SHORTEST_MOVE = 20
"""Characters, without space at either end."""
_SEED = 6
"""Tokens: what occurs once among the deleted and once among the inserted ones begins a move."""


def find_moves(sides: Sides, hunks: Sequence[Hunk]) -> tuple[list[Hunk], tuple[Move, ...]]:
    """The hunks, in places of tokens, with each moved stretch whole, and the moves.

    Where a short stretch stayed by chance amid what moved, the hunks around it are joined. Each character is in one
    move at most; the longest are taken first. Moves are ordered by place in the new text.
    """
    wide = joined_where(hunks, lambda left, right: can_step_over(sides, left, right))
    deleted = _Strip(sides.old, sides.old_ids, [(hunk.old_start, hunk.old_end) for hunk in wide], -1)
    inserted = _Strip(sides.new, sides.new_ids, [(hunk.new_start, hunk.new_end) for hunk in wide], -2)
    if not (deleted.ids and inserted.ids):
        return [*hunks], ()
    seeds = unique_pairs(_stretches(deleted.ids), _stretches(inserted.ids))
    grown_blocks = grown(seeds, deleted.ids, inserted.ids, Gap(0, 0, 0, 0))
    placed = (Block(deleted.places[each.old], inserted.places[each.new], each.count) for each in grown_blocks)
    blocks = [*_free(sides, placed)]
    moves = (_move(sides, block) for block in blocks)
    return _whole(hunks, blocks), tuple(sorted(moves, key=lambda move: move.new_start))


def _whole(hunks: Sequence[Hunk], blocks: Sequence[Block]) -> list[Hunk]:
    """Hunks joined where a block reaches into what stayed between them."""
    olds = _Ranges((block.old, block.old + block.count) for block in blocks)
    news = _Ranges((block.new, block.new + block.count) for block in blocks)
    return joined_where(
        hunks,
        lambda left, right: olds.reach(left.old_end, right.old_start) or news.reach(left.new_end, right.new_start),
    )


class _Ranges:
    """Ranges that do not overlap."""

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        self._ranges = sorted(ranges)

    def reach(self, start: int, end: int) -> bool:
        """Whether one of them holds a place from `start` up to `end`."""
        place = bisect_left(self._ranges, (end, 0)) - 1
        return place >= 0 and self._ranges[place][1] > start


class _Strip:
    """Tokens of the ranges that can hold a move, one behind the other, with a mark between that equals no token."""

    def __init__(self, text: Tokens, ids: Sequence[int], ranges: Iterable[tuple[int, int]], mark: int) -> None:
        self.ids: list[int] = []
        self.places: list[int] = []
        """Of each entry, in the whole text."""
        for start, end in ranges:
            if text.starts[end] - text.starts[start] >= SHORTEST_MOVE:
                self.ids += [*ids[start:end], mark]
                self.places += range(start, end + 1)


def _stretches(ids: Sequence[int]) -> list[tuple[int, ...]]:
    return list(zip(*(ids[begin:] for begin in range(_SEED)), strict=False))


def _free(sides: Sides, blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks long enough, longest first, each without what an earlier one holds."""
    olds, news = bytearray(len(sides.old_ids)), bytearray(len(sides.new_ids))
    for block in sorted(blocks, key=lambda each: (-_length(sides, each), each)):
        left = _uncovered(block, olds, news)
        if left.count and _length(sides, left) >= SHORTEST_MOVE:
            olds[left.old : left.old + left.count] = news[left.new : left.new + left.count] = b"\1" * left.count
            yield left


def _uncovered(block: Block, olds: bytearray, news: bytearray) -> Block:
    """The longest part of a block that no other block holds; its first where several are as long."""
    held = bytes(
        old | new
        for old, new in zip(
            olds[block.old : block.old + block.count], news[block.new : block.new + block.count], strict=True
        )
    )
    longest = max(held.split(b"\1"), key=len)
    begin = held.find(longest)
    return Block(block.old + begin, block.new + begin, len(longest))


def _length(sides: Sides, block: Block) -> int:
    return len("".join(sides.old.items[block.old : block.old + block.count]).strip())


def _move(sides: Sides, block: Block) -> Move:
    olds, news = sides.old.starts, sides.new.starts
    return Move(
        old_start=olds[block.old],
        old_end=olds[block.old + block.count],
        new_start=news[block.new],
        new_end=news[block.new + block.count],
    )
