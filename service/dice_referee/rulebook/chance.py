"""Random source of the service's own dice and cards: always an argument, never a module."""

from typing import Protocol


class Chance(Protocol):
    """Random source of dice and cards. Every outcome is equally likely."""

    def dice(self, number: int, faces: int = 6) -> tuple[int, ...]:
        """Returns ``number`` dice in the order in which they fall, each 1 to ``faces``."""
        ...

    def shuffle(self, number: int) -> tuple[int, ...]:
        """Returns ``range(number)`` in random order. The first number is dealt first."""
        ...
