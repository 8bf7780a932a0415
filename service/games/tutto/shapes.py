"""The shapes of Tutto's requests, as marshmallow schemas and as readers of query parameters.

The contract says the same in ``openapi.yaml``; a test holds the two together.
"""

from service.games.tutto.cards import CARDS, PLAYABLE
from service.games.tutto.position import SIX, Phase
from service.games.tutto.rulesets import OPTIONS, RULESETS
from service.wire import query
from service.wire.fields import Choice, Many, Whole
from service.wire.shapes import Fields, shapes_of

PLAYERS = (2, 10)
"""How many play (T6.1)."""


def _dice(*, required: bool = False) -> Many:
    return Many(Whole(1, 6), maximum=SIX, required=required)


def _position(rolled: bool) -> Fields:
    """A position; ``rolled`` demands a card and a roll."""
    return {
        "card": Choice(*PLAYABLE, required=rolled),
        "keeps": Many(_dice(), maximum=SIX),
        "roll": _dice(required=rolled),
        "carried": Whole(0, 1_000_000, step=50),
        "tuttos": Whole(0, 1000),
        "pending_deductions": Whole(0, 1000),
        "scores": Many(Whole(-1_000_000_000, 1_000_000_000), *PLAYERS),
        "player": Whole(0, PLAYERS[1] - 1),
        "phase": Choice(*Phase),
        "dice_to_roll": Whole(0, SIX),
    }


SHAPES = shapes_of(
    "Tutto",
    RULESETS,
    OPTIONS,
    PLAYERS,
    _position,
    events={"draw": {}, "roll": {}, "keep": {"dice": _dice(required=True)}, "bank": {}},
    chance={
        "draw": {"card": Choice(*CARDS, required=True)},
        "roll": {"dice": _dice(required=True)},
    },
    query_form={
        "card": query.word,
        "keeps": query.digit_lists,
        "roll": query.digits,
        "carried": query.number,
        "tuttos": query.number,
        "pending_deductions": query.number,
        "scores": query.numbers,
        "player": query.number,
        "phase": query.word,
        "dice_to_roll": query.number,
    },
)
