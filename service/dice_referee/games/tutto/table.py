"""Table of a whole game: its scores, turns and winners (T6)."""

from typing import NamedTuple

from dice_referee.games.tutto.position import Over, Position, Reason, Turn, rules_of_ranking
from dice_referee.games.tutto.rulesets import Ending, Ruleset
from dice_referee.rulebook.game import Step
from dice_referee.rulebook.ranking import leaders


class Table(NamedTuple):
    """State of a game. The current turn holds the scores and the player whose turn it is."""

    turn: Turn
    sheet: tuple[tuple[int, ...], ...] = ()
    winners: tuple[int, ...] = ()
    losers: tuple[int, ...] = ()
    """Players who have lost: those with the lowest score, winners aside (T6.4)."""
    rules: frozenset[str] = frozenset({"T6.1"})

    @property
    def scores(self) -> tuple[int, ...]:
        """Scores of the players, without the points of the current turn (T5.5g)."""
        return self.turn.scores or ()

    @property
    def player(self) -> int:
        return self.turn.player or 0

    @classmethod
    def new(cls, rules: Ruleset, players: int) -> "Table":
        """Returns the table of a new game, in which the first player is about to draw (T6.1)."""
        return cls(Position(rules, scores=(0,) * players, player=0))

    def after(self, step: Step[Turn]) -> "Table":
        turn = step.turn
        return self.after_turn(turn) if isinstance(turn, Over) else self._replace(turn=turn)

    def after_turn(self, over: Over) -> "Table":
        """Returns the table at the next player's turn, or at the end of the game (T6.3, T6.4)."""
        rules, scores, player = over.rules, over.scores or (), over.player or 0
        table = self._replace(turn=over, sheet=(*self.sheet, scores))
        if over.reason is Reason.CLOVER:
            return table.end((player,), frozenset({"T6.4"}))
        if over.last and (player == len(scores) - 1 or rules.ending is Ending.AT_ONCE):
            return table.end(leaders(scores), rules_of_ranking(over))
        following = (player + 1) % len(scores)
        turn = Position(rules, scores=scores, player=following, last=over.last)
        return table._replace(turn=turn)

    def end(self, winners: tuple[int, ...], cites: frozenset[str]) -> "Table":
        beaten = {i: score for i, score in enumerate(self.scores) if i not in winners}
        losers = tuple(i for i, score in beaten.items() if score == min(beaten.values()))
        return self._replace(winners=winners, losers=losers, rules=self.rules | cites)
