"""The expected rest of a sheet at the start of a turn, from a table that was solved once (O15).

``tests/tools/tables/yatzee.py`` writes the file: a line of JSON, then the row of each upper state
(by open categories and sum), then two matrices whose product holds the values.
"""

import json
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from mmap import ACCESS_READ, mmap
from operator import mul
from pathlib import Path
from typing import NamedTuple

from dice_referee.games.yatzee.rulesets import RULESETS, YATZEE_SIX, Ruleset
from dice_referee.games.yatzee.sheet import UPPER, Scorecard

PATH = Path(__file__).with_name("sheet.bin")
HEAD_BYTES = 512
"""Size of the line of JSON with its padding, in bytes."""


class Aim(StrEnum):
    CATEGORY = "category"
    """Gain of this turn in a category (O11)."""
    GAME = "game"
    """Points of the rest of the sheet (O15)."""


class Accuracy(NamedTuple):
    """Errors of looked-up values, in points."""

    largest: float
    root_mean_square: float


EXACT = Accuracy(0.0, 0.0)
COMPUTED = 2
"""Maximum open categories whose values are computed, not looked up (O15)."""


class Rest(NamedTuple):
    """State of a sheet that determines its remaining value: open categories and upper sum."""

    lower: int
    """Open lower categories, a bit for each in the order of the sheet."""
    upper: int
    """Open upper categories, a bit for each in the order of the sheet."""
    sum: int
    """Points of the upper section, without its bonus."""

    @property
    def open(self) -> int:
        return self.lower.bit_count() + self.upper.bit_count()

    def without_lower(self, place: int) -> "Rest":
        return self._replace(lower=self.lower & ~(1 << place))

    def without_upper(self, place: int, points: int) -> "Rest":
        return self._replace(upper=self.upper & ~(1 << place), sum=self.sum + points)


def rest_of(scorecard: Scorecard) -> Rest:
    upper, lower = scorecard[:UPPER], scorecard[UPPER:]
    return Rest(_bits(lower), _bits(upper), sum(points or 0 for points in upper))


def _bits(lines: Sequence[int | None]) -> int:
    return sum(1 << place for place, points in enumerate(lines) if points is None)


class SheetValues:
    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            view = memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
        head = json.loads(bytes(view[:HEAD_BYTES]))
        self.rules = RULESETS[head["ruleset"]]
        self._errors = tuple(Accuracy(*errors) for errors in head["errors"])
        self._sums, self._rank = self.rules.upper_threshold + 1, head["rank"]
        places = HEAD_BYTES + 2 * (self._sums << UPPER)
        lower = places + 4 * self._rank * head["lower"]
        self._places = view[HEAD_BYTES:places].cast("H")
        self._lower, self._upper = view[places:lower].cast("f"), view[lower:].cast("f")

    def accuracy(self, rest: Rest) -> Accuracy:
        """Returns the errors of the looked-up values, whose sheet has an open category less."""
        return self._errors[rest.open - COMPUTED - 1] if rest.open > COMPUTED else EXACT

    def value(self, rest: Rest) -> float:
        """Returns the expected points of a rest, with the upper bonus while it is open."""
        sum_ = min(rest.sum, self.rules.upper_threshold)
        row, column = rest.lower, self._places[rest.upper * self._sums + sum_]
        value: float = sum(map(mul, self._of(self._lower, row), self._of(self._upper, column)))
        # The table pays the bonus when the upper section is full.
        return value - self.rules.upper_bonus * (sum_ == self.rules.upper_threshold)

    def _of(self, matrix: "memoryview[float]", row: int) -> "memoryview[float]":
        return matrix[row * self._rank : (row + 1) * self._rank]


@cache
def sheet_values() -> SheetValues:
    return SheetValues(PATH)


def has_values(rules: Ruleset) -> bool:
    return rules.id == YATZEE_SIX.id and not rules.house_rules
