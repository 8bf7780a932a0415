"""Bots of POT: their thresholds, exact to one point."""

from typing import Any

import pytest

from dice_referee.games.pot.events import Accept, Event, Throw
from dice_referee.games.pot.scoring import distinct_throws
from dice_referee.games.pot.values.bots import advise
from dice_referee.rulebook.bots import Level
from tests.games.pot.test_odds import POOR, Dice, question_for

CAREFUL, BOLD = Level.CAREFUL, Level.BOLD


@pytest.mark.parametrize(
    ("level", "dice", "more", "event"),
    [
        # Where nothing is to be beaten: sums that are enough, and what is held for one that is not.
        (CAREFUL, (1, 2, 5), {}, Accept()),
        (CAREFUL, (1, 2, 4), {}, Throw(held=(4,))),
        (CAREFUL, (2, 2, 3), {}, Throw(held=(3,))),
        (CAREFUL, (1, 3, 3), {}, Throw(held=(3, 3))),
        (BOLD, (2, 5, 5), {}, Accept()),
        (BOLD, (1, 5, 5), {}, Throw(held=(5, 5))),
        (BOLD, (3, 4, 4), {}, Throw()),
        # A result to beat: more than it is enough, and nothing else.
        (CAREFUL, (1, 1, 3), {"to_beat": 4}, Accept()),
        (CAREFUL, (1, 1, 3), {"to_beat": 5}, Throw(held=(3,))),
        (CAREFUL, (3, 4, 5), {"to_beat": 12}, Throw(held=(4, 5))),
        (BOLD, (1, 1, 3), {"to_beat": 4}, Accept()),
        (BOLD, (4, 4, 5), {"to_beat": 13}, Throw(held=(5,))),
        # The last throw costs a coin.
        (CAREFUL, (1, 2, 4), {"throws": 2}, Accept()),
        (BOLD, (1, 2, 5), {"throws": 2}, Throw(held=(5,))),
        (BOLD, (1, 2, 5), {"throws": 2, "coins": POOR}, Accept()),
        (BOLD, (1, 2, 5), {"throws": 3}, Accept()),
        # Letters are held by none, and the first reward is taken.
        (CAREFUL, (3, "P", "O"), {}, Throw(held=(3,))),
        (CAREFUL, (3, 3, 3), {}, Accept((1,))),
    ],
)
def test_the_bots_without_odds_keep_to_their_thresholds(
    level: Level, dice: Dice, more: dict[str, Any], event: Event
) -> None:
    assert advise(question_for(dice, **{"throws": 1, **more}), level) == event


@pytest.mark.parametrize("level", Level)
def test_every_bot_throws_without_a_choice(level: Level) -> None:
    assert advise(question_for(), level) == Throw()
    assert advise(question_for(held=(2,), throws=1), level) == Throw(held=(2,))


def test_the_best_takes_the_choice_with_the_best_odds() -> None:
    for to_beat in (None, 9):
        for dice in distinct_throws():
            question = question_for(dice, 1, to_beat=to_beat)
            if not question.position.end(""):
                answer = question.odds()
                assert advise(question, Level.BEST) == answer.choices[answer.best].event
