"""The events of a game as words of a line."""

import re
from collections.abc import Mapping
from typing import Protocol

from dice_referee.rulebook.game import Document, Json


class LineWords(Protocol):
    """The module ``line`` of a game: a word of letters, digits and hyphens for every event."""

    TOKENS: re.Pattern[str]
    """Word in lower case. After verbs, spaces may replace its hyphens."""
    DEFAULTS: Mapping[str, str | int]
    """Settings besides ruleset and options. Integers are players, whom a line counts from 1."""

    def word(self, event: Document, /) -> str:
        """Returns the word of an event, legal or not."""

    def event(self, word: str, /) -> Json | None:
        """Returns the event of a word in lower case, or None if it has no event."""

    def hint(self, word: str, /) -> str:
        """Returns the key of the text that describes the expected word."""
