"""How many words a text has."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.domain.word_count import count_words

CASES = {
    "nothing": ("", 0),
    "space and punctuation only": (" \n，。……!?", 0),
    "Latin": ("The quick brown fox.", 4),
    "Chinese, each character": ("登录页面。", 4),
    "mixed without spaces": ("用Python写了3个test", 7),
    "mixed with spaces": ("用 Python 写了 3 个 test", 7),
    "apostrophes join": ("don't won’t", 2),
    "a hyphen joins": ("re-use well-known", 2),
    "a dash with spaces does not": ("a - b — c", 3),
    "a double dash does not": ("yes--no", 2),
    "names of code": ("max_size __init__", 2),
    "numbers": ("3.14 1,000 12:30 v2.0 1e5", 5),
    "a full stop without a space": ("end.Next", 2),
    "composed and decomposed accents": ("caf\u00e9 cafe\u0301 re\u0301sume\u0301", 3),
    "emoji are none": ("好👍🏽👩‍🔬 ok", 2),
    "an ideograph outside the first plane": ("𠀀𠮷", 2),
    "kana": ("テスト", 3),
    "full-width letters": ("ＡＢＣ 你", 2),
    "iteration mark and zero": ("人々二〇", 4),
}


@pytest.mark.parametrize(("text", "words"), CASES.values(), ids=CASES)
def test_words_are_counted_by_one_rule_for_both_scripts(text: str, words: int) -> None:
    assert count_words(text) == words


@settings(max_examples=200)
@given(st.lists(st.sampled_from(["the", "don't", "页", "3.14", "测", "v2"])))
def test_what_stands_apart_is_counted_apart(words: list[str]) -> None:
    assert count_words(" ".join(words)) == len(words)
