"""Sum and combo of three dice: all 216 outcomes, against an oracle and by hand."""

from collections import Counter
from itertools import product
from typing import Any

import pytest

from dice_referee.games.pot.scoring import (
    COMBOS,
    LETTERS,
    as_dice,
    combo_of,
    distinct_rolls,
    points,
)
from tests.games.pot.oracle import PUBLISHED, name_of, total_of

FALLS: list[tuple[Any, ...]] = list(
    product([1, 2, 3, 4, 5, "P"], [1, 2, 3, 4, 5, "O"], [1, 2, 3, 4, 5, "T"])
)
"""Faces of the P, the O and the T die."""


def test_three_dice_have_216_rolls_of_which_96_are_distinct() -> None:
    # By hand: without letters 7 over 3 = 35, with one 3 * 15, with two 3 * 5, with three 1.
    assert len(FALLS) == len(set(FALLS)) == 216
    assert 35 + 3 * 15 + 3 * 5 + 1 == 96
    assert set(distinct_rolls()) == {as_dice(fall) for fall in FALLS}
    assert len(list(distinct_rolls())) == 96


@pytest.mark.parametrize("zeros", ["any", "O"])
def test_sum_and_combo_of_every_roll_match_the_oracle(zeros: str) -> None:
    house = {**PUBLISHED, "zero_letter": zeros}
    for fall in FALLS:
        dice = as_dice(fall)
        combo = combo_of(dice, LETTERS if zeros == "any" else (zeros,))
        assert (None if combo is None else combo.id) == name_of(list(fall), house)
        assert points(dice) == total_of(list(fall))


@pytest.mark.parametrize(("zeros", "four_twenties"), [(LETTERS, 6), (("O",), 2)])
def test_combos_have_the_known_number_of_rolls(zeros: tuple[str, ...], four_twenties: int) -> None:
    # By hand: a triple has one permutation, a straight 3! = 6, P O T one. The die with the letter
    # of 4 2 0 is one of three (or the O die), and the 4 and the 2 have two permutations.
    counts = Counter(getattr(combo_of(as_dice(fall), zeros), "id", None) for fall in FALLS)
    assert counts == {
        "straight-123": 6,
        "straight-234": 6,
        "straight-345": 6,
        "pot": 1,
        "triple-1": 1,
        "triple-2": 1,
        "triple-3": 1,
        "triple-4": 1,
        "triple-5": 1,
        "four-twenty": four_twenties,
        None: 216 - 18 - 6 - four_twenties,
    }
    assert set(counts) - {None} == {combo.id for combo in COMBOS}


def test_sums_of_all_outcomes_average_7_and_a_half() -> None:
    # By hand: (1 + 2 + 3 + 4 + 5 + 0) / 6 = 2.5 a die.
    assert sum(points(as_dice(fall)) for fall in FALLS) == 216 * 15 // 2
    assert {points(as_dice(fall)) for fall in FALLS} == set(range(16))


@pytest.mark.parametrize(
    ("faces", "dice"),
    [
        (["T", 5, "P"], (5, "P", "T")),
        (["O", "T", "P"], ("P", "O", "T")),
        ([2, "O", 1], (1, 2, "O")),
    ],
)
def test_dice_in_any_order_are_sorted_with_numbers_first(
    faces: list[Any], dice: tuple[Any, ...]
) -> None:
    assert as_dice(faces) == dice
