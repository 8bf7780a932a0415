"""The shapes of Tutto's requests, as marshmallow schemas and as readers of query parameters.

The contract says the same in ``openapi.yaml``; a test holds the two together.
"""

from collections.abc import Mapping
from typing import Any

from marshmallow import fields

from service.games.tutto.cards import CARDS, PLAYABLE
from service.games.tutto.position import SIX, Phase
from service.games.tutto.rulesets import OPTIONS, RULESETS
from service.rules.game import Reader
from service.wire import query
from service.wire.fields import (
    Choice,
    Many,
    Name,
    OneOf,
    Part,
    Whole,
    batch_of,
    closed,
    option_field,
)

Fields = dict[str, fields.Field[Any]]

PLAYERS = (2, 10)
"""How many play (T6.1)."""


def _dice(*, required: bool = False) -> Many:
    return Many(Whole(1, 6), maximum=SIX, required=required)


def _table() -> Fields:
    options = closed("TuttoOptions", {option.name: option_field(option) for option in OPTIONS})
    return {"ruleset": Choice(*RULESETS), "options": Part(options)}


def _turn(*, rolled: bool) -> Fields:
    """A position; ``rolled`` demands a card and a roll."""
    return {
        **_table(),
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


def _event() -> OneOf:
    """One of the four events, told apart by ``type``."""
    kinds: dict[str, Fields] = {
        "draw": {"card": Choice(*CARDS, required=True)},
        "roll": {"dice": _dice(required=True)},
        "keep": {"dice": _dice(required=True)},
        "bank": {},
    }
    return OneOf(
        {
            kind: closed("TuttoEvent", {"type": Choice(kind, required=True), **own})
            for kind, own in kinds.items()
        },
        required=True,
    )


POSITION = closed("TuttoPosition", _turn(rolled=True))
BATCH = batch_of(POSITION)
TRANSITION = closed("TuttoTransition", {**_turn(rolled=False), "event": _event()})
LOG = closed(
    "TuttoGameLog",
    {
        **_table(),
        "players": Many(Name(1, 40), *PLAYERS, required=True),
        "log": Many(_event(), required=True),
    },
)

QUERY: Mapping[str, Reader] = {
    "ruleset": query.word,
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
}
OPTION_QUERY: Mapping[str, Reader] = {
    option.name: query.option_reader(option) for option in OPTIONS
}
