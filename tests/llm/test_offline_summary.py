import pytest

from engine.llm.offline_summary import offline_summary
from engine.llm.tokens import count_tokens
from engine.tutoring.folding import SUMMARY_LIMIT, cut_summary, source_message, summary_message


def said(*questions: str) -> str:
    return source_message(None, [{"student": question, "tutor": "an answer"} for question in questions])


def test_it_says_that_no_model_read_anything_and_lists_the_first_words() -> None:
    assert offline_summary(said("Why does\nit fail?", "x" * 100)) == (
        "Listed by fixed rules, no model has read it.\nThe student's last questions in it:\n"
        f"- Why does it fail?\n- {'x' * 47}…"
    )


def test_in_chinese_for_a_student_who_writes_chinese() -> None:
    assert offline_summary(said("为什么不过？")).splitlines() == [
        "这份摘要按固定规则列出，没有模型读过。",
        "学生在其中最后问的是：",
        "- 为什么不过？",
    ]


@pytest.mark.parametrize("question", ["why is it so ", "为什么还是不行呢", "👨‍👩‍👧‍👦"])
def test_it_stays_within_what_a_summary_may_be(question: str) -> None:
    written = offline_summary(said(*[question * 99] * 40))
    kept = cut_summary(written, 40, count_tokens)
    assert count_tokens(summary_message(40, kept)) <= SUMMARY_LIMIT
    assert kept == written or question == "👨‍👩‍👧‍👦"


@pytest.mark.parametrize("message", ["", "hello", said(), said("", "\u200b")])
def test_without_a_question_it_still_says_what_it_is(message: str) -> None:
    assert offline_summary(message) == "Listed by fixed rules, no model has read it."
