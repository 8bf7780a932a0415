"""State of a whole game: its turn and score sheets (Y4)."""

from typing import NamedTuple

from dice_referee.games.yatzee.position import Over, Position, Turn
from dice_referee.games.yatzee.rulesets import Ruleset
from dice_referee.games.yatzee.sheet import EMPTY, Scorecard, Totals, totals
from dice_referee.rulebook.game import Step
from dice_referee.rulebook.ranking import leaders


class GameState(NamedTuple):
    turn: Turn
    scorecards: tuple[Scorecard, ...]
    """Score sheet of every player, in the order of play."""
    player: int = 0
    """Player to move, as an index, or the last player who moved once the game is over."""
    sheet: tuple[tuple[int, ...], ...] = ()
    losers: tuple[int, ...] = ()
    """Empty: the rules name no losers."""
    last_round: bool = False
    """Always false: every player has as many turns as the sheet has categories."""

    @property
    def rules(self) -> frozenset[str]:
        return frozenset({"Y4.1", "Y4.2"} if isinstance(self.turn, Over) else {"Y4.2"})

    @property
    def totals(self) -> tuple[Totals, ...]:
        return tuple(totals(self.turn.rules, scorecard) for scorecard in self.scorecards)

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(each.total for each in self.totals)

    @property
    def winners(self) -> tuple[int, ...]:
        """Players with the highest total, once the game is over (Y4.1)."""
        return leaders(self.scores) if isinstance(self.turn, Over) else ()

    @classmethod
    def new(cls, rules: Ruleset, players: int, starter: int = 0) -> "GameState":
        """Returns the state of a new game, in which the starter is about to roll (Y4.2)."""
        return cls(Position(rules), (EMPTY,) * players, starter)

    def after(self, step: Step[Turn]) -> "GameState":
        """Returns the state after an event: in the same turn, the next, or the end (Y4.1, Y4.2)."""
        over = step.turn
        if not isinstance(over, Over):
            return self._replace(turn=over)
        player, scorecards = self.player, self.scorecards
        scorecards = (*scorecards[:player], over.scorecard, *scorecards[player + 1 :])
        ended = GameState(over, scorecards, player)
        ended = ended._replace(sheet=(*self.sheet, ended.scores))
        following = (player + 1) % len(scorecards)
        if None not in scorecards[following]:
            return ended
        return ended._replace(turn=Position(over.rules, scorecards[following]), player=following)
