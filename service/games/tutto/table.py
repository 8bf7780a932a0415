"""A whole game: the table, its sheet, and how an event moves it on (T6)."""

from typing import NamedTuple

from service.games.tutto.position import Position
from service.games.tutto.rulesets import Ending, Ruleset
from service.games.tutto.turn import Over, Reason, Turn
from service.rules.game import Step


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
    losers: tuple[int, ...] = ()
    """The players who have lost (T6.4): the lowest score of those who have not won."""
    rules: frozenset[str] = frozenset({"T6.1"})
    """The rules that decided how the game stands."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The score sheet; points of the running turn are not on it (T5.5g)."""
        return self.turn.scores or ()

    @property
    def player(self) -> int:
        return self.turn.player or 0


def new_table(rules: Ruleset, players: int) -> Table:
    """The first player listed is about to draw (T6.1)."""
    return Table(Position(rules, scores=(0,) * players, player=0))


def after(table: Table, step: Step[Turn]) -> Table:
    """The table after what an event has led to."""
    turn = step.turn
    return after_turn(table, turn) if isinstance(turn, Over) else table._replace(turn=turn)


def after_turn(table: Table, over: Over) -> Table:
    """The next player's turn, or the end of the game (T6.3, T6.4)."""
    rules, scores, player = over.rules, over.scores or (), over.player or 0
    table = table._replace(turn=over, sheet=(*table.sheet, scores))
    if over.reason is Reason.CLOVER:
        return _won(table, (player,), {"T6.4"})
    table = table._replace(triggered=table.triggered or scores[player] >= rules.target)
    last = player == len(scores) - 1
    if table.triggered and (last or rules.ending is Ending.AT_ONCE):
        best = max(scores)
        winners = tuple(i for i, score in enumerate(scores) if score == best)
        undone = {"T6.5"} if best < rules.target else set()
        return _won(table, winners, {"T6.2", "T6.3", "T6.4"} | undone)
    following = (player + 1) % len(scores)
    turn = Position(rules, scores=scores, player=following, last=table.triggered)
    return table._replace(turn=turn)


def _won(table: Table, winners: tuple[int, ...], cites: set[str]) -> Table:
    """The end of the game by these rules (T6.4)."""
    others = [score for i, score in enumerate(table.scores) if i not in winners]
    losers = tuple(
        i for i, score in enumerate(table.scores) if i not in winners and score == min(others)
    )
    return table._replace(winners=winners, losers=losers, rules=table.rules | cites)
