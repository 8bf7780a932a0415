"""Values of a position and its choices for the rest of the sheet, in points (O15).

The current turn is computed on the lattice of holds. Values of later turns come from the sheet
table, but the last category is computed. Values with two open categories are therefore exact.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import repeat
from math import comb, inf
from operator import itemgetter, mul, truediv
from typing import NamedTuple

from dice_referee.games.yatzee import scoring
from dice_referee.games.yatzee.categories import CATEGORIES, FACE_OF, PLACE, Category
from dice_referee.games.yatzee.events import Event, Roll, Strike, Write
from dice_referee.games.yatzee.position import Over, Position, Turn
from dice_referee.games.yatzee.rulesets import LAST_ROLL
from dice_referee.games.yatzee.scoring import SIX
from dice_referee.games.yatzee.sheet import UPPER, totals
from dice_referee.games.yatzee.values.holds import (
    HOLDS,
    PLACES,
    ROLLS,
    Pick,
    Stage,
    best_of_rolls,
    holds_of,
    means,
)
from dice_referee.games.yatzee.values.sheet import COMPUTED, Accuracy, Rest, rest_of, sheet_values
from dice_referee.rulebook.dice import FACES, as_dice

KEPT_STAGES = 128
"""Size of the LRU cache of stages. A stage takes 8 kB."""

ALIKE = 9
"""Decimal places to which equal values agree."""


SHOWN = 1 - (1 - 1 / len(FACES)) ** LAST_ROLL
"""Chance that a die shows a given face in one of the rolls of a turn."""

LAST_COUNTS = [
    comb(SIX, count) * SHOWN**count * (1 - SHOWN) ** (SIX - count) for count in range(SIX + 1)
]
"""Chances to end a turn with each number of dice of a face."""

NOTHING = (-inf,) * len(ROLLS)
"""Value of every roll where no category takes it."""


class Choice(NamedTuple):
    event: Event
    value: float
    """Expected points still to come."""


class WholeGame(NamedTuple):
    value: float
    choices: tuple[Choice, ...]
    """Open categories in the order of the sheet, then the holds, the most dice first."""
    best: int | None
    """Index of the best choice, or None before the first roll."""
    accuracy: Accuracy

    @property
    def event(self) -> Event:
        """Event of the best choice, the first among equal choices (O2)."""
        return Roll() if self.best is None else self.choices[self.best].event


def whole_game(position: Position) -> WholeGame:
    listed = tuple(choices(position))
    best = max(range(len(listed)), key=lambda i: round(listed[i].value, ALIKE), default=None)
    rest = rest_of(position.scorecard)
    value = _start(rest) if best is None else listed[best].value
    return WholeGame(value, listed, best, sheet_values().accuracy(rest))


def value(position: Position) -> float:
    """Returns the expected points still to come."""
    if position.roll is None:
        return _start(rest_of(position.scorecard))
    return max(choice.value for choice in choices(position))


def choices(position: Position) -> Iterator[Choice]:
    """Yields every open category, then every hold. Before the first roll it yields nothing."""
    if position.roll is None or position.rolls_made is None:
        return
    rest = rest_of(position.scorecard)
    for (category, score, _, points), entry in zip(
        position.worths, position.scorecard, strict=True
    ):
        if entry is None:
            event = Write(category) if score.dice else Strike(category)
            yield Choice(event, _worth(rest, category, points))
    if position.may_roll:
        stage = _stage(rest, LAST_ROLL - position.rolls_made)
        for place in sorted(PLACES[hold] for hold in holds_of(position.roll)):
            if len(HOLDS[place]) < SIX:
                yield Choice(Roll(HOLDS[place]), stage[place])


def worth(position: Position, event: Event) -> float:
    rest = rest_of(position.scorecard)
    if isinstance(event, Strike):
        return _worth(rest, event.category, 0)
    if position.roll is None or position.rolls_made is None:
        return _start(rest)
    if isinstance(event, Roll):
        return _stage(rest, LAST_ROLL - position.rolls_made)[PLACES[as_dice(event.held)]]
    return _worth(rest, event.category, position.points_in(event.category))


def worth_after(position: Position, turn: Turn) -> float:
    """Returns the value of a turn after an event, including the points that it wrote."""
    if not isinstance(turn, Over):
        return value(turn)
    written = totals(turn.rules, turn.scorecard).total
    written -= totals(position.rules, position.scorecard).total
    # Computing the next turn, not looking it up, makes luck and play add up to the total (O17).
    return written + (0 if turn.scorecard_full else value(Position(turn.rules, turn.scorecard)))


def _worth(rest: Rest, category: Category, points: int) -> float:
    rules, place = sheet_values().rules, PLACE[category]
    if not category.is_upper:
        return points + _future(rest.without_lower(place - UPPER))
    after = rest.without_upper(place, points)
    earned = rest.sum < rules.upper_threshold <= after.sum
    return points + rules.upper_bonus * earned + _future(after)


def _future(rest: Rest) -> float:
    """Looks the value of later turns up, but computes the last category (O15)."""
    if rest.open >= COMPUTED:
        return sheet_values().value(rest)
    if rest.lower:
        return _start(rest._replace(sum=0))
    if not rest.upper:
        return 0.0
    # Each die of the face is held.
    face = rest.upper.bit_length()
    worths = (_worth(rest, CATEGORIES[face - 1], face * count) for count in range(SIX + 1))
    value: float = sum(map(mul, LAST_COUNTS, worths))
    return value


# The turn -----------------------------------------------------------------------------------------


@lru_cache(KEPT_STAGES)
def _stage(rest: Rest, rolls_left: int) -> "Stage[float]":
    satisfied, unsatisfied = _stops(rest)
    bonus = sheet_values().rules.throw_bonus[-1 - rolls_left]
    stops = [*map(max, [points + bonus for points in satisfied], unsatisfied)]
    return Stage("d", stops + _rolls(rest, rolls_left - 1) if rolls_left else stops)


@lru_cache(KEPT_STAGES)
def _start(rest: Rest) -> float:
    return _rolls(rest, LAST_ROLL - 1)[-1]


def _rolls(rest: Rest, rolls_left: int) -> list[float]:
    stage = _stage(rest, rolls_left)
    return means(best_of_rolls(stage) if rolls_left else stage, truediv)


@lru_cache(KEPT_STAGES)
def _stops(rest: Rest) -> tuple[list[float], list[float]]:
    """Returns the best value of each roll without a roll bonus.

    The first list covers satisfied lower categories, the second all else.
    """
    strike = -inf
    written, rest_values = [NOTHING, NOTHING], [NOTHING]
    for place, (points, pick) in enumerate(_lower()):
        if rest.lower >> place & 1:
            after = _future(rest.without_lower(place))
            strike = max(strike, after)
            written.append(pick([each + after for each in points]))
    for (category, face), pick in zip(FACE_OF.items(), _upper(), strict=True):
        if rest.upper >> face - 1 & 1:
            counts = range(SIX + 1)
            rest_values.append(pick([_worth(rest, category, face * count) for count in counts]))
    return [*map(max, *written)], [*map(max, *rest_values, repeat(strike))]


@cache
def _lower() -> tuple[tuple[tuple[float, ...], Pick], ...]:
    scores = [scoring.scores(roll, sheet_values().rules.distinct_faces) for roll in ROLLS]
    stops = []
    for place in range(UPPER, len(CATEGORIES)):
        mine = [score[place].face_value if score[place].dice else -inf for score in scores]
        points = tuple(sorted(set(mine)))
        stops.append((points, itemgetter(*map(points.index, mine))))
    return tuple(stops)


@cache
def _upper() -> tuple[Pick, ...]:
    return tuple(itemgetter(*(roll.count(face) for roll in ROLLS)) for face in FACE_OF.values())
