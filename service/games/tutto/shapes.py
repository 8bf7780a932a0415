"""The shapes of Tutto's requests, as marshmallow schemas.

The contract says the same in ``openapi.yaml``; a test holds the two together.
"""

from service.games.tutto.cards import CARDS, PILE, PLAYABLE
from service.games.tutto.position import MOST_PENDING, SIX, STEP, Phase
from service.validation.fields import Dice, Enumerated, Integer, ListOf
from service.validation.schema import Fields, Nested, closed
from service.validation.shapes import Shapes

PLAYERS = (2, 10)
"""How many play (T6.1)."""

REACH = (50, 10_000)
"""The points that a turn can be asked to write (O6)."""


def _dice(*, required: bool = False) -> Dice:
    return Dice(Integer(1, 6), maximum=SIX, required=required)


def _position(rolled: bool) -> Fields:
    """A position; ``rolled`` demands a card and a roll."""
    return {
        "card": Enumerated(*PLAYABLE, required=rolled),
        "keeps": ListOf(_dice(), maximum=SIX),
        "roll": _dice(required=rolled),
        "carried": Integer(0, 1_000_000, step=STEP),
        "tuttos": Integer(0, 1000),
        "pending_deductions": Integer(0, MOST_PENDING),
        "scores": ListOf(Integer(-1_000_000_000, 1_000_000_000), *PLAYERS),
        "player": Integer(0, PLAYERS[1] - 1),
        "phase": Enumerated(*Phase),
        "dice_to_roll": Integer(0, SIX),
    }


SHAPES = Shapes(
    PLAYERS,
    _position,
    events={"draw": {}, "roll": {}, "keep": {"dice": _dice(required=True)}, "bank": {}},
    chance={
        "draw": {"card": Enumerated(*CARDS, required=True)},
        "roll": {"dice": _dice(required=True)},
    },
    odds={
        "reach": Integer(*REACH, step=STEP),
        "pile": Nested(closed("TuttoPile", {card: Integer(0, len(PILE)) for card in CARDS})),
    },
)
