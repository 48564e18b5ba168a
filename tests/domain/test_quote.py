"""A quote is found however it was typed, and never when a word of it is another."""

import re
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.quote import Found, QuoteFault, find_quote

PROSE = (
    "The server does not start when 1.5 GB of memory are missing, and it says so in its log.",
    "Run the two commands from the README in this order: first the set-up, then the tests.",
    "We measured 42 requests a second on one core; that is 12 % more than the week before.",
    "Nobody should store a password in clear text, so the form keeps only a salted hash of it.",
    "服务器在内存少于 512 MB 时不会启动，并且会在日志里说明原因。",
    "先运行两条安装命令，再运行测试，顺序不能颠倒。",
    "我们一共测了 42 次，平均每次用时 1.5 秒，比上周快了 12%。",
    "密码从来不以明文保存，表单只留下加盐之后的散列值。",
)
TEXT = "\n\n".join(f"## Part {number}\n\n{line}" for number, line in enumerate(PROSE, start=1))
COSMETIC: Mapping[str, Callable[[str], str]] = {
    "as it is": lambda quote: quote,
    "curly quotes around it": lambda quote: f"“{quote}”",
    "corner brackets around it": lambda quote: f"「{quote}」",
    "double spaces": lambda quote: quote.replace(" ", "  "),
    "spaces that do not break": lambda quote: quote.replace(" ", "\u00a0"),
    "a line end inside": lambda quote: quote.replace(" ", "\r\n", 1),
    "first letter in lower case": lambda quote: quote[:1].lower() + quote[1:],
    "in capitals": str.upper,
    "without its full stop": lambda quote: quote.rstrip(".。"),
    "another end": lambda quote: quote.rstrip(".。") + "!",
    "dots around it": lambda quote: f"…{quote}…",
    "wide commas": lambda quote: quote.replace(", ", "， "),
    "narrow commas": lambda quote: quote.replace("，", ","),
    "wide digits": lambda quote: quote.translate({ord("0") + n: 0xFF10 + n for n in range(10)}),
    "long dashes": lambda quote: quote.replace("-", "–"),
    "marked as code": lambda quote: f"`{quote}`",
}


def _swapped(quote: str) -> str:
    words = quote.split(" ")
    if len(words) < 4:
        middle = len(quote) // 2
        return quote[middle:] + quote[:middle]
    words[1], words[2] = words[2], words[1]
    return " ".join(words)


ALTERED: Mapping[str, Callable[[str], str]] = {
    "a number raised": lambda quote: re.sub(r"\d+", lambda found: str(int(found[0]) + 1), quote, count=1),
    "a digit dropped": lambda quote: re.sub(r"(\d)\d", r"\1", quote, count=1),
    "a point dropped": lambda quote: re.sub(r"(\d)\.(\d)", r"\1\2", quote),
    "a negation dropped": lambda quote: re.sub("not |never |不会|不能|从来不", "", quote),
    "a negation put in": lambda quote: quote.replace(" is ", " is not ").replace("会在", "不会在"),
    "two words swapped": _swapped,
    "a word left out": lambda quote: quote.replace(" the ", " ", 1).replace("平均", "", 1),
    "an omission": lambda quote: f"{quote[: len(quote) // 3]} … {quote[-len(quote) // 3 :]}",
    "something added": lambda quote: f"{quote.rstrip('.。')} 而且一直如此 always and everywhere",
}


def found(quote: str, text: str = TEXT, **more: int) -> Found | QuoteFault:
    return find_quote(quote, text, is_code=False, near_line=more.get("near"))


@pytest.mark.parametrize("kind", COSMETIC)
@pytest.mark.parametrize("line", range(len(PROSE)))
def test_a_quote_that_is_typed_otherwise_is_found_at_its_line(kind: str, line: int) -> None:
    at = found(COSMETIC[kind](PROSE[line]))
    assert isinstance(at, Found) and at.line == 4 * line + 3
    assert TEXT[at.start : at.end] == PROSE[line].strip(".。")


