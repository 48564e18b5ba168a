"""Which line of the old text became which line of the new one: kept, changed, split, joined or moved."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.revision.script import Diff
from engine.revision.showing.text_lines import Line, ink, line_at, split_lines

ALIKE = 0.25
"""Two lines are the same line, changed, from this share of equal characters on; white space is not counted."""
CONTAINED, CONTAINED_INK = 0.6, 8
"""Or when so much of the shorter one, and so many characters, stand in the longer one: it was split or joined."""
SPELT_ALIKE = 0.6
"""Short lines that share no word are compared by characters, and need more."""
SHORT_LINE, SHORT_GAP = 80, 100
"""Characters of a short line, and pairs of lines that are tried in one place."""
MOVED = 0.4
"""A line that is gone here and new there has moved from this share of moved characters on."""

GRAM, FEWEST_GRAMS, MOST_GRAMS = 4, 8, 60_000
"""Characters of the pieces by which lines are compared that stand far apart; how many a line needs; a bound on all."""

Share = tuple[int, int, int]
"""A line of the old text, one of the new text, and the characters they share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Lines that belong together: one to one, or one to several where a line was split or lines were joined."""

    old: range
    new: range


class LinedDiff:
    """A diff whose texts are cut into lines, with how much ink each has. Breaks are plain in both texts."""

    def __init__(self, diff: Diff) -> None:
        self.diff = diff
        self.old, self.new = split_lines(diff.display.old), split_lines(diff.display.new)
        old, new = self.old, self.new
        self.old_starts, self.new_starts = [line.start for line in old], [line.start for line in new]
        self.old_ink = [ink(diff.display.old[line.start : line.end]) for line in old]
        self.new_ink = [ink(diff.display.new[line.start : line.end]) for line in new]

    def shares(self, old: int, new: int, length: int) -> Iterator[Share]:
        """How an equal run of that length is spread over lines; a shared break makes a blank pair count."""
        i, j = line_at(self.old_starts, old), line_at(self.new_starts, new)
        end = old + length
        while old < end:
            here, there = self.old[i], self.new[j]
            taken = min(here.stop - old, there.stop - new, end - old)
            yield i, j, ink(self.diff.display.old[old : old + taken])
            old, new = old + taken, new + taken
            i, j = i + (old == here.stop), j + (new == there.stop)

    def are_alike(self, i: int, j: int, shared: int) -> bool:
        """Whether line `j` is line `i`, changed."""
        less, more = sorted((self.old_ink[i], self.new_ink[j]))
        if not more:
            return True
        return shared >= ALIKE * more or (shared >= CONTAINED_INK and shared >= CONTAINED * less)


def pair_lines(lines: LinedDiff) -> tuple[Pair, ...]:
    """The pairs, in order in both texts; lines that are in none are gone or new."""
    together = list(_shared(lines))
    chosen = _best_chain([share for share in together if lines.are_alike(*share)])
    pairs = _with_fragments(lines, chosen, together)
    return tuple(_with_short_ones(lines, pairs))


def _shared(lines: LinedDiff) -> Iterator[Share]:
    """What two lines share, added up, in order in both texts."""
    last: Share | None = None
    for run in lines.diff.display.equal_runs():
        for i, j, shared in lines.shares(*run):
            if last is not None and last[:2] == (i, j):
                last = i, j, last[2] + shared
                continue
            if last is not None:
                yield last
            last = i, j, shared
    if last is not None:
        yield last


def _best_chain(shares: Sequence[Share]) -> list[tuple[int, int]]:
    """Of shares that never cross those that share the most, each line in one pair at most."""
    best: list[tuple[int, int]] = [(0, -1)]  # of the shares so far: the most that can be had, and its last share
    before: list[int] = []
    free = 0
    for place, (i, j, shared) in enumerate(shares):
        while shares[free][0] < i and shares[free][1] < j:
            free += 1
        before.append(best[free][1])
        best.append(max(best[-1], (best[free][0] + 2 * shared + 1, place), key=lambda one: one[0]))
    chain = []
    at = best[-1][1]
    while at >= 0:
        chain.append(shares[at][:2])
        at = before[at]
    return chain[::-1]


def _with_fragments(lines: LinedDiff, chosen: list[tuple[int, int]], together: Sequence[Share]) -> list[Pair]:
    """Let a line that lies for the most part in a neighbour's partner join that pair."""
    old_of, new_of = {j: i for i, j in chosen}, dict(chosen)
    pairs = {pair: (range(pair[0], pair[0] + 1), range(pair[1], pair[1] + 1)) for pair in chosen}
    for i, j, shared in together:
        if i in new_of and j not in old_of and shared >= CONTAINED * lines.new_ink[j] > 0:
            key = i, new_of[i]
            taken = _reach(pairs[key][1], j, old_of, lines.new_ink)
            if taken and len(pairs[key][0]) == 1:
                pairs[key] = pairs[key][0], taken
        elif j in old_of and i not in new_of and shared >= CONTAINED * lines.old_ink[i] > 0:
            key = old_of[j], j
            taken = _reach(pairs[key][0], i, new_of, lines.old_ink)
            if taken and len(pairs[key][1]) == 1:
                pairs[key] = taken, pairs[key][1]
    return [Pair(old=old, new=new) for old, new in pairs.values()]


