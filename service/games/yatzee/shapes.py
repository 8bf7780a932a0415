"""The shapes of Yatzee's requests, as marshmallow schemas and as readers of query parameters.

The contract says the same in ``openapi.yaml``; a test holds the two together.
"""

from collections.abc import Mapping
from typing import Any

from marshmallow import fields

from service.games.yatzee.categories import CATEGORIES
from service.games.yatzee.position import Phase
from service.games.yatzee.rulesets import OPTIONS, RULESETS, THROWS
from service.games.yatzee.scoring import SIX
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

PLAYERS = (1, 10)
"""How many play (Y4.2)."""

POINTS = (0, 1000)
"""What a request may claim for a category; what dice can give is judged by the rules."""


def _dice(*, required: bool = False) -> Many:
    return Many(Whole(1, 6), maximum=SIX, required=required)


def _table() -> Fields:
    options = closed("YatzeeOptions", {option.name: option_field(option) for option in OPTIONS})
    return {"ruleset": Choice(*RULESETS), "options": Part(options)}


def _turn(*, thrown: bool) -> Fields:
    """A position; ``thrown`` demands dice on the table."""
    scorecard = closed("YatzeeScorecard", {category: Whole(*POINTS) for category in CATEGORIES})
    return {
        **_table(),
        "dice": _dice(required=thrown),
        "throw": Whole(1, THROWS, required=thrown),
        "scorecard": Part(scorecard),
        "phase": Choice(*Phase),
    }


def _event() -> OneOf:
    """One of the three events, told apart by ``type``."""
    kinds: dict[str, Fields] = {
        "throw": {"held": _dice(), "dice": _dice(required=True)},
        "write": {"category": Choice(*CATEGORIES, required=True)},
        "strike": {"category": Choice(*CATEGORIES, required=True)},
    }
    return OneOf(
        {
            kind: closed("YatzeeEvent", {"type": Choice(kind, required=True), **own})
            for kind, own in kinds.items()
        },
        required=True,
    )


POSITION = closed("YatzeePosition", _turn(thrown=True))
BATCH = batch_of(POSITION)
TRANSITION = closed("YatzeeTransition", {**_turn(thrown=False), "event": _event()})
LOG = closed(
    "YatzeeGameLog",
    {
        **_table(),
        "players": Many(Name(1, 40), *PLAYERS, required=True),
        "log": Many(_event(), required=True),
    },
)

QUERY: Mapping[str, Reader] = {
    "ruleset": query.word,
    "dice": query.digits,
    "throw": query.number,
    "scorecard": query.named_numbers,
    "phase": query.word,
}
OPTION_QUERY: Mapping[str, Reader] = {
    option.name: query.option_reader(option) for option in OPTIONS
}
