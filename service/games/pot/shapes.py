"""The shapes of POT's requests, as marshmallow schemas and as readers of query parameters.

The contract says the same in ``openapi.yaml``; a test holds the two together.
"""

from collections.abc import Mapping
from typing import Any

from marshmallow import fields

from service.games.pot.position import LAST_THROW, Phase
from service.games.pot.rulesets import MOST_COINS, OPTIONS, PLAYERS, RULESETS
from service.games.pot.scoring import LETTERS, MOST_POINTS, THREE
from service.rules.game import Reader
from service.wire import query
from service.wire.fields import (
    Choice,
    JsonSchema,
    Many,
    Name,
    OneOf,
    Part,
    Whole,
    WireField,
    Wrong,
    batch_of,
    closed,
    is_integer,
    option_field,
    wrong,
)

Fields = dict[str, fields.Field[Any]]

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


class WholeOrNull(Whole):
    """An integer within bounds, or null."""

    def defects(self, value: Any) -> Wrong:
        return None if value is None else super().defects(value)

    def json_schema(self) -> JsonSchema:
        return super().json_schema() | {"type": ["integer", "null"]}


def faces(text: str) -> list[int | str]:
    """Dice as a run of numbers and letters: ``3P4``. The schema says which there are."""
    return [int(face) if face in "0123456789" else face for face in text]


def _dice(**more: Any) -> Many:
    return Many(Face(), maximum=THREE, **more)


def _player(**more: Any) -> Whole:
    return Whole(0, PLAYERS[1] - 1, **more)


def _table_fields() -> Fields:
    options = closed("PotOptions", {option.name: option_field(option) for option in OPTIONS})
    return {"ruleset": Choice(*RULESETS), "options": Part(options)}


def _coins_fields() -> Fields:
    return {
        "coins": Many(Whole(0, MOST_COINS), *PLAYERS, required=True),
        "pot": Whole(0, MOST_COINS, required=True),
        "bank": Whole(0, MOST_COINS, required=True),
        "player": _player(required=True),
        "holder": WholeOrNull(0, PLAYERS[1] - 1),
        "to_beat": WholeOrNull(1, MOST_POINTS),
    }


def _position_fields(*, required: bool) -> Fields:
    return {
        **_table_fields(),
        "dice": _dice(required=required),
        "throws": Whole(1, LAST_THROW, required=required),
        **_coins_fields(),
        "phase": Choice(*Phase),
    }


def _later_fields() -> Fields:
    """What positions of the phases ``rethrow`` and ``sudden-death`` have besides."""
    return {
        "held": _dice(),
        "tied": Many(_player(), *PLAYERS),
        "sums": Many(Whole(0, MOST_POINTS), maximum=PLAYERS[1]),
    }


def _event() -> OneOf:
    """One of the two events, told apart by ``type``."""
    shapes: dict[str, Fields] = {
        "throw": {"held": _dice(), "dice": _dice(required=True)},
        "accept": {"players": Many(_player(), maximum=PLAYERS[1])},
    }
    kinds = {
        type_: closed(f"Pot{type_.title()}Event", {"type": Choice(type_, required=True), **own})
        for type_, own in shapes.items()
    }
    return OneOf(kinds, required=True)


POSITION = closed("PotPosition", _position_fields(required=True))
BATCH = batch_of(POSITION)
TRANSITION = closed(
    "PotTransition", {**_position_fields(required=False), **_later_fields(), "event": _event()}
)
LOG = closed(
    "PotGameLog",
    {
        **_table_fields(),
        "players": Many(Name(1, 40), *PLAYERS, required=True),
        "log": Many(_event(), required=True),
    },
)

QUERY: Mapping[str, Reader] = {
    "ruleset": query.word,
    "dice": faces,
    "throws": query.number,
    "coins": query.numbers,
    "pot": query.number,
    "bank": query.number,
    "player": query.number,
    "holder": query.number,
    "to_beat": query.number,
    "phase": query.word,
}
OPTION_QUERY: Mapping[str, Reader] = {
    option.name: query.option_reader(option) for option in OPTIONS
}
