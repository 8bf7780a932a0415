"""Position of a game: the player to move, the dice on the table, and the coins.

A position holds all that the rest of the game depends on, so it is a whole game, not only a turn.
"""

from enum import StrEnum
from typing import Literal, NamedTuple

from dice_referee.games.pot.arrangements import Arrangements, arrangements
from dice_referee.games.pot.coins import Coins
from dice_referee.games.pot.rulesets import Ruleset
from dice_referee.games.pot.scoring import STRAIGHT_123, Combo, Dice, combo_of

LAST_THROW = 3
"""Throws of a turn: the first, a free one and a paid one (P2.1)."""

HELD_FOR_RETHROW: Dice = (2,)
"""Dice left on the table when the 1 and 3 of an accepted 1 2 3 are thrown again (P4.1)."""


class Phase(StrEnum):
    """Event that the game waits for; ``over`` appears in answers only."""

    THROW = "throw"
    CHOOSE = "choose"
    RETHROW = "rethrow"
    SUDDEN_DEATH = "sudden-death"
    OVER = "over"


class Position(NamedTuple):
    """A running game. Dice are sorted, players are indices."""

    rules: Ruleset
    coins: Coins
    player: int
    """Player to move, as an index."""
    dice: Dice | None = None
    """The dice on the table; None before the first throw of the turn."""
    throws: int | None = None
    """Throws made this turn, 1 to 3; the one more of P4.1 is not counted."""
    holder: int | None = None
    """Player who controls the POT; None at the beginning of a round (P3.1)."""
    to_beat: int | None = None
    """The holder's result."""
    held: Dice | None = None
    """Die that stays in the rethrow of an accepted 1 2 3: the 2 (P4.1)."""
    tied: tuple[int, ...] = ()
    """Players who throw for the game in sudden death, in the order of play (P6.2)."""
    sums: tuple[int, ...] = ()
    """Sums that the first of the tied players have thrown in sudden death."""
    followed: Arrangements = ()
    """Arrangements of the dice, traced through the turn; empty where only the dice are known."""

    @property
    def phase(self) -> Phase:
        if self.tied:
            return Phase.SUDDEN_DEATH
        if self.held is not None:
            return Phase.RETHROW
        return Phase.THROW if self.dice is None else Phase.CHOOSE

    @property
    def combo(self) -> Combo | None:
        """The combo on the table, if there is one."""
        return None if self.dice is None else combo_of(self.dice, self.rules.zero_letters)

    @property
    def lying(self) -> Dice:
        """The dice that lie on the table before a throw: of them the player holds some."""
        return STRAIGHT_123.dice if self.phase is Phase.RETHROW else self.dice or ()

    @property
    def arrangements(self) -> Arrangements:
        """Possible arrangements of the dice on the table (P1.1)."""
        return self.followed or arrangements(self.lying)


class Reason(StrEnum):
    """Reason for the end of a game."""

    MOST_COINS = "most-coins"
    SUDDEN_DEATH = "sudden-death"


class Over(NamedTuple):
    """A game that has ended (P5.1)."""

    rules: Ruleset
    coins: Coins
    reason: Reason
    winner: int
    phase: Literal[Phase.OVER] = Phase.OVER


Turn = Position | Over
