"""What a player wants of a turn: points, to write so many, or to win a game of two."""

from functools import lru_cache
from typing import NamedTuple

from service.games.tutto.rulesets import DoubleScope, FireworkKeep, PlusMinusPays, Ruleset
from service.games.tutto.values.duels import Duel


class Aim(NamedTuple):
    """What is wanted, and the options that matter to it."""

    firework_takes_all: bool
    """Whether every scoring die has to be set aside on a firework (T5.2)."""
    double_takes_all: bool
    """Whether carried points are doubled too (T5.4)."""
    plus_minus_takes_all: bool
    """Whether a Plus/Minus Tutto leaves exactly its own points (T5.5h)."""
    clover: int
    """What a completed clover is worth: points, or the chance 1."""
    reach: int | None = None
    """The points that the turn shall write (O6)."""
    duel: Duel | None = None
    """The game that the player wants to win (O16). Neither: as many points as possible (O5)."""

    def of_points(self, points: int) -> float:
        """What it is worth to write so many points."""
        if self.duel is not None:
            return self.duel.having_written(points)
        return float(points if self.reach is None else points >= self.reach)

    @property
    def steady_from(self) -> int | None:
        """The points from which on more are worth the same; None where they never are."""
        return self.reach if self.duel is None else max(self.duel.steady_from, 0)


@lru_cache(maxsize=1024)
def aim_of(rules: Ruleset, reach: int | None, duel: Duel | None = None) -> Aim:
    """What is wanted under these rules: points, to write ``reach`` of them, or to win."""
    takes_all = rules.firework_keep is FireworkKeep.ALL
    doubles_all = rules.double_scope is DoubleScope.TURN
    exactly = rules.plus_minus_pays is PlusMinusPays.EXACTLY
    clover = rules.target if reach is None and duel is None else 1
    return Aim(takes_all, doubles_all, exactly, clover, reach, duel)
