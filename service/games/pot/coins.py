"""The coins: whose they are, and every move of them (P1.2, P6.1, P6.3)."""

from enum import StrEnum
from typing import NamedTuple


class Coins(NamedTuple):
    """All the coins of the game; moves never change how many there are (P6.3)."""

    players: tuple[int, ...]
    pot: int
    """Coins on the POT."""
    bank: int

    @property
    def total(self) -> int:
        return sum(self.players) + self.pot + self.bank


class EffectType(StrEnum):
    """What an event does to the coins and to the control of the POT."""

    STAKED = "staked"
    THROW_PAID = "throw-paid"
    FINE_PAID = "fine-paid"
    BANK_PAID = "bank-paid"
    HANDED_OVER = "handed-over"
    CONTROL_TAKEN = "control-taken"
    ROUND_WON = "round-won"
    PLAYED_OFF = "played-off"


class Effect(NamedTuple):
    """One thing that an event did; the fields that its type does not have are None."""

    type: EffectType
    player: int | None = None
    to: int | None = None
    """Who gets the coins that the player hands over."""
    coins: int | None = None
    sum: int | None = None


POT, BANK = -2, -1
"""The last two of those who hold coins; before them are the players."""


class Transfers:
    """Moves coins and writes every move down. A holder who owes more pays what is there."""

    def __init__(self, coins: Coins) -> None:
        self._held = [*coins.players, coins.pot, coins.bank]
        self._effects: list[Effect] = []
        self.short = False
        """Whether somebody could not pay in full (P6.1)."""

    @property
    def coins(self) -> Coins:
        return Coins(tuple(self._held[:POT]), self._held[POT], self._held[BANK])

    @property
    def effects(self) -> tuple[Effect, ...]:
        return tuple(self._effects)

    @property
    def moved(self) -> int:
        """How many coins have been moved, counted once a move."""
        return sum(effect.coins or 0 for effect in self._effects)

    def stake(self, coins: int) -> None:
        """From the bank onto the POT (P1.3, P3.3)."""
        self._move(BANK, POT, coins, Effect(EffectType.STAKED))

    def pay_throw(self, player: int, coins: int) -> None:
        """From the player onto the POT (P2.1)."""
        self._move(player, POT, coins, Effect(EffectType.THROW_PAID, player))

    def fine(self, player: int, coins: int) -> None:
        """From the player to the bank (P2.2)."""
        self._move(player, BANK, coins, Effect(EffectType.FINE_PAID, player))

    def from_bank(self, player: int, coins: int) -> None:
        """From the bank to the player (P4)."""
        self._move(BANK, player, coins, Effect(EffectType.BANK_PAID, player))

    def hand_over(self, player: int, to: int, coins: int) -> None:
        """From one player to another (P4)."""
        self._move(player, to, coins, Effect(EffectType.HANDED_OVER, player, to))

    def collect(self, player: int) -> None:
        """Every coin on the POT to the winner of the round, even if there is none (P2.3, P3.2)."""
        won = Effect(EffectType.ROUND_WON, player, coins=0)
        if self._held[POT]:
            self._move(POT, player, self._held[POT], won)
        else:
            self._effects.append(won)

    def _move(self, source: int, target: int, owed: int, effect: Effect) -> None:
        paid = min(owed, self._held[source])
        self.short |= paid < owed
        self._held[source] -= paid
        self._held[target] += paid
        if paid:
            self._effects.append(effect._replace(coins=paid))
