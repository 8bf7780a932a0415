"""Shapes of a game's requests: fields of every game, and fields of its own."""

from collections.abc import Mapping

from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.ruleset import Ruleset
from dice_referee.validation.fields import Brought, Enumerated, Line, ListOf, Text
from dice_referee.validation.schema import Fields, Nested, Raw, define
from dice_referee.validation.shapes import Shapes, one_of_events, option_field

LONGEST_LINE = 1_000_000
"""Maximum characters of a line. A line of 10,000 events is shorter."""
MOST_COMPARED = 5
"""Maximum number of house rules in a comparison."""


class RequestSchemas:
    def __init__(self, game: str, rulesets: Mapping[str, Ruleset], shapes: Shapes) -> None:
        known = next(iter(rulesets.values())).known_options
        name = game.title()
        options = define(f"{name}Options", {option.name: option_field(option) for option in known})
        rules: Fields = {"ruleset": Enumerated(*rulesets), "options": Nested(options)}
        beginning = {**rules, "players": ListOf(Text(1, 40), *shapes.players, required=True)}
        beginning |= shapes.beginning
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
        self.position = define(f"{name}Position", {**rules, **rolled})
        self.batch = define(f"{name}Batch", {"positions": ListOf(Raw(), required=True)})
        """Batch. A setting limits its positions."""
        event = {"event": self.reported_event}
        self.transition = define(f"{name}Transition", {**rules, **later, **event})
        named = {"name": Text(1, 40, required=True)}
        house = Nested(define(f"{name}HouseRules", {**named, **rules}))
        compared = {"house": ListOf(house, maximum=MOST_COMPARED)}
        roll = {**rules, **rolled, **compared}
        self.compared_roll = define(f"{name}ComparedRoll", roll)
        happens = {**rules, **later, **event, **compared}
        self.compared_event = define(f"{name}ComparedEvent", happens)
        log = {"log": ListOf(self.reported_event, required=True), "game": Enumerated(game)}
        own = {"line": Line(1, LONGEST_LINE)}
        self.log = define(f"{name}GameLog", {**beginning, **log, **shapes.aim, **own})
        """Log of a game. Its audit ignores the aim of its review.

        If it has a log, its ``line`` is ignored: the game of a session has both.
        """
        self.line = define(f"{name}GameLine", {"line": Line(1, LONGEST_LINE, required=True)})
        self.aim = define(f"{name}Aim", shapes.aim)
        bot = {"bot": Enumerated(*Level)}
        self.question = define(f"{name}OddsPosition", {**rules, **later, **shapes.odds, **bot})
        self.saved = define(f"{name}SavedTable", {**rules, **later, **shapes.saved})
        self.setup = define(f"{name}Beginning", beginning)
