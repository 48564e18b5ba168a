"""One version alone: numbered as requests name its parts, whole, and harmless."""

import re

import pytest

from engine.domain.edit import EditMessage, MessageFacts, MessageKind
from engine.domain.states import Role
from engine.revision.blocks import opening_heading
from pages._widgets.edit_talk import shown_at_once
from pages._widgets.version_text import text_html
from tests.insight.builders import NOW

TEXT = "# Head\n\nOne.\n\n- a list\n\nTwo & <b>more</b>.\n"


def numbers(html: str) -> list[str]:
    return re.findall(r'class="g" data-l="(\d*)"', html)


def test_prose_has_its_paragraphs_numbered_and_is_wrapped() -> None:
    html = text_html(TEXT, 99, is_code=False, wraps=True)
    assert [each for each in numbers(html) if each] == ["1", "2"]
    assert "inline wrap" in html and "mono" not in html


@pytest.mark.parametrize(("wraps", "looks"), [(False, "inline keep mono"), (True, "inline wrap mono")])
def test_code_has_its_lines_numbered_in_letters_of_one_width_whether_wrapped_or_not(wraps: bool, looks: str) -> None:
    html = text_html("x = 1\n\ny = 2\n", 99, is_code=True, wraps=wraps)
    assert numbers(html) == ["1", "2", "3"]
    assert looks in html


def test_nothing_of_a_text_is_markup_and_no_more_rows_are_drawn_than_asked_for() -> None:
    assert "<b>" not in text_html(TEXT, 99, is_code=False, wraps=True)
    assert len(numbers(text_html("a\n" * 50, 20, is_code=True, wraps=False))) == 20


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# My report\n\nText.", "My report"),
        ("\n\n# 报告 #\n", "报告"),
        ("## A part\n", ""),
        ("Text.\n\n# Later\n", ""),
        ("", ""),
    ],
)
def test_a_text_without_a_title_has_that_of_the_heading_it_opens_with(text: str, title: str) -> None:
    assert opening_heading(text) == title


def message(seq: int, kind: MessageKind, other: int = 0) -> EditMessage:
    return EditMessage(
        message_id=str(seq),
        seq=seq,
        role=Role.ASSISTANT,
        kind=kind,
        words="",
        facts=MessageFacts(other=other),
        suggestion_id=None,
        revision_id=None,
        written_at=NOW,
    )


@pytest.mark.parametrize(
    ("messages", "newest", "shown"),
    [
        ([message(1, MessageKind.SUGGESTION), message(2, MessageKind.APPLIED, 3)], 3, ["2", "1"]),
        ([message(1, MessageKind.SUGGESTION), message(2, MessageKind.APPLIED, 3)], 5, []),
        ([message(1, MessageKind.APPLIED, 3), message(2, MessageKind.UNDONE, 4)], 4, ["2", "1"]),
        ([message(1, MessageKind.APPLIED, 3), message(2, MessageKind.FAILED)], 5, ["2", "1"]),
        ([message(1, MessageKind.SUGGESTION), message(2, MessageKind.COLLECTED)], 2, ["2", "1"]),
        (
            [message(1, MessageKind.SUGGESTION), message(2, MessageKind.COLLECTED), message(3, MessageKind.APPLIED, 3)],
            3,
            ["3", "1"],
        ),
    ],
    ids=["of the newest", "overtaken", "undone", "failed", "collecting", "applied after collecting"],
)
def test_what_was_said_of_an_older_version_is_folded(
    messages: list[EditMessage], newest: int, shown: list[str]
) -> None:
    assert [each.message_id for each in shown_at_once(messages, (), newest)] == shown
