import re
from string import Formatter

import pytest

from engine.domain.states import CriterionStatus, Language
from engine.domain.text import is_blank
from engine.review.checks.finding import Finding, FindingCode, Words
from engine.review.checks.registry import KNOWN_CHECKS
from engine.review.wording import WORDS, word_next_step, word_reason

BLANKS: dict[str, str | int] = {
    "path": "src/a.py",
    "place": "src/a.py:3",
    "glob": "README*",
    "tests": "test_a\ntest_b",
    "format": "Python",
    "line": 1200,
    "count": 1,
    "total": 3,
    "characters": 1200,
    "needed": 3000,
    "cell": 2,
    "links": 5,
    "lines": 120,
    "wanted": "2-5",
    "percent": "79.9",
}
OUTSIDE_CHECKS = {
    FindingCode.NO_MODEL,
    FindingCode.WAITS_FOR_TEACHER,
    FindingCode.NOT_JUDGED,
    FindingCode.EVIDENCE_NOT_FOUND,
}
CODES = sorted({*FindingCode, *(code for check in KNOWN_CHECKS.values() for code in check.codes)})
EVERY = [(language, code) for language in Language for code in CODES]


def templates(words: Words) -> list[str]:
    return [words.reason, *([words.next_step] if words.next_step else [])]


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def finding(code: str, status: CriterionStatus = CriterionStatus.FAIL, **values: str | int) -> Finding:
    """Every blank is filled; one that no shared code has by any text."""
    names = {name for language in Language for text in templates(WORDS[language][code]) for name in blanks(text)}
    return Finding(status=status, code=code, values=dict.fromkeys(names, "x") | BLANKS | values)


def test_both_languages_word_every_code() -> None:
    assert all(set(WORDS[language]) == set(CODES) for language in Language)


def test_no_check_words_a_code_of_another() -> None:
    own = [code for check in KNOWN_CHECKS.values() for code in check.words]
    assert len(own) == len(set(own)) and not set(own) & set(FindingCode)
    assert all(set(check.words) <= set(check.codes) for check in KNOWN_CHECKS.values())


def test_every_code_belongs_to_a_check_or_to_what_no_check_decides() -> None:
    of_checks = {code for check in KNOWN_CHECKS.values() for code in check.codes}
    assert set(FindingCode) - of_checks == OUTSIDE_CHECKS


@pytest.mark.parametrize("code", CODES)
def test_both_languages_have_the_same_blanks_in_a_reason_and_steps_for_the_same_codes(code: str) -> None:
    english, chinese = WORDS[Language.EN][code], WORDS[Language.ZH][code]
    assert blanks(english.reason) == blanks(chinese.reason)
    assert (english.next_step is None) == (chinese.next_step is None)


@pytest.mark.parametrize(("language", "code"), EVERY)
def test_every_sentence_is_whole_and_says_something(language: Language, code: str) -> None:
    end = "。" if language is Language.ZH else "."
    for text in (word_reason(finding(code), language), word_next_step(finding(code), language)):
        assert text is None or (not is_blank(text) and text.endswith(end) and "{" not in text)


@pytest.mark.parametrize(("language", "code"), EVERY)
def test_no_sentence_blames_praises_or_shouts(language: Language, code: str) -> None:
    for text in templates(WORDS[language][code]):
        assert not re.search(
            r"[!！]|\byou failed\b|wrong|great|oops|sorry|fault|糟糕|抱歉|您|你错", text, re.IGNORECASE
        )


@pytest.mark.parametrize("code", CODES)
def test_a_chinese_sentence_has_chinese_punctuation_and_spaces_beside_latin(code: str) -> None:
    for text in templates(WORDS[Language.ZH][code]):
        assert not re.search(r"[一-鿿][,;:()?]|[,;:()?][一-鿿]", text)
        assert not re.search(r"[一-鿿][A-Za-z0-9{]|[A-Za-z0-9}][一-鿿]", text)


@pytest.mark.parametrize("language", Language)
def test_a_pass_has_no_next_step(language: Language) -> None:
    assert all(word_next_step(finding(code, CriterionStatus.PASS), language) is None for code in CODES)


def test_names_are_listed_in_each_languages_own_way() -> None:
    tests = finding(FindingCode.TESTS_FAILED)
    assert word_reason(tests, Language.EN) == "1 of 3 tests failed: test_a, test_b."
    assert word_reason(tests, Language.ZH) == "3 个测试里有 1 个没通过：test_a、test_b。"


def test_more_than_three_names_are_told() -> None:
    tests = finding(FindingCode.TESTS_FAILED, count=4, total=9, tests="a\nb\nc\nd")
    assert word_reason(tests, Language.EN) == "4 of 9 tests failed: a, b, c and others."
    assert word_reason(tests, Language.ZH) == "9 个测试里有 4 个没通过：a、b、c 等。"


def test_alternatives_of_a_glob_are_listed_and_more_than_three_are_told() -> None:
    missing = finding(FindingCode.FILE_MISSING, glob="a|b|c|d")
    assert word_reason(missing, Language.EN) == "No file named a, b, c and others was handed in."


def test_counts_are_grouped_and_line_numbers_are_not() -> None:
    assert "1,200" in word_reason(finding(FindingCode.TOO_SHORT), Language.EN)
    assert "line 1200" in word_reason(finding(FindingCode.PATTERN_FOUND), Language.EN)


def test_a_name_from_the_work_cannot_break_or_stretch_a_sentence() -> None:
    hostile = finding(FindingCode.FILE_THERE, path="{needed}\u202e\n" + "x" * 500)
    sentence = word_reason(hostile, Language.EN)
    assert sentence.startswith("{needed} xxx") and sentence.endswith("… is there.") and len(sentence) < 80
