"""Prints how many quotes are found, by what was done to them: all that differ in type alone, none that say otherwise.

By hand: `python -m tests.stress.quotes`. Ends with 1 if one is taken for the other.
"""

import sys
from collections.abc import Callable, Iterable, Mapping

from engine.domain.quote import Found
from tests.domain.test_quote import ALTERED, COSMETIC, PROSE, found


def main() -> int:
    """Print the table; 1 where a cosmetic change hides a quote or an altered one is found."""
    cosmetic = dict(_counted(COSMETIC, is_changed=lambda _line, _quote: True))
    altered = dict(_counted(ALTERED, is_changed=lambda line, quote: line != quote))
    lines = [f"{'what was done to the quote':<32} {'quotes':>7} {'found':>6}"]
    lines += [f"{kind:<32} {tried:>7} {hits:>6}" for kind, (tried, hits) in (cosmetic | altered).items()]
    missed = sum(tried - hits for tried, hits in cosmetic.values())
    taken = sum(hits for _tried, hits in altered.values())
    lines.append(f"cosmetic: {missed} of {_tried(cosmetic)} missed; altered: {taken} of {_tried(altered)} found")
    print("\n".join(lines))  # noqa: T201 - the table
    return 1 if missed or taken else 0


def _counted(
    kinds: Mapping[str, Callable[[str], str]], *, is_changed: Callable[[str, str], bool]
) -> Iterable[tuple[str, tuple[int, int]]]:
    for kind, change in kinds.items():
        quotes = [quote for line in PROSE if is_changed(line, quote := change(line))]
        yield kind, (len(quotes), sum(isinstance(found(quote), Found) for quote in quotes))


def _tried(counted: Mapping[str, tuple[int, int]]) -> int:
    return sum(tried for tried, _hits in counted.values())


if __name__ == "__main__":
    sys.exit(main())
