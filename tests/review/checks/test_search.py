import threading
from time import process_time

import pytest
import regex

from engine.review.checks.search import (
    LONG_LINE,
    OVERLAP,
    PATTERN_REPEATS,
    WINDOW,
    Hit,
    compiled,
    has_long_line,
    repeats,
    search,
)

CATASTROPHIC = "(?:a|a)+[bd]"


def test_the_first_hit_of_each_file_is_given_in_the_order_of_the_files() -> None:
    texts = [("b", "no\nx 1\nx 2"), ("none", "y"), ("a", "x 3")]
    assert search(r"x \d", texts).hits == (Hit(path="b", line=2, text="x 1"), Hit(path="a", line=1, text="x 3"))


def test_a_hit_over_several_lines_stands_where_it_begins() -> None:
    assert search(r"b\s+c", [("a", "a\nb\n\nc")]).hits == (Hit(path="a", line=2, text="b"),)


def test_a_pattern_that_does_not_come_to_an_end_is_an_error_that_names_the_file() -> None:
    with pytest.raises(TimeoutError, match=r"a\.txt"):
        search(CATASTROPHIC, [("a.txt", "a" * 200 + "c")], seconds=0.1)


def test_a_file_with_lines_that_nobody_wrote_is_what_was_too_much() -> None:
    found = search(CATASTROPHIC, [("a", "a" * (LONG_LINE + 1)), ("b", "aab")], seconds=0.1)
    assert (found.too_big, found.hits) == (("a",), (Hit(path="b", line=1, text="aab"),))


def test_a_search_ends_by_the_clock_however_many_files_there_are() -> None:
    begun = process_time()
    found = search(CATASTROPHIC, [(str(n), "a" * (LONG_LINE + 1)) for n in range(10)], seconds=0.2)
    assert len(found.too_big) == 10
    assert process_time() - begun < 10


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(0, 0, id="alone"),
        pytest.param(WINDOW - 3, 9, id="across the end of the first window"),
        pytest.param(2 * WINDOW, 9, id="in a later window"),
        pytest.param(WINDOW - OVERLAP, WINDOW, id="where two windows overlap"),
    ],
)
def test_a_long_file_is_searched_to_its_end(before: int, after: int) -> None:
    (hit,) = search("nee+dle", [("a", "-" * before + "needle" + "-" * after)]).hits
    assert (hit.line, len(hit.text)) == (1, before + 6 + after)


def test_the_line_of_a_hit_in_a_late_window_is_counted_from_the_beginning_of_the_file() -> None:
    body = "0123456789\n" * 200_000 + "needle\n"
    assert search("^needle$", [("a", body)]).hits == (Hit(path="a", line=200_001, text="needle"),)


def test_the_end_of_a_window_is_no_end_of_a_line() -> None:
    body = "0123456789abcdef\n" * 150_000
    assert search("[0-9]$", [("a", body)]).hits == ()


@pytest.mark.parametrize(
    ("body", "long"),
    [
        pytest.param("", False, id="empty"),
        pytest.param("x" * LONG_LINE, False, id="as long as may be"),
        pytest.param("x" * (LONG_LINE + 1), True, id="one more"),
        pytest.param("x\n" * LONG_LINE, False, id="many lines"),
        pytest.param("x\n" + "y" * (LONG_LINE + 1) + "\nz", True, id="in the middle"),
    ],
)
def test_a_long_line_is_one_no_person_writes(body: str, long: bool) -> None:
    assert has_long_line(body) is long


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        pytest.param("abc", 1, id="none"),
        pytest.param("a{3}", 3, id="one"),
        pytest.param("(a{30}){40}b{2,5}", 6000, id="multiplied, the larger bound"),
        pytest.param("a{3,}", 3, id="without an end"),
        pytest.param(r"a\{900}", 1, id="a literal brace"),
        pytest.param(r"\\{900}", 900, id="a literal backslash before a count"),
        pytest.param("a{0}", 1, id="nothing"),
    ],
)
def test_the_counts_of_a_pattern_are_multiplied(pattern: str, count: int) -> None:
    assert repeats(pattern) == count


@pytest.mark.parametrize("pattern", ["a{1000000000}", "(?:(?:a{1000}){1000}){1000}", "(?:a{1,1000}){1,1000}"])
def test_a_pattern_that_would_be_unfolded_without_end_is_refused_at_once(pattern: str) -> None:
    begun = process_time()
    with pytest.raises(regex.error, match=str(PATTERN_REPEATS)):
        compiled(pattern)
    assert process_time() - begun < 1


def test_what_is_no_pattern_is_an_error() -> None:
    with pytest.raises(regex.error):
        search("(", [])


def test_a_search_holds_up_nobody_else() -> None:
    ticks, ended = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not ended.wait(0.001):
            ticks += 1

    other = threading.Thread(target=tick)
    other.start()
    with pytest.raises(TimeoutError):
        search(CATASTROPHIC, [("a", "a" * 200 + "c")], seconds=0.5)
    ended.set()
    other.join()
    assert ticks >= 10
