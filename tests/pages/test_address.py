"""A drawer that was closed stays closed, though a part of the page may still send the address from before."""

from streamlit.testing.v1 import AppTest


def script() -> None:
    import streamlit as st

    from pages._widgets.address import close_in_address, drop_closed, name_in_address

    drop_closed()
    st.button("open", on_click=name_in_address, args=("turn", "a"))
    st.button("close", on_click=close_in_address, args=("turn",))
    st.text(st.query_params.get("turn", "nothing"))


def shown(at: AppTest) -> str:
    """What stands open."""
    return str(at.text[0].value)


def opened_and_closed() -> AppTest:
    at = AppTest.from_function(script)
    at.query_params["turn"] = "a"
    at.run()
    assert shown(at) == "a"
    at.button[1].click().run()
    assert shown(at) == "nothing"
    return at


def test_an_address_from_before_the_closing_opens_nothing() -> None:
    at = opened_and_closed()
    at.query_params["turn"] = "a"
    assert shown(at.run()) == "nothing"
    assert "turn" not in at.query_params


def test_another_address_opens_after_a_closing() -> None:
    at = opened_and_closed()
    at.query_params["turn"] = "b"
    assert shown(at.run()) == "b"


def test_a_click_opens_again_what_was_just_closed() -> None:
    at = opened_and_closed()
    assert shown(at.button[0].click().run()) == "a"
    assert shown(at.run()) == "a"
