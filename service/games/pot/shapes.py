"""The shapes of POT's requests, as marshmallow schemas and as readers of query parameters.

The contract says the same in ``openapi.yaml``; a test holds the two together.
"""

from typing import Any

from service.games.pot.position import LAST_THROW, Phase
from service.games.pot.rulesets import MOST_COINS, OPTIONS, PLAYERS, RULESETS
from service.games.pot.scoring import LETTERS, MOST_POINTS, THREE
from service.wire import query
from service.wire.fields import (
    Choice,
    JsonSchema,
    Many,
    OrNull,
    Whole,
    WireField,
    Wrong,
    is_integer,
    wrong,
)
from service.wire.shapes import Fields, shapes_of

NUMBERS = (1, 5)
"""The numbers of a die (P1.1)."""


class Face(WireField):
    """What a die shows: an integer from 1 to 5, or one of the letters (P1.1)."""

    def defects(self, value: Any) -> Wrong:
        number = is_integer(value) and NUMBERS[0] <= value <= NUMBERS[1]
        if number or (isinstance(value, str) and value in LETTERS):
            return None
        return wrong("not-a-choice", choices=(*range(NUMBERS[0], NUMBERS[1] + 1), *LETTERS))

    def json_schema(self) -> JsonSchema:
        number = {"type": "integer", "minimum": NUMBERS[0], "maximum": NUMBERS[1]}
        return {"oneOf": [number, {"type": "string", "enum": list(LETTERS)}]}


def faces(text: str) -> list[int | str]:
    """Dice as a run of numbers and letters: ``3P4``. The schema says which there are."""
    return [int(face) if face in "0123456789" else face for face in text]


def _dice(**more: Any) -> Many:
    return Many(Face(), maximum=THREE, **more)


def _player(**more: Any) -> Whole:
    return Whole(0, PLAYERS[1] - 1, **more)


def _position(thrown: bool) -> Fields:
    """A position; ``thrown`` demands dice on the table."""
    return {
        "dice": _dice(required=thrown),
        "throws": Whole(1, LAST_THROW, required=thrown),
        "coins": Many(Whole(0, MOST_COINS), *PLAYERS, required=True),
        "pot": Whole(0, MOST_COINS, required=True),
        "bank": Whole(0, MOST_COINS, required=True),
        "player": _player(required=True),
        "holder": OrNull(Whole(0, PLAYERS[1] - 1)),
        "to_beat": OrNull(Whole(1, MOST_POINTS)),
        "phase": Choice(*Phase),
    }


LATER: Fields = {
    "held": _dice(),
    "tied": Many(_player(), *PLAYERS),
    "sums": Many(Whole(0, MOST_POINTS), maximum=PLAYERS[1]),
}
"""What positions of the phases ``rethrow`` and ``sudden-death`` have besides."""

SHAPES = shapes_of(
    "Pot",
    RULESETS,
    OPTIONS,
    PLAYERS,
    _position,
    events={
        "throw": {"held": _dice()},
        "accept": {"players": Many(_player(), maximum=PLAYERS[1])},
    },
    chance={"throw": {"dice": _dice(required=True)}},
    query_form={
        "dice": faces,
        "throws": query.number,
        "coins": query.numbers,
        "pot": query.number,
        "bank": query.number,
        "player": query.number,
        "holder": query.number,
        "to_beat": query.number,
        "phase": query.word,
    },
    later=LATER,
)
