"""The shapes of a game's requests, from the fields that are its own."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from marshmallow import fields

from service.rules.game import Option, Reader
from service.wire import query
from service.wire.fields import (
    Choice,
    Many,
    Name,
    OneOf,
    Part,
    RequestSchema,
    batch_of,
    closed,
    option_field,
)

Fields = dict[str, fields.Field[Any]]


@dataclass(frozen=True, slots=True)
class Shapes:
    """What a game can be asked, as ``service.rules.game.Game`` names it."""

    name: str
    players: tuple[int, int]
    position: RequestSchema
    batch: RequestSchema
    transition: RequestSchema
    log: RequestSchema
    beginning: RequestSchema
    told: OneOf
    asked: OneOf
    chance_events: frozenset[str]
    query: Mapping[str, Reader]
    option_readers: Mapping[str, Reader]


def shapes_of(
    name: str,
    rulesets: Iterable[str],
    options: tuple[Option, ...],
    players: tuple[int, int],
    position: Callable[[bool], Fields],
    events: Mapping[str, Fields],
    chance: Mapping[str, Fields],
    query_form: Mapping[str, Reader],
    later: Fields | None = None,
) -> Shapes:
    """The shapes of the game of this name, which begins those of its components.

    ``position`` gives the fields of a position, those of the dice required or not; ``later`` are
    what a transition may have besides. ``events`` are the fields of each type of event without
    what chance brings, ``chance`` the latter. ``query_form`` reads the fields of a position.
    """
    house_rules = closed(f"{name}Options", {each.name: option_field(each) for each in options})
    rules: Fields = {"ruleset": Choice(*rulesets), "options": Part(house_rules)}
    beginning = {**rules, "players": Many(Name(1, 40), *players, required=True)}
    told = _events(name, {kind: {**own, **chance.get(kind, {})} for kind, own in events.items()})
    judged = closed(f"{name}Position", {**rules, **position(True)})
    return Shapes(
        name,
        players,
        judged,
        batch_of(judged),
        closed(f"{name}Transition", {**rules, **position(False), **(later or {}), "event": told}),
        closed(f"{name}GameLog", {**beginning, "log": Many(told, required=True)}),
        closed(f"{name}Beginning", beginning),
        told,
        _events(name, events),
        frozenset(chance),
        {"ruleset": query.word, **query_form},
        {each.name: query.option_reader(each) for each in options},
    )


def _events(name: str, kinds: Mapping[str, Fields]) -> OneOf:
    """One of these events, told apart by ``type``."""
    shapes = {
        kind: closed(f"{name}{kind.title()}Event", {"type": Choice(kind, required=True), **own})
        for kind, own in kinds.items()
    }
    return OneOf(shapes, required=True)
