"""Win probabilities in a game of two in which both players play to win (O16).

They apply between turns. ``make tables`` solves the published rulesets and writes a file for each.
"""

import sys
from array import array
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from json import loads
from typing import NamedTuple

from dice_referee.games.tutto.leaders import DEDUCTION
from dice_referee.games.tutto.position import STEP, Position
from dice_referee.games.tutto.rulesets import Ending, LeaderDraws, Ruleset
from dice_referee.rulebook.findings import Finding

PLAYERS_OF_A_DUEL = 2

FULL = 65535


class WinChances(NamedTuple):
    """Content of a ruleset's file: the chances of the player who is about to draw.

    Each chance is a number from 0 to ``FULL``.
    """

    lowest: int
    """Lowest score in the tables, in points. Lower scores count as this score."""
    error: float
    """Greatest error of a chance (0 to 1)."""
    seats: tuple["array[int]", ...]
    """Chances by seat: a row for each own score, a column for each of the opponent's."""
    last: "array[int]"
    """Chances in the last turn of a full round, by the steps behind the opponent.

    Players further behind have the last chance of the list.
    """


class Duel(NamedTuple):
    """Game of two under published rules, between turns. Scores are in points."""

    rules: Ruleset
    own: int
    opponent: int
    seat: int = 0
    """Place of the player in each round: 0 goes first."""
    last: bool = False
    """True if the player's turn ends the game (T6.3)."""

    @property
    def leads(self) -> bool:
        return self.own > self.opponent

    @property
    def sits_out(self) -> bool:
        """True if drawing Plus/Minus ends the turn (T5.5b)."""
        return self.leads and self.rules.leader_draws_plus_minus is LeaderDraws.SITS_OUT

    @property
    def after_deduction(self) -> "Duel":
        """Duel after a Plus/Minus Tutto of this player. A sole leader deducts nothing (T5.5b)."""
        return self if self.leads else self._replace(opponent=self.opponent - DEDUCTION)

    @property
    def steady_from(self) -> int:
        """Points of the turn from which more points no longer change the win probability."""
        missing = self.rules.target - self.own
        if self.last:
            return self.opponent - self.own + STEP
        if self._has_last_turn:
            margin = STEP * (len(win_chances(self.rules.id).last) - 1)
            return max(missing, self.opponent + margin - self.own)
        return missing

    @property
    def _has_last_turn(self) -> bool:
        """True if the opponent still draws once this player has reached the target (T6.3)."""
        return self.rules.ending is Ending.FULL_ROUND and not self.seat

    def chance_after(self, points: int) -> float:
        """Returns the win probability (0 to 1) once the turn has scored these points."""
        own, opponent, target = self.own + points, self.opponent, self.rules.target
        if self.last:
            # Equal scores share the win (T6.4).
            return (1 + (own > opponent) - (own < opponent)) / 2
        if own < target:
            reply = Duel(self.rules, opponent, own, 1 - self.seat)
        elif self._has_last_turn:
            reply = Duel(self.rules, opponent, own, 1, last=True)
        else:
            return 1.0
        return 1.0 - reply.chance()

    def chance(self) -> float:
        """Returns the win probability (0 to 1) of this player, who is about to draw."""
        file = win_chances(self.rules.id)
        if self.last:
            behind = (self.opponent - self.own) // STEP
            return file.last[min(behind, len(file.last) - 1)] / FULL
        scores = (self.own, self.opponent)
        row, column = (max(score - file.lowest, 0) // STEP for score in scores)
        size = (self.rules.target - file.lowest) // STEP
        return file.seats[self.seat % len(file.seats)][row * size + column] / FULL


def duel_of(position: Position) -> Duel:
    """Returns the duel of a position that has the scores of two players."""
    rules, scores, seat = position.rules.base or position.rules, position.scores, position.player
    assert scores is not None, "without scores there is nothing to win"
    assert seat is not None, "scores come with a player"
    place = (seat - position.starter) % PLAYERS_OF_A_DUEL
    return Duel(rules, scores[seat], scores[1 - seat], place, position.last)


@cache
def has_win_chances(rules: Ruleset) -> bool:
    """Tells if win probabilities are known: only solved rulesets without house rules have them."""
    return not rules.house_rules and _path(rules.id).is_file()


def unknown_duel(position: Position, at: str) -> Iterator[Finding]:
    """Yields every reason why the win probability is unknown (O16).

    ``at`` is the JSON pointer of the players or of their scores.
    """
    rules, scores = position.rules, position.scores or ()
    if position.scores is None:
        yield Finding("scores-needed", "O16", "/scores")
    elif len(scores) != PLAYERS_OF_A_DUEL:
        yield Finding("two-players-only", "O16", at, {"count": len(scores)})
    if not has_win_chances(rules):
        yield Finding("no-table", "O16", "/options" if rules.house_rules else "/ruleset")
        return
    least = win_chances(rules.id).lowest
    for i, score in enumerate(scores):
        if score < least:
            yield Finding("score-too-low", "O16", f"{at}/{i}", {"minimum": least})


@cache
def win_chances(ruleset: str) -> WinChances:
    line, _, body = _path(ruleset).read_bytes().partition(b"\n")
    header = loads(line)
    numbers = array("H", body)
    if sys.byteorder == "big":
        numbers.byteswap()
    size = header["pairs"]
    seats = tuple(numbers[i * size : (i + 1) * size] for i in range(header["tables"]))
    return WinChances(header["lowest"], header["error"], seats, numbers[len(seats) * size :])


def _path(ruleset: str) -> Traversable:
    return files("dice_referee.games.tutto").joinpath("chances", f"{ruleset}.bin")
