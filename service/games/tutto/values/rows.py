"""Values by the points that a turn holds, in steps of 50: computed from those of more points.

From some number of points on the same choice is always the best, and values are linear.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, inf
from typing import Protocol

NOISE = 1e-9
"""Values that differ by no more are equal: what a float cannot hold decides nothing."""


def first_best(values: Sequence[float]) -> int:
    """The index of the greatest value, of equal ones the first (O2)."""
    least = max(values) - NOISE
    return next(i for i, value in enumerate(values) if value >= least)


@dataclass(frozen=True, slots=True)
class Linear:
    """Values that are linear in the points."""

    slope: float
    """Of a step."""
    intercept: float

    @property
    def line(self) -> "Linear":
        return self

    def __getitem__(self, steps: int) -> float:
        return self.slope * steps + self.intercept

    def first_above(self, other: "Linear") -> int:
        """The steps from which on this line is not below the other. Raises ValueError if none."""
        ahead, behind = self.slope - other.slope, other.intercept - self.intercept
        if behind <= NOISE and ahead >= -NOISE:
            return 0
        if ahead <= NOISE:
            raise ValueError("stopping is never the best choice")
        return ceil(behind / ahead)


class Values(Protocol):
    """What a situation is worth, by steps of points."""

    @property
    def line(self) -> Linear:
        """The values of very many points."""
        ...

    def __getitem__(self, steps: int, /) -> float: ...


Continuation = tuple[Values, int]
"""What follows a choice, and the steps by which it raises the points."""

Branch = tuple[float, tuple[Continuation, ...]]
"""A chance and the choices that it leaves; the first is the one of a turn with very many points."""


class Row(dict[int, float]):
    """The values of one situation: computed where they are asked for, and kept."""

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
        """What all else that can happen adds to each value."""
        self.top = top
        """The steps from which on the values are those of the line."""
        if line is not None:
            self.line = line

    @cached_property
    def line(self) -> Linear:
        """The values of very many points, where the first of the choices is the best."""
        firsts = [(chance, *options[0]) for chance, options in self.branches]
        return Linear(
            sum(chance * values.line.slope for chance, values, _ in firsts),
            sum(chance * values.line[more] for chance, values, more in firsts) + self.otherwise,
        )

    def first_steady(self) -> int:
        """The steps from which on the first of the choices is always the best."""
        found = 0
        for _, ((values, more), *others) in self.branches:
            first = Linear(values.line.slope, values.line[more])
            for other, raised in others:
                found = max(found, first.first_above(Linear(other.line.slope, other.line[raised])))
        return found

    def settled(self, bottom: int = 0) -> "Settled":
        """All values of the row from ``bottom`` on, in little memory; ``top`` is a number."""
        values = array("d", [self[steps] for steps in range(bottom, int(self.top))])
        return Settled(values, self.line, bottom)

    def __missing__(self, steps: int) -> float:
        value = self.otherwise
        if steps >= self.top:
            value = self.line[steps]
        else:
            for chance, options in self.branches:
                best = -inf
                for values, more in options:
                    worth = values[steps + more]
                    if worth > best:
                        best = worth
                value += chance * best
        self[steps] = value
        return value


@dataclass(frozen=True, slots=True)
class Settled:
    """The values of a row that were all computed: without what they came from."""

    values: "array[float]"
    """By steps, up to those from which on they are linear."""
    line: Linear
    bottom: int = 0
    """The least steps that are asked for."""

    def __getitem__(self, steps: int) -> float:
        place = steps - self.bottom
        return self.values[place] if place < len(self.values) else self.line[steps]


@dataclass(frozen=True, slots=True)
class Parted:
    """Values that are others from so many steps of points on."""

    steps: int
    below: Values
    above: Values

    @property
    def line(self) -> Linear:
        return self.above.line

    def __getitem__(self, steps: int) -> float:
        return (self.below if steps < self.steps else self.above)[steps]


class Doubled:
    """Values of twice the points."""

    def __init__(self, values: Values) -> None:
        self.values, self.line = values, Linear(2 * values.line.slope, values.line.intercept)

    def __getitem__(self, steps: int) -> float:
        return self.values[2 * steps]
