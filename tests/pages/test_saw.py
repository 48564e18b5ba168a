"""What the tutor saw: cuts, how it was sent, two requests side by side, and the file to take away."""

import json
from dataclasses import replace
from hashlib import sha256
from typing import ClassVar

import pytest
from streamlit.testing.v1 import AppTest

from engine import errors
from engine.domain.people import LOCAL_VIEWER
from engine.domain.session import Turn
from engine.settings import DataPlacement
from engine.tutoring.compare import Change, ItemFate
from engine.tutoring.export import export_reply
from pages import _wiring
from pages._widgets.compare import CHANGES, FATES
from pages._widgets.saw import cut_sentences
from pages._widgets.sending import PLACEMENTS, RESULTS
from tests.pages.conftest import OpenPage
from tests.pages.test_summary_line import turns_on
from tests.pages.test_tutor_page import words_of
from tests.pages.test_words import every_error
from tests.stores.builders import FACTS


def open_view(open_page: OpenPage, turn: Turn, view: str, **query: str) -> AppTest:
    """The drawer of a turn at one of its views."""
    at = open_page("tutor.py", turn=turn.turn_id, **query)
    at.session_state["saw_view"] = view
    at.run()
    assert not at.exception
    return at


@pytest.fixture
def turns(open_page: OpenPage) -> list[Turn]:
    """Those of the demo's conversation: the first before submission 2, the others after it."""
    return turns_on(open_page("tutor.py"))


class TestCompare:
    HEAD: ClassVar = {
        "en": "They had different reviews. 2 items are no longer open.",
        "zh": "两次用的评审不同。已解决 2 项。",
    }

    def test_at_first_with_the_turn_before(self, open_page: OpenPage, turns: list[Turn]) -> None:
        at = open_view(open_page, turns[2], "Compare")
        assert at.selectbox(key="saw_with").value == turns[1].turn_id
        assert "Both had the same review. 5 of 8 parts are the same." in words_of(at)
        assert "Still open, unchanged" in words_of(at)

    @pytest.mark.parametrize("lang", HEAD)
    def test_the_address_names_both(self, open_page: OpenPage, lang: str) -> None:
        turns = turns_on(open_page("tutor.py", lang=lang))
        at = open_page("tutor.py", lang=lang, turn=turns[2].turn_id, **{"with": turns[0].turn_id})
        assert not at.exception
        assert self.HEAD[lang] in words_of(at)

    def test_the_other_way_round_it_is_the_same_order_in_time(self, open_page: OpenPage, turns: list[Turn]) -> None:
        at = open_view(open_page, turns[0], "Compare", **{"with": turns[2].turn_id})
        assert self.HEAD["en"] in words_of(at)
        assert "| submission | 1 | 2 |" in words_of(at)

    def test_choosing_another_goes_into_the_address(self, open_page: OpenPage, turns: list[Turn]) -> None:
        at = open_view(open_page, turns[2], "Compare")
        at.selectbox(key="saw_with").select(turns[0].turn_id).run()
        assert not at.exception
        assert at.query_params["with"] in (turns[0].turn_id, [turns[0].turn_id])
        assert self.HEAD["en"] in words_of(at)

    def test_an_address_that_names_nothing_falls_back(self, open_page: OpenPage, turns: list[Turn]) -> None:
        at = open_view(open_page, turns[2], "Compare", **{"with": "no-such-turn"})
        assert at.selectbox(key="saw_with").value == turns[1].turn_id

    def test_a_turn_alone_has_nothing_to_be_compared_with(self, open_page: OpenPage, turns: list[Turn]) -> None:
        space = _wiring.workbench().demo
        key = space.sessions.conversation(LOCAL_VIEWER, turns[0].conversation_id).key
        alone = space.sessions.open_conversation(LOCAL_VIEWER, key)
        turn = space.tutor.begin(LOCAL_VIEWER, alone.conversation_id, "Hello?", space.worker.lease)
        space.tutor.answer(LOCAL_VIEWER, turn)
        at = open_view(open_page, turn, "Compare")
        assert "no other reply to compare with" in words_of(at)

    def test_every_change_and_every_fate_has_a_word(self) -> None:
        assert set(CHANGES) == set(Change) and set(FATES) == set(ItemFate)


class TestSending:
    def test_the_hash_on_the_screen_is_that_of_the_bytes_and_of_the_file(
        self, open_page: OpenPage, turns: list[Turn]
    ) -> None:
        at = open_view(open_page, turns[2], "How it was sent")
        receipt = _wiring.workbench().demo.sessions.receipt(LOCAL_VIEWER, turns[2].turn_id)
        digest = sha256(receipt.request).hexdigest()
        assert digest in [code.value for code in at.code]
        assert "**Try 1** · answered" in words_of(at)
        assert "messages of their own" in words_of(at)
        told = json.loads(export_reply(turns[2], receipt).content)
        assert sha256(told["request"]["text"].encode()).hexdigest() == digest

    @pytest.mark.parametrize("kind", every_error(), ids=lambda kind: kind.__name__)
    def test_every_error_of_a_service_is_told_in_words(self, kind: type[errors.TutorloopError]) -> None:
        assert not issubclass(kind, errors.ModelError) or RESULTS[kind.code]

    def test_every_placement_is_told_in_words(self) -> None:
        assert set(PLACEMENTS) == set(DataPlacement)


class TestCuts:
    def test_each_thing_that_is_missing_is_a_sentence(self) -> None:
        cut = replace(FACTS.feedback, truncated_fields=("next_step", "0.reason"), omitted_count=2)
        assert cut_sentences(replace(FACTS, feedback=cut, is_material_cut=True)) == [
            "2 older turns were too old for the budget of 4,000 tokens.",
            "The task's material was shortened to fit.",
            "2 open items did not fit into the block.",
            "The block: the next step is shown in part or was left out.",
            "Item 1 of the block: the reason is shown in part.",
        ]

    def test_where_nothing_is_missing_there_is_no_sentence_and_the_drawer_says_so(
        self, open_page: OpenPage, turns: list[Turn]
    ) -> None:
        whole = replace(FACTS.feedback, truncated_fields=(), omitted_count=0)
        assert cut_sentences(replace(FACTS, feedback=whole, left_out_turns=0)) == []
        assert "Nothing was cut." in words_of(open_view(open_page, turns[2], "Readable"))
