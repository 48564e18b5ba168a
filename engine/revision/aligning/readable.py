"""Tells a change so that it can be read, at the price of a few more characters.

An insertion or a deletion that could stand in several places as well stands where a reader expects it: at the
border of a paragraph, a line, a sentence. Places that touch thereby become one. A short stretch that stayed by
chance amid larger replacements is dissolved in them; never across a line, never where it is a word.
"""

import re
from collections.abc import Callable, Sequence
from unicodedata import east_asian_width

from engine.revision.aligning.anchors import Sides
from engine.revision.aligning.tokens import LINE_ENDS
from engine.revision.script import Hunk

WIDEST_ISLAND = 4
"""Columns that are dissolved: two Han characters or four Latin ones. Wider ones are telling more often than not."""
WIDEST_STEP = 12
"""Characters that a moved stretch steps over."""
FARTHEST_SLIDE = 1000
"""Tokens."""
_BREAK, _BREAK_OR_WORD = re.compile(r"[\r\n]"), re.compile(r"[\r\n]|\w{4}")
_SENTENCE_MARKS, _COMMAS, _CLOSING = "。！？…", "，、；：", "”’」』）》"
_LATIN_SENTENCE_MARKS, _LATIN_COMMAS = ".!?", ",;:"
_PARAGRAPH, _LINE, _LINE_END, _SENTENCE, _COMMA, _SPACE, _NOTHING = 6, 5, 4, 3, 2, 1, 0


def made_readable(sides: Sides, hunks: Sequence[Hunk]) -> list[Hunk]:
    """The same change with hunks slid, joined and dissolved; all in places of tokens."""
    return _dissolved(sides, slid(sides, hunks))


def slid(sides: Sides, hunks: Sequence[Hunk]) -> list[Hunk]:
    """Each pure hunk where it reads best, between the hunks around it; those that touch are one. Costs nothing."""
    waiting = list(reversed(hunks))
    done: list[Hunk] = []
    while waiting:
        hunk = waiting.pop()
        left, right = _room(sides, hunk, done[-1:], waiting[-1:])
        if done and left == hunk.old_start - done[-1].old_end:
            waiting.append(_joined(done.pop(), hunk.shifted(-left)))
        elif waiting and right == waiting[-1].old_start - hunk.old_end:
            waiting.append(_joined(hunk.shifted(right), waiting.pop()))
        else:
            done.append(_best_place(sides, hunk, left, right))
    return done


def _joined(left: Hunk, right: Hunk) -> Hunk:
    return Hunk(left.old_start, right.old_end, left.new_start, right.new_end)


def _room(sides: Sides, hunk: Hunk, before: Sequence[Hunk], behind: Sequence[Hunk]) -> tuple[int, int]:
    """How many tokens a hunk can slide to the left and to the right; none when it both deletes and inserts."""
    if hunk.old_start < hunk.old_end and hunk.new_start < hunk.new_end:
        return 0, 0
    in_old = hunk.old_start < hunk.old_end
    ids = sides.old_ids if in_old else sides.new_ids
    start, end = (hunk.old_start, hunk.old_end) if in_old else (hunk.new_start, hunk.new_end)
    most_left = min(FARTHEST_SLIDE, hunk.old_start - (before[0].old_end if before else 0))
    most_right = min(FARTHEST_SLIDE, (behind[0].old_start if behind else len(sides.old_ids)) - hunk.old_end)
    left = right = 0
    while left < most_left and ids[start - 1 - left] == ids[end - 1 - left]:
        left += 1
    while right < most_right and ids[start + right] == ids[end + right]:
        right += 1
    return left, right


def _best_place(sides: Sides, hunk: Hunk, left: int, right: int) -> Hunk:
    """The place with the strongest borders at both ends; of equals the last."""
    if left == right == 0:
        return hunk
    in_old = hunk.old_start < hunk.old_end
    items = sides.old.items if in_old else sides.new.items
    start, end = (hunk.old_start, hunk.old_end) if in_old else (hunk.new_start, hunk.new_end)
    strength = {by: _border(items, start + by) + _border(items, end + by) for by in range(-left, right + 1)}
    return hunk.shifted(max(strength, key=lambda by: (strength[by], by)))


