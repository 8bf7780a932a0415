"""Playing levels of the bots."""

from enum import StrEnum


class Level(StrEnum):
    CAREFUL = "careful"
    """Secures its points early, at a low threshold."""
    BOLD = "bold"
    """Plays for more points, up to a high threshold."""
    BEST = "best"
    """Chooses the event of highest value for this turn (O2)."""
    PERFECT = "perfect"
    """Chooses the event of highest value for the whole game, where a table holds it (O15, O16)."""
