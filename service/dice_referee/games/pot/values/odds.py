"""The chance to beat the result on the POT, or the expected sum without a result (O13, O14).

The player plays only for the result of this turn. These values are exact. With the aim to win,
choices also have win probabilities (O18).
"""

from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from dice_referee.games.pot.events import Accept, Event, Roll
from dice_referee.games.pot.position import (
    HELD_FOR_REROLL,
    LAST_ROLL,
    NextRoll,
    Phase,
    Position,
    Turn,
)
from dice_referee.games.pot.rulesets import ROLL_PRICE
from dice_referee.games.pot.scoring import (
    COMBOS,
    MOST_POINTS,
    Combo,
    Dice,
    as_dice,
    combo_of,
    points,
)
from dice_referee.games.pot.values import duels
from dice_referee.games.pot.values.falls import (
    PLACES,
    WHOLE,
    end_value,
    falls,
    final_points,
    holds_of,
    last_roll_value,
    odds_table,
    result_value,
    roll_value,
    unit_of,
)
from dice_referee.rulebook.odds import WIN_CHANCE
from dice_referee.rulebook.value_tables import ValueTableCache

RULES = ("O1", "O13", "O2", "P2.1", "P2.2", "P2.3", "P2.4", "P3.1", "P4.1", "P6.2")

ALIKE = 9
"""Decimal places to which equal win probabilities agree."""


class Aim(StrEnum):
    POINTS = "points"
    """Result of the turn: the chance to beat, or without a result to beat the sum (O13)."""
    WIN = "win"
    """Win probability in a game of two (O18)."""


AIM_RULES = {Aim.WIN: ("O1", "O17", "O18", "O2", "P2.1", "P2.2", "P2.3", "P2.4", "P3.1", "P4.1")}


class Choice(NamedTuple):
    """Event that the player may choose, with the odds of the best play after it."""

    event: Event
    beats: Fraction | None
    """Chance to beat the result, or None with no result to beat."""
    sum: Fraction | None
    """Expected sum, with no result to beat and in sudden death."""
    combos: tuple[tuple[Combo, Fraction], ...] = ()
    """Combos that the next roll can bring, with their chances (O14)."""
    price: int = 0
    """Price of the roll, in coins (P2.1)."""
    win: float | None = None
    """Win probability, or None for another aim."""

    @property
    def value(self) -> Fraction | float:
        """The win probability, the chance to beat, or else the sum: choices are compared by it."""
        if self.win is not None:
            return round(self.win, ALIKE)
        measure = self.sum if self.beats is None else self.beats
        assert measure is not None
        return measure


class Odds(NamedTuple):
    choices: tuple[Choice, ...]
    """Choices: to accept, in the order of the adjudication, then the rolls (O13)."""
    best: int
    """Index of the choice with the highest value, the first among equal values (O2)."""
    rules: frozenset[str]


VALUE_TABLES = ValueTableCache(odds_table, (None, *range(1, MOST_POINTS + 1)), unpublished=0)
"""Value tables by the result to beat, or None for the expected sum, for all house rules."""


class Question(NamedTuple):
    position: Position
    aim: Aim = Aim.POINTS

    @property
    def table_key(self) -> int | None:
        return self.position.to_beat

    @property
    def unit(self) -> str:
        if self.aim is Aim.WIN:
            return WIN_CHANCE
        return "sum" if _to_beat(self.position) is None else "chance"

    @property
    def leaves_a_choice(self) -> bool:
        """True if the player can choose to roll on, or from whom a combo takes (P4)."""
        position = self.position
        if position.phase is not Phase.CHOOSE:
            return False
        return position.next_roll is not None or len(position.offer.rewards) > 1

    def odds(self) -> Odds:
        position, rules = self.position, _rules_behind(self.position)
        choices = tuple(_choices(position))
        if self.aim is Aim.WIN:
            choices = tuple(
                choice._replace(win=duels.worth(position, choice.event)) for choice in choices
            )
            rules |= {"O18"}
        best = max(range(len(choices)), key=lambda place: choices[place].value)
        return Odds(choices, best, rules)

    def advice(self, odds: Odds | None = None) -> Event:
        odds = odds or self.odds()
        return odds.choices[odds.best].event

    def value(self) -> Fraction | float:
        position = self.position
        if self.aim is Aim.WIN:
            return duels.value(position)
        if position.roll is None:
            return _worth_of_roll(position, position.held or ())
        left = _rolls_left(position)
        return Fraction(VALUE_TABLES[position.to_beat][left][PLACES[position.roll]], unit_of(left))

    def worth(self, event: Event) -> Fraction | float:
        if self.aim is Aim.WIN:
            return duels.worth(self.position, event)
        if isinstance(event, Roll):
            return _worth_of_roll(self.position, as_dice(event.held))
        return _worth_of_accepting(self.position)

    def worth_after(self, event: Event, turn: Turn) -> Fraction | float:
        position, dice = self.position, self.position.roll
        if self.aim is Aim.WIN:
            return duels.worth_after(turn, position.player)
        if isinstance(turn, Position) and turn.phase in (Phase.CHOOSE, Phase.REROLL):
            return Question(turn).value()
        if isinstance(event, Roll) and event.dice is not None:
            dice = as_dice((*(position.held or event.held), *event.dice))
        assert dice is not None, "a turn ends with dice"
        is_result = position.phase in (Phase.REROLL, Phase.SUDDEN_DEATH)
        total = points(dice) if is_result else final_points(dice)
        return Fraction(result_value(total, _to_beat(position)))


