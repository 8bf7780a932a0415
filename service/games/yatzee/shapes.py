"""The shapes of Yatzee's requests, as marshmallow schemas.

The contract says the same in ``openapi.yaml``; a test holds the two together.
"""

from service.games.yatzee.categories import CATEGORIES
from service.games.yatzee.position import Phase
from service.games.yatzee.rulesets import THROWS
from service.games.yatzee.scoring import SIX
from service.validation.fields import Dice, Enumerated, Integer, ListOf, Nullable
from service.validation.schema import Fields, Nested, closed
from service.validation.shapes import Shapes

PLAYERS = (1, 10)
"""How many play (Y4.2)."""

POINTS = (0, 1000)
"""What a request may claim for a category; what dice can give is judged by the rules."""


_CARD = ListOf(Nullable(Integer(*POINTS)), len(CATEGORIES), len(CATEGORIES))
"""A saved score card, in the order of the categories."""


def _dice(*, required: bool = False) -> Dice:
    return Dice(Integer(1, 6), maximum=SIX, required=required)


def _position(thrown: bool) -> Fields:
    """A position; ``thrown`` demands dice on the table."""
    scorecard = closed("YatzeeScorecard", {category: Integer(*POINTS) for category in CATEGORIES})
    return {
        "dice": _dice(required=thrown),
        "throw": Integer(1, THROWS, required=thrown),
        "scorecard": Nested(scorecard),
        "phase": Enumerated(*Phase),
    }


def _line() -> Fields:
    return {"category": Enumerated(*CATEGORIES, required=True)}


SHAPES = Shapes(
    PLAYERS,
    _position,
    events={"throw": {"held": _dice()}, "write": _line(), "strike": _line()},
    chance={"throw": {"dice": _dice(required=True)}},
)
