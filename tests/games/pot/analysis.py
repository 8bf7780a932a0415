"""Values of a turn of POT: the table of the guide to odds."""

from collections.abc import Iterator
from fractions import Fraction

from dice_referee.games.pot.coins import Coins
from dice_referee.games.pot.position import Position
from dice_referee.games.pot.rulesets import POT_2020 as DEFAULT
from dice_referee.games.pot.scoring import MOST_POINTS
from dice_referee.games.pot.values.odds import Question
from tests.games.guide_table import GuideTable, per_cent, table

WITH_A_COIN, WITHOUT = Coins((1, 3), 2, 49), Coins((0, 4), 2, 49)
"""The last roll of a turn costs a coin (P2.1)."""


def at_start(coins: Coins, to_beat: int | None) -> Fraction | float:
    """Returns the value of a new turn: the chance to beat a result, or the expected points."""
    holder = None if to_beat is None else 1
    return Question(Position(DEFAULT, coins, 0, holder=holder, to_beat=to_beat)).value()


def tables() -> Iterator[GuideTable]:
    """Yields the chances to beat each result, and the expected sum without a result (O13)."""
    kinds = (WITH_A_COIN, WITHOUT)
    rows = [
        (str(to_beat), *(per_cent(at_start(coins, to_beat)) for coins in kinds))
        for to_beat in range(1, MOST_POINTS + 1)
    ]
    rows.append(("nothing", *(f"{float(at_start(coins, None)):.4f} points" for coins in kinds)))
    yield table(("To beat", "with three rolls", "with two"), rows)