@pytest.mark.parametrize("kind", ALTERED)
def test_a_quote_that_says_something_else_is_never_found(kind: str) -> None:
    altered = [(line, ALTERED[kind](line)) for line in PROSE]
    changed = [quote for line, quote in altered if quote != line]
    assert changed
    assert [quote for quote in changed if isinstance(found(quote), Found)] == []


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("15 seconds for each of them", "It took 215 seconds for each of them."),
        ("it took exactly 21", "it took exactly 215 seconds"),
        ("it took exactly 1", "it took exactly 1.5 seconds"),
        ("5 degrees in the morning", "-5 degrees in the morning"),
        ("5 seconds in the end", "1.5 seconds in the end"),
        ("it grew by exactly 5", "it grew by exactly 5% a day"),
        ("able to read all files", "It is unable to read all files."),
        ("the test has been run", "the test has been runaway"),
    ],
)
def test_a_quote_that_cuts_a_word_or_a_number_is_not_found(quote: str, text: str) -> None:
    assert found(quote, text) is QuoteFault.NOT_FOUND


def test_the_sign_of_a_number_at_the_edge_belongs_to_the_quote() -> None:
    assert isinstance(found("“-5 degrees in the morning”", "it was -5 degrees in the morning"), Found)


@pytest.mark.parametrize(
    ("quote", "outcome"),
    [
        pytest.param("the", QuoteFault.TOO_SHORT, id="a word"),
        pytest.param("in its log", QuoteFault.TOO_SHORT, id="three words"),
        pytest.param("日志里说明", QuoteFault.TOO_SHORT, id="five characters"),
        pytest.param("", QuoteFault.TOO_SHORT, id="nothing"),
        pytest.param("“…”", QuoteFault.TOO_SHORT, id="punctuation alone"),
        pytest.param("so in its log", None, id="four words"),
        pytest.param("日志里说明原", None, id="six characters"),
        pytest.param("## Part 3", None, id="a short line as a whole"),
        pytest.param("no such words here", QuoteFault.NOT_FOUND, id="words that stand nowhere"),
    ],
)
def test_a_quote_has_four_words_or_six_characters_or_is_a_whole_line(quote: str, outcome: QuoteFault | None) -> None:
    at = found(quote)
    assert at is outcome if outcome else isinstance(at, Found)


def test_of_several_places_the_one_nearest_to_the_stated_line_is_taken() -> None:
    text = "one two three four\n" * 5
    assert [at.line for near in (1, 3, 9) if isinstance(at := found("one two three four", text, near=near), Found)] == [
        1,
        3,
        5,
    ]
    first = found("one two three four", text)
    assert isinstance(first, Found) and first.line == 1


CODE = "def total(items):\n    if not items:   \n        return 0\r\n    return sum(Item.price for Item in items)\n"


@pytest.mark.parametrize(
    ("quote", "line"),
    [
        pytest.param("return sum(Item.price for Item in items)", 4, id="a line"),
        pytest.param("if not items:\n        return 0\n", 2, id="two lines, other line ends"),
        pytest.param("    return 0", 3, id="a short line, indented"),
        pytest.param("return 0", 3, id="a short line, stripped"),
        pytest.param("return sum(item.price for item in items)", None, id="other case"),
        pytest.param("return  sum(Item.price for Item in items)", None, id="other space"),
        pytest.param("if not items:\nreturn 0", None, id="other indentation inside"),
        pytest.param("return sum(Item.price for Item in items, 0)", None, id="something added"),
        pytest.param("if items:", None, id="a negation dropped"),
    ],
)
def test_in_a_program_case_and_inner_space_count_and_ends_of_lines_do_not(quote: str, line: int | None) -> None:
    at = find_quote(quote, CODE, is_code=True)
    assert (at.line if isinstance(at, Found) else None) == line


def test_a_letter_with_its_mark_apart_is_the_same_letter() -> None:
    assert isinstance(found("le café est très grand", "Le cafe\u0301 est tre\u0300s grand."), Found)


words = st.text(st.sampled_from("ab 字提交.,-1\n\t”A"), max_size=40)


@given(words, words, words, st.booleans())
def test_what_is_found_holds_the_words_of_the_quote_and_nothing_is_raised(
    before: str, quote: str, after: str, is_code: bool
) -> None:
    text = f"{before}\n{quote}\n{after}"
    at = find_quote(quote, text, is_code=is_code)
    if isinstance(at, Found):
        assert at.start < at.end <= len(text) and at.line == text.count("\n", 0, at.start) + 1
        again = find_quote(text[at.start : at.end], text, is_code=is_code)
        assert isinstance(again, Found) and again.start <= at.start
