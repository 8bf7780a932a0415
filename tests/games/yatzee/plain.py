"""Oracle: further points of a sheet by recursion in exact fractions, with its own scoring.

Shares no code with the service and none with the builder of its table: tries every category, every
hold and every roll.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

Roll = tuple[int, ...]

FACES = range(1, 7)
UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
ROLLS = [*combinations_with_replacement(FACES, 6)]
THROW_BONUS = (10, 5, 0)
BONUS, THRESHOLD = 50, 84
TURN = 6**18
"""Equally likely turns, if all dice are rolled three times."""


def points(category: str, roll: Roll) -> int:
    """Returns the points of a roll without the roll bonus, or 0 for a category to cross out."""
    count = {face: roll.count(face) for face in FACES}

    def equal(number: int) -> list[int]:
        return [face for face in reversed(FACES) if count[face] >= number]

    pairs, triples = equal(2), equal(3)
    match category:
        case "one-pair":
            return 2 * pairs[0] if pairs else 0
        case "two-pairs":
            return 2 * sum(pairs[:2]) if len(pairs) >= 2 else 0
        case "three-pairs":
            return 2 * sum(pairs) if len(pairs) == 3 else 0
        case "three-of-a-kind":
            return 3 * triples[0] if triples else 0
        case "four-of-a-kind":
            return 4 * equal(4)[0] if equal(4) else 0
        case "two-triples":
            return 3 * sum(triples) if len(triples) == 2 else 0
        case "small-straight":
            return 15 if all(count[face] for face in range(1, 6)) else 0
        case "large-straight":
            return 20 if all(count[face] for face in range(2, 7)) else 0
        case "royal":
            return 30 if len(set(roll)) == 6 else 0
        case "house":
            houses = [3 * a + 2 * b for a in triples for b in pairs if a != b]
            return max(houses, default=0)
        case "chance":
            return sum(roll)
        case "yatzee":
            return 6 * roll[0] + 50 if len(set(roll)) == 1 else 0
    face = UPPER.index(category) + 1
    return face * count[face]


def rest(categories: frozenset[str], upper: int) -> Fraction:
    """Returns the expected points of these open categories, with the bonus while it is open."""
    return Fraction(_rest(categories, upper), TURN ** len(categories))


@cache
def _rest(categories: frozenset[str], upper: int) -> int:
    if not categories:
        return 0
    stops = [
        [_stop(categories, upper, roll, rolls_made) for roll in ROLLS] for rolls_made in range(3)
    ]
    values = dict(zip(ROLLS, stops[2], strict=True))
    for rolls_made in (1, 0):
        means = {hold: _mean(hold, values) for hold in _holds()}
        values = {
            roll: max(stop * 6 ** (6 * (2 - rolls_made)), *(means[hold] for hold in _within(roll)))
            for roll, stop in zip(ROLLS, stops[rolls_made], strict=True)
        }
    return _mean((), values)


def _stop(categories: frozenset[str], upper: int, roll: Roll, rolls_made: int) -> int:
    """Returns the best value of a write or strike, as a numerator over the later turns."""
    parts: int = TURN ** (len(categories) - 1)
    values = list[int]()
    for category in categories:
        earned = points(category, roll)
        after = upper + earned if category in UPPER else upper
        if earned and category not in UPPER:
            earned += THROW_BONUS[rolls_made]
        if upper < THRESHOLD <= after:
            earned += BONUS
        values.append(earned * parts + _rest(categories - {category}, after))
    return max(values)


def _mean(hold: Roll, values: dict[Roll, int]) -> int:
    """Returns the sum over all 6 ** 6 outcomes of six dice, in which held dice keep their faces."""
    held: int = 6 ** len(hold)
    return held * sum(ways * values[roll] for roll, ways in _outcomes(hold))


@cache
def _outcomes(hold: Roll) -> list[tuple[Roll, int]]:
    number = 6 - len(hold)
    return [
        (
            tuple(sorted((*hold, *rolled))),
            factorial(number) // prod(factorial(rolled.count(face)) for face in FACES),
        )
        for rolled in combinations_with_replacement(FACES, number)
    ]


def _holds() -> Iterator[Roll]:
    for number in range(6):
        yield from combinations_with_replacement(FACES, number)


@cache
def _within(roll: Roll) -> set[Roll]:
    return {hold for number in range(6) for hold in combinations(roll, number)}
