"""What is equal inside a part of two texts."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from engine.revision.script import Script


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of both texts; half-open ranges of characters."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int

    @property
    def longer(self) -> int:
        """Characters of the longer side."""
        return max(self.old_end - self.old_start, self.new_end - self.new_start)


class EqualRuns:
    """The equal runs of a script, found by place in time that grows with the part that is asked for only."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._runs = list(script.equal_runs())
        self._starts = [run[0] for run in self._runs]

    def inside(self, span: Span) -> Iterator[tuple[int, int, int]]:
        """Start in the old text, start in the new one and length of what stayed inside `span`, in order.

        A line break that ends both sides counts as equal, even if the script took another one of its kind.
        """
        ends_both = self._script.old.endswith("\n", span.old_start, span.old_end) and self._script.new.endswith(
            "\n", span.new_start, span.new_end
        )
        old_end, new_end = span.old_end - ends_both, span.new_end - ends_both
        first = max(0, bisect_right(self._starts, span.old_start) - 1)
        for old, new, length in self._runs[first : bisect_left(self._starts, old_end)]:
            skipped = max(0, span.old_start - old, span.new_start - new)
            kept = min(length, old_end - old, new_end - new) - skipped
            if kept > 0:
                yield old + skipped, new + skipped, kept
        if ends_both:
            yield old_end, new_end, 1
