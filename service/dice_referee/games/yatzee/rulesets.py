"""The ruleset of Yatzee with six dice and the options that tables play differently.

A ruleset is one constant: a new one goes into ``RULESETS``, its words into ``words.toml``.
Source: the German instructions that come with the Danish score card.
"""

from dataclasses import dataclass

from dice_referee.games.yatzee.categories import CATEGORIES, EXTRA, FACE_OF, FIXED, GROUPS, RUNS
from dice_referee.rulebook import ruleset
from dice_referee.rulebook.ruleset import option

EDITION = 1
"""Raise it when a verdict changes although no fact does: stored answers then show their age."""

THROWS = 3
"""Throws of a turn (Y1.1)."""


@dataclass(frozen=True, eq=False)
class Ruleset(ruleset.Ruleset):
    """The rules that a game of Yatzee is judged by."""

    facts = {  # noqa: RUF012
        "game": "yatzee",
        "edition": EDITION,
        "throws": THROWS,
        "categories": CATEGORIES,
        "faces": FACE_OF,
        "groups": GROUPS,
        "runs": RUNS,
        "fixed": FIXED,
        "extra": EXTRA,
    }

    distinct_faces: bool = option("Y3.3", True)
    """True if the pairs and triples of one category need different faces (Y3.3)."""
    upper_bonus: int = option("Y2.2", 50, minimum=0, maximum=1000)
    """Points for an upper block that reaches the threshold (Y2.2)."""
    upper_threshold: int = option("Y2.2", 84, minimum=1, maximum=126)
    throw_bonus: tuple[int, ...] = option("Y3.1", (10, 5, 0), minimum=0, maximum=100, length=THROWS)
    """Points of a lower category on top, by the throw after which it is written (Y3.1)."""


YATZEE_SIX = Ruleset("yatzee-six")

RULESETS = {rules.id: rules for rules in (YATZEE_SIX,)}
