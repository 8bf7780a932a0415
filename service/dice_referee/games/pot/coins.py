"""The coins: their holders, and every move of them (P1.2, P6.1, P6.3)."""

from enum import StrEnum
from typing import NamedTuple


class Coins(NamedTuple):
    """All the coins of the game. Moves never change their number (P6.3)."""

    players: tuple[int, ...]
    pot: int
    """Coins on the POT."""
    bank: int

    @property
    def total(self) -> int:
        return sum(self.players) + self.pot + self.bank


class EffectType(StrEnum):
    STAKED = "staked"
    """Coins from the bank onto the POT (P1.3, P3.3)."""
    ROLL_PAID = "roll-paid"
    """Coins from the player onto the POT (P2.1)."""
    FINE_PAID = "fine-paid"
    """Coins from the player to the bank (P2.2)."""
    BANK_PAID = "bank-paid"
    """Coins from the bank to the player (P4)."""
    HANDED_OVER = "handed-over"
    """Coins from a player to another player (P4)."""
    CONTROL_TAKEN = "control-taken"
    ROUND_WON = "round-won"
    PLAYED_OFF = "played-off"


class Effect(NamedTuple):
    """Effect of an event. Fields that its type does not have are None."""

    type: EffectType
    player: int | None = None
    to: int | None = None
    """Player who receives the coins that another player hands over."""
    coins: int | None = None
    sum: int | None = None


POT, BANK = -2, -1
"""Indices of the last two holders of coins, after the players."""


class Transfers:
    """Moves coins and records every move. A holder who owes more pays what they have."""

    def __init__(self, coins: Coins) -> None:
        self._held = [*coins.players, coins.pot, coins.bank]
        self._effects: list[Effect] = []
        self.short = False
        """True once somebody could not pay in full (P6.1)."""

    @property
    def coins(self) -> Coins:
        return Coins(tuple(self._held[:POT]), self._held[POT], self._held[BANK])

    @property
    def effects(self) -> tuple[Effect, ...]:
        return tuple(self._effects)

    def move(self, kind: EffectType, source: int, target: int, owed: int) -> None:
        """Moves coins from a holder to another. The effect names only players."""
        paid = min(owed, self._held[source])
        self.short |= paid < owed
        # A round can be won with no coin on the POT.
        if paid or kind is EffectType.ROUND_WON:
            self._held[source] -= paid
            self._held[target] += paid
            players = [holder for holder in (source, target) if holder >= 0]
            self._effects.append(Effect(kind, *players)._replace(coins=paid))

    def collect(self, player: int) -> None:
        """Moves all coins on the POT, possibly none, to the winner (P2.3, P3.2)."""
        self.move(EffectType.ROUND_WON, POT, player, self._held[POT])
