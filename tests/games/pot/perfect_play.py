"""Table about POT for two in the guide to perfect play (O18)."""

from collections.abc import Iterator
from typing import NamedTuple

from dice_referee.games.pot.coins import Coins
from dice_referee.games.pot.events import Accept, Event
from dice_referee.games.pot.position import Position
from dice_referee.games.pot.rulesets import POT_2020 as DEFAULT
from dice_referee.games.pot.scoring import Dice
from dice_referee.games.pot.values.odds import Aim, Question
from tests.games.guide_table import GuideTable, table


class Spot(NamedTuple):
    """Position of the first of two players, with dice on the table."""

    own: int
    other: int
    pot: int
    to_beat: int | None
    roll: int
    dice: Dice

    @property
    def position(self) -> Position:
        bank = DEFAULT.total_coins - self.own - self.other - self.pot
        coins = Coins((self.own, self.other), self.pot, bank)
        holder = None if self.to_beat is None else 1
        return Position(
            DEFAULT, coins, 0, self.dice, self.roll, holder=holder, to_beat=self.to_beat
        )


SPOTS = (
    Spot(3, 3, 1, None, 2, (2, 2, 2)),
    Spot(23, 24, 1, 13, 2, (2, 2, 2)),
    Spot(24, 23, 2, 13, 2, (3, 4, 5)),
    Spot(23, 23, 2, 5, 1, (1, 5, "P")),
    Spot(24, 23, 2, 13, 1, (3, 4, "P")),
)
"""Positions in which the best odds of the turn (O13) are a wrong choice."""


def first_player_wins() -> float:
    """Returns the win probability of the player who begins a game."""
    start = DEFAULT.start_coins
    coins = Coins((start, start), DEFAULT.first_stake, DEFAULT.total_coins - 2 * start - 1)
    return float(Question(Position(DEFAULT, coins, 0), Aim.WIN).value())


def game_tables() -> Iterator[GuideTable]:
    """Yields the table of positions in which the odds of the turn mislead."""
    seen = ("Coins, yours : other’s", "POT", "to beat", "roll", "dice")
    yield table((*seen, "by the turn", "wins", "perfect", "wins"), map(_row, SPOTS))


def _row(spot: Spot) -> tuple[str, ...]:
    by_turn, to_win = (Question(spot.position, aim) for aim in Aim)
    chosen, best = by_turn.advice(), to_win.advice()
    beat = "nothing" if spot.to_beat is None else str(spot.to_beat)
    seen = (f"{spot.own} : {spot.other}", str(spot.pot), beat, str(spot.roll), _dice(spot.dice))
    return (*seen, _deed(chosen), _win(to_win, chosen), _deed(best), _win(to_win, best))


def _win(question: Question, event: Event) -> str:
    return f"{100 * float(question.worth(event)):.1f}%"


def _dice(dice: Dice) -> str:
    return " ".join(map(str, dice))


def _deed(event: Event) -> str:
    if isinstance(event, Accept):
        return "accept, coins of the other" if event.players else "accept"
    return f"hold {_dice(event.held)}" if event.held else "roll all"


def game_conclusions() -> Iterator[str]:
    """Yields the conclusion from the chances."""
    yield (
        f"POT for two: the first player wins {100 * first_player_wins():.2f}% of games. Coins "
        f"decide: accept a combo that pays enough, even where the POT is lost."
    )
