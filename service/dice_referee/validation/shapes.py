"""The fields of a game's requests that are its own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dice_referee.rulebook.ruleset import Option
from dice_referee.validation.fields import Boolean, Enumerated, Integer, ListOf, WireField
from dice_referee.validation.schema import Fields, OneOf, closed


@dataclass(frozen=True, slots=True)
class Shapes:
    """The fields of a game's requests; ``dice_referee.games.schemas`` makes the schemas of them."""

    players: tuple[int, int]
    """Least and most players."""
    position: Callable[[bool], Fields]
    """The fields of a position, those of the dice required or not."""
    events: Mapping[str, Fields]
    """The fields of each type of event without what chance brings."""
    chance: Mapping[str, Fields]
    """Fields that chance adds, by type of event."""
    beginning: Fields = field(default_factory=dict)
    """Setup fields of a game besides its ruleset, its options and its players."""
    later: Fields = field(default_factory=dict)
    """The fields of a position in phases that have no roll to adjudicate."""
    odds: Fields = field(default_factory=dict)
    """Fields of an odds question besides the position."""
    aim: Fields = field(default_factory=dict)
    """The field ``aim`` of reviews and of the odds of sessions, in games that have several."""


def one_of_events(game: str, kinds: Mapping[str, Fields]) -> OneOf:
    """Returns a field for one of these events, by ``type``; the game begins the schemas' names."""
    shapes = {
        kind: closed(f"{game}{kind.title()}Event", {"type": Enumerated(kind, required=True), **own})
        for kind, own in kinds.items()
    }
    return OneOf(shapes, required=True)


def option_field(option: Option) -> WireField:
    """Returns the field of a house rule."""
    if option.minimum is not None and option.maximum is not None:
        number = Integer(option.minimum, option.maximum)
        return number if option.length is None else ListOf(number, option.length, option.length)
    return Boolean() if True in option.values else Enumerated(*map(str, option.values))
