"""A field that tells of a change although it shows what it showed changes nothing.

Streamlit does so with the next click where a field was new in a run that another one cut short.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from engine.domain.people import LOCAL_VIEWER
from engine.work.decoding import read_file
from pages._widgets.task_list import NEW_IN
from tests.pages.conftest import OpenPage
from tests.pages.test_evidence import handed_in, opened
from tests.pages.test_review_queue_page import at_judgement, decide
from tests.pages.test_revisions_page import demo, save_elsewhere
from tests.pages.test_saw import open_view, turns_on

FIELDS = ("selectbox", "segmented_control", "radio", "pills", "text_input", "text_area")


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


def a_group(open_page: OpenPage) -> AppTest:
    """The class board, narrowed to some of the students."""
    return open_page("board.py", lang="en", show="waits")


def a_second_item(open_page: OpenPage) -> AppTest:
    """The queue at an item that is not its first."""
    return at_judgement(open_page)


def a_place_in_a_file(open_page: OpenPage) -> AppTest:
    """A review with a line of a file beside it, from which the reader has moved on."""
    open_page("reviews.py")
    lines = "\n".join(f"line {number}" for number in range(4000))
    at = opened(open_page, "long.py:100", handed_in(read_file("long.py", lines.encode())))
    return at.button(key="evidence_later").click().run()


def a_comparison(open_page: OpenPage) -> AppTest:
    """Two requests beside each other, the second of which nobody chose."""
    return open_view(open_page, turns_on(open_page("tutor.py"))[2], "Compare")


def an_editor(open_page: OpenPage) -> AppTest:
    """A version in its editor, in which nothing was typed yet."""
    return open_page("revisions.py", lang="en", edit="1", draft="d1")


def the_settings(open_page: OpenPage) -> AppTest:
    """The settings in the language of the browser."""
    return open_page("settings.py")


def kept(at: AppTest, data_folder: Path) -> object:
    """Address, session and drafts."""
    session = {key: value for key, value in at.session_state.items() if key != "written_addresses"}
    with sqlite3.connect(data_folder / "demo.db") as connection:
        drafts = connection.execute("SELECT owner_id, subject, body FROM draft ORDER BY 1, 2").fetchall()
    return {name: at.query_params[name] for name in at.query_params}, session, drafts


@pytest.mark.parametrize(
    ("begin", "fields"),
    [
        (a_group, {"board_groups"}),
        (a_second_item, {"queue_kind", "shown_as_queue"}),
        (a_place_in_a_file, {"evidence_file"}),
        (a_comparison, {"saw_with"}),
        (an_editor, {"edit_title", "edit_body"}),
        (the_settings, {"settings_language"}),
    ],
)
def test_what_was_opened_chosen_and_typed_stays(
    open_page: OpenPage,
    data_folder: Path,
    request: pytest.FixtureRequest,
    begin: Callable[[OpenPage], AppTest],
    fields: set[str],
) -> None:
    at = begin(open_page)
    before = kept(at.run(), data_folder)
    told = request.getfixturevalue("told")
    at.run()
    assert not at.exception and not at.error
    assert {field for field in fields if any(key.startswith(field) for key in told)} == fields
    assert kept(at, data_folder) == before


def test_a_reason_that_was_changed_after_it_was_taken_over_stays_as_it_is(
    open_page: OpenPage, request: pytest.FixtureRequest
) -> None:
    at = at_judgement(open_page)
    decide(at, 1)
    at.button(key="queue_undo").click().run()
    pills = next(each for each in at.button_group if str(each.key).startswith("queue_used"))
    pills.set_value([0]).run()
    at.text_area[0].set_value("Words of my own.").run()
    told = request.getfixturevalue("told")
    at.run()
    assert any(key.startswith("queue_used") for key in told)
    assert not at.exception
    assert at.text_area[0].value == "Words of my own."
