"""Aims of a turn: most points, a minimum of points, or to win a game of two."""

from functools import lru_cache
from typing import NamedTuple

from dice_referee.games.tutto.deck import Deck, cards_of
from dice_referee.games.tutto.rulesets import Ruleset
from dice_referee.games.tutto.scoring import Scoring, scoring_of
from dice_referee.games.tutto.values.duels import Duel


class Aim(NamedTuple):
    """Aim of a player, with the dice and cards on which its values depend.

    Without ``reach`` and ``duel`` the aim is as many points as possible (O5).
    """

    scoring: Scoring
    deck: Deck
    clover: int
    """Value of a completed clover: points (O5), or the chance 1 (O6, O16)."""
    reach: int | None = None
    """Points that the turn must write (O6)."""
    duel: Duel | None = None
    """Game of two that the player wants to win (O16)."""

    def of_points(self, points: int) -> float:
        """Returns the value of writing these points: points (O5), or a chance from 0 to 1."""
        if self.duel is not None:
            return self.duel.chance_after(points)
        return float(points if self.reach is None else points >= self.reach)

    @property
    def steady_from(self) -> int | None:
        """Points from which more points add no value, or None if they always do."""
        return self.reach if self.duel is None else max(self.duel.steady_from, 0)


@lru_cache(maxsize=1024)
def aim_of(rules: Ruleset, reach: int | None, duel: Duel | None = None) -> Aim:
    clover = rules.target if reach is None and duel is None else 1
    return Aim(scoring_of(rules), cards_of(rules), clover, reach, duel)
