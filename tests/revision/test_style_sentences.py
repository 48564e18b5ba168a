"""How much of what people say about style is understood, counted on whole tables of sentences."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from engine.domain.preference import Aspect
from engine.revision.style.wishes import read_wishes
from tests.revision.style_sentences import HEARD_EN, HEARD_ZH, UNHEARD_EN, UNHEARD_ZH, Meant

TABLES: Mapping[str, tuple[Meant, float]] = {
    "heard, Chinese": (HEARD_ZH, 0.95),
    "heard, English": (HEARD_EN, 0.95),
    "unheard, Chinese": (UNHEARD_ZH, 0.35),
    "unheard, English": (UNHEARD_EN, 0.3),
}
"""Each table with the share of its wishes that has to be understood; a model understands more."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What was read in a table."""

    right: int
    wrong: tuple[str, ...]
    missed: tuple[str, ...]

    @property
    def recall(self) -> float:
        return self.right / (self.right + len(self.missed))


def hear(table: Meant) -> Heard:
    right, wrong, missed = 0, [], []
    for sentence, meant in table.items():
        read = {f"{one.aspect} {one.direction}" for one in read_wishes(sentence)}
        right += len(read & set(meant))
        wrong += [f"{sentence}: {one}" for one in sorted(read - set(meant))]
        missed += [f"{sentence}: {one}" for one in sorted(set(meant) - read)]
    return Heard(right, tuple(wrong), tuple(missed))


@pytest.mark.parametrize(("table", "least"), TABLES.values(), ids=TABLES)
def test_nothing_is_misunderstood_and_enough_is_understood(table: Meant, least: float) -> None:
    heard = hear(table)
    assert heard.wrong == ()
    assert heard.recall >= least, f"{heard.recall:.2f}, missed: {heard.missed}"


@pytest.mark.parametrize("table", [HEARD_ZH, HEARD_EN], ids=["Chinese", "English"])
def test_the_tables_hold_sixty_sentences_of_both_sorts_and_most_aspects(table: Meant) -> None:
    aspects = {one.split()[0] for meant in table.values() for one in meant}
    assert len(table) >= 60
    assert sum(not meant for meant in table.values()) >= 15
    assert len(aspects) >= len(Aspect) - 2
