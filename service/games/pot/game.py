"""A whole game as it is audited: the table, its sheet and its rounds (P1.2, P1.3, P5.1)."""

from typing import NamedTuple

from service.games.pot.coins import Coins, EffectType, Ledger
from service.games.pot.events import Event, objections, play
from service.games.pot.position import Over, Phase, Position, Turn
from service.games.pot.rounds import Step
from service.games.pot.rulesets import Ruleset
from service.rules.verdict import Finding


class Round(NamedTuple):
    """A round that has been won."""

    winner: int
    coins: tuple[int, ...]
    """What every player has after its POT was collected."""


class Table(NamedTuple):
    """A game as it stands."""

    turn: Turn
    sheet: tuple[tuple[int, ...], ...] = ()
    """The coins of the players after every turn."""
    rounds: tuple[Round, ...] = ()
    rules: frozenset[str] = frozenset({"P1.2", "P1.3"})
    """The rules by which the game began."""

    @property
    def over(self) -> bool:
        """Whether the game has ended (P5.1)."""
        return isinstance(self.turn, Over)

    @property
    def player(self) -> int | None:
        """Whose turn it is; nobody's when the game is over."""
        return None if isinstance(self.turn, Over) else self.turn.player

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won: one player, as ties are played off (P6.2); none while the game goes on."""
        return (self.turn.winner,) if isinstance(self.turn, Over) else ()


def new_table(rules: Ruleset, players: int) -> Table:
    """The coins dealt and the first stake on the POT; the first player listed begins."""
    dealt = rules.start_coins * players
    ledger = Ledger(Coins((rules.start_coins,) * players, 0, rules.total_coins - dealt))
    ledger.stake(rules.first_stake)
    return Table(Position(rules, ledger.coins, 0))


def table_objections(table: Table, event: Event, at: str) -> tuple[Finding, ...]:
    """Every reason why the event is illegal at this table; none if it is legal."""
    if isinstance(table.turn, Over):
        return (Finding("game-over", "P5.1", at),)
    return objections(table.turn, event, at)


def advance(table: Table, event: Event) -> tuple[Table, Step]:
    """The table after a legal event, and what the event did."""
    before = table.turn
    assert isinstance(before, Position), "a game that is over takes no event"
    step = play(before, event)
    after, sheet, rounds = step.turn, table.sheet, table.rounds
    ended = isinstance(after, Over) or after.phase in (Phase.THROW, Phase.SUDDEN_DEATH)
    if ended and before.phase is not Phase.SUDDEN_DEATH:
        sheet = (*sheet, after.coins.players)
    for effect in step.effects:
        if effect.type is EffectType.ROUND_WON and effect.player is not None:
            # The stake of the round to come is the bank's: the players have these coins already.
            rounds = (*rounds, Round(effect.player, after.coins.players))
    return Table(after, sheet, rounds, table.rules), step
