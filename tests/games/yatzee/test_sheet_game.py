"""The builder of the sheet's table against plain recursion and published figures (O15).

``make tables`` runs the builder. Small sheets have three lower categories.
"""

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from dice_referee.games.yatzee.categories import Category
from dice_referee.games.yatzee.rulesets import YATZEE_SIX as DEFAULT
from dice_referee.games.yatzee.rulesets import Ruleset
from dice_referee.games.yatzee.values.sheet import HEAD_BYTES, PATH
from tests.games.yatzee import plain
from tests.tools.tables import yatzee
from tests.tools.tables.sheet_game import SheetGame, Solution, solve, upper_state

pytestmark = pytest.mark.long

LOWER = (Category.THREE_PAIRS, Category.HOUSE, Category.YATZEE)


def small(rules: Ruleset = DEFAULT) -> SheetGame:
    """Returns a sheet with three lower categories."""
    game = yatzee.sheet_game(rules)
    every = [category for category in Category if not category.is_upper]
    return game._replace(lower=[game.lower[every.index(category)] for category in LOWER])


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(small())


def value(solution: Solution, categories: frozenset[str], points: int) -> float:
    lower = sum(1 << place for place, category in enumerate(LOWER) if category in categories)
    faces = sum(1 << place for place, category in enumerate(plain.UPPER) if category in categories)
    place = solution.upper.index(upper_state(small(), faces, points))
    # The builder pays the bonus for a full upper section, the recursion at the threshold.
    return float(solution.values[lower, place]) - 50 * (points >= 84)


@pytest.mark.parametrize(
    ("categories", "points"),
    [
        ({"yatzee"}, 0),
        ({"sixes"}, 65),
        ({"sixes", "house"}, 60),
        ({"house", "three-pairs"}, 84),
        ({"ones", "fives"}, 70),
        ({"ones", "sixes", "yatzee"}, 75),
        ({"house", "three-pairs", "yatzee"}, 0),
    ],
)
def test_values_equal_plain_recursion(
    solution: Solution, categories: set[str], points: int
) -> None:
    open_categories = frozenset(categories)
    expected = plain.rest(open_categories, points)
    assert isinstance(expected, Fraction)
    assert value(solution, open_categories, points) == pytest.approx(float(expected), abs=1e-9)


@pytest.mark.parametrize(
    ("options", "is_better"),
    [
        ({"upper_bonus": 100}, True),
        ({"upper_bonus": 0}, False),
        ({"upper_threshold": 63}, True),
        ({"upper_threshold": 105}, False),
        ({"throw_bonus": [20, 10, 0]}, True),
        ({"throw_bonus": [0, 0, 0]}, False),
        ({"distinct_faces": False}, True),
    ],
)
def test_options_raise_or_lower_the_value(
    solution: Solution, options: dict[str, object], is_better: bool
) -> None:
    changed = solve(small(DEFAULT.house(options))).empty_card
    assert changed != solution.empty_card
    assert (changed > solution.empty_card) is is_better


def test_card_has_8_368_128_states() -> None:
    head = json.loads(PATH.read_bytes()[:HEAD_BYTES])
    assert (head["lower"], head["upper"], head["states"]) == (4096, 2043, 8_368_128)


# Other games --------------------------------------------------------------------------------------


def groups(*sizes: int) -> Callable[[Sequence[int]], int | None]:
    """Returns a rule: the most pips of groups of these sizes, each of a different face."""

    def points(roll: Sequence[int]) -> int | None:
        totals = [
            sum(face * size for face, size in zip(faces, sizes, strict=True))
            for faces in permutations(range(1, 7), len(sizes))
            if all(roll.count(face) >= size for face, size in zip(faces, sizes, strict=True))
        ]
        return max(totals, default=None)

    return points


def shows(*runs: tuple[int, ...], points: int) -> Callable[[Sequence[int]], int | None]:
    return lambda roll: points if any(set(run) <= set(roll) for run in runs) else None


def alike(number: int, points: int | None = None) -> Callable[[Sequence[int]], int | None]:
    """Returns the pips of all dice, or these points, for a number of equal dice."""

    def worth(roll: Sequence[int]) -> int | None:
        most = max(map(roll.count, roll))
        return (sum(roll) if points is None else points) if most >= number else None

    return worth


YATZY = (
    *(groups(2), groups(2, 2), groups(3), groups(4), groups(3, 2), sum, alike(5, 50)),
    *(shows((1, 2, 3, 4, 5), points=15), shows((2, 3, 4, 5, 6), points=20)),
)
RUNS_OF_FOUR = ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6))
RUNS_OF_FIVE = ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))


def full_house(five_equal: bool) -> Callable[[Sequence[int]], int | None]:
    counts = {(2, 3), (5,)} if five_equal else {(2, 3)}
    return lambda roll: 25 if tuple(sorted(map(roll.count, set(roll)))) in counts else None


def yahtzee(five_equal: bool) -> SheetGame:
    lower = (
        *(alike(3), alike(4), full_house(five_equal), sum, alike(5, 50)),
        *(shows(*RUNS_OF_FOUR, points=30), shows(*RUNS_OF_FIVE, points=40)),
    )
    return SheetGame(5, lower, (0, 0, 0), 63, 35)


@pytest.mark.parametrize(
    ("game", "optimum"),
    [
        (SheetGame(5, YATZY, (0, 0, 0), 63, 50), 248.4399894),
        (yahtzee(five_equal=False), 245.8707745),
        (yahtzee(five_equal=True), 245.9047284),
    ],
    ids=["yatzy", "yahtzee", "yahtzee-five-equal"],
)
def test_similar_games_have_their_published_optimum(game: SheetGame, optimum: float) -> None:
    assert solve(game).empty_card == pytest.approx(optimum, abs=1e-6)


def test_shipped_file_equals_the_output_of_the_builder() -> None:
    """Compares products, since signs of columns may differ between machines."""
    solution = solve(yatzee.sheet_game(DEFAULT))
    assert solution.empty_card == pytest.approx(354.1713561, abs=1e-6)
    stored, built = PATH.read_bytes(), yatzee.compressed_file(DEFAULT, solution)
    heads = [json.loads(content[:HEAD_BYTES]) for content in (stored, built)]
    matrices = [product_of(content) for content in (stored, built)]
    assert np.abs(matrices[0] - matrices[1]).max() < 1e-3
    stored_errors, built_errors = (np.array(head.pop("errors")) for head in heads)
    assert heads[0] == heads[1]
    # The fourth digit is rounded in both files.
    assert np.abs(stored_errors - built_errors).max() <= 1.01e-4
    errors = [*yatzee.errors_by_open_categories(solution, matrices[0].astype(float))]
    assert np.abs(stored_errors - np.array(errors)).max() <= 1.01e-4


def product_of(content: bytes) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    numbers = np.frombuffer(content, "<f4", offset=HEAD_BYTES + 2 * 64 * 85).reshape(-1, 32)
    return np.asarray(numbers[:4096] @ numbers[4096:].T)
