import hashlib
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.llm.tokens import count_tokens, token_bound, vocabulary


def test_the_vocabulary_is_o200k_as_its_makers_publish_it() -> None:
    published = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
    assert hashlib.sha256(vocabulary()).hexdigest() == published


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param("hello world", 2, id="english"),
        pytest.param("评审", 2, id="chinese"),
        pytest.param("<|endoftext|>", 7, id="name of a special token is ordinary text"),
        pytest.param("\ud800", 1, id="lone surrogate"),
    ],
)
def test_known_texts_count_as_o200k_counts_them(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a" * 200_000, id="one letter"),
        pytest.param("评" * 70_000, id="one Han character"),
        pytest.param("评审说登录测试没有通过" * 18_000, id="Chinese without spaces"),
        pytest.param("=" * 200_000, id="punctuation"),
        pytest.param(" " * 3_000_000, id="millions of spaces, on which the tokenizer alone gives up"),
    ],
)
def test_long_runs_are_counted_in_a_moment(text: str) -> None:
    count_tokens("warm")
    began = time.monotonic()
    assert 0 < count_tokens(text) <= token_bound(text)
    assert time.monotonic() - began < 5


def test_cutting_a_long_text_into_slices_hardly_changes_the_estimate() -> None:
    line = "The test expects 200 but gets 401. "
    assert count_tokens(line * 10_000) == pytest.approx(count_tokens(line) * 10_000, rel=0.2)


@settings(max_examples=200)
@given(st.text())
def test_no_text_has_more_tokens_than_the_bound(text: str) -> None:
    assert count_tokens(text) <= token_bound(text)


def test_the_bound_is_the_number_of_utf8_bytes() -> None:
    assert token_bound("a评😀") == 1 + 3 + 4


def test_threads_may_count_at_once() -> None:
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(count_tokens, ["hello world"] * 64)) == {2}
