"""The values of a game, as the service asks for them: odds of positions, value tables, and bots."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

from dice_referee.rulebook.bots import Level
from dice_referee.rulebook.game import AnyEvent, Document, Hidden
from dice_referee.rulebook.value_tables import ValueTableCache

Position = TypeVar("Position")
Turn = TypeVar("Turn")
Event = TypeVar("Event", bound=AnyEvent)
Question = TypeVar("Question")


class GameValues(ABC, Generic[Position, Turn, Event, Question]):
    """Values of questions: positions with all that their odds depend on."""

    value_tables: ValueTableCache[Any, Any]
    """The value tables that are kept, each made when it is first needed."""

    def table_key(self, question: Question) -> Any:
        """Returns the key of the value tables of this question."""
        return cast(Any, question).table_key

    def unit(self, question: Question) -> Any:
        """Returns the unit of values: points, a chance, a sum."""
        return cast(Any, question).unit

    def leaves_a_choice(self, question: Question) -> Any:
        """Tells if the player can choose."""
        return cast(Any, question).leaves_a_choice

    def value(self, question: Question) -> Any:
        """Returns the worth of the position, if the player plays well from here."""
        return cast(Any, question).value()

    def worth(self, question: Question, event: Event) -> Any:
        """Returns the worth of the position once this event is chosen, before chance decides."""
        return cast(Any, question).worth(event)

    def worth_after(self, question: Question, event: Event, turn: Turn) -> Any:
        """Returns the worth of the turn to which an event has led, in the unit of this question."""
        return cast(Any, question).worth_after(event, turn)

    levels_without_tables: frozenset[Level] = frozenset()
    """The levels whose players need no value tables."""
    review_rules: Sequence[str]
    """The rules on which the values of a whole game rest."""
    aim_rules: Mapping[Any, Sequence[str]] = {}
    """The rules on which these values rest, for each aim with rules of its own."""

    @abstractmethod
    def advise(self, question: Question, level: Level) -> Event:
        """Returns the event that a player of this level chooses, without its dice or its card."""

    def played_level(self, document: Document, level: Level) -> Level:
        """Returns the level at which a bot plays this game: ``best`` where no table is perfect."""
        return Level.BEST if level is Level.PERFECT else level

    @abstractmethod
    def question_at(
        self, position: Position, public: Hidden = None, aim: str | None = None
    ) -> Question:
        """Returns the question of a position in a game, with what is public of the hidden.

        Raises NoOdds where its worth for this aim is not known.
        """

    def public_of(self, hidden: Hidden) -> Hidden:
        """Returns the public part of the hidden; ``hidden`` is None before any event."""

    def public_after(self, public: Hidden, event: Event, /) -> Hidden:
        """Returns the public part after an event."""

    def asked_by(self, question: Question, level: Level) -> Question:
        """Returns the question that a player of this level asks: its value tables are needed."""
        return question

    def is_prepared(self, question: Question) -> bool:
        """Tells if the value tables of this question are made."""
        return self.table_key(question) in self.value_tables

    def prepare(self, question: Question) -> None:
        """Makes the value tables of this question."""
        self.value_tables[self.table_key(question)]

    def is_published(self, question: Question) -> bool:
        """Tells if its value tables are those of a published ruleset: made once, and kept."""
        return self.table_key(question) in self.value_tables.published
