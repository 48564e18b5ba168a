"""Very long lines in stretches of a size that can be shown, cut at the same place in both texts."""

from collections.abc import Iterable, Iterator
from unicodedata import category

from engine.revision.showing.runs import Span

LONG = 2000
"""Characters; a longer line is cut."""
SIZE = 1000
"""Characters of a stretch, at most."""
_SEARCHED = 300
"""A better place to cut is looked for over so many characters."""
_STOPS = ("。！？!?；;", "，, \t", "")
"""Where to cut, the best places first."""


def cut_span(span: Span, runs: Iterable[tuple[int, int, int]], old: str, new: str) -> Iterator[Span]:
    """`span` in stretches of at most `SIZE` characters on either side; `runs` is what is equal inside it."""
    cutter = _Cutter(span, old, new)
    for run in runs:
        yield from cutter.over_change(run[0], run[1])
        yield from cutter.over_equal(*run)
    yield from cutter.over_change(span.old_end, span.new_end)
    if cutter.is_open(span):
        yield cutter.take(span.old_end, span.new_end)


class _Cutter:
    """Goes through a span; what it has not given yet begins at `old` and `new`."""

    def __init__(self, span: Span, old: str, new: str) -> None:
        self.old, self.new = span.old_start, span.new_start
        self.text_old, self.text_new = old, new

    def is_open(self, span: Span) -> bool:
        return self.old < span.old_end or self.new < span.new_end

    def take(self, old: int, new: int) -> Span:
        taken = Span(old_start=self.old, old_end=old, new_start=self.new, new_end=new)
        self.old, self.new = old, new
        return taken

    def over_change(self, old: int, new: int) -> Iterator[Span]:
        """Up to where both are equal again; what is too long to be shown at once is cut on each side alone."""
        while max(old - self.old, new - self.new) > SIZE:
            yield self.take(
                _stop(self.text_old, self.old, min(old, self.old + SIZE)) if old > self.old else old,
                _stop(self.text_new, self.new, min(new, self.new + SIZE)) if new > self.new else new,
            )

    def over_equal(self, old: int, new: int, length: int) -> Iterator[Span]:
        """Through what is equal, where a cut falls at the same place in both."""
        end = old + length
        while max(end - self.old, end - old + new - self.new) > SIZE:
            room = min(SIZE - (old - self.old), SIZE - (new - self.new))
            stop = _stop(self.text_old, old, old + min(room, end - old)) if room > 0 else old
            if (stop, stop - old + new) == (self.old, self.new):
                return
            new += stop - old
            old = stop
            yield self.take(old, new)


def _stop(text: str, start: int, end: int) -> int:
    """The best place to cut at or a little before `end`; never inside a grapheme, and after `start`."""
    if end >= len(text):
        return end
    first = max(start + 1, end - _SEARCHED)
    for stops in _STOPS:
        for place in range(end, first - 1, -1):
            if (not stops or text[place - 1] in stops) and _is_border(text[place - 1], text[place]):
                return place
    return end


def _is_border(before: str, after: str) -> bool:
    """Whether two characters certainly belong to two graphemes."""
    return (
        _stands_alone(after) and before != "\u200d" and not (before == "\r" or "\U0001f1e6" <= before <= "\U0001f1ff")
    )


def _stands_alone(character: str) -> bool:
    return category(character) not in {"Mn", "Mc", "Me", "Cf", "Sk"} and not "\u1100" <= character <= "\u11ff"
