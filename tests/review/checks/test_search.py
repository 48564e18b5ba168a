import pytest
import regex

from engine.review.checks.search import Hit, hits


def test_the_first_hit_of_each_file_is_given_in_the_order_of_the_files() -> None:
    texts = [("b", "no\nx 1\nx 2"), ("none", "y"), ("a", "x 3")]
    assert hits(r"x \d", texts) == [Hit(path="b", line=2, text="x 1"), Hit(path="a", line=1, text="x 3")]


def test_a_hit_over_several_lines_stands_where_it_begins() -> None:
    assert hits(r"b\s+c", [("a", "a\nb\n\nc")]) == [Hit(path="a", line=2, text="b")]


def test_a_pattern_that_does_not_come_to_an_end_is_an_error_that_names_the_file() -> None:
    with pytest.raises(TimeoutError, match=r"a\.txt"):
        hits("(?:a|a)+[bd]", [("a.txt", "a" * 200 + "c")], seconds=0.1)


def test_what_is_no_pattern_is_an_error() -> None:
    with pytest.raises(regex.error):
        hits("(", [])