def _border(items: Sequence[str], place: int) -> int:
    """How strong a border stands before the token at `place`."""
    if place in (0, len(items)):
        return _PARAGRAPH
    if items[place - 1] in LINE_ENDS:
        return _PARAGRAPH if place == 1 or items[place - 2] in LINE_ENDS else _LINE
    if items[place] in LINE_ENDS:
        return _LINE_END
    return _border_in_line(items, place)


def _border_in_line(items: Sequence[str], place: int) -> int:
    if items[place].isspace():
        return _SPACE
    spaced = items[place - 1].isspace()
    mark = items[place - 2] if spaced and place > 1 else items[place - 1]
    if mark in _CLOSING and place > 2:
        mark = items[place - 3] if spaced else items[place - 2]
    if mark in _SENTENCE_MARKS or (spaced and mark in _LATIN_SENTENCE_MARKS):
        return _SENTENCE
    if mark in _COMMAS or (spaced and mark in _LATIN_COMMAS):
        return _COMMA
    return _SPACE if spaced else _NOTHING


def _dissolved(sides: Sides, hunks: Sequence[Hunk]) -> list[Hunk]:
    """Hunks joined over the islands between them."""
    done = joined_where(hunks, lambda left, right: _is_chance(sides, left, right))
    trimmed = (_without_equal_ends(sides, hunk) for hunk in done)
    return [hunk for hunk in trimmed if hunk.old_start < hunk.old_end or hunk.new_start < hunk.new_end]


def joined_where(hunks: Sequence[Hunk], are_one: Callable[[Hunk, Hunk], bool]) -> list[Hunk]:
    """Neighbours joined that are one; what was joined is asked again with its new neighbours."""
    done: list[Hunk] = []
    for hunk in hunks:
        done.append(hunk)
        while len(done) > 1 and are_one(done[-2], done[-1]):
            right = done.pop()
            done.append(_joined(done.pop(), right))
    return done


def _without_equal_ends(sides: Sides, hunk: Hunk) -> Hunk:
    """Ends that stayed are no part of what replaced what; they come from hunks that were slid before."""
    most = min(hunk.old_end - hunk.old_start, hunk.new_end - hunk.new_start)
    if not most:
        return hunk
    olds = sides.old_ids[hunk.old_start : hunk.old_end]
    news = sides.new_ids[hunk.new_start : hunk.new_end]
    head = next((at for at in range(most) if olds[at] != news[at]), most)
    tail = next((at for at in range(most - head) if olds[-1 - at] != news[-1 - at]), most - head)
    return Hunk(hunk.old_start + head, hunk.old_end - tail, hunk.new_start + head, hunk.new_end - tail)


def _is_chance(sides: Sides, left: Hunk, right: Hunk) -> bool:
    """What stayed between two hunks is short, no word, in one line, and no longer than either of them.

    Not between two insertions, nor between two deletions: dissolved there it would read as replaced by itself.
    """
    length = sides.old.starts[right.old_start] - sides.old.starts[left.old_end]
    if length > min(WIDEST_ISLAND, _size(sides, left), _size(sides, right)):
        return False
    deletes = left.old_start < left.old_end or right.old_start < right.old_end
    inserts = left.new_start < left.new_end or right.new_start < right.new_end
    between = _between(sides, left, right)
    return deletes and inserts and _columns(between) <= WIDEST_ISLAND and not _BREAK_OR_WORD.search(between)


def _columns(text: str) -> int:
    """How wide a text is on paper where Han characters are twice as wide as Latin ones."""
    return sum(1 + (east_asian_width(character) in "FW") for character in text)


def can_step_over(sides: Sides, left: Hunk, right: Hunk) -> bool:
    """What stayed between two hunks has at most `WIDEST_STEP` characters, all in one line."""
    length = sides.old.starts[right.old_start] - sides.old.starts[left.old_end]
    return length <= WIDEST_STEP and not _BREAK.search(_between(sides, left, right))


def _between(sides: Sides, left: Hunk, right: Hunk) -> str:
    return "".join(sides.old.items[left.old_end : right.old_start])


def _size(sides: Sides, hunk: Hunk) -> int:
    """Characters of the larger of its two sides."""
    olds, news = sides.old.starts, sides.new.starts
    return max(olds[hunk.old_end] - olds[hunk.old_start], news[hunk.new_end] - news[hunk.new_start])
