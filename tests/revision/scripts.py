"""What must hold of every script, and the plain table that scripts are held against."""

from itertools import pairwise

from engine.revision.script import Diff, Script


def heaviest(old: list[int], new: list[int], lengths: list[int]) -> int:
    """The weight of the heaviest common subsequence, cell by cell."""
    above = [0] * (len(new) + 1)
    for left in old:
        row = [0]
        for column, right in enumerate(new):
            diagonal = above[column] + lengths[left] if left == right else 0
            row.append(max(row[-1], above[column + 1], diagonal))
        above = row
    return above[-1]


def assert_sound(diff: Diff) -> None:
    """Both texts are rebuilt from both scripts, and moves say the truth."""
    for script in (diff.raw, diff.display):
        assert_rebuilds(script)
    for move in diff.moves:
        moved = diff.raw.old[move.old_start : move.old_end]
        assert moved == diff.raw.new[move.new_start : move.new_end]


def assert_rebuilds(script: Script) -> None:
    """Old text with the new pieces put in is the new text, and the other way round; hunks are apart and not empty."""
    hunks = script.hunks
    assert all(each.old_start < each.old_end or each.new_start < each.new_end for each in hunks)
    assert all(left.old_end < right.old_start for left, right in pairwise(hunks))
    assert _replaced(script.old, [(each.old_start, each.old_end) for each in hunks], new_pieces(script)) == script.new
    assert _replaced(script.new, [(each.new_start, each.new_end) for each in hunks], old_pieces(script)) == script.old
    assert all(
        script.old[old : old + length] == script.new[new : new + length] for old, new, length in script.equal_runs()
    )


def _replaced(text: str, ranges: list[tuple[int, int]], pieces: list[str]) -> str:
    parts, place = [], 0
    for (start, end), piece in zip(ranges, pieces, strict=True):
        parts += [text[place:start], piece]
        place = end
    return "".join([*parts, text[place:]])


def old_pieces(script: Script) -> list[str]:
    return [script.old[hunk.old_start : hunk.old_end] for hunk in script.hunks]


def new_pieces(script: Script) -> list[str]:
    return [script.new[hunk.new_start : hunk.new_end] for hunk in script.hunks]


def changes(script: Script) -> list[tuple[str, str]]:
    """What was taken out and what was put in, hunk by hunk."""
    return [*zip(old_pieces(script), new_pieces(script), strict=True)]


def size(script: Script) -> int:
    """Characters deleted and inserted."""
    return script.deleted + script.inserted