def _choices(position: Position) -> Iterator[Choice]:
    price = 0
    if position.phase is Phase.CHOOSE:
        rolled = position.next_roll
        beats, total = _split_worth(position, _worth_of_accepting(position))
        for reward in position.offer.rewards:
            yield Choice(Accept(reward.players), beats, total)
        if rolled is None:
            return
        price = ROLL_PRICE if rolled is NextRoll.PAID else 0
    ordinary = position.phase in (Phase.ROLL, Phase.CHOOSE)
    for held in holds_of(position.roll or ()) if position.held is None else (position.held,):
        beats, total = _split_worth(position, _worth_of_roll(position, held))
        letters = position.rules.zero_letters
        combos = _combos(position.lying, held, letters) if ordinary else ()
        yield Choice(Roll(held=held), beats, total, combos, price)


def _split_worth(position: Position, worth: Fraction) -> tuple[Fraction | None, Fraction | None]:
    if _to_beat(position) is None:
        return None, worth
    if position.phase is Phase.SUDDEN_DEATH:
        return worth, Fraction(last_roll_value((), (), None), WHOLE)
    return worth, None


def _worth_of_accepting(position: Position) -> Fraction:
    assert position.roll is not None, "only dice that lie there are accepted"
    return Fraction(end_value(position.roll, position.to_beat), WHOLE)


def _worth_of_roll(position: Position, held: Dice) -> Fraction:
    if position.phase is Phase.REROLL:
        last = last_roll_value(position.lying, HELD_FOR_REROLL, position.to_beat)
        return Fraction(last, WHOLE)
    if position.phase is Phase.SUDDEN_DEATH:
        return Fraction(last_roll_value((), (), _to_beat(position)), WHOLE)
    left = _rolls_left(position)
    after = VALUE_TABLES[position.to_beat][left - 1]
    return Fraction(roll_value(position.lying, held, after), unit_of(left))


def _to_beat(position: Position) -> int | None:
    """Returns the result to beat, in sudden death the highest sum so far, or None."""
    return max(position.sums, default=position.to_beat)


def _rolls_left(position: Position) -> int:
    """Returns the number of rolls left. The last requires a coin (P2.1)."""
    left = LAST_ROLL - (position.rolls_made or 0)
    return left if position.coins.players[position.player] >= ROLL_PRICE else max(left - 1, 0)


@cache
def _combos(
    lying: Dice, held: Dice, zero_letters: tuple[str, ...]
) -> tuple[tuple[Combo, Fraction], ...]:
    """Returns the combos that the next roll can bring, in the order of the player aid (O14)."""
    parts = dict.fromkeys(COMBOS, 0)
    for dice, weight in falls(lying, held).items():
        combo = combo_of(dice, zero_letters)
        if combo is not None:
            parts[combo] += weight
    return tuple((combo, Fraction(weight, WHOLE)) for combo, weight in parts.items() if weight)


def _rules_behind(position: Position) -> frozenset[str]:
    cites = {"O1", "O13", "O2", "O3", "P1.1"}
    if position.phase is Phase.SUDDEN_DEATH:
        return frozenset(cites | {"P6.2"})
    if position.phase is Phase.REROLL:
        return frozenset(cites | {"P3.1", "P4.1"})
    cites |= {"P2.1", "P2.4", "P3.1", "P4.1"}
    if position.phase is Phase.ROLL or position.next_roll is not None:
        cites |= {"O14", "P2.2", "P2.3"}
    return frozenset(cites)
