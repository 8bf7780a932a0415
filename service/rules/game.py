"""What the service asks of a game: one protocol, implemented once in each folder of ``games/``."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from service.rules.chance import Chance
from service.rules.verdict import Finding, Flaw

OptionValue = int | str | bool | tuple[int, ...]

Document = Mapping[str, Any]
"""JSON of the shape that the contract prescribes: its schema has been checked."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that tables play differently: a house rule of the request's ``options``.

    Either ``values`` lists what may be chosen, or ``minimum`` and ``maximum`` bound an integer, or
    with a ``length`` each of so many integers.
    """

    name: str
    rule: str
    values: tuple[str | bool, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A thing that the game's material or sheet consists of: a card, a category, a combo."""

    id: str
    rule: str
    copies: int | None = None


class Adjudication(NamedTuple):
    """What a roll allows: its status, for the metrics, and the answer as JSON text."""

    status: str
    text: str


class Adjudications(NamedTuple):
    """What each of many rolls allows: every status, and the answers with commas between them."""

    statuses: list[str]
    text: str


class Played(NamedTuple):
    """What an event has done at a table."""

    table: Any
    """The table after it."""
    effects: list[dict[str, Any]]
    outcome: dict[str, Any] | None
    """How the turn ended that this event ended, or in POT the game; None while it goes on."""
    rules: frozenset[str]
    """The rules that all this rests on."""


class Shape(Protocol):
    """The shape of a request, as declared for run time."""

    def flaws(self, document: object, at: str = "") -> list[Flaw]:
        """Every place where the document is not of the shape; ``at`` is where it stands."""
        ...


Reader = Callable[[str], Any]
"""Turns the text of a query parameter into the JSON that it stands for; ValueError if it cannot."""


class Game(Protocol):
    """A game of the catalogue. Stateless: every answer is a function of the document alone.

    The documents that the verbs take are of the shapes named here. The verbs raise
    ``Unanswerable`` for positions and options that cannot be. Answers hold ids and numbers; the
    ``Finding`` objects in them are put into words by whoever sends them.
    """

    name: str
    languages: tuple[str, ...]
    default_ruleset: str
    options: tuple[Option, ...]
    players: tuple[int, int]
    """How many play: at least, and at most."""
    dice: tuple[tuple[int | str, ...], ...]
    """The faces of every die in the box."""
    deck: tuple[Piece, ...]
    categories: tuple[Piece, ...]
    combos: tuple[Piece, ...]

    position: Shape
    batch: Shape
    transition: Shape
    log: Shape
    query: Mapping[str, Reader]
    """The parameters of a position's GET form; the options have theirs in ``option_readers``."""
    option_readers: Mapping[str, Reader]
    component: str
    """The component of ``openapi.yaml`` that is the position's schema."""

    beginning: Shape
    """What a game begins with: ruleset, options and the names of the players."""
    told: Shape
    """An event with its dice or card, as people report it."""
    asked: Shape
    """An event to which the service brings the dice or the card: it has no field for them."""
    chance_events: frozenset[str]
    """The types of event whose dice or card somebody throws or draws."""

    @property
    def rulesets(self) -> Mapping[str, Mapping[str, OptionValue]]:
        """The published rulesets: each option with its value."""
        ...

    def ruleset_hash(self, ruleset: str) -> str:
        """SHA-256, in hex, of all that the ruleset's verdicts depend on."""
        ...

    def adjudicate(self, document: Document) -> Adjudication:
        """What the roll of this position allows."""
        ...

    def adjudicate_all(self, documents: Sequence[Document]) -> Adjudications:
        """The same for each of many, in their order."""
        ...

    def step(self, document: Document) -> dict[str, Any]:
        """What the ``event`` of this transition leads to, or every finding against it."""
        ...

    def audit(self, document: Document) -> dict[str, Any]:
        """How the game of this log stands, up to its first illegal event."""
        ...

    # A table: a whole game as it stands, in the game's own form. ``document`` is a beginning. -----

    def as_beginning(self, document: Document) -> dict[str, Any]:
        """The ``ruleset``, ``options`` and ``players`` of this beginning, defaults filled in."""
        ...

    def named(self, document: Document) -> dict[str, Any]:
        """What every answer begins with: the ruleset, its hash, the options that differ from it."""
        ...

    def new_table(self, document: Document) -> Any:
        """A game that is about to begin. Raises Unanswerable for options that cannot be."""
        ...

    def save_table(self, table: Any) -> dict[str, Any]:
        """All that the rest of the game depends on, as JSON that does not grow with the game."""
        ...

    def load_table(self, document: Document, saved: Any) -> Any:
        """The table that was saved. Raises ValueError for what ``save_table`` does not write."""
        ...

    def player_of(self, table: Any) -> int | None:
        """Whose turn it is; None when the game is over."""
        ...

    def objections(self, table: Any, event: Document, at: str) -> Sequence[Finding]:
        """Every reason why the event is illegal at this table; ``at`` points at the event.

        Of one that lacks its dice or its card, only what does not depend on them is judged.
        """
        ...

    def deal(
        self, table: Any, event: Document, hidden: Any, chance: Chance
    ) -> tuple[dict[str, Any], Any]:
        """The event with its dice or card, and what is hidden now.

        The event is one of ``chance_events``, and nothing speaks against it. What is hidden is
        JSON: None at first, then what came with the event dealt before. Raises ValueError if it
        cannot have.
        """
        ...

    def advance(self, table: Any, event: Document) -> Played:
        """The table after a legal event that has its dice or its card."""
        ...

    def standing(self, table: Any) -> dict[str, Any]:
        """How the game stands, for everybody to see.

        ``player`` and ``turn`` (None when the game is over), ``legal_events``, ``adjudication``
        (of the dice on the table while they leave a choice, else None), ``over``, ``winners``,
        ``standings`` (every player with his place and his points or coins, best first) and
        ``table`` (the sheet or the coins).
        """
        ...

    def warm(self) -> None:
        """Build the tables, so that workers share them when the parent does it before the fork."""
        ...
