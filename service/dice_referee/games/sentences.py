"""Sentences of a game."""

from typing import Protocol

from dice_referee.rulebook.game import Document
from dice_referee.voice import Voice


class GameSentences(Protocol):
    """The module ``speech`` of a game.

    ``turn`` is the document of a turn. ``answer`` is the adjudication of its dice, or None if they
    leave no choice.
    """

    def describe_event(self, voice: Voice, entry: Document) -> list[str]:
        """Describes an event of the game, from an entry of a log."""

    def table(self, voice: Voice, turn: Document, player: int | None, fresh: bool) -> list[str]:
        """Describes the dice and cards on the table. ``fresh``: the last event was already told."""

    def verdict(self, voice: Voice, turn: Document, answer: Document | None) -> list[str]:
        """Describes the dice, and the points at stake."""

    def choices(self, voice: Voice, turn: Document, answer: Document | None) -> list[str]:
        """Describes every choice, first the choice with the highest immediate gain."""

    def describe_end(self, voice: Voice, turn: Document) -> list[str]:
        """Describes what a turn that is over means for the game."""

    def odds(self, voice: Voice, turn: Document, answer: Document) -> tuple[list[str], list[str]]:
        """Describes the odds: a heading, and the value of each choice, best first."""
