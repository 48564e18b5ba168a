"""Prints what became of every text that tries to get a verdict, by the place from which it tries.

By hand: `python -m tests.stress.attacks`. Ends with 1 if one changed more than a model that obeys it.
"""

import sys

from tests.review.attacks import ATTACKS, TEXTS, Carrier, run


def main() -> int:
    """Print the table; 1 where a request, another criterion or the rule of aggregation changed."""
    lines = [f"{len(TEXTS)} texts of {len(ATTACKS)} kinds from {len(Carrier)} places"]
    lines.append(f"{'from':<30} {'tried':>6} {'refused':>8} {'shape':>6} {'others':>7} {'rule':>5} {'obeyed':>7}")
    changed = 0
    for carrier, row in run().items():
        lines.append(
            f"{carrier:<30} {row.tried:>6} {row.refused:>8} {row.shape_changed:>6} {row.others_changed:>7} "
            f"{row.rule_changed:>5} {row.obeyed:>7}"
        )
        changed += row.shape_changed + row.others_changed + row.rule_changed
    lines.append("obeyed: a model that does what the work says passes it, if the text can be quoted from a file.")
    print("\n".join(lines))  # noqa: T201 - the table
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
