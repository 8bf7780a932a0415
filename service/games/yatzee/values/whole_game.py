"""What a position is worth for the rest of the card, and each of its choices (O15).

The running turn is computed on the lattice of holds; later turns are values of the card table.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import repeat
from math import inf
from operator import itemgetter, truediv
from typing import NamedTuple

from service.games.yatzee import scoring
from service.games.yatzee.categories import CATEGORIES, FACE_OF, PLACE, Category
from service.games.yatzee.events import Event, Strike, Throw, Write
from service.games.yatzee.position import Position
from service.games.yatzee.rulesets import THROWS
from service.games.yatzee.scoring import SIX
from service.games.yatzee.sheet import UPPER, filled, totals
from service.games.yatzee.turn import Over, Turn, worths
from service.games.yatzee.values.card import Accuracy, Rest, card_table, rest_of
from service.games.yatzee.values.holds import (
    HOLDS,
    PLACES,
    ROLLS,
    Pick,
    Stage,
    hold_values,
    holds_of,
)
from service.rules.dice import as_dice

KEPT_TURNS = 64
"""Cards whose turn is kept: a session or a review asks many times about each; 22 kB each."""

ALIKE = 9
"""Digits after the point in which equal values agree."""


NOTHING = (-inf,) * len(ROLLS)
"""The worth of every roll where no category takes it."""


class Choice(NamedTuple):
    """Something that the dice allow."""

    event: Event
    value: float
    """The expected points still to come."""


class WholeGame(NamedTuple):
    """All that is known of the rest of a card."""

    value: float
    choices: tuple[Choice, ...]
    """The open categories in the order of the card, then the holds, the most dice first."""
    best: int | None
    """The index of the best choice; None before the first throw."""
    accuracy: Accuracy


class TurnValues(NamedTuple):
    """The values of every hold in the turn of a card."""

    stages: "tuple[Stage[float], ...]"
    """By throws left, as those of a row."""
    start: float
    """The value before the first throw."""


def whole_game(position: Position) -> WholeGame:
    """Returns the worth of a position and of its choices."""
    listed = tuple(choices(position))
    best = max(range(len(listed)), key=lambda i: round(listed[i].value, ALIKE), default=None)
    value = _turn_of(position).start if best is None else listed[best].value
    return WholeGame(value, listed, best, card_table().accuracy)


def value(position: Position) -> float:
    """Returns the expected points still to come."""
    if position.dice is None:
        return _turn_of(position).start
    return max(choice.value for choice in choices(position))


def best(position: Position) -> Event:
    """Returns the best choice, of equal ones the first (O2)."""
    found = whole_game(position)
    return Throw() if found.best is None else found.choices[found.best].event


def choices(position: Position) -> Iterator[Choice]:
    """Yields every open category, then every hold; nothing before the first throw."""
    if position.dice is None or position.throw is None:
        return
    for worth, points in zip(
        worths(position.rules, position.dice, position.throw), position.scorecard, strict=True
    ):
        if points is None:
            event = Write(worth.category) if worth.score.dice else Strike(worth.category)
            yield Choice(event, _filled(position, worth.category, worth.points))
    if position.may_throw:
        stage = _turn_of(position).stages[THROWS - position.throw]
        for place in sorted(PLACES[hold] for hold in holds_of(position.dice)):
            if len(HOLDS[place]) < SIX:
                yield Choice(Throw(HOLDS[place]), stage[place])


def worth(position: Position, event: Event) -> float:
    """Returns the worth of a choice."""
    if not isinstance(event, Throw):
        points = 0
        if isinstance(event, Write):
            points = _points(position, event.category)
        return _filled(position, event.category, points)
    if position.throw is None:
        return value(position)
    return _turn_of(position).stages[THROWS - position.throw][PLACES[as_dice(event.held)]]


def worth_after(position: Position, turn: Turn) -> float:
    """Returns the worth of a turn to which an event has led, the points that it wrote among it."""
    if not isinstance(turn, Over):
        return value(turn)
    written = totals(turn.rules, turn.scorecard).total
    written -= totals(position.rules, position.scorecard).total
    # The next turn is computed, not looked up: so luck and play add up to the total (O17).
    return written + (0 if turn.scorecard_full else value(Position(turn.rules, turn.scorecard)))


def _points(position: Position, category: Category) -> int:
    assert position.dice is not None
    assert position.throw is not None
    return worths(position.rules, position.dice, position.throw)[PLACE[category]].points


def _filled(position: Position, category: Category, points: int) -> float:
    """Returns the points of a category, the bonus that they earn, and the rest of the card."""
    card = filled(position.scorecard, category, points)
    before, after = totals(position.rules, position.scorecard), totals(position.rules, card)
    return after.total - before.total + card_table().value(rest_of(card))


# The turn -----------------------------------------------------------------------------------------


def _turn_of(position: Position) -> TurnValues:
    return _turn(rest_of(position.scorecard))


@lru_cache(KEPT_TURNS)
def _turn(rest: Rest) -> TurnValues:
    """Returns the values of a turn in which every stop fills the best category."""
    table, rules = card_table(), card_table().rules
    written, others, strike = [NOTHING], list[Sequence[float]](), -inf
    for place, (points, pick) in enumerate(_lower()):
        if rest.lower >> place & 1:
            after = table.value(rest.without_lower(place))
            strike = max(strike, after)
            written.append(pick([each + after for each in points]))
    for place, pick in enumerate(_upper()):
        if rest.upper >> place & 1:
            others.append(pick([_upper_value(rest, place, number) for number in range(SIX + 1)]))
    satisfied = [*map(max, *written, NOTHING)]
    rest_of_them = [*map(max, *others, repeat(strike), NOTHING)]
    stops = [
        [*map(max, [points + bonus for points in satisfied], rest_of_them)]
        for bonus in rules.throw_bonus
    ]
    stages, start = hold_values(stops, truediv)
    return TurnValues(tuple([Stage("d", values) for values in stages]), start)


def _upper_value(rest: Rest, place: int, number: int) -> float:
    """Returns the worth of so many dice in an upper category, the bonus that they earn included."""
    rules, points = card_table().rules, number * (place + 1)
    after = rest.without_upper(place, points)
    earned = rest.sum < rules.upper_threshold <= after.sum
    return points + rules.upper_bonus * earned + card_table().value(after)


@cache
def _lower() -> tuple[tuple[tuple[float, ...], Pick], ...]:
    """The points that each lower category can bring without a throw bonus, and those of a roll."""
    scores = [scoring.scores(roll, card_table().rules.distinct_faces) for roll in ROLLS]
    found = []
    for place in range(UPPER, len(CATEGORIES)):
        mine = [score[place].face_value if score[place].dice else -inf for score in scores]
        points = tuple(sorted(set(mine)))
        found.append((points, itemgetter(*map(points.index, mine))))
    return tuple(found)


@cache
def _upper() -> tuple[Pick, ...]:
    """The number of dice of each roll that an upper category counts."""
    return tuple(itemgetter(*(roll.count(face) for roll in ROLLS)) for face in FACE_OF.values())
