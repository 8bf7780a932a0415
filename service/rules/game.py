"""What a game consists of, and what its verbs answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

Document = Mapping[str, Any]
"""JSON of the shape that the contract prescribes: its schema has been checked."""

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


class Adjudication(NamedTuple):
    """What a roll allows: its status, for the metrics, and the answer as JSON text."""

    status: str
    body: bytes


class Played(NamedTuple):
    """What an event has done at a table."""

    table: Any
    """The table after it."""
    effects: list[dict[str, Any]]
    outcome: dict[str, Any] | None
    """How the turn ended that this event ended, or in POT the game; None while it goes on."""
    rules: frozenset[str]
    """The rules that all this rests on."""
