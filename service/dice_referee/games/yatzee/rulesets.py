"""The ruleset of Yatzee with six dice and its options.

Source: the German instructions that come with the Danish score sheet.
"""

from dataclasses import dataclass

from dice_referee.games.yatzee.categories import CATEGORIES, EXTRA, FACE_OF, FIXED, GROUPS, RUNS
from dice_referee.rulebook import ruleset
from dice_referee.rulebook.ruleset import option

EDITION = 1
"""Version of the verdicts. Increment it when verdicts change without a change of options."""

LAST_ROLL = 3
"""Number of rolls in a turn (Y1.1)."""


@dataclass(frozen=True, eq=False)
class Ruleset(ruleset.Ruleset):
    facts = {  # noqa: RUF012
        "game": "yatzee",
        "edition": EDITION,
        "throws": LAST_ROLL,
        "categories": CATEGORIES,
        "faces": FACE_OF,
        "groups": GROUPS,
        "runs": RUNS,
        "fixed": FIXED,
        "extra": EXTRA,
    }

    distinct_faces: bool = option("Y3.3", True)
    """True if the pairs and triples of a category need different faces (Y3.3)."""
    upper_bonus: int = option("Y2.2", 50, minimum=0, maximum=1000)
    """Points for an upper section that reaches the threshold (Y2.2)."""
    upper_threshold: int = option("Y2.2", 84, minimum=1, maximum=126)
    throw_bonus: tuple[int, ...] = option(
        "Y3.1", (10, 5, 0), minimum=0, maximum=100, length=LAST_ROLL
    )
    """Points added to a lower category, by the number of the roll (Y3.1)."""


YATZEE_SIX = Ruleset("yatzee-six")

RULESETS = {rules.id: rules for rules in (YATZEE_SIX,)}
