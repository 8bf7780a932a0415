"""The shapes of POT's requests, as marshmallow schemas.

The contract says the same in ``openapi.yaml``; a test holds the two together.
"""

from typing import Any

from service.games.pot.position import LAST_THROW, Phase
from service.games.pot.rulesets import MOST_COINS, PLAYERS
from service.games.pot.scoring import LETTERS, MOST_POINTS, THREE
from service.validation import fields
from service.validation.fields import Dice, Enumerated, Integer, ListOf, Nullable, Unreadable
from service.validation.schema import Fields
from service.validation.shapes import Shapes

NUMBERS = (1, 5)
"""The numbers of a die (P1.1)."""


class FaceField(fields.WireField):
    """What a die shows: an integer from 1 to 5, or one of the letters (P1.1)."""

    choices = (*range(NUMBERS[0], NUMBERS[1] + 1), *LETTERS)

    def field_errors(self, value: Any) -> fields.FieldErrors:
        if type(value) in (int, str) and value in self.choices:
            return None
        given = {"given": value} if isinstance(value, str) else {}
        return fields.field_error("not-a-choice", choices=self.choices, **given)


class Faces(Dice):
    """Dice by their faces; in a query a run of numbers and letters: ``3P4``."""

    def read_text(self, text: str) -> list[Any]:
        if not text.isalnum() and (meant := self.run_meant(text)):
            raise Unreadable("faces", meant)
        # The schema says which faces there are.
        return self.faces(text)


def _dice(**more: Any) -> Faces:
    return Faces(FaceField(), maximum=THREE, **more)


def _player(**more: Any) -> Integer:
    return Integer(0, PLAYERS[1] - 1, **more)


def _position(thrown: bool) -> Fields:
    """A position; ``thrown`` demands dice on the table."""
    return {
        "dice": _dice(required=thrown),
        "throws": Integer(1, LAST_THROW, required=thrown),
        "coins": ListOf(Integer(0, MOST_COINS), *PLAYERS, required=True),
        "pot": Integer(0, MOST_COINS, required=True),
        "bank": Integer(0, MOST_COINS, required=True),
        "player": _player(required=True),
        "holder": Nullable(Integer(0, PLAYERS[1] - 1)),
        "to_beat": Nullable(Integer(1, MOST_POINTS)),
        "phase": Enumerated(*Phase),
    }


LATER: Fields = {
    "held": _dice(),
    "tied": ListOf(_player(), *PLAYERS),
    "sums": ListOf(Integer(0, MOST_POINTS), maximum=PLAYERS[1]),
}
"""What positions of the phases ``rethrow`` and ``sudden-death`` have besides."""

SHAPES = Shapes(
    PLAYERS,
    _position,
    events={
        "throw": {"held": _dice()},
        "accept": {"players": ListOf(_player(), maximum=PLAYERS[1])},
    },
    chance={"throw": {"dice": _dice(required=True)}},
    beginning={"starter": _player()},
    later=LATER,
)
