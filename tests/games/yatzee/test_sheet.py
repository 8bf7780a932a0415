"""The score sheet: its totals, its maximum, and its impossible entries."""

from itertools import product
from typing import Any

import pytest

from dice_referee.games.yatzee.categories import CATEGORIES, Category
from dice_referee.games.yatzee.position import worths
from dice_referee.games.yatzee.rulesets import YATZEE_SIX as DEFAULT
from dice_referee.games.yatzee.sheet import can_score
from dice_referee.rulebook.dice import distinct_rolls
from tests.application import CLIENT
from tests.games.yatzee.random_games import SHEET

BEST: dict[str, tuple[list[int], int]] = {
    "ones": ([1, 1, 1, 1, 1, 1], 6),
    "twos": ([2, 2, 2, 2, 2, 2], 12),
    "threes": ([3, 3, 3, 3, 3, 3], 18),
    "fours": ([4, 4, 4, 4, 4, 4], 24),
    "fives": ([5, 5, 5, 5, 5, 5], 30),
    "sixes": ([6, 6, 6, 6, 6, 6], 36),
    "one-pair": ([6, 6, 6, 6, 6, 6], 6 + 6 + 10),
    "two-pairs": ([5, 5, 6, 6, 6, 6], 6 + 6 + 5 + 5 + 10),
    "three-pairs": ([4, 4, 5, 5, 6, 6], 12 + 10 + 8 + 10),
    "three-of-a-kind": ([6, 6, 6, 6, 6, 6], 18 + 10),
    "four-of-a-kind": ([6, 6, 6, 6, 6, 6], 24 + 10),
    "two-triples": ([5, 5, 5, 6, 6, 6], 18 + 15 + 10),
    "small-straight": ([1, 2, 3, 4, 5, 5], 15 + 10),
    "large-straight": ([2, 3, 4, 5, 6, 6], 20 + 10),
    "royal": ([1, 2, 3, 4, 5, 6], 30 + 10),
    "house": ([5, 5, 6, 6, 6, 6], 18 + 10 + 10),
    "chance": ([6, 6, 6, 6, 6, 6], 36 + 10),
    "yatzee": ([6, 6, 6, 6, 6, 6], 36 + 50 + 10),
}
"""Maximum of each category, by hand: always on the first roll, for its bonus."""

# Upper: 6 x (1 + 2 + 3 + 4 + 5 + 6) = 126, with the bonus 176. Lower: 22 + 32 + 40 + 28 + 34 + 43 =
# 199, and 25 + 30 + 40 + 38 + 46 + 96 = 275, together 474.
BEST_TOTALS = {"upper": 126, "upper_bonus": 50, "lower": 474, "total": 650}

BEST_LOOSE: dict[str, int] = {
    "two-pairs": 24 + 10,
    "three-pairs": 36 + 10,
    "two-triples": 36 + 10,
    "house": 30 + 10,
}
"""Best totals under `distinct_faces: false`: six 6s score 2 + 6 + 3 + 2 points more."""


def adjudication(position: dict[str, Any]) -> Any:
    answer = CLIENT.post("/v1/yatzee/adjudications", json=position)
    assert answer.status_code == 200, answer.get_json()
    return answer.get_json()


def best_by_the_service(options: dict[str, Any]) -> dict[str, int]:
    """Returns the most points of each category over all rolls and rolls."""
    positions = [
        {"options": options, "roll": dice, "rolls_made": roll}
        for dice, roll in product(distinct_rolls(6), (1, 2, 3))
    ]
    batch = CLIENT.post("/v1/yatzee/adjudications/batch", json={"positions": positions})
    answers = batch.get_json()["answers"]
    assert len(answers) == 462 * 3
    rows = [[entry["points"] for entry in answer["categories"]] for answer in answers]
    return dict(zip(SHEET, map(max, *rows), strict=True))


def test_best_possible_sheet_has_the_maxima_by_hand() -> None:
    best = {category: points for category, (_, points) in BEST.items()}
    assert best_by_the_service({}) == best
    assert sum(best.values()) + 50 == BEST_TOTALS["total"] == 650


def test_best_possible_sheet_with_equal_faces_scores_663_points() -> None:
    best = {category: points for category, (_, points) in BEST.items()} | BEST_LOOSE
    assert best_by_the_service({"distinct_faces": False}) == best
    assert sum(best.values()) + 50 == 663


def test_best_possible_game_scores_650_points() -> None:
    log = [
        event
        for category, (dice, _) in BEST.items()
        for event in ({"type": "roll", "dice": dice}, {"type": "write", "category": category})
    ]
    audit = CLIENT.post("/v1/yatzee/audits", json={"players": ["Ann"], "log": log}).get_json()
    assert audit["legal"]
    assert audit["over"]
    assert audit["totals"] == [BEST_TOTALS]
    assert audit["scorecards"] == [{category: points for category, (_, points) in BEST.items()}]
    # The fives earn the bonus: 6 + 12 + 18 + 24 are 60, with 30 more 90.
    assert [scores for (scores,) in audit["sheet"]][:6] == [6, 18, 36, 60, 140, 176]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"distinct_faces": False},
        {"throw_bonus": [3, 0, 1]},
        {"throw_bonus": [0, 0, 0], "distinct_faces": False},
    ],
)
def test_possible_points_of_categories_equal_brute_force(
    options: dict[str, bool | int | list[int]],
) -> None:
    rules = DEFAULT.house(options)
    possible: dict[Category, set[int]] = {category: {0} for category in CATEGORIES}
    for roll, rolls_made in product(distinct_rolls(6), (1, 2, 3)):
        for line in worths(rules, roll, rolls_made):
            possible[line.category].add(line.points)
    for category, points in product(CATEGORIES, range(201)):
        assert can_score(rules, category, points) is (points in possible[category])


def test_categories_accept_only_possible_points() -> None:
    royal = {points for points in range(1001) if can_score(DEFAULT, Category.ROYAL, points)}
    assert royal == {0, 30, 35, 40}
    yatzee = {points for points in range(1001) if can_score(DEFAULT, Category.YATZEE, points)}
    assert yatzee == {0} | {50 + 6 * face + bonus for face in range(1, 7) for bonus in (0, 5, 10)}
    fours = {points for points in range(1001) if can_score(DEFAULT, Category.FOURS, points)}
    assert fours == {0, 4, 8, 12, 16, 20, 24}


def test_promised_totals_equal_those_of_the_filled_sheet() -> None:
    sheet = {"ones": 4, "twos": 8, "threes": 12, "fours": 16, "fives": 20, "house": 32}
    before = adjudication({"roll": [1, 2, 6, 6, 6, 6], "rolls_made": 1, "scorecard": sheet})
    for entry in before["categories"]:
        if entry["open"]:
            after = sheet | {entry["category"]: entry["points"]}
            filled = adjudication({"roll": [1, 2, 6, 6, 6, 6], "rolls_made": 1, "scorecard": after})
            assert filled["totals"] == entry["totals"]
