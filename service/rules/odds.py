"""Chances of dice that have not fallen yet, as exact fractions (O1, O3)."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import factorial, prod

from service.rules.dice import FACES, Dice, distinct_rolls

WIN_CHANCE = "win-chance"
"""The unit of values of which one player loses what the other wins."""


@cache
def roll_weights(number: int) -> Mapping[Dice, int]:
    """Every roll of so many dice, sorted, with the number of the 6 ** ``number`` that show it."""
    ways = factorial(number)
    return {
        roll: ways // prod(factorial(roll.count(face)) for face in FACES)
        for roll in distinct_rolls(number)
    }


def fraction_document(value: Fraction | int) -> dict[str, str | float]:
    """A fraction in lowest terms and its value, ``{"fraction": "25/324", "value": 0.077...}``."""
    return {"fraction": str(value), "value": float(value)}
