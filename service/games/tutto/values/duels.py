"""Chances to win a game of two, both playing for nothing else, between its turns (O16).

``make tables`` solves the published rulesets, once, and writes a file each beside the ruleset.
"""

import sys
from array import array
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from json import loads
from math import ceil
from typing import NamedTuple

from service.games.tutto.cards import PLUS_MINUS
from service.games.tutto.leaders import DEDUCTION
from service.games.tutto.position import STEP, Position
from service.games.tutto.rulesets import Ending, LeaderDraws, Ruleset
from service.rules.findings import Finding

PLAYERS_OF_A_DUEL = 2
"""Players whose chances are known."""

STEPS_OF_A_PERMIT = 280
"""Steps of points for which all that a turn may come to takes 0.2 s of CPU."""

FULL = 65535
"""The number that stands for the chance 1 in a file."""


class WinChances(NamedTuple):
    """The file of a ruleset: chances of the player who is about to draw."""

    lowest: int
    """The lowest score, in points; lower ones count as this."""
    error: float
    """The greatest error of a chance."""
    seats: tuple["array[int]", ...]
    """By seat, row by row: own scores, and in each the other's."""
    last: "array[int]"
    """By the steps that the last turn of a full round is behind; further ones count as the last."""


class Duel(NamedTuple):
    """Two players' scores at a table of published rules, in points."""

    rules: Ruleset
    own: int
    other: int
    seat: int = 0
    last: bool = False
    """Whether this turn ends the game (T6.3)."""

    @property
    def leads(self) -> bool:
        """Whether the player leads alone."""
        return self.own > self.other

    @property
    def sits_out(self) -> bool:
        """Whether Plus/Minus ends the turn (T5.5b)."""
        return self.leads and self.rules.leader_draws_plus_minus is LeaderDraws.SITS_OUT

    @property
    def deducted(self) -> "Duel":
        """The same after a Plus/Minus Tutto of this player."""
        return self if self.leads else self._replace(other=self.other - DEDUCTION)

    @property
    def steady_from(self) -> int:
        """The points from which on writing more changes nothing."""
        reached = self.rules.target - self.own
        if self.last:
            return self.other - self.own + STEP
        if self._has_last_turn:
            behind = STEP * (len(win_chances(self.rules.id).last) - 1)
            return max(reached, self.other + behind - self.own)
        return reached

    @property
    def _has_last_turn(self) -> bool:
        """Whether the other may draw once more after this player has reached the target."""
        return self.rules.ending is Ending.FULL_ROUND and not self.seat

    @property
    def price(self) -> int:
        """The permits of the value tables of this pair, and of those after Plus/Minus Tuttos."""
        duel, held, steps = self, 0, 0
        while True:
            steps += max(duel.steady_from - held, 0) // STEP
            if duel.leads:
                return ceil(steps / STEPS_OF_A_PERMIT)
            duel, held = duel.deducted, held + PLUS_MINUS.prize

    def having_written(self, points: int) -> float:
        """The chance to win once so many points are written."""
        own, other, target = self.own + points, self.other, self.rules.target
        if self.last:
            # An equal score shares the win (T6.4).
            return (1 + (own > other) - (own < other)) / 2
        if own < target:
            theirs = Duel(self.rules, other, own, 1 - self.seat)
        elif self._has_last_turn:
            theirs = Duel(self.rules, other, own, 1, last=True)
        else:
            return 1.0
        return 1.0 - theirs.chance()

    def chance(self) -> float:
        """The chance of this player, who is about to draw."""
        file = win_chances(self.rules.id)
        if self.last:
            steps = (self.other - self.own) // STEP
            return file.last[min(steps, len(file.last) - 1)] / FULL
        own, other = (max(one - file.lowest, 0) // STEP for one in (self.own, self.other))
        size = (self.rules.target - file.lowest) // STEP
        return file.seats[self.seat % len(file.seats)][own * size + other] / FULL


def duel_of(position: Position) -> Duel:
    """The two scores of this position; it has them."""
    rules, scores, seat = position.rules.base or position.rules, position.scores, position.player
    assert scores is not None, "without scores there is nothing to win"
    assert seat is not None, "scores come with a player"
    other = scores[1 - seat]
    return Duel(rules, scores[seat], other, seat, position.last or other >= rules.target)


@cache
def has_win_chances(rules: Ruleset) -> bool:
    """Whether the chances of these rules are known: those of a published ruleset."""
    return not rules.house_rules and _path(rules.id).is_file()


def unknown_duel(position: Position, at: str) -> Iterator[Finding]:
    """Yields every reason why the chance to win is not known; ``at`` points at the players."""
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
    """The chances of a published ruleset, read once."""
    head, _, body = _path(ruleset).read_bytes().partition(b"\n")
    told = loads(head)
    numbers = array("H", body)
    if sys.byteorder == "big":
        numbers.byteswap()
    size = told["pairs"]
    tables = tuple(numbers[i * size : (i + 1) * size] for i in range(told["tables"]))
    return WinChances(told["lowest"], told["error"], tables, numbers[told["tables"] * size :])


def _path(ruleset: str) -> Traversable:
    return files("service.games.tutto").joinpath("chances", f"{ruleset}.bin")
