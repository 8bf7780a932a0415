"""The sentences of a game."""

from typing import Protocol

from dice_referee.rulebook.game import Document
from dice_referee.voice import Voice


class GameSentences(Protocol):
    """The module ``speech`` of a game.

    ``turn`` is the document of a turn, ``answer`` the adjudication of its dice, None where they
    leave no choice.
    """

    def happened(self, voice: Voice, entry: Document) -> list[str]:
        """Tells an event of the game, from an entry of a log."""

    def table(self, voice: Voice, turn: Document, player: int | None, fresh: bool) -> list[str]:
        """Tells the dice and cards on the table; ``fresh``: the last card or roll was told."""

    def verdict(self, voice: Voice, turn: Document, answer: Document | None) -> list[str]:
        """Tells the meaning of the dice, and the stake."""

    def choices(self, voice: Voice, turn: Document, answer: Document | None) -> list[str]:
        """Tells every choice; the one that brings most at once comes first."""

    def ended(self, voice: Voice, turn: Document) -> list[str]:
        """Tells the consequences of the end of a turn."""

    def odds(self, voice: Voice, turn: Document, answer: Document) -> tuple[list[str], list[str]]:
        """Tells the subject of the odds, and the worth of each choice, best first."""
