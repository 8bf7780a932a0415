"""Fields of documents that all games share."""

from collections.abc import Mapping
from typing import Any

from dice_referee.rulebook.game import AnyEffect, AnyEvent, AnyTurn, Json
from dice_referee.rulebook.ruleset import Ruleset
from dice_referee.validation.shapes import FieldTable


def ruleset_fields(rules: Ruleset) -> Json:
    """Returns the first fields of every answer: the rules of its verdict."""
    return {"ruleset": rules.id, "ruleset_hash": rules.hash, "options": rules.house_rules}


def event_document(kinds: Mapping[str, FieldTable[Any]], event: AnyEvent) -> Json:
    kind = next(kind for kind, shape in kinds.items() if isinstance(event, shape.make))
    fields = {name: value for name, value in event._asdict().items() if value is not None}
    return {"type": kind, **fields}


def turn_fields(turn: AnyTurn) -> Json:
    """Returns the first fields of every turn: its rules and its phase."""
    return {"ruleset": turn.rules.id, "options": turn.rules.house_rules, "phase": turn.phase}


def effect_document(effect: AnyEffect) -> Json:
    return {"type": effect.type, **effect._asdict()}
