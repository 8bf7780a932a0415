"""Shapes of a game's requests: fields of every game, and fields of its own."""

from collections.abc import Mapping

from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.ruleset import Ruleset
from dice_referee.validation.fields import Brought, Enumerated, Integer, Line, ListOf, Text
from dice_referee.validation.schema import (
    Fields,
    Nested,
    Raw,
    RequestSchema,
    define,
    define_position,
)
from dice_referee.validation.shapes import Shapes, one_of_events, option_field

LONGEST_LINE = 1_000_000
"""Maximum characters of a line. A line of 10,000 events is shorter."""
MOST_COMPARED = 5
"""Maximum house rules in a comparison."""


class RequestSchemas:
    def __init__(self, game: str, rulesets: Mapping[str, Ruleset], shapes: Shapes) -> None:
        known = next(iter(rulesets.values())).known_options
        name = game.title()
        options = define(f"{name}Options", {option.name: option_field(option) for option in known})
        rules: Fields = {"ruleset": Enumerated(*rulesets), "options": Nested(options)}

        def position(kind: str, fields: Fields) -> RequestSchema:
            return define_position(f"{name}{kind}", {**rules, **fields}, shapes.ends_turn)

        beginning = {**rules, "players": ListOf(Text(1, 40), *shapes.players, required=True)}
        beginning["starter"] = Integer(0, shapes.players[1] - 1)
        rolled = shapes.position.shapes(fallen=True)
        later = shapes.position.shapes(fallen=False, later=True)
        reported = {kind: event.shapes(fallen=True) for kind, event in shapes.events.items()}
        self.reported_event = one_of_events(name, reported)
        """Event with its dice or card, as people report it."""
        requested = {
            kind: {**own, **dict.fromkeys(shapes.events[kind].fallen, Brought())}
            for kind, own in reported.items()
        }
        self.requested_event = one_of_events(name, requested)
        self.position = position("Position", rolled)
        self.batch = define(f"{name}Batch", {"positions": ListOf(Raw(), required=True)})
        """Batch. A setting limits its positions."""
        event = {"event": self.reported_event}
        self.transition = position("Transition", {**later, **event})
        house_name = {"name": Text(1, 40, required=True)}
        house = Nested(define(f"{name}HouseRules", {**house_name, **rules}))
        compared = {"house": ListOf(house, maximum=MOST_COMPARED)}
        self.compared_roll = position("ComparedRoll", {**rolled, **compared})
        self.compared_event = position("ComparedEvent", {**later, **event, **compared})
        log = {"log": ListOf(self.reported_event, required=True), "game": Enumerated(game)}
        logged = {**beginning, **log, **shapes.aim, "line": Line(1, LONGEST_LINE)}
        self.log = define(f"{name}GameLog", logged)
        """Log of a game. Its audit ignores the aim of its review.

        If it has a log, its ``line`` is ignored: the game of a session has both.
        """
        named = {"game": Enumerated(game, required=True)}
        self.record = define(f"{name}SessionGame", {**logged, **named})
        """Log that names its game, as a session exports it."""
        self.line = define(f"{name}GameLine", {"line": Line(1, LONGEST_LINE, required=True)})
        self.aim = define(f"{name}Aim", shapes.aim)
        bot = {"bot": Enumerated(*Level)}
        self.question = position("OddsPosition", {**later, **shapes.odds, **bot})
        self.saved = define(f"{name}SavedTable", {**rules, **later, **shapes.saved})
        self.setup = define(f"{name}Beginning", beginning)
