"""The shapes of a game's requests: what every game has, and the fields that are its own."""

from collections.abc import Mapping

from dice_referee.rulebook.ruleset import Ruleset
from dice_referee.validation.fields import Brought, Enumerated, Line, ListOf, Text
from dice_referee.validation.schema import Fields, Nested, Raw, closed
from dice_referee.validation.shapes import Shapes, one_of_events, option_field

LONGEST_LINE = 1_000_000
"""Maximum characters of a line. A line of 10,000 events is shorter."""
MOST_COMPARED = 5
"""House rules that a comparison may bring along."""


class RequestSchemas:
    """The schema of each request to a game."""

    def __init__(self, game: str, rulesets: Mapping[str, Ruleset], shapes: Shapes) -> None:
        known = next(iter(rulesets.values())).known_options
        name = game.title()
        options = closed(f"{name}Options", {one.name: option_field(one) for one in known})
        rules: Fields = {"ruleset": Enumerated(*rulesets), "options": Nested(options)}
        beginning = {**rules, "players": ListOf(Text(1, 40), *shapes.players, required=True)}
        beginning |= shapes.beginning
        rolled = shapes.position.shapes(fallen=True)
        later = shapes.position.shapes(fallen=False, later=True)
        reported = {kind: event.shapes(fallen=True) for kind, event in shapes.events.items()}
        self.reported_event = one_of_events(name, reported)
        """An event with its dice or card, as people report it."""
        requested = {
            kind: {**own, **dict.fromkeys(shapes.events[kind].fallen, Brought())}
            for kind, own in reported.items()
        }
        self.requested_event = one_of_events(name, requested)
        """An event to which the service brings the dice or the card: it is sent without them."""
        self.position = closed(f"{name}Position", {**rules, **rolled})
        self.batch = closed(f"{name}Batch", {"positions": ListOf(Raw(), required=True)})
        """A batch. A setting limits its positions."""
        event = {"event": self.reported_event}
        self.transition = closed(f"{name}Transition", {**rules, **later, **event})
        named = {"name": Text(1, 40, required=True)}
        house = Nested(closed(f"{name}HouseRules", {**named, **rules}))
        compared = {"house": ListOf(house, maximum=MOST_COMPARED)}
        roll = {**rules, **rolled, **compared}
        self.compared_roll = closed(f"{name}ComparedRoll", roll)
        """A position whose adjudications are compared, and house rules to compare."""
        happens = {**rules, **later, **event, **compared}
        self.compared_event = closed(f"{name}ComparedEvent", happens)
        """The same for a transition."""
        log = {"log": ListOf(self.reported_event, required=True), "game": Enumerated(game)}
        own = {"line": Line(1, LONGEST_LINE)}
        self.log = closed(f"{name}GameLog", {**beginning, **log, **shapes.aim, **own})
        """A game as it was written down. Its audit does not look at the aim of its review.

        Beside a log nobody reads the ``line``: a session's game has both.
        """
        self.line = closed(f"{name}GameLine", {"line": Line(1, LONGEST_LINE, required=True)})
        """The same game in a line."""
        self.aim = closed(f"{name}Aim", shapes.aim)
        """Aim of the values of a game."""
        self.question = closed(f"{name}OddsPosition", {**rules, **later, **shapes.odds})
        self.setup = closed(f"{name}Beginning", beginning)
        """Setup of a game: ruleset, options, names of the players and more."""
