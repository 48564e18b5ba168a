import string

import pytest

from engine.domain.states import Language
from engine.llm.offline_words import WORDS

NAMES = sorted(WORDS[Language.EN])


def _blanks(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_both_languages_have_the_same_sentences() -> None:
    assert set(WORDS) == set(Language)
    assert sorted(WORDS[Language.ZH]) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_fill_the_same_blanks(name: str) -> None:
    english, chinese = _blanks(WORDS[Language.EN][name]), _blanks(WORDS[Language.ZH][name])
    assert english - {"count"} == chinese - {"count"}


@pytest.mark.parametrize("name", NAMES)
def test_no_sentence_shows_a_stored_name_or_the_other_language(name: str) -> None:
    english, chinese = WORDS[Language.EN][name], WORDS[Language.ZH][name]
    assert english.isascii() or not any("\u4e00" <= letter <= "\u9fff" for letter in english)
    plain = "".join(literal for literal, *_ in string.Formatter().parse(chinese))
    assert not any(letter.isascii() and letter.isalpha() for letter in plain)
    for stored in ("FAIL", "NEED_REVIEW", "!", "！", "您", "Oops"):
        assert stored not in english + chinese
