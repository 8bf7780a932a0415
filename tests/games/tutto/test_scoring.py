"""Points of all 923 rolls, against a brute force with independent rules."""

from functools import cache
from itertools import combinations, permutations, product

import pytest

from dice_referee.games.tutto.cards import FIREWORK
from dice_referee.games.tutto.rulesets import ABACUS_2013, EqualDice
from dice_referee.games.tutto.scoring import allowed_on_straight, scoring_of
from dice_referee.rulebook.dice import Dice, as_dice, distinct_rolls

SCORING = scoring_of(ABACUS_2013)
ROLLS = [roll for number in range(1, 7) for roll in distinct_rolls(number)]

WORTH: dict[Dice, int] = {
    (1,): 100,
    (5,): 50,
    (1, 1, 1): 1000,
    (2, 2, 2): 200,
    (3, 3, 3): 300,
    (4, 4, 4): 400,
    (5, 5, 5): 500,
    (6, 6, 6): 600,
}
"""T1.2 and T1.3, as the score table of the rules prints them."""


SETS = {
    (face,) * number: WORTH[(face,) * 3] * 2 ** (number - 3)
    for face in range(1, 7)
    for number in (4, 5, 6)
}
"""T1.7, where each equal die beyond three doubles the triple."""


@cache
def best_partition(dice: Dice, doubled: bool = False) -> int | None:
    """Returns the most points of a split into groups of the table, or None without a split.

    Three 1s or 5s could be split into singles too. T1.6 says that the triple counts, and a triple
    is worth more, so the best split is correct.
    """
    if not dice:
        return 0
    totals = []
    for group, points in {**WORTH, **(SETS if doubled else {})}.items():
        rest = list(dice)
        try:
            for die in group:
                rest.remove(die)
        except ValueError:
            continue
        if (left := best_partition(tuple(rest), doubled)) is not None:
            totals.append(points + left)
    return max(totals, default=None)


def brute_keeps(roll: Dice, doubled: bool = False) -> dict[Dice, int]:
    """Returns the points of every keep. Doubled 2s, 3s, 4s or 6s are not split (T1.7)."""
    subsets = {dice for n in range(1, len(roll) + 1) for dice in combinations(roll, n)}
    if doubled:
        subsets = {
            dice
            for dice in subsets
            if all(dice.count(face) in (0, 3, roll.count(face)) for face in (2, 3, 4, 6))
        }
    worth = {dice: best_partition(dice, doubled) for dice in subsets}
    return {dice: points for dice, points in sorted(worth.items()) if points is not None}


def test_one_to_six_dice_have_923_distinct_rolls() -> None:
    assert len(ROLLS) == len(set(ROLLS)) == 923


@pytest.mark.parametrize("equal_dice", EqualDice)
def test_keeps_of_every_roll_equal_brute_force(equal_dice: EqualDice) -> None:
    scoring = scoring_of(ABACUS_2013.house({"equal_dice": equal_dice}))
    for roll in ROLLS:
        legal = scoring.allowed(roll, True)
        brute = brute_keeps(roll, equal_dice is EqualDice.DOUBLED)
        # Both are in order.
        assert [(keep.dice, keep.points) for keep in legal.keeps] == [*brute.items()], roll
        for keep in legal.keeps:
            assert sum(line.points for line in keep.lines) == keep.points, roll
            assert sorted(die for line in keep.lines for die in line.dice) == [*keep.dice], roll
        assert (legal.most is None) == (not legal.keeps), roll
        if legal.most is not None:
            assert all(set(keep.dice) <= set(legal.most.dice) for keep in legal.keeps), roll
            assert legal.most.points == max(brute.values()), roll
            assert scoring.allowed_on(FIREWORK, roll).keeps == (legal.most,), roll


def test_dice_score_nothing_on_cards_that_alone_pay() -> None:
    for roll in ROLLS:
        paid, unpaid = SCORING.allowed(roll, True), SCORING.allowed(roll, False)
        assert [keep.dice for keep in unpaid.keeps] == [keep.dice for keep in paid.keeps], roll
        assert all(line.points == 0 for keep in unpaid.keeps for line in keep.lines), roll


