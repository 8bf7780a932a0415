"""Fields of a game's positions, events and requests, each with its shape."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from dice_referee.rulebook.ruleset import Option
from dice_referee.validation.fields import Boolean, Dice, Enumerated, Integer, ListOf, WireField
from dice_referee.validation.schema import Fields, OneOf, define

Turn = TypeVar("Turn")


class Field(NamedTuple, Generic[Turn]):
    shape: WireField | None = None
    read: Callable[[Any], Any] | None = None
    """Reader of the attribute of this name, if the position has it."""
    write: Callable[[Turn], object] | None = None
    """Writer of the value in answers, instead of the attribute."""
    default: object = None
    """Empty value that answers omit, such as 0."""
    fallen: bool = False
    """True for fields with dice or a card. They are required once these are known."""
    of: type[Any] | None = None
    """Class of the turns that write the field, or None for all turns that can."""
    later: bool = False
    """True for a field of phases that have no roll to adjudicate."""


def plain(value: Any) -> Any:
    """Reads a value that is the same in documents and in rules."""
    return value


def outcome(over: type[Any], *names: str) -> Field[Any]:
    """Returns the field of these attributes of turns that are over."""
    return Field(write=lambda turn: {name: getattr(turn, name) for name in names}, of=over)


class FieldTable(Generic[Turn]):
    def __init__(self, make: type[Any], **fields: Field[Turn]) -> None:
        self.make, self.fields = make, fields
        self.fallen = [name for name, field in fields.items() if field.fallen]
        """Names of the fields whose values chance decides."""
        order, defaults = [*make._fields, *fields], make._field_defaults
        readers = {name: field.read for name, field in fields.items() if field.read}
        self._readers = [
            (name, readers[name], defaults.get(name)) for name in sorted(readers, key=order.index)
        ]
        self._readers_as_sent = [
            (name, tuple if isinstance(fields[name].shape, Dice) else read, default)
            for name, read, default in self._readers
        ]
        self._writers: dict[type, list[tuple[str, Callable[[Turn], object], object]]] = {}

    def shapes(self, *, fallen: bool, later: bool = False) -> dict[str, WireField]:
        """Returns the shapes of the fields. With ``fallen``, dice and cards are required."""
        return {
            name: field.shape.as_required() if fallen and field.fallen else field.shape
            for name, field in self.fields.items()
            if field.shape is not None and (later or not field.later)
        }

    def example(self, *, fallen: bool) -> dict[str, Any]:
        """Returns example dice and words. With ``fallen``, they include what chance decides."""
        fields = {name: field for name, field in self.fields.items() if fallen or not field.fallen}
        dice: dict[str, list[int]] = {}
        for name, field in fields.items():
            if isinstance(field.shape, Dice):
                rest = int(field.shape.most) - sum(map(len, dice.values()))
                dice[name] = list(range(1, rest + 1)) if field.fallen else [1, 5]
        words = {
            name: next(iter(field.shape.choices))
            for name, field in fields.items()
            if isinstance(field.shape, Enumerated)
        }
        return dice | words

    def read(self, document: Mapping[str, Any], as_sent: bool = False) -> list[Any]:
        """Reads the attributes in the order of the class, then the fields without an attribute.

        With ``as_sent`` dice keep the order of the request.
        """
        values = []
        # Batches read thousands of positions: a comprehension takes a quarter longer.
        for name, read, default in self._readers_as_sent if as_sent else self._readers:
            values.append(read(document[name]) if name in document else default)
        return values

    def writer(self, name: str) -> Callable[[Turn], object]:
        return self.fields[name].write or attrgetter(name)

    def written(self, turn: Turn) -> dict[str, Any]:
        """Returns the fields of a position, or of the end of a turn, without defaults."""
        kind = type(turn)
        if kind not in self._writers:
            self._writers[kind] = [
                (name, self.writer(name), field.default)
                for name, field in self.fields.items()
                if (field.of is kind if field.of else field.write or hasattr(kind, name))
            ]
        return {
            name: value
            for name, write, default in self._writers[kind]
            if (value := write(turn)) or (value is not None and value not in ((), default))
        }


class Shapes(NamedTuple):
    """Fields of a game's requests, from which ``dice_referee.games.schemas`` makes schemas."""

    players: tuple[int, int]
    position: FieldTable[Any]
    events: Mapping[str, FieldTable[Any]]
    sheet: Mapping[str, Callable[[Any], object]]
    beginning: Mapping[str, WireField] = {}
    """Setup fields of a game besides its ruleset, its options and its players."""
    odds: Mapping[str, WireField] = {}
    aim: Mapping[str, WireField] = {}
    saved: Mapping[str, WireField] = {}
    """Fields of a saved table besides the position, and ``hidden``, its hidden state."""


def one_of_events(game: str, kinds: Mapping[str, Fields]) -> OneOf:
    """Returns a field of these events, by ``type``. Names of schemas begin with ``game``."""
    shapes = {
        kind: define(f"{game}{kind.title()}Event", {"type": Enumerated(kind, required=True), **own})
        for kind, own in kinds.items()
    }
    return OneOf(shapes, required=True)


def option_field(option: Option) -> WireField:
    if option.minimum is not None and option.maximum is not None:
        number = Integer(option.minimum, option.maximum)
        return number if option.length is None else ListOf(number, option.length, option.length)
    return Boolean() if True in option.values else Enumerated(*map(str, option.values))
