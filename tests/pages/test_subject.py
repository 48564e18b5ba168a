"""The context bar: names that can be told apart."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pages._widgets.subject import _told_apart


@given(st.lists(st.sampled_from(["A", "A (2)", "A (3)", "A (2) (2)", "B"]), max_size=8))
@settings(max_examples=200)
def test_no_two_choices_are_shown_alike_and_the_first_of_a_name_keeps_it(names: list[str]) -> None:
    told = _told_apart({str(number): name for number, name in enumerate(names)})
    assert len(set(told.values())) == len(names)
    assert all(told[str(number)].startswith(name) for number, name in enumerate(names))
    assert not names or told["0"] == names[0]
