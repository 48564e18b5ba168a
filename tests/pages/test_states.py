"""The looks of the states: complete, drawable, told apart, and readable in both themes."""

import re
import tomllib
from itertools import combinations
from pathlib import Path

import pytest
from streamlit.material_icon_names import ALL_MATERIAL_ICONS
from streamlit.testing.v1 import AppTest

from engine.domain.edit import SuggestionState
from engine.domain.states import CriterionStatus, FeedbackState, ReviewFault, Source, TurnState
from engine.review.changes import Change
from pages._widgets import states
from pages._widgets.edit_words import SUGGESTION
from pages._widgets.states import Colour, StateLook, change_look, feedback_looks, reused_look, word

FAMILIES: dict[str, tuple[list[str], dict[str, StateLook]]] = {
    "feedback": (
        list(FeedbackState),
        {state: feedback_looks(state, [CriterionStatus.FAIL])[0] for state in FeedbackState},
    ),
    "criterion": (list(CriterionStatus), {str(state): look for state, look in states.CRITERION.items()}),
    "source": (list(Source), {str(source): look for source, look in states.SOURCE.items()}),
    "turn": (list(TurnState), {str(state): look for state, look in states.TURN.items()}),
    "change": (list(Change), {str(change): look for change, look in states.CHANGE.items()}),
    "suggestion": (list(SuggestionState), {str(state): look for state, look in SUGGESTION.items()}),
    "fault": (list(ReviewFault), {str(fault): look for fault, look in states.FAULT.items()}),
}
LOOKS = [look for _members, family in FAMILIES.values() for look in family.values()]
EVERY_LOOK = [*LOOKS, states.WITH_TEACHER, states.LEARNING_HINT, states.REUSED, states.GIVEN]
FAIL, NEED_REVIEW, PASS = CriterionStatus.FAIL, CriterionStatus.NEED_REVIEW, CriterionStatus.PASS
THEME = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
SCHEMES = ("light", "dark")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_member_of_a_family_has_a_look(family: str) -> None:
    members, looks = FAMILIES[family]
    assert sorted(looks) == sorted(members)


@pytest.mark.parametrize("look", EVERY_LOOK, ids=lambda look: look.word)
def test_every_icon_exists_in_the_installed_streamlit(look: StateLook) -> None:
    assert look.icon in ALL_MATERIAL_ICONS


@pytest.mark.parametrize("family", FAMILIES)
def test_within_a_family_no_two_states_share_icon_or_word(family: str) -> None:
    looks = list(FAMILIES[family][1].values())
    assert [(a.word, b.word) for a, b in combinations(looks, 2) if a.icon == b.icon or a.word == b.word] == []


@pytest.mark.parametrize(
    ("items", "words", "colours"),
    [
        ([FAIL], ["1 to fix"], [Colour.RED]),
        ([NEED_REVIEW, FAIL, FAIL], ["2 to fix", "1 with the teacher"], [Colour.RED, Colour.AMBER]),
        ([NEED_REVIEW, NEED_REVIEW], ["2 with the teacher"], [Colour.AMBER]),
        ([PASS, NEED_REVIEW], ["1 with the teacher"], [Colour.AMBER]),
    ],
)
def test_open_items_are_counted_and_what_is_to_fix_comes_first(
    items: list[CriterionStatus], words: list[str], colours: list[Colour]
) -> None:
    looks = feedback_looks(FeedbackState.CURRENT, items)
    assert [word(look) for look in looks] == words
    assert [look.colour for look in looks] == colours


def test_only_a_fail_is_the_students_move_and_faults_never_are() -> None:
    red = {look.word for look in EVERY_LOOK if look.colour is Colour.RED}
    open_changes = {look.word for change, look in states.CHANGE.items() if change is not Change.FIXED}
    assert red == {states.TO_FIX.word, states.CRITERION[FAIL].word, *open_changes}
    assert {look.colour for look in states.FAULT.values()} == {Colour.VIOLET}


@pytest.mark.parametrize("change", [change for change in Change if change is not Change.FIXED])
def test_a_change_of_what_waits_for_a_person_is_no_move_of_the_student(change: Change) -> None:
    assert change_look(change, NEED_REVIEW).colour is Colour.AMBER
    assert change_look(change, FAIL) == states.CHANGE[change]


def test_no_page_has_a_badge_or_a_coloured_mark_of_its_own() -> None:
    own = re.compile(r"st\.badge\(|:(?:green|red|orange|violet|blue)(?:-badge)?\[|:gray-badge\[")
    pages = Path(states.__file__).parents[1]
    written = {path.name for path in pages.rglob("*.py") if own.search(path.read_text(encoding="utf-8"))}
    assert written == {"states.py"}


def test_badges_are_drawn_with_icon_word_and_colour() -> None:
    def script() -> None:
        from engine.domain.states import FeedbackState, Source
        from pages._widgets.states import SOURCE, badge, feedback_looks, reused_look

        badge(feedback_looks(FeedbackState.PASSED)[0], tip="since Monday")
        badge(SOURCE[Source.CI])
        badge(reused_look(3))

    drawn = AppTest.from_function(script, default_timeout=10).run()
    assert not drawn.exception
    assert [each.value for each in drawn.markdown] == [
        ":green-badge[:material/check_circle: Passed]",
        ":material/terminal: CI",
        ":material/recycling: Reused from S3",
    ]
    assert word(reused_look(3)) == "Reused from S3"


def contrast(one: str, other: str) -> float:
    """The contrast of two `#rrggbb` colours as WCAG 2 defines it, 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_contrast_is_computed_as_the_standard_does() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("colour", Colour)
def test_the_word_of_every_badge_is_readable(scheme: str, colour: Colour) -> None:
    theme = THEME[scheme]
    word_colour = theme[f"{colour}TextColor"]
    grounds = (f"{colour}BackgroundColor", "backgroundColor", "secondaryBackgroundColor")
    assert {ground: contrast(word_colour, theme[ground]) >= 4.5 for ground in grounds} == dict.fromkeys(grounds, True)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("text", ["textColor", "linkColor", "codeTextColor"])
def test_text_is_readable_on_page_and_panel(scheme: str, text: str) -> None:
    theme = THEME[scheme]
    grounds = ("backgroundColor", "secondaryBackgroundColor", "codeBackgroundColor")
    assert min(contrast(theme[text], theme[ground]) for ground in grounds) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("ground", ["backgroundColor", "secondaryBackgroundColor"])
def test_captions_are_readable_which_streamlit_draws_at_three_fifths(scheme: str, ground: str) -> None:
    text, under = THEME[scheme]["textColor"], THEME[scheme][ground]
    channels = (round(0.6 * int(text[at : at + 2], 16) + 0.4 * int(under[at : at + 2], 16)) for at in (1, 3, 5))
    assert contrast("#" + "".join(f"{channel:02x}" for channel in channels), under) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
def test_controls_can_be_seen_and_their_labels_read(scheme: str) -> None:
    theme = THEME[scheme]
    assert contrast(theme["primaryColor"], "#ffffff") >= 4.5
    assert contrast(theme["primaryColor"], theme["backgroundColor"]) >= 3
    assert contrast(theme["borderColor"], theme["backgroundColor"]) >= 3


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("scale", ["chartSequentialColors", "chartDivergingColors"])
def test_scales_have_the_ten_steps_without_which_streamlit_ignores_them(scheme: str, scale: str) -> None:
    assert len(set(THEME[scheme][scale])) == 10


def test_both_themes_set_the_same_colours() -> None:
    assert THEME["light"].keys() == THEME["dark"].keys()
