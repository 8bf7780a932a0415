"""Points of all 462 rolls, three rolls, eighteen categories, against brute force.

The oracle plays like a person at the table: it lays out every selection of the six dice and
compares the selection with the category.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, permutations, product

import pytest

from dice_referee.games.yatzee.categories import CATEGORIES, Category
from dice_referee.games.yatzee.position import worths
from dice_referee.games.yatzee.rulesets import YATZEE_SIX as DEFAULT
from dice_referee.games.yatzee.scoring import scores
from dice_referee.rulebook.dice import Dice, distinct_rolls

ROLLS = tuple(distinct_rolls(6))
BONUS = {1: 10, 2: 5, 3: 0}
"""Y3.1."""

Looks = Callable[[Dice], bool]


def halves(dice: Dice, first: int) -> bool:
    """Tells if the roll consists of two halves of equal dice."""
    return any(
        len(set(half)) == 1 and len(set((Counter(dice) - Counter(half)).elements())) == 1
        for half in combinations(dice, first)
    )


def all_equal(dice: Dice) -> bool:
    return dice.count(dice[0]) == len(dice)


def faces(dice: Dice) -> int:
    return len(set(dice))


def is_pairs(dice: Dice) -> bool:
    return all(number % 2 == 0 for number in Counter(dice).values())


STRICT: dict[str, tuple[int, Looks]] = {
    "one-pair": (2, all_equal),
    "two-pairs": (4, lambda dice: is_pairs(dice) and faces(dice) == 2),
    "three-pairs": (6, lambda dice: is_pairs(dice) and faces(dice) == 3),
    "three-of-a-kind": (3, all_equal),
    "four-of-a-kind": (4, all_equal),
    "two-triples": (6, lambda dice: halves(dice, 3) and faces(dice) == 2),
    "small-straight": (5, lambda dice: sorted(dice) == [1, 2, 3, 4, 5]),
    "large-straight": (5, lambda dice: sorted(dice) == [2, 3, 4, 5, 6]),
    "royal": (6, lambda dice: sorted(dice) == [1, 2, 3, 4, 5, 6]),
    "house": (5, lambda dice: halves(dice, 3) and faces(dice) == 2),
    "chance": (6, lambda dice: True),
    "yatzee": (6, all_equal),
}
"""Number of dice of each lower category, and the test of their faces (Y3.2, Y3.3)."""

LOOSE: dict[str, tuple[int, Looks]] = STRICT | {
    "two-pairs": (4, is_pairs),
    "three-pairs": (6, is_pairs),
    "two-triples": (6, lambda dice: halves(dice, 3) or all_equal(dice)),
    "house": (5, lambda dice: halves(dice, 3) or all_equal(dice)),
}
"""The same for `distinct_faces: false`."""

UPPER = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}


def brute(category: str, roll: Dice, table: dict[str, tuple[int, Looks]]) -> tuple[Dice, int]:
    """Returns the dice that count and their face value, or no dice for a category to cross out."""
    if category in UPPER:
        dice = tuple(die for die in roll if die == UPPER[category])
        return dice, UPPER[category] * len(dice)
    number, looks = table[category]
    fitting = {group for group in combinations(roll, number) if looks(group)}
    if not fitting:
        return (), 0
    best = max(fitting, key=sum)
    assert [group for group in fitting if sum(group) == sum(best)] == [best], "no two are as good"
    if category == "royal":
        return best, 30
    return best, sum(best) + (50 if category == "yatzee" else 0)


@pytest.mark.parametrize(
    ("table", "distinct"), [(STRICT, True), (LOOSE, False)], ids=["distinct faces", "equal faces"]
)
def test_scores_of_every_roll_equal_brute_force(
    table: dict[str, tuple[int, Looks]], distinct: bool
) -> None:
    rules = DEFAULT.house({"distinct_faces": distinct})
    for roll in ROLLS:
        expected = [brute(category, roll, table) for category in (*UPPER, *STRICT)]
        for rolls_made, bonus in BONUS.items():
            lines = worths(rules, roll, rolls_made)
            assert [line.category for line in lines] == [*UPPER, *STRICT]
            for line, (dice, value) in zip(lines, expected, strict=True):
                added = bonus if dice and line.category not in UPPER else 0
                worth = (line.category, (dice, value), added, value + added)
                assert line == worth, (roll, rolls_made)


@cache
def share(category: Category, distinct: bool) -> int:
    """Counts the ordered rolls of 46,656 that satisfy a category."""
    orders = {roll: len(set(permutations(roll))) for roll in ROLLS}
    assert sum(orders.values()) == 6**6
    place = CATEGORIES.index(category)
    return sum(number for roll, number in orders.items() if scores(roll, distinct)[place].dice)


# Ordered rolls by the pattern of the faces: 222 1800, 2211 16200, 321 7200, 33 300, 42 450, 411
# 1800, 3111 7200, 51 180, 6 6, 21111 10800, 111111 720. The sum is 46656.
@pytest.mark.parametrize(
    ("category", "distinct", "number"),
    [
        ("ones", True, 6**6 - 5**6),
        ("one-pair", True, 6**6 - 720),
        ("two-pairs", True, 1800 + 16200 + 7200 + 300 + 450),
        ("two-pairs", False, 1800 + 16200 + 7200 + 300 + 450 + 1800 + 180 + 6),
        ("three-pairs", True, 1800),
        ("three-pairs", False, 1800 + 450 + 6),
        ("three-of-a-kind", True, 6**6 - 1800 - 16200 - 10800 - 720),
        ("four-of-a-kind", True, 450 + 1800 + 180 + 6),
        ("two-triples", True, 300),
        ("two-triples", False, 300 + 6),
        ("small-straight", True, 720 + 5 * 360),
        ("large-straight", True, 720 + 5 * 360),
        ("royal", True, 720),
        ("house", True, 7200 + 300 + 450),
        ("house", False, 7200 + 300 + 450 + 180 + 6),
        ("chance", True, 6**6),
        ("yatzee", True, 6),
    ],
)
def test_categories_have_the_known_number_of_ordered_rolls(
    category: str, distinct: bool, number: int
) -> None:
    assert share(Category(category), distinct) == number


@pytest.mark.parametrize(
    ("roll", "rolls_made", "category", "points"),
    [
        ((1, 4, 4, 4, 5, 5), 1, "house", 12 + 10 + 10),
        ((1, 2, 3, 4, 5, 5), 2, "small-straight", 15 + 5),
        ((1, 2, 3, 4, 5, 6), 1, "royal", 30 + 10),
        ((3, 3, 3, 3, 3, 3), 2, "yatzee", 18 + 5 + 50),
    ],
)
def test_worked_examples_score_the_published_points(
    roll: Dice, rolls_made: int, category: str, points: int
) -> None:
    by_category = {line.category: line.points for line in worths(DEFAULT, roll, rolls_made)}
    assert by_category[Category(category)] == points


def test_face_values_equal_those_of_the_danish_card() -> None:
    four_of_each = [
        scores((n, n, n, n, 6, 6) if n < 6 else (1, 1, 6, 6, 6, 6), True) for n in UPPER.values()
    ]
    printed = [row[n].face_value for n, row in enumerate(four_of_each)]
    assert printed == [4, 8, 12, 16, 20, 24]
    assert sum(printed) == DEFAULT.upper_threshold == 84
    assert DEFAULT.upper_bonus == 50
    royal = scores((1, 2, 3, 4, 5, 6), True)
    assert [
        royal[CATEGORIES.index(Category(name))].face_value
        for name in ("small-straight", "large-straight", "royal")
    ] == [15, 20, 30]


def test_roll_bonus_changes_only_the_lower_section() -> None:
    rules = DEFAULT.house({"throw_bonus": [7, 0, 100]})
    for roll, rolls_made in product(ROLLS, BONUS):
        for own, usual in zip(
            worths(rules, roll, rolls_made), worths(DEFAULT, roll, rolls_made), strict=True
        ):
            paid = bool(usual.score.dice) and usual.category not in UPPER
            assert own.points == usual.score.face_value + paid * (7, 0, 100)[rolls_made - 1]
