"""The law of odds: a choice has the value of its ``next``, posted back (O16).

Each game has a module ``next_values`` with its aims, its random rules and its accuracy.
"""

from importlib import import_module
from random import Random

import pytest

POSITIONS = 10
"""Number of positions that share their value tables."""


@pytest.mark.parametrize(
    "seeds", [range(10), pytest.param(range(10, 2040), marks=pytest.mark.long)], ids=len
)
@pytest.mark.parametrize("game", ["tutto", "pot", "yatzee"])
def test_choice_has_the_value_of_its_next(game: str, seeds: range) -> None:
    module = import_module(f"tests.games.{game}.next_values")
    for seed in seeds:
        for choice in module.choices(Random(seed), POSITIONS):
            expected = pytest.approx(choice.of_next, abs=choice.within)
            assert choice.value == expected, choice.question
