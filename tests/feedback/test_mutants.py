"""That the contract's tests notice a breach: one mutant here, all of them by hand in `tests.stress.mutants`."""

from tests.stress.mutants import MUTANTS, ROOT, killers, named


def test_a_contract_that_ignores_the_project_turns_a_test_red() -> None:
    assert killers(named("ignore the project"))


def test_every_mutant_still_fits_the_source() -> None:
    for mutant in MUTANTS:
        for edit in mutant.edits:
            assert (ROOT / edit.file).read_text("utf-8").count(edit.old) == 1, (mutant.name, edit.old)
