"""Rows of values by the points of a turn, in steps of 50.

Each value follows from values of more points. Above some number of points the same choice is always
the best, and the values are linear.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, inf
from typing import Protocol

NOISE = 1e-9
"""Greatest difference of values that count as equal. It absorbs rounding errors."""


def first_best(values: Sequence[float]) -> int:
    """Returns the index of the greatest value, the first among equal values (O2)."""
    least = max(values) - NOISE
    return next(i for i, value in enumerate(values) if value >= least)


@dataclass(frozen=True, slots=True)
class Linear:
    slope: float
    """Increase of the value per step."""
    intercept: float
    """Value of no points."""

    @property
    def line(self) -> "Linear":
        return self

    def __getitem__(self, steps: int) -> float:
        return self.slope * steps + self.intercept

    def first_above(self, rival: "Linear") -> int:
        """Returns the steps from which this line is never below its rival.

        Raises ValueError if no number of steps suffices.
        """
        ahead, behind = self.slope - rival.slope, rival.intercept - self.intercept
        if behind <= NOISE and ahead >= -NOISE:
            return 0
        if ahead <= NOISE:
            raise ValueError("stopping is never the best choice")
        return ceil(behind / ahead)


class Values(Protocol):
    """Values of a situation in a turn, by steps of points."""

    @property
    def line(self) -> Linear:
        """Line on which the values lie for very many points."""
        ...

    def __getitem__(self, steps: int, /) -> float: ...


Continuation = tuple[Values, int]
"""Values of the situation that follows a choice, and the steps that the choice earns."""

Branch = tuple[float, tuple[Continuation, ...]]
"""Chance of an outcome, and the choices that it leaves.

The first choice is the best of a turn with very many points.
"""


class Row(dict[int, float]):
    def __init__(
        self,
        branches: Iterable[Branch] = (),
        line: Linear | None = None,
        top: float = inf,
        otherwise: float = 0.0,
    ) -> None:
        super().__init__()
        self.branches = tuple(branches)
        self.otherwise = otherwise
        """Part of each value that the outcomes outside the branches contribute."""
        self.top = top
        """Steps from which the values follow ``line``."""
        if line is not None:
            self.line = line

    @cached_property
    def line(self) -> Linear:
        """Line of the values for very many points, where the first choice is always the best."""
        firsts = [(chance, *options[0]) for chance, options in self.branches]
        return Linear(
            sum(chance * values.line.slope for chance, values, _ in firsts),
            sum(chance * values.line[earned] for chance, values, earned in firsts) + self.otherwise,
        )

    def first_steady(self) -> int:
        """Returns the steps from which the first choice of every branch is always the best."""
        steady = 0
        for _, options in self.branches:
            first, *rivals = (Linear(row.line.slope, row.line[earned]) for row, earned in options)
            steady = max([steady, *map(first.first_above, rivals)])
        return steady

    def settled(self, bottom: int = 0) -> "Settled":
        """Returns all values from ``bottom`` on in compact form. ``top`` must be finite."""
        values = array("d", [self[steps] for steps in range(bottom, int(self.top))])
        return Settled(values, self.line, bottom)

    def __missing__(self, steps: int) -> float:
        value = self.otherwise
        if steps >= self.top:
            value = self.line[steps]
        else:
            for chance, options in self.branches:
                best = -inf
                for values, earned in options:
                    worth = values[steps + earned]
                    if worth > best:
                        best = worth
                value += chance * best
        self[steps] = value
        return value


@dataclass(frozen=True, slots=True)
class Settled:
    values: "array[float]"
    """Values by steps, from ``bottom`` up to where ``line`` begins."""
    line: Linear
    bottom: int = 0
    """Smallest number of steps with a value."""

    def __getitem__(self, steps: int) -> float:
        place = steps - self.bottom
        return self.values[place] if place < len(self.values) else self.line[steps]


@dataclass(frozen=True, slots=True)
class Piecewise:
    """Values from ``below`` for fewer than ``steps`` steps, and from ``above`` otherwise."""

    steps: int
    below: Values
    above: Values

    @property
    def line(self) -> Linear:
        return self.above.line

    def __getitem__(self, steps: int) -> float:
        return (self.below if steps < self.steps else self.above)[steps]


class Doubled:
    def __init__(self, values: Values) -> None:
        self.values, self.line = values, Linear(2 * values.line.slope, values.line.intercept)

    def __getitem__(self, steps: int) -> float:
        return self.values[2 * steps]
