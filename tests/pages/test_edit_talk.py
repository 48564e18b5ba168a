"""The conversation about a text on the Revisions page, without a browser."""

import pytest
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.testing.v1 import AppTest

from engine.domain.artifact import VersionLine
from engine.domain.edit import EditConversation, SuggestionState
from engine.domain.people import LOCAL_VIEWER, Viewer
from engine.domain.states import Language
from engine.work.artifact_store import ArtifactStore
from tests.pages.conftest import OpenPage
from tests.pages.test_revisions_page import demo, lines, report
from tests.pages.test_tutor_page import words_of
from tests.tutoring.room import wait_until


def talk(language: Language = Language.EN) -> EditConversation:
    return demo().edits.conversation(LOCAL_VIEWER, report(language).artifact.artifact_id)


def ask(at: AppTest, words: str, *, collect: bool = False, language: Language = Language.EN) -> AppTest:
    """Type a suggestion, send it, and draw the page once it has ended."""
    artifact_id = report(language).artifact.artifact_id
    if collect:
        at.segmented_control(key=f"edit_mode_{artifact_id}").set_value("collect").run()
    at.text_area(key=f"edit_words_{artifact_id}").set_value(words).run()
    at.button(key="edit_send").click().run()
    wait_until(lambda: not talk(language).running)
    return at.run()


def press(at: AppTest, prefix: str) -> AppTest:
    """Press the only button whose key begins so."""
    (found,) = [one for one in at.button if (one.key or "").startswith(prefix)]
    return found.click().run()


@pytest.mark.parametrize(
    ("language", "words", "done", "meter"),
    [
        (
            Language.EN,
            "delete the last paragraph",
            "paragraph 4 removed",
            "Outside the part you named, 100% is unchanged.",
        ),
        (Language.ZH, "删掉最后一段", "删了第 4 段", "你说的那一部分以外，100% 没有动。"),
    ],
)
def test_a_suggestion_is_applied_shown_and_taken_back(
    open_page: OpenPage, language: Language, words: str, done: str, meter: str
) -> None:
    at = open_page("revisions.py", lang=language)
    before = report(language).newest
    at = ask(at, words, language=language)
    assert not at.exception and not at.error
    assert report(language).newest.number == before.number + 1
    assert f"V{before.number}→V{before.number + 1}" in words_of(at)
    assert done in words_of(at)
    assert meter in [one.proto.text for one in at.get("progress")]
    assert at.text_area(key=f"edit_words_{before.artifact_id}").value == ""
    press(at, "edit_undo_")
    assert report(language).newest.number == before.number + 2
    assert not [one for one in at.button if (one.key or "").startswith("edit_undo_")]


def test_an_edit_that_ends_while_the_page_is_read_is_told_with_its_version_or_not_yet(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = open_page("revisions.py", lang="en")
    artifact_id = report().artifact.artifact_id
    at.text_area(key=f"edit_words_{artifact_id}").set_value("delete the last paragraph").run()
    read = ArtifactStore.versions

    def read_slowly(store: ArtifactStore, viewer: Viewer, artifact_id: str) -> tuple[VersionLine, ...]:
        found = read(store, viewer, artifact_id)
        if get_script_run_ctx() is not None:  # the page, not the edit itself
            wait_until(lambda: not talk().running)
        return found

    monkeypatch.setattr(ArtifactStore, "versions", read_slowly)
    at.button(key="edit_send").click().run()
    assert lines()[-1].number == 7
    is_told = "V6→V7" in words_of(at)
    assert is_told == (at.button(key="version_edit").label == "Edit V7 by hand")
    assert is_told or ":shimmer[" in words_of(at)


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
    press(at.run(), f"asked_{talk().revisions[-1].revision_id}")
    assert "A model was asked to change the text by this, and by nothing else: delete the last" in words_of(at)


def test_what_needs_a_model_says_so_and_can_be_put_differently(open_page: OpenPage) -> None:
    at = ask(open_page("revisions.py", lang="en"), "make it livelier")
    said = words_of(at)
    assert "No model is connected" in said
    assert "Not applied" in said
    press(at, "edit_reword_")
    artifact_id = report().artifact.artifact_id
    assert at.text_area(key=f"edit_words_{artifact_id}").value == "make it livelier"
    assert talk().suggestions[-1].state is SuggestionState.WITHDRAWN


@pytest.mark.parametrize(
    ("lang", "words", "said"),
    [
        ("en", "replace “kiosk” with “desk”", "“kiosk” does not occur in the text"),
        ("zh", "把“信息亭”换成“服务台”", "文中没有“信息亭”"),
    ],
)
def test_words_that_are_not_in_the_text_are_told_and_the_request_is_kept(
    open_page: OpenPage, lang: str, words: str, said: str
) -> None:
    at = ask(open_page("revisions.py", lang=lang), words, language=Language(lang))
    assert said in words_of(at).replace("\\", "")
    assert any((one.key or "").startswith("edit_reword_") for one in at.button)


def test_a_request_that_failed_twice_stands_there_once_with_its_ways_on(open_page: OpenPage) -> None:
    at = ask(open_page("revisions.py", lang="en"), "make it livelier")
    press(at, "edit_retry_")
    wait_until(lambda: not talk().running)
    at.run()
    folded = [one.key for expander in at.expander for one in expander.button]
    assert [one.key for one in at.button if (one.key or "").startswith("edit_retry_") and one.key not in folded]
    said = [one.value for one in at.markdown if "No model is connected" in one.value]
    earlier = [one for expander in at.expander for one in expander.markdown if "No model is connected" in one.value]
    assert len(said) - len(earlier) == 1


def test_what_cannot_be_found_is_asked_back_and_nothing_is_refused(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en")
    before = talk().suggestions
    at.button(key="edit_send").click().run()
    assert at.error
    assert talk().suggestions == before
    at = ask(at, "make paragraph 99 shorter")
    assert "Which paragraph is meant by “paragraph 99”?" in words_of(at)


def test_what_is_typed_is_there_again_after_a_reload(open_page: OpenPage) -> None:
    at = open_page("revisions.py", lang="en")
    artifact_id = report().artifact.artifact_id
    at.text_area(key=f"edit_words_{artifact_id}").set_value("make the fi").run()
    again = open_page("revisions.py", lang="en")
    assert again.text_area(key=f"edit_words_{artifact_id}").value == "make the fi"


def fault(lang: str, code: str) -> None:
    import streamlit as st

    from engine.domain.edit import MessageFacts
    from engine.domain.states import Language
    from pages._widgets.edit_words import fault_sentence
    from pages._widgets.words import settle

    settle(Language(lang))
    st.text(fault_sentence(MessageFacts(fault=code, count=9_000, limit=4_000)))


@pytest.mark.parametrize(
    ("lang", "code", "said"),
    [
        ("en", "too_long", "about 9000 characters of the text, and the model can change about 4000 at one time"),
        ("zh", "too_long", "涉及 9000 个字，模型一次大约只能改 4000 个字"),
        ("en", "cut", "reached its limit of length"),
        ("zh", "cut", "写到长度上限"),
    ],
)
def test_what_is_too_long_and_what_was_cut_is_told(lang: str, code: str, said: str) -> None:
    at = AppTest.from_function(fault, args=(lang, code)).run()
    assert said in at.text[0].value
