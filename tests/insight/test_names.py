"""Names that can be hidden: stable, and never two the same."""

from engine.domain.course import Learner
from engine.insight.names import shown_names

CLASS = tuple(Learner(learner_id=f"{number}", name=name) for number, name in enumerate(["Ada", "Bob", "Ada"]))


def numbered(number: int) -> str:
    return f"Student {number}"


def test_names_are_shown_as_they_are_and_equal_ones_told_apart() -> None:
    assert shown_names(CLASS, None) == {"0": "Ada", "1": "Bob", "2": "Ada (2)"}


def test_a_hidden_name_is_the_number_in_the_class_list() -> None:
    assert shown_names(CLASS, numbered) == {"0": "Student 1", "1": "Student 2", "2": "Student 3"}


def test_a_number_stays_when_others_join() -> None:
    joined = (*CLASS, Learner(learner_id="9", name="Cy"))
    assert shown_names(joined, numbered).items() >= shown_names(CLASS, numbered).items()