def _reach(have: range, line: int, paired: Mapping[int, int], inks: Sequence[int]) -> range | None:
    """`have` made long enough to hold `line`; None where something else stands between."""
    between = range(have.stop, line) if line >= have.stop else range(line + 1, have.start)
    if any(each in paired or inks[each] for each in between):
        return None
    return range(min(have.start, line), max(have.stop, line + 1))


def _with_short_ones(lines: LinedDiff, pairs: Sequence[Pair]) -> Iterator[Pair]:
    """The pairs, and between them short lines that are spelt alike though they share no word."""
    moved = {i for i, _ in moved_shares(lines)}
    ends = Pair(old=range(len(lines.old), len(lines.old)), new=range(len(lines.new), len(lines.new)))
    for before, after in pairwise((Pair(old=range(0), new=range(0)), *pairs, ends)):
        olds = [i for i in range(before.old.stop, after.old.start) if lines.old_ink[i] and i not in moved]
        news = [j for j in range(before.new.stop, after.new.start) if lines.new_ink[j]]
        if olds and news and len(olds) * len(news) <= SHORT_GAP:
            yield from _spelt_alike(lines, olds, news)
        if after is not ends:
            yield after


def _spelt_alike(lines: LinedDiff, olds: Sequence[int], news: Sequence[int]) -> Iterator[Pair]:
    old, new = lines.diff.display.old, lines.diff.display.new
    shares = []
    for i in olds:
        one = old[lines.old[i].start : lines.old[i].end]
        for j in news:
            other = new[lines.new[j].start : lines.new[j].end]
            if max(len(one), len(other)) <= SHORT_LINE:
                shared = common_length(one, other)
                if shared >= SPELT_ALIKE * max(len(one), len(other)):
                    shares.append((i, j, shared))
    for i, j in _heaviest(shares):
        yield Pair(old=range(i, i + 1), new=range(j, j + 1))


def _heaviest(shares: Sequence[Share]) -> list[tuple[int, int]]:
    """Pairs that do not cross and share the most; few, so every earlier one is looked at."""
    best: list[tuple[int, list[tuple[int, int]]]] = []
    for i, j, shared in shares:
        earlier = [each for each in best if each[1][-1][0] < i and each[1][-1][1] < j]
        most, chain = max(earlier, key=lambda one: one[0], default=(0, []))
        best.append((most + shared, [*chain, (i, j)]))
    return max(best, key=lambda one: one[0], default=(0, []))[1]


def common_length(one: str, other: str) -> int:
    """How many characters the longest common subsequence has. For short texts."""
    places: defaultdict[str, int] = defaultdict(int)
    for place, character in enumerate(one):
        places[character] |= 1 << place
    everything = (1 << len(one)) - 1
    row = everything
    for character in other:
        met = row & places[character]
        row = ((row + met) | (row - met)) & everything
    return len(one) - row.bit_count()


def moved_shares(lines: LinedDiff) -> dict[tuple[int, int], int]:
    """Of a line of the old text and one of the new text: how many characters moved from one to the other."""
    found: defaultdict[tuple[int, int], int] = defaultdict(int)
    for move in lines.diff.moves:
        for i, j, shared in lines.shares(move.old_start, move.new_start, move.old_end - move.old_start):
            found[i, j] += shared
    return found


def link_moves(lines: LinedDiff, gone: Collection[int], fresh: Collection[int]) -> dict[int, int]:
    """Which gone line is which new one, moved and perhaps edited: each in one link at most, the surest first."""
    found: list[tuple[float, int, int]] = []
    for (i, j), shared in moved_shares(lines).items():
        most = max(lines.old_ink[i], lines.new_ink[j])
        if i in gone and j in fresh and most and shared >= MOVED * most:
            found.append((-shared / most, i, j))
    found += _edited_moves(lines, gone, fresh)
    links: dict[int, int] = {}
    for _, i, j in sorted(found):
        if i not in links and j not in links.values():
            links[i] = j
    return links


def _edited_moves(lines: LinedDiff, gone: Collection[int], fresh: Collection[int]) -> Iterator[tuple[float, int, int]]:
    """Lines that moved and were edited so often that no long stretch of them is left: told by short pieces."""
    olds = {i: _grams(_words(lines.diff.display.old, lines.old[i])) for i in gone}
    news = {j: _grams(_words(lines.diff.display.new, lines.new[j])) for j in fresh}
    if sum(map(len, (*olds.values(), *news.values()))) > MOST_GRAMS:
        return
    where: defaultdict[str, list[int]] = defaultdict(list)
    for j, grams in news.items():
        for gram in grams:
            where[gram].append(j)
    for i, grams in olds.items():
        shared = Counter(j for gram in grams for j in where[gram])
        for j, count in shared.most_common(1):
            share = count / max(len(grams), len(news[j]))
            if share >= MOVED and min(len(grams), len(news[j])) >= FEWEST_GRAMS:
                yield -share, i, j


def _words(text: str, line: Line) -> str:
    return "".join(text[line.start : line.end].split())


def _grams(text: str) -> set[str]:
    return {text[place : place + GRAM] for place in range(len(text) - GRAM + 1)}
