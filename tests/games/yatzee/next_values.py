"""Choices of random sheets of Yatzee, and the values of their ``next`` (O15)."""

from collections.abc import Iterator
from itertools import product
from random import Random
from statistics import fmean
from typing import Any

from dice_referee.games import catalogue
from dice_referee.games.verbs import step
from dice_referee.games.yatzee.categories import CATEGORIES
from dice_referee.games.yatzee.rulesets import YATZEE_SIX
from dice_referee.games.yatzee.scoring import SIX, face_values
from dice_referee.rulebook.dice import FACES
from tests.games.next_values import Choice

GAME = catalogue()["yatzee"]
EXACT = 1e-6
"""Largest difference of two computed values, in points."""


def choices(rng: Random, positions: int) -> Iterator[Choice]:
    """Yields the categories of this many positions, and the holds whose roll has few outcomes.

    Both values are within the accuracy of their answers, so they differ by at most the sum.
    """
    for number in range(positions):
        open_categories = rng.randint(1, 3) if number % 2 else rng.randint(1, len(CATEGORIES))
        question: dict[str, Any] = {
            "aim": "game",
            "roll": sorted(rng.choices(FACES, k=SIX)),
            "rolls_made": rng.randint(1, 3),
            "scorecard": _sheet(rng, open_categories),
        }
        game = _odds(question)
        for choice in game["choices"]:
            event, value = choice["event"], choice["value"]
            missing = SIX - len(event.get("held", ()))
            if event["type"] != "roll":
                turn = step(GAME, {**question, "event": event})["turn"]
                after = _gained_points(question["scorecard"], turn["scorecard"])
                within = game["accuracy"]["largest"]
                if not turn["outcome"]["scorecard_full"]:
                    following = _odds({"aim": "game", "scorecard": turn["scorecard"]})
                    after += following["value"]
                    within += following["accuracy"]["largest"]
            elif missing == 1 and rng.random() < 0.2:
                after, within = _mean_of_rolls(question, event, missing), 0
            else:
                continue
            yield Choice({**question, "event": event}, value, after, max(EXACT, within))


def _sheet(rng: Random, open_categories: int) -> dict[str, int]:
    filled = rng.sample(CATEGORIES, len(CATEGORIES) - open_categories)
    # Zeros are rare: otherwise the upper bonus would seldom be open.
    return {
        category.value: rng.choice(sorted(face_values(category, YATZEE_SIX.distinct_faces)))
        if rng.random() < 0.9
        else 0
        for category in filled
    }


def _odds(question: dict[str, Any]) -> dict[str, Any]:
    game: dict[str, Any] = GAME.odds(GAME.question_of(question))["game"]
    return game


def _gained_points(before: dict[str, int], after: dict[str, int]) -> float:
    """Returns the points by which the sheet has grown, the upper bonus included (Y2.2)."""
    return float(_total(after) - _total(before))


def _total(sheet: dict[str, int]) -> int:
    upper = sum(sheet.get(category.value, 0) for category in CATEGORIES if category.is_upper)
    bonus = YATZEE_SIX.upper_bonus * (upper >= YATZEE_SIX.upper_threshold)
    return sum(sheet.values()) + bonus


def _mean_of_rolls(question: dict[str, Any], event: dict[str, Any], missing: int) -> float:
    """Returns the mean value of the turns that follow from all faces of the rolled dice."""
    turns = (
        step(GAME, {**question, "event": {**event, "dice": list(dice)}})["turn"]
        for dice in product(FACES, repeat=missing)
    )
    return fmean(_odds({"aim": "game", **turn})["value"] for turn in turns)
