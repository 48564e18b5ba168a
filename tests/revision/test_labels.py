"""A quote of a text that somebody else wrote: one line, short, and with nothing in it that hides."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.revision.showing.labels import short_quote
from tests.revision.graphemes import cuts

QUOTES = {
    "as it is": ("Plan of work", 12, "Plan of work"),
    "one too long": ("Plan of works", 12, "Plan of wor…"),
    "Han is two wide": ("一二三四", 8, "一二三四"),
    "Han cut": ("一二三四五", 8, "一二三…"),
    "no space before the ellipsis": ("Plan of", 6, "Plan…"),
    "one line": ("a\n\t b\u3000c", 9, "a b c"),
    "what hides": ("a\u202eb\u200bc\x00", 9, "abc"),
    "an emoji is whole": ("👩\u200d🔬👩\u200d🔬", 3, "👩\u200d🔬…"),
    "from right to left": ("שלום", 9, "\u2068שלום\u2069"),
    "nothing": (" ", 9, ""),
}


@pytest.mark.parametrize(("text", "columns", "quote"), QUOTES.values(), ids=QUOTES)
def test_a_quote_is_short_and_shows_all_that_it_says(text: str, columns: int, quote: str) -> None:
    assert short_quote(text, columns) == quote


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["a", "登", " ", "👩\u200d🔬", "e\u0301", "🇩🇪"]), max_size=30).map("".join))
def test_a_quote_is_the_beginning_of_the_line_and_cuts_no_letter(text: str) -> None:
    line, quote = " ".join(text.split()), short_quote(text, 12)
    kept = quote.removesuffix("…")
    assert line.startswith(kept) and len(kept) in cuts(line) | {0}
    assert (kept == line) == (quote == line)
