"""State of a whole game: scores, turns and winners (T6)."""

from typing import NamedTuple

from dice_referee.games.tutto.position import (
    Over,
    Position,
    Reason,
    Turn,
    rules_of_ranking,
    turns_left_of,
)
from dice_referee.games.tutto.rulesets import Ending, Ruleset
from dice_referee.rulebook.game import Step
from dice_referee.rulebook.ranking import leaders


class GameState(NamedTuple):
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

    @property
    def last_round(self) -> bool:
        """True from the turn in which a score reached the target to the end of the game."""
        return self.turn.last and not self.winners

    @classmethod
    def new(cls, rules: Ruleset, players: int, starter: int = 0) -> "GameState":
        """Returns the state of a new game, in which the starter is about to draw (T6.1)."""
        # Only a full round ends with the player before its starter.
        begins = starter if rules.ending is Ending.FULL_ROUND else 0
        return cls(Position(rules, scores=(0,) * players, player=starter, starter=begins))

    def after(self, step: Step[Turn]) -> "GameState":
        turn = step.turn
        return self.after_turn(turn) if isinstance(turn, Over) else self._replace(turn=turn)

    def after_turn(self, over: Over) -> "GameState":
        """Returns the state at the next player's turn, or at the end of the game (T6.3, T6.4)."""
        rules, scores, player = over.rules, over.scores or (), over.player or 0
        state = self._replace(turn=over, sheet=(*self.sheet, scores))
        if over.reason is Reason.CLOVER:
            return state.end((player,), frozenset({"T6.4"}))
        if over.last and not over.turns_left:
            return state.end(leaders(scores), rules_of_ranking(over))
        turn = Position(
            rules,
            scores=scores,
            player=(player + 1) % len(scores),
            last=over.last,
            turns_left=turns_left_of(over),
            starter=over.starter,
        )
        return state._replace(turn=turn)

    def end(self, winners: tuple[int, ...], cites: frozenset[str]) -> "GameState":
        beaten = {i: score for i, score in enumerate(self.scores) if i not in winners}
        losers = tuple(i for i, score in beaten.items() if score == min(beaten.values()))
        return self._replace(winners=winners, losers=losers, rules=self.rules | cites)
