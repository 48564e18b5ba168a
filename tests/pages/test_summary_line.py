"""Where the tutor's view of a conversation begins, on the page and in what the tutor saw."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import Turn
from engine.domain.states import TurnState
from engine.domain.summary import Summary
from engine.tutoring.folding import summary_message
from pages import _wiring
from tests.pages.conftest import OpenPage


def turns_on(at: AppTest) -> list[Turn]:
    """The turns on the page, oldest first."""
    ids = [button.key.removeprefix("saw_") for button in at.button if button.key and button.key.startswith("saw_")]
    return [_wiring.workbench().demo.sessions.turn(LOCAL_VIEWER, turn_id) for turn_id in ids]


def summarise(last: Turn, turns: int, model: str) -> None:
    """The turns up to `last` have a summary from here on."""
    summary = Summary(
        conversation_id=last.conversation_id,
        up_to_seq=last.seq,
        up_to_number=last.number,
        turns=turns,
        text="What was said <b>before</b>",
        tokens=30,
        model=model,
        made_at=last.started_at,
    )
    assert _wiring.workbench().demo.summaries.keep(LOCAL_VIEWER, summary)


LABELS = {
    "en": "Older than this line the tutor reads as a summary (2 turns)",
    "zh": "这条线以上，导师读到的是摘要（2 轮）",
}


@pytest.mark.parametrize("lang", LABELS)
def test_a_line_stands_before_the_first_turn_that_is_read_as_it_was_said(open_page: OpenPage, lang: str) -> None:
    at = open_page("tutor.py", lang=lang)
    assert [each for each in at.expander if each.label == LABELS[lang]] == []
    turns = turns_on(at)
    summarise(turns[1], 2, "big")
    at.run()
    assert not at.exception
    (line,) = [each for each in at.expander if each.label == LABELS[lang]]
    assert "What was said" in line.markdown[0].value and "<b>" not in line.markdown[0].value
    assert "big" in line.caption[0].value


def test_a_list_by_fixed_rules_says_that_no_model_wrote_it(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    summarise(turns_on(at)[0], 1, "offline")
    at.run()
    (line,) = [each for each in at.expander if each.label.endswith("as a summary (1 turn)")]
    assert line.caption[0].value == "Listed without a model, by fixed rules."


def test_what_the_tutor_saw_shows_the_summary_and_how_large_the_request_was(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    last = turns_on(at)[1]
    summarise(last, 2, "big")
    space = _wiring.workbench().demo
    turn = space.tutor.begin(LOCAL_VIEWER, last.conversation_id, "What now?", space.worker.lease)
    space.tutor.answer(LOCAL_VIEWER, turn)
    assert space.sessions.turn(LOCAL_VIEWER, turn.turn_id).state is TurnState.DONE
    at = open_page("tutor.py", turn=turn.turn_id)
    assert not at.exception
    said = "\n".join(str(each.value) for each in [*at.markdown, *at.caption])
    assert "2 older turns went along as a summary." in said
    assert re.search(r"about [\d,]+ of 16,000 tokens; by any count it fits", said)
    labels = [each.label for each in at.expander if f"Turns 1 to {last.number} as a summary" in each.label]
    assert len(labels) == 1 and "as data" in labels[0]
    assert any(each.value == summary_message(2, "What was said <b>before</b>") for each in at.code)
