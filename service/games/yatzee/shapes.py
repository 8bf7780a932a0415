"""The shapes of Yatzee's requests, as marshmallow schemas and as readers of query parameters.

The contract says the same in ``openapi.yaml``; a test holds the two together.
"""

from service.games.yatzee.categories import CATEGORIES
from service.games.yatzee.position import Phase
from service.games.yatzee.rulesets import OPTIONS, RULESETS, THROWS
from service.games.yatzee.scoring import SIX
from service.wire import query
from service.wire.fields import Choice, Many, Part, Whole, closed
from service.wire.shapes import Fields, shapes_of

PLAYERS = (1, 10)
"""How many play (Y4.2)."""

POINTS = (0, 1000)
"""What a request may claim for a category; what dice can give is judged by the rules."""


def _dice(*, required: bool = False) -> Many:
    return Many(Whole(1, 6), maximum=SIX, required=required)


def _position(thrown: bool) -> Fields:
    """A position; ``thrown`` demands dice on the table."""
    scorecard = closed("YatzeeScorecard", {category: Whole(*POINTS) for category in CATEGORIES})
    return {
        "dice": _dice(required=thrown),
        "throw": Whole(1, THROWS, required=thrown),
        "scorecard": Part(scorecard),
        "phase": Choice(*Phase),
    }


def _line() -> Fields:
    return {"category": Choice(*CATEGORIES, required=True)}


SHAPES = shapes_of(
    "Yatzee",
    RULESETS,
    OPTIONS,
    PLAYERS,
    _position,
    events={"throw": {"held": _dice()}, "write": _line(), "strike": _line()},
    chance={"throw": {"dice": _dice(required=True)}},
    query_form={
        "dice": query.digits,
        "throw": query.number,
        "scorecard": query.named_numbers,
        "phase": query.word,
    },
)
