"""What the service asks of a game: one protocol, implemented once in each folder of ``games/``."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from service.rules.verdict import Flaw

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

    def adjudicate_all(self, documents: Sequence[Document]) -> list[Adjudication]:
        """The same for each of many, in their order."""
        ...

    def step(self, document: Document) -> dict[str, Any]:
        """What the ``event`` of this transition leads to, or every finding against it."""
        ...

    def audit(self, document: Document) -> dict[str, Any]:
        """How the game of this log stands, up to its first illegal event."""
        ...

    def warm(self) -> None:
        """Build the tables, so that workers share them when the parent does it before the fork."""
        ...
