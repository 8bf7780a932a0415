"""Types that all games share: documents, pieces, turns, events, states and questions."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

from dice_referee.rulebook.findings import Finding
from dice_referee.rulebook.ruleset import Ruleset

Document = Mapping[str, Any]
"""JSON object whose schema has been checked against the contract."""

Json = dict[str, Any]

Hidden = Any
"""Hidden state of a game in JSON, such as the order of cards, or its public part."""

OVER = "over"

Turn = TypeVar("Turn", covariant=True)
State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Piece:
    """Card, category or combo of a game, with the number of its rule."""

    id: str
    rule: str
    copies: int | None = None
    """Number of copies of the card in the deck, or None for categories and combos."""


class AnyEffect(Protocol):
    @property
    def type(self) -> str:
        """Type of the effect."""

    def _asdict(self) -> Json:
        """Returns the fields of the effect by name."""


class AnyTurn(Protocol):
    """Turn of any game: a position, or the end of a turn."""

    @property
    def rules(self) -> Ruleset:
        """Rules by which the turn is judged."""

    @property
    def phase(self) -> str:
        """Event that the turn waits for, or ``OVER``."""

    @property
    def legal_events(self) -> tuple[str, ...]:
        """Types of legal events, in alphabetical order, while the turn runs."""

    def end(self, at: str) -> Finding | None:
        """Returns the finding against every event if the turn is over."""


class Step(NamedTuple, Generic[Turn]):
    """Result of an event in a turn: the new turn, the effects and the rules applied."""

    turn: Turn
    effects: tuple[Any, ...]
    rules: frozenset[str]

    def after(self, effects: tuple[Any, ...], *rules: str) -> "Step[Turn]":
        """Returns this step with ``effects`` before its own and ``rules`` added."""
        return Step(self.turn, effects + self.effects, self.rules.union(rules))


class Played(NamedTuple, Generic[State]):
    state: State
    effects: list[Json]
    outcome: Json | None
    """Outcome of the turn (in POT, of the game) that the event ended, else None."""
    rules: frozenset[str]


class AnyEvent(Protocol):
    def objections(self, position: Any, at: str) -> Iterable[Finding]:
        """Yields every reason why the event is illegal.

        ``at`` is the event's JSON pointer. Before its dice have fallen, it yields only reasons that
        do not depend on them.
        """

    def play(self, position: Any) -> Step[AnyTurn]:
        """Returns the result of the event in a position where it is legal."""

    def _asdict(self) -> Json:
        """Returns the fields of the event by name."""


class AnyState(Protocol):
    """State of any game. Players are numbers from 0, in the order in which they play."""

    @property
    def turn(self) -> AnyTurn:
        """Running turn, or the last turn once the game is over."""

    @property
    def player(self) -> int | None:
        """Player whose turn it is."""

    @property
    def sheet(self) -> tuple[tuple[int, ...], ...]:
        """Points or coins of every player after every turn."""

    @property
    def winners(self) -> tuple[int, ...]:
        """Players who have won, empty until the game is over."""

    @property
    def losers(self) -> tuple[int, ...]:
        """Players who have lost, if the rules name them."""

    @property
    def last_round(self) -> bool:
        """True if a score has ended the game but for its last turns."""

    @property
    def rules(self) -> frozenset[str]:
        """Numbers of the rules that decided it."""

    def after(self, step: Step[Any]) -> Self:
        """Returns the state after the step of a legal event."""


class AnyQuestion(Protocol):
    @property
    def position(self) -> AnyTurn:
        """Position whose odds are computed."""

    @property
    def table_key(self) -> Hashable:
        """Key of the value tables of the question."""

    @property
    def unit(self) -> str:
        """Unit of the values: points, a chance, a sum."""

    @property
    def leaves_a_choice(self) -> bool:
        """True if the player can choose."""

    def odds(self) -> Any:
        """Returns the values of the position and of its choices."""

    def advice(self, odds: Any = None) -> AnyEvent:
        """Returns the event of the highest value, without its dice or its card.

        ``odds`` are those of this question, if they are computed already.
        """

    def value(self) -> float | Fraction:
        """Returns the value of the position under the best play."""

    def worth(self, event: Any) -> float | Fraction:
        """Returns the value once this event is chosen, before its dice or card are known."""

    def worth_after(self, event: Any, turn: Any) -> float | Fraction:
        """Returns the value of ``turn``, the result of ``event``, in the unit of the question."""
