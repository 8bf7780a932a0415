"""State of a whole game: turn, sheet and rounds (P1.2, P1.3, P5.1)."""

from typing import NamedTuple

from dice_referee.games.pot.coins import BANK, POT, Coins, EffectType, Transfers
from dice_referee.games.pot.position import Over, Phase, Position, Turn
from dice_referee.games.pot.rulesets import Ruleset
from dice_referee.rulebook.game import Step


class Round(NamedTuple):
    winner: int
    coins: tuple[int, ...]


class GameState(NamedTuple):
    turn: Turn
    sheet: tuple[tuple[int, ...], ...] = ()
    rounds: tuple[Round, ...] = ()
    rules: frozenset[str] = frozenset({"P1.2", "P1.3"})
    """Numbers of the rules by which the game began."""
    losers: tuple[int, ...] = ()
    """Always empty: the rules name only winners."""
    last_round: bool = False
    """Always false: the game ends at once, or in sudden death."""

    @property
    def player(self) -> int | None:
        return None if isinstance(self.turn, Over) else self.turn.player

    @property
    def winners(self) -> tuple[int, ...]:
        """Winner once the game is over (P5.1), or none. Sudden death breaks ties (P6.2)."""
        return (self.turn.winner,) if isinstance(self.turn, Over) else ()

    @classmethod
    def new(cls, rules: Ruleset, players: int, starter: int) -> "GameState":
        """Returns the state of a new game, in which the starter is about to roll (P1.3)."""
        dealt = rules.start_coins * players
        transfers = Transfers(Coins((rules.start_coins,) * players, 0, rules.total_coins - dealt))
        transfers.move(EffectType.STAKED, BANK, POT, rules.first_stake)
        return cls(Position(rules, transfers.coins, starter))

    def after(self, step: Step[Turn]) -> "GameState":
        turn, sheet, rounds = step.turn, self.sheet, self.rounds
        played_off = isinstance(self.turn, Position) and self.turn.phase is Phase.SUDDEN_DEATH
        ended = isinstance(turn, Over) or turn.phase in (Phase.ROLL, Phase.SUDDEN_DEATH)
        if ended and not played_off:
            sheet = (*sheet, turn.coins.players)
        for effect in step.effects:
            if effect.type is EffectType.ROUND_WON:
                # The bank pays the stake of the next round, so the players' coins are final.
                rounds = (*rounds, Round(effect.player, turn.coins.players))
        return GameState(turn, sheet, rounds, self.rules)
