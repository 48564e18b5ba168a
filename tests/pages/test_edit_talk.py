"""The conversation about a text on the Revisions page, without a browser."""

import pytest
from streamlit.testing.v1 import AppTest

from engine.domain.edit import EditConversation, SuggestionState
from engine.domain.people import LOCAL_VIEWER
from tests.pages.conftest import OpenPage
from tests.pages.test_revisions_page import demo, lines, report
from tests.pages.test_tutor_page import words_of
from tests.tutoring.room import wait_until


def talk() -> EditConversation:
    return demo().edits.conversation(LOCAL_VIEWER, report().artifact.artifact_id)


def ask(at: AppTest, words: str, *, collect: bool = False) -> AppTest:
    """Type a suggestion, send it, and draw the page once it has ended."""
    artifact_id = report().artifact.artifact_id
    if collect:
        at.segmented_control(key=f"edit_mode_{artifact_id}").set_value("collect").run()
    at.text_area(key=f"edit_words_{artifact_id}").set_value(words).run()
    at.button(key="edit_send").click().run()
    wait_until(lambda: not talk().running)
    return at.run()


def button(at: AppTest, prefix: str) -> object:
    (found,) = [one for one in at.button if (one.key or "").startswith(prefix)]
    return found


@pytest.mark.parametrize(
    ("lang", "words", "done", "meter"),
    [
        ("en", "delete the last paragraph", "paragraph", "Outside the part you named, 100% is unchanged."),
        ("zh", "删掉最后一段", "删了第", "你说的那一部分以外，100% 没有动。"),
    ],
)
def test_a_suggestion_is_applied_shown_and_taken_back(
    open_page: OpenPage, lang: str, words: str, done: str, meter: str
) -> None:
    at = open_page("revisions.py", lang="en")
    if lang == "zh":
        at.query_params["lang"] = "zh"
        at.run()
    before = lines()[-1]
    at = ask(at, words)
    assert not at.exception and not at.error
    assert lines()[-1].number == before.number + 1
    said = words_of(at)
    assert f"V{before.number}→V{before.number + 1}" in said
    assert done in said
    assert meter in [one.proto.text for one in at.get("progress")]
    assert at.text_area(key=f"edit_words_{before.artifact_id}").value == ""
    button(at, "edit_undo_").click().run()  # type: ignore[attr-defined]  # a button of the page
    assert lines()[-1].number == before.number + 2
    assert not [one for one in at.button if (one.key or "").startswith("edit_undo_")]


def test_collected_suggestions_are_listed_put_away_and_applied_together(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en")
    number = lines()[-1].number
    at = ask(at, "delete the last paragraph", collect=True)
    at = ask(at, "make it livelier", collect=True)
    assert lines()[-1].number == number
    assert at.button(key="edit_apply_all").label == "Apply all 2 requests"
    livelier = talk().suggestions[-1]
    at.button(key=f"edit_away_{livelier.suggestion_id}").click().run()
    at.button(key="edit_apply_all").click().run()
    wait_until(lambda: not talk().running)
    assert lines()[-1].number == number + 1


def test_what_needs_a_model_says_so_and_can_be_put_differently(open_page: OpenPage) -> None:
    at = ask(open_page("revisions.py", lang="en"), "make it livelier")
    said = words_of(at)
    assert "No model is connected" in said
    assert "Not applied" in said
    button(at, "edit_reword_").click().run()  # type: ignore[attr-defined]  # a button of the page
    artifact_id = report().artifact.artifact_id
    assert at.text_area(key=f"edit_words_{artifact_id}").value == "make it livelier"
    assert talk().suggestions[-1].state is SuggestionState.WITHDRAWN


def test_what_cannot_be_found_is_asked_back(open_page: OpenPage) -> None:
    at = ask(open_page("revisions.py", lang="en"), "make paragraph 99 shorter")
    assert "Which paragraph is meant by “paragraph 99”?" in words_of(at)


def test_nothing_to_ask_for_is_refused(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en")
    at.button(key="edit_send").click().run()
    assert at.error
    assert talk().suggestions == demo().edits.conversation(LOCAL_VIEWER, report().artifact.artifact_id).suggestions


def test_what_is_typed_is_there_again_after_a_reload(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en")
    artifact_id = report().artifact.artifact_id
    at.text_area(key=f"edit_words_{artifact_id}").set_value("make the fi").run()
    again = open_page("revisions.py", lang="en")
    assert again.text_area(key=f"edit_words_{artifact_id}").value == "make the fi"


def test_what_the_editor_saw_can_be_opened(open_page: OpenPage) -> None:
    at = ask(open_page("revisions.py", lang="en"), "delete the last paragraph")
    button(at, "asked_").click().run()  # type: ignore[attr-defined]  # a button of the page
    assert "A model was asked to change the text by this, and by nothing else: delete the last paragraph" in words_of(
        at
    )
