"""Values of holding some dice and rolling the others, as exact integers (O1, O10).

A hold is a multiset of up to six dice. The holds form a lattice: the value of a hold is the mean of
the six holds with an additional die. Holding all six dice means to stop.
"""

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from operator import floordiv, itemgetter
from typing import Any, NamedTuple, TypeVar

from dice_referee.games.yatzee import scoring
from dice_referee.games.yatzee.categories import CATEGORIES, PLACE
from dice_referee.games.yatzee.rulesets import LAST_ROLL
from dice_referee.games.yatzee.scoring import SIX
from dice_referee.rulebook.dice import FACES, Dice, as_dice, distinct_rolls

UNIT: int = len(FACES) ** (SIX * LAST_ROLL)
"""Denominator of every mean of three rolls: parts of a point, or of certainty."""

Pick = Callable[[Sequence[Any]], tuple[Any, ...]]
"""Function that picks some values from a list."""

Value = TypeVar("Value", int, float)
"""Value of a hold: integer parts of ``UNIT``, or points."""


class ScoringRules(NamedTuple):
    distinct_faces: bool
    throw_bonus: tuple[int, ...]


Stage = array
"""Values of every hold for a category with a fixed number of rolls left, in ``UNIT`` parts.

The value of six dice is that of stopping. With no roll left the list has only these values.
"""


class Row(NamedTuple):
    """Values of a category as the player's only aim, by a measure."""

    stages: "tuple[Stage[int], ...]"
    """Stages by rolls left, none to two."""
    start: int
    """Value before the first of the three rolls, in parts of ``UNIT``."""


class OddsTable(NamedTuple):
    """Rows of every category, in the order of the sheet."""

    chances: tuple[Row, ...]
    points: tuple[Row, ...]


HOLDS: tuple[Dice, ...] = tuple(
    sorted(
        (hold for number in range(SIX + 1) for hold in distinct_rolls(number)),
        key=lambda hold: (len(hold), hold[::-1]),
        reverse=True,
    )
)
"""Every hold, in the order of preference among equal values: most dice, then highest (O10)."""

PLACES = {hold: place for place, hold in enumerate(HOLDS)}
"""Indices of the holds in ``HOLDS``. The rolls, which hold all six dice, come first."""

EVERY_PLACE = tuple(PLACES.values())

ROLLS = tuple(hold for hold in HOLDS if len(hold) == SIX)


def odds_table(rules: ScoringRules) -> OddsTable:
    scores = [scoring.scores(roll, rules.distinct_faces) for roll in ROLLS]
    chances, points = [], []
    for category in CATEGORIES:
        results = [score[PLACE[category]] for score in scores]
        bonuses = (0,) * LAST_ROLL if category.is_upper else rules.throw_bonus
        chances.append(_row([[int(bool(result.dice)) for result in results]] * LAST_ROLL))
        points.append(
            _row(
                [
                    [result.face_value + bonus if result.dice else 0 for result in results]
                    for bonus in bonuses
                ]
            )
        )
    return OddsTable(tuple(chances), tuple(points))


def _row(written: Sequence[Sequence[int]]) -> Row:
    rolls = [points * UNIT for points in written[-1]]
    stages = [Stage("q", rolls)]
    for now in reversed(written[:-1]):
        values = [points * UNIT for points in now] + means(rolls, floordiv)
        rolls = best_of_rolls(values)
        stages.append(Stage("q", values))
    return Row(tuple(stages), means(rolls, floordiv)[-1])


def best_hold(stage: "Stage[int]", roll: int) -> int:
    """Returns the index of the best hold of a roll, or of the roll itself after the last roll."""
    if len(stage) == len(ROLLS):
        return roll
    pick = _within()[roll]
    values = pick(stage)
    place: int = pick(EVERY_PLACE)[values.index(max(values))]
    return place


def means(rolls: Sequence[Value], divided: Callable[[Value, int], Value]) -> list[Value]:
    values = list(rolls)
    for pick in _with_one_more():
        values.append(divided(sum(pick(values)), len(FACES)))
    return values[len(rolls) :]


def best_of_rolls(values: Sequence[Value]) -> list[Value]:
    best = list(values)
    for place, pick in _with_one_less():
        best[place] = max(pick(best))
    return best[: len(ROLLS)]


@cache
def _with_one_more() -> tuple[Pick, ...]:
    fewer = HOLDS[len(ROLLS) :]
    return tuple(itemgetter(*(PLACES[as_dice((*hold, face))] for face in FACES)) for hold in fewer)


@cache
def _with_one_less() -> tuple[tuple[int, Pick], ...]:
    return tuple(
        (
            PLACES[hold],
            itemgetter(PLACES[hold], *{PLACES[hold[:i] + hold[i + 1 :]] for i in range(len(hold))}),
        )
        for hold in reversed(HOLDS[:-1])
    )


@cache
def _within() -> tuple[Pick, ...]:
    """Returns, for each roll, a function that picks the values of its holds, in order."""
    return tuple(itemgetter(*sorted(PLACES[hold] for hold in holds_of(roll))) for roll in ROLLS)


def holds_of(roll: Dice) -> set[Dice]:
    """Returns every hold that a roll allows, including the hold of all its dice."""
    holds: set[Dice] = {()}
    for die in roll:
        holds |= {(*hold, die) for hold in holds}
    return holds
