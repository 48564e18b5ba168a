"""What was last chosen or closed holds against an address that the browser sent before it knew of it."""

import ast
from pathlib import Path

import pytest
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.testing.v1 import AppTest

from pages._widgets import address
from tests.pages.conftest import OpenPage

PAGES = Path(address.__file__).parents[1]


class Always:
    """As if every run came of the browser's *Back*: true, whatever is written there."""

    def __get__(self, run: object, kind: type) -> bool:
        return True

    def __set__(self, run: object, value: bool) -> None:
        pass


def script() -> None:
    import streamlit as st

    from pages._widgets.address import close_in_address, keep_written, name_in_address

    keep_written()
    for value in "ab":
        st.button(value, on_click=name_in_address, args=("turn", value))
    st.button("close", key="close", on_click=close_in_address, args=("turn",))
    st.text(st.query_params.get("turn", "nothing"))


def shown(at: AppTest) -> str:
    """What stands open."""
    return str(at.text[0].value)


def opened(value: str) -> AppTest:
    at = AppTest.from_function(script)
    at.query_params["turn"] = value
    at.run()
    assert shown(at) == value
    return at


def chosen(at: AppTest, value: str) -> AppTest:
    at.button[0 if value == "a" else 1].click().run()
    assert shown(at) == value
    return at


def closed(at: AppTest) -> AppTest:
    at.button(key="close").click().run()
    assert shown(at) == "nothing"
    return at


def sent(at: AppTest, value: str | None) -> str:
    """What stands open after a run for which the browser sent this."""
    at.query_params.clear()
    if value is not None:
        at.query_params["turn"] = value
    return shown(at.run())


def test_an_address_from_before_the_closing_opens_nothing() -> None:
    at = closed(opened("a"))
    assert sent(at, "a") == "nothing"
    assert "turn" not in at.query_params


def test_another_address_opens_after_a_closing() -> None:
    assert sent(closed(opened("a")), "b") == "b"


def test_a_click_opens_again_what_was_just_closed() -> None:
    at = chosen(closed(opened("a")), "a")
    assert shown(at.run()) == "a"


def test_what_is_closed_before_the_browser_knows_that_it_was_opened_stays_closed() -> None:
    at = chosen(AppTest.from_function(script).run(), "a")
    at.query_params.clear()
    closed(at)
    assert sent(at, "a") == "nothing"


@pytest.mark.parametrize("before", ["x", None], ids=["another choice", "none"])
def test_an_address_from_before_a_choice_does_not_undo_it(before: str | None) -> None:
    at = opened("x") if before else AppTest.from_function(script).run()
    assert sent(chosen(at, "a"), before) == "a"
    assert at.query_params["turn"] == "a"


def test_two_choices_in_a_row_hold_against_the_address_from_before_both() -> None:
    assert sent(chosen(chosen(opened("x"), "a"), "b"), "x") == "b"


def test_what_is_older_than_a_browser_can_be_behind_is_gone_to(monkeypatch: pytest.MonkeyPatch) -> None:
    at = chosen(opened("x"), "a")
    monkeypatch.setattr(address, "CATCHES_UP_S", -1.0)
    assert sent(at, "x") == "x"


def test_going_back_in_the_browser_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    at = chosen(opened("x"), "a")
    monkeypatch.setattr(ScriptRunContext, "is_history_navigation", Always())
    assert sent(at, "x") == "x"


def test_another_page_keeps_nothing_of_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    at = closed(opened("a"))
    at.session_state["page_of_written_addresses"] = "another"
    assert sent(at, "a") == "a"


def test_the_shell_says_which_page_it_is(open_page: OpenPage) -> None:
    at = open_page("tutor.py")
    at.button(key="switch_language").click().run()
    at.query_params.clear()
    assert at.run().query_params["lang"] == "zh"
    at.query_params.clear()
    at.switch_page("settings.py").run()
    assert "lang" not in at.query_params


def test_nothing_else_writes_the_address() -> None:
    written = [
        f"{path.name}:{node.lineno}"
        for path in sorted(PAGES.rglob("*.py"))
        if path.name != "address.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.expr) and _writes_address(node)
    ]
    assert written == []


def _writes_address(node: ast.expr) -> bool:
    """`st.query_params[…] = …`, `del st.query_params[…]` and the methods that change it."""
    match node:
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
            return _is_address(value)
        case ast.Call(func=ast.Attribute(value=value, attr=method)):
            return _is_address(value) and method not in ("get", "get_all", "to_dict", "keys")
        case _:
            return False


def _is_address(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "query_params"
