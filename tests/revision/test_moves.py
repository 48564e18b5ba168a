"""A moved stretch is found, once, and only where words went from one place to another unchanged."""

from random import Random

import pytest

from engine.revision.aligning.moves import SHORTEST_MOVE
from engine.revision.diff import compare
from engine.revision.script import Diff
from tests.revision.prose import Words, en_paragraph, revised, zh_paragraph
from tests.revision.scripts import assert_sound

LEAST_RECALL = 0.95
"""Of planted moves, with one paragraph in six edited besides."""


def moved(found: Diff) -> list[str]:
    return [found.raw.old[move.old_start : move.old_end] for move in found.moves]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "今天上午我们一起整理了所有的草稿和评审记录。",
            "第二天老师把没有写清楚的段落一个一个地指了出来，大家又改了一遍。",
        ),
        ("The morning was spent sorting drafts.", "Next day the teacher went through every unclear paragraph."),
    ],
    ids=["zh", "en"],
)
def test_of_two_swapped_paragraphs_one_is_a_move(first: str, second: str) -> None:
    found = compare(f"{first}\n\n{second}\n", f"{second}\n\n{first}\n")
    assert [text.strip() for text in moved(found)] == [first]
    assert found.raw.deleted == found.raw.inserted == len(first) + 2


def test_a_move_lies_in_what_is_deleted_and_inserted_and_no_character_is_in_two() -> None:
    random = Random(8)  # noqa: S311 - a test
    for _ in range(25):
        old, new, _planted = planted(random, random.choice((zh_paragraph, en_paragraph)), percent=20)
        found = compare(old, new)
        assert_sound(found)
        deleted = [place for each in found.display.hunks for place in range(each.old_start, each.old_end)]
        inserted = [place for each in found.display.hunks for place in range(each.new_start, each.new_end)]
        olds = [place for each in found.moves for place in range(each.old_start, each.old_end)]
        news = [place for each in found.moves for place in range(each.new_start, each.new_end)]
        assert {*olds} <= {*deleted}
        assert {*news} <= {*inserted}
        assert len({*olds}) == len(olds)
        assert news == sorted({*news})


def planted(random: Random, paragraph: Words, percent: int) -> tuple[str, str, list[str]]:
    """A text of paragraphs, one with up to three of them elsewhere and others edited, and the moved ones."""
    before = [paragraph(random, random.randint(SHORTEST_MOVE, 300)) for _ in range(random.randint(8, 24))]
    taken = random.sample(before, random.randint(1, 3))
    after = [revised(random, each, percent, paragraph) if random.random() < 1 / 6 else each for each in before]
    after = [new for old, new in zip(before, after, strict=True) if old not in taken]
    for each in taken:
        after.insert(random.randint(0, len(after)), each)
    return "\n\n".join(before), "\n\n".join(after), taken


@pytest.mark.parametrize("paragraph", [zh_paragraph, en_paragraph], ids=["zh", "en"])
def test_planted_moves_are_found_and_each_in_one_piece(paragraph: Words) -> None:
    random = Random(9)  # noqa: S311 - a test
    found = pieces = planted_count = 0
    for _ in range(40):
        old, new, taken = planted(random, paragraph, percent=10)
        diff = compare(old, new)
        gone = [each for each in taken if not stayed(diff, each)]
        planted_count += len(gone)
        found += sum(sum(moves_in(diff, each)) >= 0.9 * len(each) for each in gone)
        pieces += sum(len(moves_in(diff, each)) for each in gone)
    assert planted_count > 60
    assert found >= LEAST_RECALL * planted_count, f"{found} of {planted_count}"
    assert pieces <= 1.05 * planted_count


def stayed(diff: Diff, text: str) -> bool:
    """It is equal in both texts, so that what is around it moved."""
    old, new = diff.raw.old.index(text), diff.raw.new.index(text)
    return any(
        start <= old and old + len(text) <= start + length and new - beginning == old - start
        for start, beginning, length in diff.display.equal_runs()
    )


def moves_in(diff: Diff, text: str) -> list[int]:
    """How many of its characters each move holds, of moves that hold any."""
    start = diff.raw.old.index(text)
    held = (min(each.old_end, start + len(text)) - max(each.old_start, start) for each in diff.moves)
    return [count for count in held if count > 0]


def test_what_stayed_by_chance_amid_a_move_is_part_of_it() -> None:
    sentence = "The quiet river runs under the old bridge in the garden."
    other = "You see the quiet window, and the small table near it."
    middle = "This long sentence stands between the two places and stays, whatever else happens. " * 3
    old, new = f"{sentence}\n\n{middle}\n\n{other}", f"{other}\n\n{middle}\n\n{sentence}"
    found = compare(old, new)
    assert_sound(found)
    assert sorted(moved(found)) == [sentence[:-1], other[:-1]]
    assert len(found.raw.hunks) > len(found.display.hunks) == 2


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("一二三四五六七八九十甲乙丙丁戊己庚辛壬癸", 1),
        ("一二三四五六七八九十甲乙丙丁戊己庚辛壬", 0),
        ("                                        ", 0),
    ],
    ids=["20", "19", "blank"],
)
def test_a_move_has_twenty_characters_or_more(text: str, moves: int) -> None:
    middle = "This long sentence stands between the two places and stays, whatever else happens.\n"
    assert len(compare(f"{text}\n{middle}", f"{middle}{text}\n").moves) == moves


def test_what_stands_twice_is_no_move() -> None:
    text = "The same sentence, word for word, again"
    middle = "This long sentence stands between the two places and stays, whatever else happens. " * 3 + "\n"
    assert len(compare(f"{text}{middle}", f"{middle}{text}").moves) == 1
    assert compare(f"{text}One!{text}Two;{middle}", f"{middle}{text}3?{text}").moves == ()


def test_an_edit_inside_a_moved_paragraph_leaves_a_move_on_both_its_sides() -> None:
    old = "The engine is quiet in winter and the wheel turns. The bridge over the harbour was closed all day."
    new = old.replace("wheel turns", "heavy wheel stops")
    middle = "This long sentence stands between the two places and stays, whatever else happens. " * 3
    found = compare(f"{old}\n\n{middle}\n", f"{middle}\n\n{new}\n")
    texts = moved(found)
    assert len(texts) == 2
    assert "engine is quiet in winter" in texts[0]
    assert "bridge over the harbour" in texts[1]


def test_a_move_begins_where_its_words_begin_even_if_others_begin_so_too() -> None:
    begun = "在这个很长很长的开头之后，"
    text, other = f"{begun}来的是搬走了的第一句话。", f"{begun}没有别的。"
    middle = "This long sentence stands between the two places and stays, whatever else happens. " * 3
    found = compare(f"{other}{text}\n{middle}", f"{middle}\n{text}")
    assert [each.strip() for each in moved(found)] == [text]
