"""What a game consists of, and what its verbs answer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from service.rules.findings import Finding

Document = Mapping[str, Any]
"""JSON of the shape that the contract prescribes: its schema has been checked."""

Json = dict[str, Any]
"""A JSON object that is answered."""

Hidden = Any
"""JSON that a game hides from its players, an order of cards; or the part that they know of it."""

OVER = "over"
"""The phase of a turn that has ended."""

Turn = TypeVar("Turn")


@dataclass(frozen=True, slots=True)
class Piece:
    """A thing that the game's material or sheet consists of: a card, a category, a combo."""

    id: str
    rule: str
    copies: int | None = None


class Step(NamedTuple, Generic[Turn]):
    """What an event leads to."""

    turn: Turn
    effects: tuple[Any, ...]
    rules: frozenset[str]
    """The rules that this rests on."""

    def after(self, effects: tuple[Any, ...], *rules: str) -> "Step[Turn]":
        """The same end, reached after these effects and by these rules too."""
        return Step(self.turn, effects + self.effects, self.rules.union(rules))


class Played(NamedTuple):
    """What an event has done at a table."""

    table: Any
    """The table after it."""
    effects: list[Json]
    outcome: Json | None
    """How the turn ended that this event ended, or in POT the game; None while it goes on."""
    rules: frozenset[str]
    """The rules that all this rests on."""


class AnyEvent(Protocol):
    """An event of any game."""

    def objections(self, position: Any, at: str) -> Iterable[Finding]:
        """Every reason why it is illegal in a position; ``at`` points at it."""

    def play(self, position: Any) -> Step[Any]:
        """Its step from a position in which it is legal."""

    def _asdict(self) -> Json:
        """Its fields."""


class AnyTable(Protocol):
    """A table of any game."""

    @property
    def turn(self) -> Any:
        """The running turn; when the game is over, the last one."""

    @property
    def player(self) -> int | None:
        """The player whose turn it is."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The players who have won; none while the game goes on."""

    @property
    def losers(self) -> tuple[int, ...]:
        """The players who have lost, where the rules name them."""

    @property
    def rules(self) -> frozenset[str]:
        """The rules that decided how the game stands."""
