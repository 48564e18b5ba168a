"""What was done is said also where the first drawing after it was cut short, and not for ever."""

import ast
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages._widgets import told

PAGES = Path(told.__file__).parents[1]


def script() -> None:
    import streamlit as st

    from pages._widgets.told import draw_told, tell

    draw_told()
    for words in ("Saved.", "Restored."):
        st.button(words, on_click=tell, args=(words,))


def said(at: AppTest) -> list[str]:
    """What stands above the page."""
    return [each.value for each in at.success]


def test_it_is_said_again_when_the_page_is_drawn_anew_at_once() -> None:
    at = AppTest.from_function(script).run()
    assert said(at) == []
    assert said(at.button[0].click().run()) == ["Saved."]
    assert said(at.run()) == ["Saved."]


def test_what_is_said_next_takes_its_place() -> None:
    at = AppTest.from_function(script).run()
    at.button[0].click().run()
    assert said(at.button[1].click().run()) == ["Restored."]


def test_after_a_while_it_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    at = AppTest.from_function(script).run()
    at.button[0].click().run()
    monkeypatch.setattr(told, "STAYS_S", -1.0)
    assert said(at.run()) == []
    monkeypatch.undo()
    assert said(at.run()) == []


def test_what_is_held_is_what_it_is_asked_for_as_or_nothing() -> None:
    at = AppTest.from_function(holding).run()
    assert [each.value for each in at.text] == ["None", "7", "7", "None"]


def holding() -> None:
    import streamlit as st

    from pages._widgets.told import held, hold

    hold("number", 7)
    for name, kind in (("number", str), ("number", int), ("number", int), ("nothing", int)):
        st.text(held(name, kind))


def test_nothing_is_taken_out_of_the_session_to_be_drawn() -> None:
    """The run that takes it may be cut short, and then nobody has seen it, nor ever will."""
    found = [
        f"{path.name}:{node.lineno}"
        for path in sorted(PAGES.rglob("*.py"))
        for node in _values(ast.parse(path.read_text(encoding="utf-8")))
        if ast.unparse(node.func) == "st.session_state.pop"
    ]
    assert found == []


def _values(module: ast.Module) -> list[ast.Call]:
    """The calls whose answer is made use of."""
    nodes = list(ast.walk(module))
    unused = [node.value for node in nodes if isinstance(node, ast.Expr)]
    return [node for node in nodes if isinstance(node, ast.Call) and node not in unused]
