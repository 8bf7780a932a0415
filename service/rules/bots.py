"""How the service plays where no person does."""

from enum import StrEnum


class Level(StrEnum):
    """How a bot chooses."""

    CAREFUL = "careful"
    """By a threshold that keeps what is there."""
    BOLD = "bold"
    """By a threshold that goes for more."""
    BEST = "best"
    """What is worth most in this turn (O2)."""
    PERFECT = "perfect"
    """What is worth most for the whole game, where a table says so (O15)."""
