"""Words that are kept as they are typed, and what is said where that cannot be done."""

from streamlit.testing.v1 import AppTest


def test_words_that_cannot_be_kept_now_stay_in_the_field_and_that_is_told() -> None:
    def script() -> None:
        from engine.errors import StoreError
        from pages._widgets.draft_area import Draft, draw_draft

        def keep(_words: str) -> None:
            raise StoreError("the database cannot do this now")

        draw_draft("Words", "words", Draft(read=lambda: "", keep=keep))

    at = AppTest.from_function(script).run()
    at.text_area(key="words").set_value("half a word").run()
    assert not at.exception
    assert at.text_area(key="words").value == "half a word"
    assert any("the database cannot do this now" in each.value for each in at.code)
