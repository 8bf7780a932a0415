"""Types that all games share: documents, pieces, steps, events and tables."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from dice_referee.rulebook.findings import Finding

Document = Mapping[str, Any]
"""JSON object whose schema has been checked against the contract."""

Json = dict[str, Any]
"""JSON object of an answer."""

Hidden = Any
"""JSON that a game hides from its players, such as the order of cards; or its public part."""

OVER = "over"
"""Phase of a turn that has ended."""

Turn = TypeVar("Turn")


@dataclass(frozen=True, slots=True)
class Piece:
    """Card, category or combo of a game, with the number of its rule."""

    id: str
    rule: str
    copies: int | None = None
    """Number of these cards in the deck; None for categories and combos."""


class Step(NamedTuple, Generic[Turn]):
    """Result of an event in a turn: the new turn, the effects and the rules applied."""

    turn: Turn
    effects: tuple[Any, ...]
    rules: frozenset[str]
    """Numbers of the rules applied."""

    def after(self, effects: tuple[Any, ...], *rules: str) -> "Step[Turn]":
        """Returns this step with ``effects`` put before its own and ``rules`` added."""
        return Step(self.turn, effects + self.effects, self.rules.union(rules))


class Played(NamedTuple):
    """Result of an event at a table."""

    table: Any
    """Table after the event."""
    effects: list[Json]
    outcome: Json | None
    """Outcome of the turn (in POT, of the game) that the event ended; None while it goes on."""
    rules: frozenset[str]
    """Numbers of the rules applied."""


class AnyEvent(Protocol):
    """Event of any game."""

    def objections(self, position: Any, at: str) -> Iterable[Finding]:
        """Returns every reason why the event is illegal; ``at`` is the event's JSON pointer."""

    def play(self, position: Any) -> Step[Any]:
        """Returns the result of the event in a position where it is legal."""

    def _asdict(self) -> Json:
        """Returns the fields of the event by name."""


class AnyTable(Protocol):
    """Table of any game. Players are numbers from 0, in the order in which they play."""

    @property
    def turn(self) -> Any:
        """Running turn; the last turn once the game is over."""

    @property
    def player(self) -> int | None:
        """Player whose turn it is."""

    @property
    def sheet(self) -> tuple[tuple[int, ...], ...]:
        """Points or coins of every player after every turn."""

    @property
    def winners(self) -> tuple[int, ...]:
        """Players who have won; empty while the game goes on."""

    @property
    def losers(self) -> tuple[int, ...]:
        """Players who have lost, where the rules name them."""

    @property
    def rules(self) -> frozenset[str]:
        """Numbers of the rules that decided the state of the game."""
