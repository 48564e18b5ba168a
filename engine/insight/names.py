"""Names of learners as they are shown: as they are, or by their number in the class list."""

from collections.abc import Callable, Sequence

from engine.domain.course import Learner


def shown_names(learners: Sequence[Learner], number_name: Callable[[int], str] | None) -> dict[str, str]:
    """The name of each learner by learner id, no two the same.

    Args:
        learners: in the order of the class list, so that a number stays with its learner: new ones come behind.
        number_name: what a learner of this number, from 1, is called in place of the name; None: names are shown.
    """
    if number_name is not None:
        return {one.learner_id: number_name(number) for number, one in enumerate(learners, start=1)}
    taken: set[str] = set()
    names: dict[str, str] = {}
    for one in learners:
        numbered = (one.name if n == 1 else f"{one.name} ({n})" for n in range(1, len(learners) + 1))
        names[one.learner_id] = next(each for each in numbered if each not in taken)
        taken.add(names[one.learner_id])
    return names
