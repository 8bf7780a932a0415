"""Bots of Yatzee, each at its threshold and a point beside it."""

from random import Random

import pytest

from dice_referee.games.yatzee.categories import Category
from dice_referee.games.yatzee.events import Event, Roll, Strike, Write
from dice_referee.games.yatzee.position import Position
from dice_referee.games.yatzee.rulesets import YATZEE_SIX as DEFAULT
from dice_referee.games.yatzee.values.bots import advise
from dice_referee.games.yatzee.values.odds import Question
from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.dice import Dice
from tests.games.yatzee.test_odds import open_only, random_position

CAREFUL, BOLD = Level.CAREFUL, Level.BOLD
SHEET = open_only(Category.ONES, Category.THREES, Category.CHANCE)


@pytest.mark.parametrize(
    ("level", "dice", "roll", "event"),
    [
        # Chance after the second roll scores five points more than its dice.
        (CAREFUL, (1, 1, 2, 2, 2, 2), 2, Write(Category.CHANCE)),
        (CAREFUL, (1, 1, 1, 2, 2, 2), 2, Roll((1, 1, 1))),
        (BOLD, (3, 4, 4, 4, 5, 5), 2, Write(Category.CHANCE)),
        (BOLD, (1, 1, 1, 1, 1, 6), 2, Roll((1, 1, 1, 1, 1))),
        # After the last roll the bot fills the category with the most points.
        (CAREFUL, (1, 1, 1, 1, 1, 2), 3, Write(Category.CHANCE)),
        (BOLD, (1, 1, 1, 1, 1, 2), 3, Write(Category.CHANCE)),
    ],
)
def test_bots_without_odds_follow_their_thresholds(
    level: Level, dice: Dice, roll: int, event: Event
) -> None:
    assert advise(Question(Position(DEFAULT, SHEET, dice, roll)), level) == event


@pytest.mark.parametrize("level", [CAREFUL, BOLD])
def test_bots_choose_the_first_of_equal_categories(level: Level) -> None:
    sheet = open_only(Category.THREES, Category.SIXES, Category.ROYAL)
    dice: Dice = (3, 3, 4, 4, 5, 6)
    assert advise(Question(Position(DEFAULT, sheet, dice, 3)), level) == Write(Category.THREES)
    none: Dice = (1, 1, 2, 2, 4, 5)
    assert advise(Question(Position(DEFAULT, sheet, none, 3)), level) == Strike(Category.THREES)


@pytest.mark.parametrize("level", Level)
def test_bots_roll_at_the_start_of_a_turn(level: Level) -> None:
    assert advise(Question(Position(DEFAULT, SHEET)), level) == Roll()


def test_best_bot_takes_the_highest_gain() -> None:
    rng = Random(12)
    for _ in range(50):
        question = Question(random_position(rng))
        assert advise(question, Level.BEST) == question.advice()
