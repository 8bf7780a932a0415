"""A whole game: the table, its score cards, and how an event moves it on (Y4)."""

from typing import NamedTuple

from service.games.yatzee.events import Event, Step, objections, play
from service.games.yatzee.position import Position
from service.games.yatzee.rulesets import Ruleset
from service.games.yatzee.sheet import EMPTY, Scorecard, Totals, totals
from service.games.yatzee.turn import Over, Turn
from service.rules.verdict import Finding


class Table(NamedTuple):
    """A game as it stands."""

    turn: Turn
    """The running turn; when the game is over, the last one."""
    cards: tuple[Scorecard, ...]
    """The score card of every player, in the order of play."""
    player: int = 0
    """Whose turn it is; when the game is over, whose was the last."""
    sheet: tuple[tuple[int, ...], ...] = ()
    """The total of every player after every turn, in points."""

    @property
    def over(self) -> bool:
        """Whether every category of every player is filled (Y4.1)."""
        return isinstance(self.turn, Over)

    @property
    def rules(self) -> frozenset[str]:
        """The rules that decided how the game stands."""
        return frozenset({"Y4.1", "Y4.2"} if self.over else {"Y4.2"})

    @property
    def totals(self) -> tuple[Totals, ...]:
        """What the card of every player adds up to."""
        return tuple(totals(self.turn.rules, card) for card in self.cards)

    @property
    def scores(self) -> tuple[int, ...]:
        """The total of every player, in points."""
        return tuple(each.total for each in self.totals)

    @property
    def winners(self) -> tuple[int, ...]:
        """The players with the highest total, once the game is over (Y4.1)."""
        if not self.over:
            return ()
        best = max(self.scores)
        return tuple(i for i, score in enumerate(self.scores) if score == best)


def new_table(rules: Ruleset, players: int) -> Table:
    """The first player listed is about to throw (Y4.2)."""
    return Table(Position(rules), (EMPTY,) * players)


def table_objections(table: Table, event: Event, at: str) -> tuple[Finding, ...]:
    """Every reason why the event is illegal at this table; none if it is legal."""
    if isinstance(table.turn, Over):
        return (Finding("game-over", "Y4.1", at),)
    return objections(table.turn, event, at)


def advance(table: Table, event: Event) -> tuple[Table, Step]:
    """The table after a legal event, and what the event did."""
    assert isinstance(table.turn, Position), "a game that is over takes no event"
    step = play(table.turn, event)
    if isinstance(step.turn, Over):
        return _after(table, step.turn), step
    return table._replace(turn=step.turn), step


def _after(table: Table, over: Over) -> Table:
    """The next player's turn, or the end of the game (Y4.1, Y4.2)."""
    player, cards = table.player, table.cards
    cards = (*cards[:player], over.scorecard, *cards[player + 1 :])
    after = Table(over, cards, player)
    after = after._replace(sheet=(*table.sheet, after.scores))
    following = (player + 1) % len(cards)
    if None not in cards[following]:
        return after
    return after._replace(turn=Position(over.rules, cards[following]), player=following)
