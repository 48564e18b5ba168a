import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.llm.offline_intents import Intent, quote_tried, read_intent


@pytest.mark.parametrize(
    ("words", "intent"),
    [
        ("I fixed it", Intent.CLAIMS_FIXED),
        ("it works now, what next?", Intent.CLAIMS_FIXED),
        ("I tried 401 and now it passes", Intent.CLAIMS_FIXED),
        ("I am not sure about the rest, but login is fixed", Intent.CLAIMS_FIXED),
        ("登录测试我修好了", Intent.CLAIMS_FIXED),
        ("还没有看懂全部，不过登录改好了", Intent.CLAIMS_FIXED),
        ("it is still not fixed", Intent.OTHER),
        ("it doesn't look fixed", Intent.OTHER),
        ("how is this fixed?", Intent.OTHER),
        ("还没修好", Intent.OTHER),
        ("怎么才算改好", Intent.OTHER),
        ("Please make me a plan", Intent.ASKS_PLAN),
        ("No, give me another plan", Intent.ASKS_PLAN),
        ("帮我列个计划", Intent.ASKS_PLAN),
        ("Is my plan good?", Intent.OTHER),
        ("What changed?", Intent.ASKS_CHANGES),
        ("和上次比有什么变化", Intent.ASKS_CHANGES),
        ("By which criteria is this judged?", Intent.ASKS_CRITERIA),
        ("有哪些标准？", Intent.ASKS_CRITERIA),
        ("What will be looked at?", Intent.ASKS_CRITERIA),
        ("评审会看什么？", Intent.ASKS_CRITERIA),
        ("What can I do meanwhile?", Intent.ASKS_NEXT),
        ("Where should I begin?", Intent.ASKS_NEXT),
        ("Why is it not met?", Intent.ASKS_WHY),
        ("Explain the error", Intent.ASKS_WHY),
        ("I don’t understand the reason", Intent.ASKS_WHY),
        ("为什么没过", Intent.ASKS_WHY),
        ("I tried to mock the clock", Intent.TELLS_TRIED),
        ("我试过换一个端口", Intent.TELLS_TRIED),
        ("What should I do next?", Intent.ASKS_NEXT),
        ("下一步做什么", Intent.ASKS_NEXT),
        ("hello", Intent.OTHER),
        ("", Intent.OTHER),
    ],
)
def test_words_are_taken_for_what_they_ask(words: str, intent: Intent) -> None:
    assert read_intent(words) is intent


@pytest.mark.parametrize(
    ("words", "quote"),
    [
        ("Hello there. I tried 3.5 seconds. Still red.", "I tried 3.5 seconds."),
        ("你好。我试过 401。\n还是红的", "我试过 401。"),
        ("I tried\n  two   lines", "I tried"),
    ],
)
def test_the_sentence_that_tells_the_try_is_quoted(words: str, quote: str) -> None:
    assert quote_tried(words) == quote


@given(st.text(max_size=300))
def test_a_quote_is_one_line_of_at_most_60_characters(words: str) -> None:
    quote = quote_tried(words)
    assert len(quote) <= 60
    assert len(quote.splitlines()) <= 1


def test_a_quote_never_splits_a_character_that_is_seen_as_one() -> None:
    family = "👩‍👩‍👧‍👦"
    assert quote_tried("I tried " + family * 20) == "I tried " + family * 7 + "…"
