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


class Ledger:
    """Moves coins and writes every move down. Whoever owes more than he has pays what he has."""

    def __init__(self, coins: Coins) -> None:
        self._players, self._pot, self._bank = list(coins.players), coins.pot, coins.bank
        self._effects: list[Effect] = []
        self.short = False
        """Whether somebody could not pay in full (P6.1)."""

    @property
    def coins(self) -> Coins:
        return Coins(tuple(self._players), self._pot, self._bank)

    @property
    def effects(self) -> tuple[Effect, ...]:
        return tuple(self._effects)

    @property
    def moved(self) -> int:
        """How many coins have been moved, counted once a move."""
        return sum(effect.coins or 0 for effect in self._effects)

    def stake(self, coins: int) -> None:
        """From the bank onto the POT (P1.3, P3.3)."""
        paid = self._payable(coins, self._bank)
        self._bank -= paid
        self._pot += paid
        self._write(Effect(EffectType.STAKED, coins=paid))

    def pay_throw(self, player: int, coins: int) -> None:
        """From the player onto the POT (P2.1)."""
        paid = self._payable(coins, self._players[player])
        self._players[player] -= paid
        self._pot += paid
        self._write(Effect(EffectType.THROW_PAID, player, coins=paid))

    def fine(self, player: int, coins: int) -> None:
        """From the player to the bank (P2.2)."""
        paid = self._payable(coins, self._players[player])
        self._players[player] -= paid
        self._bank += paid
        self._write(Effect(EffectType.FINE_PAID, player, coins=paid))

    def from_bank(self, player: int, coins: int) -> None:
        """From the bank to the player (P4)."""
        paid = self._payable(coins, self._bank)
        self._bank -= paid
        self._players[player] += paid
        self._write(Effect(EffectType.BANK_PAID, player, coins=paid))

    def hand_over(self, player: int, to: int, coins: int) -> None:
        """From one player to another (P4)."""
        paid = self._payable(coins, self._players[player])
        self._players[player] -= paid
        self._players[to] += paid
        self._write(Effect(EffectType.HANDED_OVER, player, to, coins=paid))

    def collect(self, player: int) -> None:
        """Every coin on the POT to the winner of the round, be there none (P2.3, P3.2)."""
        won, self._pot = self._pot, 0
        self._players[player] += won
        self._effects.append(Effect(EffectType.ROUND_WON, player, coins=won))

    def _payable(self, owed: int, there: int) -> int:
        self.short |= there < owed
        return min(owed, there)

    def _write(self, effect: Effect) -> None:
        if effect.coins:
            self._effects.append(effect)
