"""Replies of the four kinds as a student sees them."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import TurnEnd
from engine.domain.states import TurnState
from engine.tutoring.reply import read_reply
from pages import _wiring
from tests.pages.conftest import OpenPage

HELD_BACK = ("kind:", "plan:", '"title"', '"steps"')


def a_plan(title: str, what: str) -> str:
    step = {"what": what, "done_when": f"{title} can be seen"}
    return f"kind: plan\nHere is {title}.\n\nplan:\n" + json.dumps({"title": title, "steps": [step]})


def answer(at: AppTest, *replies: str) -> AppTest:
    """Ask in the conversation on the screen and be answered so, once for each reply; then look again."""
    demo = _wiring.workbench().demo
    turn_id = next(str(button.key) for button in at.button if str(button.key).startswith("saw_")).removeprefix("saw_")
    conversation_id = demo.sessions.turn(LOCAL_VIEWER, turn_id).conversation_id
    for number, written in enumerate(replies):
        turn = demo.sessions.begin_turn(LOCAL_VIEWER, conversation_id, f"wish {number}", demo.worker.lease)
        said = read_reply(written)
        end = TurnEnd(state=TurnState.DONE, reply=said.text, kind=said.kind, plan=said.plan)
        assert demo.sessions.end_turn(LOCAL_VIEWER, turn.turn_id, end)
    at.run()
    assert not at.exception
    return at


def shown(block: object) -> str:
    """Everything that is written in a block."""
    assert hasattr(block, "markdown") and hasattr(block, "caption")
    return "\n".join(str(each.value) for each in (*block.markdown, *block.caption))


WORDS = {
    "en": ("Plan V1", "Plan V2", "replaced by V2", "Side by side with V1", "Done when:"),
    "zh": ("计划 V1", "计划 V2", "已由 V2 取代", "与 V1 并排看", "完成的标志："),
}


@pytest.mark.parametrize("lang", WORDS)
def test_a_change_of_mind_shows_both_versions_of_the_plan_and_puts_them_side_by_side(
    open_page: OpenPage, lang: str
) -> None:
    at = answer(open_page("tutor.py", lang=lang), a_plan("A", "Sell *paper*"), a_plan("B", "Sell audio"))
    first, second, replaced, beside, done_when = WORDS[lang]
    older, newer = (
        shown(message) for message in at.chat_message if message.name == "assistant" if "Here is" in shown(message)
    )
    assert first in older and replaced in older and "Sell \\*paper\\*" in older and second not in older
    assert second in newer and "Sell audio" in newer and f"{done_when}] B can be seen" in newer
    assert [expander.label for expander in at.expander if "V1" in expander.label] == [beside]
    left, right = (shown(column) for column in at.columns if "can be seen" in shown(column))
    assert first in left and replaced in left and "Sell audio" not in left
    assert second in right and replaced not in right and "paper" not in right
    assert not [held for held in HELD_BACK if held in older + newer]


def test_a_first_plan_stands_alone(open_page: OpenPage) -> None:
    at = answer(open_page("tutor.py"), a_plan("A", "Sell paper"))
    assert "Plan V1" in shown(at.chat_message[-1])
    assert not [expander for expander in at.expander if "V1" in expander.label]
    assert not [column for column in at.columns if "can be seen" in shown(column)]


def test_a_question_back_looks_like_one_and_a_chat_does_not(open_page: OpenPage) -> None:
    at = answer(open_page("tutor.py"), "kind: ask\nWhich one?", "This one.")
    asked, chatted = at.chat_message[-3], at.chat_message[-1]
    assert (shown(asked).splitlines()[0], asked.avatar) == ("Which one?", ":material/contact_support:")
    assert (shown(chatted).splitlines()[0], chatted.avatar) == ("This one.", ":material/school:")


def test_a_plan_that_cannot_be_read_shows_its_words_and_folds_the_rest_away(open_page: OpenPage) -> None:
    at = answer(open_page("tutor.py"), 'kind: plan\nHere is A.\n\nplan:\n{"title": "A", <b>')
    last = at.chat_message[-1]
    assert "Here is A." in shown(last) and "cannot be read" in shown(last)
    assert not [held for held in HELD_BACK if held in shown(last)]
    assert [code.value for code in last.expander[0].code] == ['plan:\n{"title": "A", <b>']
