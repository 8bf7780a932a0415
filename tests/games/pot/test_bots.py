"""Bots of POT, each at its threshold and a point beside it."""

from typing import Any

import pytest

from dice_referee.games.pot.coins import Coins
from dice_referee.games.pot.events import Accept, Event, Roll
from dice_referee.games.pot.scoring import distinct_rolls
from dice_referee.games.pot.values.bots import advise
from dice_referee.rulebook.bots import Level
from tests.games.pot.test_odds import POOR, Dice, question_for

CAREFUL, BOLD = Level.CAREFUL, Level.BOLD


@pytest.mark.parametrize(
    ("level", "dice", "more", "event"),
    [
        # Nothing to beat: sums that suffice, and the dice held for sums that do not.
        (CAREFUL, (1, 2, 5), {}, Accept()),
        (CAREFUL, (1, 2, 4), {}, Roll(held=(4,))),
        (CAREFUL, (2, 2, 3), {}, Roll(held=(3,))),
        (CAREFUL, (1, 3, 3), {}, Roll(held=(3, 3))),
        (BOLD, (2, 5, 5), {}, Accept()),
        (BOLD, (1, 5, 5), {}, Roll(held=(5, 5))),
        (BOLD, (3, 4, 4), {}, Roll()),
        # A result to beat: only a higher sum suffices.
        (CAREFUL, (1, 1, 3), {"to_beat": 4}, Accept()),
        (CAREFUL, (1, 1, 3), {"to_beat": 5}, Roll(held=(3,))),
        (CAREFUL, (3, 4, 5), {"to_beat": 12}, Roll(held=(4, 5))),
        (BOLD, (1, 1, 3), {"to_beat": 4}, Accept()),
        (BOLD, (4, 4, 5), {"to_beat": 13}, Roll(held=(5,))),
        # The last roll costs a coin.
        (CAREFUL, (1, 2, 4), {"rolls_made": 2}, Accept()),
        (BOLD, (1, 2, 5), {"rolls_made": 2}, Roll(held=(5,))),
        (BOLD, (1, 2, 5), {"rolls_made": 2, "coins": POOR}, Accept()),
        (BOLD, (1, 2, 5), {"rolls_made": 3}, Accept()),
        # No bot holds letters, and every bot takes the first reward.
        (CAREFUL, (3, "P", "O"), {}, Roll(held=(3,))),
        (CAREFUL, (3, 3, 3), {}, Accept((1,))),
    ],
)
def test_bots_without_odds_follow_their_thresholds(
    level: Level, dice: Dice, more: dict[str, Any], event: Event
) -> None:
    assert advise(question_for(dice, **{"rolls_made": 1, **more}), level) == event


@pytest.mark.parametrize("level", Level)
def test_bots_roll_where_rolling_is_the_only_choice(level: Level) -> None:
    assert advise(question_for(), level) == Roll()
    assert advise(question_for(held=(2,), rolls_made=1), level) == Roll(held=(2,))


def test_best_bot_without_a_combo_takes_the_best_odds() -> None:
    for to_beat in (None, 9):
        for dice in distinct_rolls():
            question = question_for(dice, 1, to_beat=to_beat)
            if question.position.combo is None:
                assert advise(question, Level.BEST) == question.advice()


@pytest.mark.parametrize(
    ("dice", "more", "event"),
    [
        # A combo is accepted for its coins, by the reward that leads the next player most.
        ((2, 2, 2), {}, Accept((1,))),
        ((3, 4, 5), {"to_beat": 13}, Accept((1, 2))),
        ((3, 4, 5), {"coins": Coins((5, 0, 2, 4), 3, 41)}, Accept(())),
        ((2, 3, 4), {"to_beat": 15}, Accept()),
        # Every player gets a coin of a 4-2-0: it raises no lead.
        ((2, 4, "O"), {"to_beat": 9}, Roll(held=(4,))),
        # A last roll is worth its coin from 1/8 of a chance, or from 2 points on.
        ((1, 4, 4), {"rolls_made": 2, "to_beat": 14}, Accept()),
        ((1, 4, 4), {"rolls_made": 2, "to_beat": 9}, Roll(held=(4, 4))),
        ((1, 3, 4), {"rolls_made": 2}, Accept()),
        ((1, 1, 2), {"rolls_made": 2}, Roll()),
    ],
)
def test_best_bot_counts_coins(dice: Dice, more: dict[str, Any], event: Event) -> None:
    assert advise(question_for(dice, **{"rolls_made": 1, **more}), Level.BEST) == event


def test_perfect_bot_plays_best_without_a_known_chance() -> None:
    question = question_for((2, 2, 2), 1)
    assert advise(question, Level.PERFECT) == advise(question, Level.BEST)
