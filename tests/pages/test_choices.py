"""A field that tells of a change although it shows what it showed changes nothing.

Streamlit does so with the next click where a field was new in a run that another one cut short.
"""

from collections.abc import Callable
from typing import cast

import pytest
import streamlit as st

from engine.domain.people import LOCAL_VIEWER
from pages._widgets.evidence import BEGIN
from pages._widgets.task_list import NEW_IN
from tests.pages.conftest import OpenPage
from tests.pages.test_evidence import opened
from tests.pages.test_review_queue_page import REASON, at_judgement, decide
from tests.pages.test_revisions_page import demo, save_elsewhere
from tests.pages.test_saw import open_view
from tests.pages.test_summary_line import turns_on

FIELDS = ("selectbox", "segmented_control", "radio", "pills")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Lets every field that is drawn tell of a change at once; gives their keys."""
    keys: list[str] = []
    for name in FIELDS:
        monkeypatch.setattr(st, name, telling(getattr(st, name), keys))
    return keys


def telling(draw: Callable[..., object], keys: list[str]) -> Callable[..., object]:
    def drawn(*args: object, **options: object) -> object:
        chosen = draw(*args, **options)
        on_change = options.get("on_change")
        if callable(on_change):
            keys.append(str(options["key"]))
            on_change(*cast(tuple[object, ...], options.get("args", ())))
        return chosen

    return drawn


@pytest.mark.parametrize("whose", ["", "teachers"], ids=["of a student", "of the teachers"])
def test_an_editor_stays_open(open_page: OpenPage, told: list[str], whose: str) -> None:
    address = {"edit": "1", "draft": "d1", **({"whose": whose} if whose else {})}
    at = open_page("revisions.py", lang="en", **address)
    assert not at.exception and not at.error
    assert {"choose_course", "choose_task", "choose_student", "text_whose"} <= set(told)
    assert any(key.startswith("text_which") for key in told)
    assert {name: at.query_params[name] for name in address if name in at.query_params} == address


def test_two_versions_are_not_nailed_down(open_page: OpenPage, told: list[str]) -> None:
    at = open_page("revisions.py", lang="en")
    assert any(key.startswith("version_old") for key in told)
    assert "old" not in at.query_params
    save_elsewhere("What came meanwhile.")
    assert [one.value for one in at.run().selectbox if (one.key or "").startswith("version_")][1] == 7


def test_the_form_of_a_new_task_stays_open(open_page: OpenPage, told: list[str]) -> None:
    course = demo().courses.courses(LOCAL_VIEWER)[0]
    at = open_page("courses.py", lang="en")
    at.session_state[NEW_IN] = course.projects[0].project_id
    at.run()
    assert "task_list_choice" in told
    assert NEW_IN in at.session_state


def test_a_conversation_that_is_about_to_begin_is_not_left(open_page: OpenPage, told: list[str]) -> None:
    at = open_page("tutor.py", lang="en", conversation="new")
    assert any(key.startswith("conversation_choice") for key in told)
    assert at.query_params["conversation"] == "new"
    assert "task" not in at.query_params


def test_the_queue_stays_at_its_item_and_keeps_what_was_typed_over_a_reason(
    open_page: OpenPage, told: list[str]
) -> None:
    at = at_judgement(open_page)
    assert "queue_kind" in told
    decide(at, 1)
    at.button(key="queue_undo").click().run()
    (used,) = [one for one in at.pills if str(one.key).startswith("queue_used_")]
    used.set_value(REASON).run()
    at.text_area[0].set_value("In my own words.").run()
    assert not at.exception
    assert at.text_area[0].value == "In my own words."


def test_a_file_stays_open_at_its_line(open_page: OpenPage, told: list[str]) -> None:
    at = opened(open_page, "login.py:2")
    at.session_state[BEGIN] = 1
    at.run()
    assert not at.exception
    assert any(key.startswith("evidence_file_") for key in told)
    assert at.query_params["file"] == "login.py:2"
    assert at.session_state[BEGIN] == 1


def test_the_board_keeps_its_address(open_page: OpenPage, told: list[str]) -> None:
    address = {"show": "stuck", "sort": "name", "from": "1"}
    at = open_page("board.py", lang="en")
    for name, value in address.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    assert {"board_groups", "choose_sort", "choose_view"} <= set(told)
    assert {name: at.query_params[name] for name in at.query_params if name != "lang"} == address


def test_no_language_is_nailed_down(open_page: OpenPage, told: list[str]) -> None:
    at = open_page("settings.py")
    assert "settings_language" in told
    assert "lang" not in at.query_params


def test_no_turn_to_compare_with_is_nailed_down(open_page: OpenPage, told: list[str]) -> None:
    at = open_view(open_page, turns_on(open_page("tutor.py"))[2], "Compare")
    assert "saw_with" in told
    assert "with" not in at.query_params
