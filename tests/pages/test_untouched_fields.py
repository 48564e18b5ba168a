"""A field for words that tells of a change although nobody typed leaves no draft behind."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import OpenPage
from tests.pages.test_choices import telling
from tests.pages.test_review_queue_page import at_judgement


def an_editor(open_page: OpenPage) -> AppTest:
    """A version in its editor."""
    return open_page("revisions.py", lang="en", edit="1", draft="d1")


def drafts_in(data_folder: Path) -> list[tuple[str, ...]]:
    """What is kept of what is being typed in the demo, whoever types it."""
    with sqlite3.connect(data_folder / "demo.db") as connection:
        return connection.execute("SELECT owner_id, subject, body FROM draft ORDER BY 1, 2").fetchall()


@pytest.mark.parametrize(
    ("begin", "fields"),
    [(at_judgement, {"shown_as_queue", "queue_reason_"}), (an_editor, {"edit_title_d1", "edit_body_d1"})],
    ids=["queue", "editor"],
)
def test_nothing_is_kept_of_fields_in_which_nobody_typed(
    open_page: OpenPage,
    data_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    begin: Callable[[OpenPage], AppTest],
    fields: set[str],
) -> None:
    at = begin(open_page)
    before, keys = drafts_in(data_folder), list[str]()
    for name in ("text_input", "text_area"):
        monkeypatch.setattr(st, name, telling(getattr(st, name), keys))
    at.run()
    assert not at.exception and not at.error
    assert {field for field in fields if any(key.startswith(field) for key in keys)} == fields
    assert drafts_in(data_folder) == before
