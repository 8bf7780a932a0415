"""A whole game: the table, its score cards, and its state after each event (Y4)."""

from typing import NamedTuple

from dice_referee.games.yatzee.position import Over, Position, Turn
from dice_referee.games.yatzee.rulesets import Ruleset
from dice_referee.games.yatzee.sheet import EMPTY, Scorecard, Totals, totals
from dice_referee.rulebook.game import Step
from dice_referee.rulebook.ranking import leaders


class Table(NamedTuple):
    turn: Turn
    cards: tuple[Scorecard, ...]
    """Score card of every player, in the order of play."""
    player: int = 0
    """Player to move, as an index, or the last player who moved once the game is over."""
    sheet: tuple[tuple[int, ...], ...] = ()
    losers: tuple[int, ...] = ()
    """Empty: the rules name no losers."""

    @property
    def rules(self) -> frozenset[str]:
        return frozenset({"Y4.1", "Y4.2"} if isinstance(self.turn, Over) else {"Y4.2"})

    @property
    def totals(self) -> tuple[Totals, ...]:
        return tuple(totals(self.turn.rules, card) for card in self.cards)

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(each.total for each in self.totals)

    @property
    def winners(self) -> tuple[int, ...]:
        """Players with the highest total, once the game is over (Y4.1)."""
        return leaders(self.scores) if isinstance(self.turn, Over) else ()

    @classmethod
    def new(cls, rules: Ruleset, players: int) -> "Table":
        """Returns the table of a new game, in which the first player is about to roll (Y4.2)."""
        return cls(Position(rules), (EMPTY,) * players)

    def after(self, step: Step[Turn]) -> "Table":
        """Returns the table after an event: in the same turn, the next, or the end (Y4.1, Y4.2)."""
        over = step.turn
        if not isinstance(over, Over):
            return self._replace(turn=over)
        player, cards = self.player, self.cards
        cards = (*cards[:player], over.scorecard, *cards[player + 1 :])
        ended = Table(over, cards, player)
        ended = ended._replace(sheet=(*self.sheet, ended.scores))
        following = (player + 1) % len(cards)
        if None not in cards[following]:
            return ended
        return ended._replace(turn=Position(over.rules, cards[following]), player=following)
