"""A whole game as it is audited: the table, its sheet and its rounds (P1.2, P1.3, P5.1)."""

from typing import NamedTuple

from dice_referee.games.pot.coins import BANK, POT, Coins, EffectType, Transfers
from dice_referee.games.pot.position import Over, Phase, Position, Turn
from dice_referee.games.pot.rulesets import Ruleset
from dice_referee.rulebook.game import Step


class Round(NamedTuple):
    """A round that has been won."""

    winner: int
    coins: tuple[int, ...]
    """Coins of every player after the POT was collected."""


class Table(NamedTuple):
    """A game as it stands."""

    turn: Turn
    sheet: tuple[tuple[int, ...], ...] = ()
    """The coins of the players after every turn."""
    rounds: tuple[Round, ...] = ()
    rules: frozenset[str] = frozenset({"P1.2", "P1.3"})
    """The rules by which the game began."""
    losers: tuple[int, ...] = ()
    """No player has lost: the rules name the winner alone."""

    @property
    def player(self) -> int | None:
        """Player to move, as an index; None when the game is over."""
        return None if isinstance(self.turn, Over) else self.turn.player

    @property
    def winners(self) -> tuple[int, ...]:
        """Winners (P5.1): one player, since ties are played off (P6.2); none before the end."""
        return (self.turn.winner,) if isinstance(self.turn, Over) else ()

    @classmethod
    def new(cls, rules: Ruleset, players: int, starter: int) -> "Table":
        """Deals the coins and the first stake; the starter is about to throw (P1.3)."""
        dealt = rules.start_coins * players
        transfers = Transfers(Coins((rules.start_coins,) * players, 0, rules.total_coins - dealt))
        transfers.move(EffectType.STAKED, BANK, POT, rules.first_stake)
        return cls(Position(rules, transfers.coins, starter))

    def after(self, step: Step[Turn]) -> "Table":
        """Returns the table after an event with this result."""
        turn, sheet, rounds = step.turn, self.sheet, self.rounds
        played_off = isinstance(self.turn, Position) and self.turn.phase is Phase.SUDDEN_DEATH
        ended = isinstance(turn, Over) or turn.phase in (Phase.THROW, Phase.SUDDEN_DEATH)
        if ended and not played_off:
            sheet = (*sheet, turn.coins.players)
        for effect in step.effects:
            if effect.type is EffectType.ROUND_WON:
                # The stake of the next round is the bank's: the players have these coins already.
                rounds = (*rounds, Round(effect.player, turn.coins.players))
        return Table(turn, sheet, rounds, self.rules)
