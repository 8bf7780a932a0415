"""A player's column of the score sheet, and its totals (Y2.2, Y4.1)."""

from typing import NamedTuple

from dice_referee.games.yatzee.categories import CATEGORIES, FACE_OF, PLACE, Category
from dice_referee.games.yatzee.rulesets import Ruleset
from dice_referee.games.yatzee.scoring import face_values

Scorecard = tuple[int | None, ...]
"""Points of each category, in the order of the sheet, or None where it is open."""

EMPTY: Scorecard = (None,) * len(CATEGORIES)
UPPER = len(FACE_OF)
"""Number of lines of the upper section, which is first on the sheet."""


class Totals(NamedTuple):
    """Totals of a score sheet, in points."""

    upper: int
    """Points of the upper section without its bonus."""
    upper_bonus: int
    lower: int
    total: int


def _totals(rules: Ruleset, upper: int, lower: int) -> Totals:
    bonus = rules.upper_bonus if upper >= rules.upper_threshold else 0
    return Totals(upper, bonus, lower, upper + bonus + lower)


def totals(rules: Ruleset, scorecard: Scorecard) -> Totals:
    """Adds up the filled categories. The bonus counts once the upper section reaches it (Y2.2)."""
    points = [entry or 0 for entry in scorecard]
    return _totals(rules, sum(points[:UPPER]), sum(points[UPPER:]))


def totals_with(rules: Ruleset, before: Totals, category: Category, points: int) -> Totals:
    """Adds up the sheet after another category is filled."""
    if category.is_upper:
        return _totals(rules, before.upper + points, before.lower)
    return _totals(rules, before.upper, before.lower + points)


def fill(scorecard: Scorecard, category: Category, points: int) -> Scorecard:
    place = PLACE[category]
    return (*scorecard[:place], points, *scorecard[place + 1 :])


def can_score(rules: Ruleset, category: Category, points: int) -> bool:
    """Tells if some dice of some roll score these points in the category, or a strike does."""
    values = face_values(category, rules.distinct_faces)
    if points == 0 or category.is_upper:
        return points == 0 or points in values
    return any(points - bonus in values for bonus in rules.throw_bonus)
