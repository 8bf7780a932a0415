"""A whole game: the table, its sheet, and how an event moves it on (T6)."""

from typing import NamedTuple

from service.games.tutto.cards import CLOVER
from service.games.tutto.events import Event, Step, objections, play
from service.games.tutto.position import Position
from service.games.tutto.rulesets import Ending, Ruleset
from service.games.tutto.turn import Over, Reason, Turn
from service.rules.verdict import Finding


class Table(NamedTuple):
    """A game as it stands. The running turn knows the scores and whose turn it is."""

    turn: Turn
    """The running turn; when the game is over, the last one."""
    sheet: tuple[tuple[int, ...], ...] = ()
    """The scores after every turn."""
    triggered: bool = False
    """Whether somebody has reached the target; never undone (T6.5)."""
    winners: tuple[int, ...] = ()
    """The players who have won; none while the game goes on."""
    rules: frozenset[str] = frozenset({"T6.1"})
    """The rules that decided how the game stands."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The score sheet; points of the running turn are not on it (T5.5g)."""
        return self.turn.scores or ()

    @property
    def over(self) -> bool:
        """Whether the game has ended; the turn that ended it stands in ``turn``."""
        return isinstance(self.turn, Over)

    @property
    def player(self) -> int:
        return self.turn.player or 0


def new_table(rules: Ruleset, players: int) -> Table:
    """The first player listed is about to draw (T6.1)."""
    return Table(Position(rules, scores=(0,) * players, player=0))


def table_objections(table: Table, event: Event, at: str) -> tuple[Finding, ...]:
    """Every reason why the event is illegal at this table; none if it is legal."""
    if isinstance(table.turn, Over):
        won = table.turn.reason is Reason.CLOVER
        return (Finding("game-over", CLOVER.rule if won else "T6.3", at),)
    return objections(table.turn, event, at)


def advance(table: Table, event: Event) -> tuple[Table, Step]:
    """The table after a legal event, and what the event did."""
    assert isinstance(table.turn, Position)
    step = play(table.turn, event)
    if isinstance(step.turn, Over):
        return after_turn(table, step.turn), step
    return table._replace(turn=step.turn), step


def after_turn(table: Table, over: Over) -> Table:
    """The next player's turn, or the end of the game (T6.3, T6.4)."""
    rules, scores, player = over.rules, over.scores or (), over.player or 0
    table = table._replace(turn=over, sheet=(*table.sheet, scores))
    if over.reason is Reason.CLOVER:
        return table._replace(winners=(player,))
    table = table._replace(triggered=table.triggered or scores[player] >= rules.target)
    last = player == len(scores) - 1
    if table.triggered and (last or rules.ending is Ending.AT_ONCE):
        best = max(scores)
        winners = tuple(i for i, score in enumerate(scores) if score == best)
        return table._replace(winners=winners, rules=table.rules | {"T6.3", "T6.4"})
    following = (player + 1) % len(scores)
    return table._replace(turn=Position(rules, scores=scores, player=following))