@pytest.mark.parametrize(
    ("number", "keeps"), [(1, 2), (2, 15), (3, 68), (4, 236), (5, 684), (6, 1744)]
)
def test_distinct_rolls_have_the_known_number_of_legal_keeps(number: int, keeps: int) -> None:
    assert sum(len(SCORING.allowed(roll, True).keeps) for roll in distinct_rolls(number)) == keeps


@pytest.mark.parametrize(
    ("number", "nieten"), [(1, 4), (2, 16), (3, 60), (4, 204), (5, 600), (6, 1440)]
)
def test_ordered_rolls_have_the_known_number_of_nieten(number: int, nieten: int) -> None:
    ordered = product(range(1, 7), repeat=number)
    count = sum(SCORING.allowed(tuple(sorted(roll)), True).most is None for roll in ordered)
    assert count == nieten
    assert 6**number == [6, 36, 216, 1296, 7776, 46656][number - 1]


def test_straight_from_six_different_dice_has_63_keeps() -> None:
    assert len(allowed_on_straight((1, 2, 3, 4, 5, 6)).keeps) == 63


def test_keeps_on_a_straight_are_all_subsets_of_free_faces() -> None:
    for number in range(7):
        for free in combinations(range(1, 7), number):
            keeps = [keep.dice for keep in allowed_on_straight(free).keeps]
            expected = {group for n in range(1, number + 1) for group in combinations(free, n)}
            assert keeps == sorted(expected)


@pytest.mark.parametrize(
    ("dice", "points"),
    [
        ((1, 1, 1, 1), 1100),
        ((5, 5, 5, 5, 5), 600),
        ((4, 4, 4, 4, 4, 4), 800),
        ((2, 2, 2, 3, 3, 3), 500),
        ((1, 1, 1, 1, 1, 1), 2000),
        ((5, 5, 5, 5, 5, 5), 1000),
        ((1, 5), 150),
        ((1, 1, 5, 5), 300),
        ((1, 2, 2, 2, 5), 350),
    ],
)
def test_keeps_score_the_published_totals(dice: Dice, points: int) -> None:
    keep = SCORING.score(dice, True)
    assert keep is not None
    assert keep.points == points


@pytest.mark.parametrize(
    ("dice", "points", "kinds"),
    [
        ((2, 2, 2, 2), 400, ["set"]),
        ((2, 2, 2, 2, 2), 800, ["set"]),
        ((2, 2, 2, 2, 2, 2), 1600, ["set"]),
        ((1, 1, 1, 1), 2000, ["set"]),
        ((5, 5, 5, 5, 6, 6), None, []),
        ((1, 2, 2, 2, 2, 5), 550, ["single", "set", "single"]),
        ((2, 2, 2, 3, 3, 3), 500, ["triple", "triple"]),
    ],
)
def test_doubled_equal_dice_score_their_totals(
    dice: Dice, points: int | None, kinds: list[str]
) -> None:
    keep = scoring_of(ABACUS_2013.house({"equal_dice": "doubled"})).score(dice, True)
    assert (keep and keep.points) == points
    assert [line.kind for line in keep.lines] == kinds if keep else not kinds


@pytest.mark.parametrize("dice", [(2,), (3, 3), (2, 2, 2, 2), (1, 6), (6, 6, 6, 6, 6), (1, 2, 3)])
def test_dice_with_an_unscored_die_are_no_keep(dice: Dice) -> None:
    assert SCORING.score(dice, True) is None


def test_as_dice_sorts_any_permutation() -> None:
    assert {as_dice(order) for order in permutations((5, 1, 2, 2))} == {(1, 2, 2, 5)}


def test_dice_set_aside_fit_if_every_keep_fits() -> None:
    """Tests every two keeps of at most three dice, empty keeps included (T2.2, T5.6)."""
    keeps = [(), *(roll for roll in ROLLS if len(roll) <= 3)]
    wrong = {}
    for pair in product(keeps, repeat=2):
        dice = [die for keep in pair for die in keep]
        scoring = all(keep and best_partition(keep) is not None for keep in pair)
        faces = all(pair) and len(set(dice)) == len(dice)
        fits = SCORING.aside(pair).fits, SCORING.aside(pair, straight=True).fits
        if fits != (scoring, faces):
            wrong[pair] = fits
    assert wrong == {}
