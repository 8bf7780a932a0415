"""Points of six dice in each category (Y2.1, Y3.2, Y3.3), without the roll bonus.

Every result depends only on the roll and on a house rule. Only 462 rolls of six dice exist, so each
result is computed once and cached.
"""

from functools import cache
from itertools import permutations, product
from typing import NamedTuple

from dice_referee.games.yatzee import categories
from dice_referee.games.yatzee.categories import CATEGORIES, FACE_OF, GROUPS, PLACE, RUNS, Category
from dice_referee.rulebook.dice import Dice, distinct_rolls, not_among

SIX = 6
"""Number of dice in the game (Y1.1)."""


class Score(NamedTuple):
    dice: Dice
    """Counting dice, none where the category can only be struck (Y1.3)."""
    face_value: int


@cache
def scores(roll: Dice, distinct: bool) -> tuple[Score, ...]:
    """Returns the points of the roll in each category, in the order of the score sheet.

    ``distinct`` is true if pairs and triples of a category need different faces (Y3.3).
    """
    return tuple([_score(category, roll, distinct) for category in CATEGORIES])


def score(category: Category, roll: Dice, distinct: bool) -> Score:
    return scores(roll, distinct)[PLACE[category]]


def _score(category: Category, roll: Dice, distinct: bool) -> Score:
    dice = _counting(category, roll, distinct)
    if not dice:
        return Score((), 0)
    return Score(
        dice, categories.FIXED.get(category, sum(dice)) + categories.EXTRA.get(category, 0)
    )


def _counting(category: Category, roll: Dice, distinct: bool) -> Dice:
    """Returns the dice that the category counts, none if the roll does not satisfy it."""
    if category in FACE_OF:
        return tuple([die for die in roll if die == FACE_OF[category]])
    if category in RUNS:
        return RUNS[category] if set(RUNS[category]) <= set(roll) else ()
    if category in GROUPS:
        return _best_groups(roll, GROUPS[category], distinct)
    return roll


def _best_groups(roll: Dice, sizes: tuple[int, ...], distinct: bool) -> Dice:
    enough = sorted({face for face in roll if roll.count(face) >= min(sizes)})
    number = len(sizes)
    choices = permutations(enough, number) if distinct else product(enough, repeat=number)
    groups = (
        tuple(sorted(sum(((face,) * size for face, size in zip(faces, sizes, strict=True)), ())))
        for faces in choices
    )
    return max((dice for dice in groups if not any(not_among(roll, dice))), key=sum, default=())


@cache
def reading_decides(roll: Dice) -> bool:
    """Tells if equal faces in the groups of a category would change a score (Y3.3)."""
    several = [sizes for sizes in GROUPS.values() if len(sizes) > 1]
    return any(
        _best_groups(roll, sizes, True) != _best_groups(roll, sizes, False) for sizes in several
    )


@cache
def face_values(category: Category, distinct: bool) -> frozenset[int]:
    """Returns every possible face value of this category, except 0."""
    results = (score(category, roll, distinct) for roll in distinct_rolls(SIX))
    return frozenset(score.face_value for score in results if score.dice)
