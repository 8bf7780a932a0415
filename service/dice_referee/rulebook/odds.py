"""Exact chances of dice that have not fallen yet, as fractions (O1, O3)."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import factorial, prod

from dice_referee.rulebook.dice import FACES, Dice, distinct_rolls

WIN_CHANCE = "win-chance"
"""Unit of values that are win probabilities. The loss of a player is the opponent's gain."""


@cache
def roll_weights(number: int) -> Mapping[Dice, int]:
    """Returns the weight of every sorted roll of ``number`` dice.

    A weight counts the orders of the dice that show the roll. All weights sum to 6 ** ``number``.
    """
    orders = factorial(number)
    return {
        roll: orders // prod(factorial(roll.count(face)) for face in FACES)
        for roll in distinct_rolls(number)
    }


def fraction_document(value: Fraction | int) -> dict[str, str | float]:
    """Returns the fraction in lowest terms and as a float (O3).

    For example ``{"fraction": "25/324", "value": 0.077...}``.
    """
    return {"fraction": str(value), "value": float(value)}
