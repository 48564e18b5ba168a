"""The table of `tests.stress.locality` in small: every way of misbehaving once."""

from tests.stress.locality import MISBEHAVIOURS, cases, run, wrong


def test_whatever_the_model_does_no_block_outside_the_named_part_changes_and_all_of_it_is_told() -> None:
    first = {name: case for case in reversed(cases()) if (name := case[2])}
    assert set(first) == set(MISBEHAVIOURS)
    results = run([*first.values(), *(case for case in cases() if not case[2])][: len(first) + 4])
    assert wrong(results) == []
    assert len(results) == len(first) + 4


def test_the_long_run_has_sixty_suggestions_of_which_twenty_are_misbehaved_about() -> None:
    every = cases()
    assert (len(every), sum(bool(name) for _language, _words, name in every)) == (60, 20)
    assert len({words for _language, words, _name in every}) == 60
