"""What the checks of sizes share: the two bounds, how a form names them, and how a sentence does."""

from dataclasses import dataclass

from engine.review.checks.finding import Label, Param, Params, ParamType, number_or_none

ONE_BOUND = ("at_least", "at_most")
"""At least one of them must be given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """From `least` to `most`, both allowed; None where there is no bound."""

    least: int | None
    most: int | None

    def holds(self, number: int) -> bool:
        """Whether `number` is between them."""
        return (self.least is None or number >= self.least) and (self.most is None or number <= self.most)

    def shown(self, unit: int = 1) -> str:
        """As a sentence shows it: `2-5`, `≥ 2` or `≤ 5`; the bounds are multiples of `unit`."""
        if self.least is None:
            return f"≤ {(self.most or 0) // unit:,}"
        if self.most is None:
            return f"≥ {self.least // unit:,}"
        return f"{self.least // unit:,}-{self.most // unit:,}"


def bounds_of(params: Params, unit: int = 1) -> Bounds:
    """The bounds a course gives, times `unit`."""
    least, most = number_or_none(params, "at_least"), number_or_none(params, "at_most")
    return Bounds(least=least if least is None else least * unit, most=most if most is None else most * unit)


def bound_params(least: Label, most: Label, *, smallest: int = 0, largest: int = 1_000_000) -> tuple[Param, Param]:
    """Both as parameters, of which either may be left out."""
    lowest, highest = ONE_BOUND
    return (
        Param(name=lowest, type=ParamType.WHOLE_NUMBER, label=least, optional=True, least=smallest, most=largest),
        Param(name=highest, type=ParamType.WHOLE_NUMBER, label=most, optional=True, least=smallest, most=largest),
    )
