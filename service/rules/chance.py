"""Where dice and cards come from when the service brings them: an argument, never a module."""

from typing import Protocol


class Chance(Protocol):
    """What dice and cards bring: each outcome as likely as any other."""

    def dice(self, number: int, faces: int = 6) -> tuple[int, ...]:
        """So many dice as they fall: each 1 to ``faces``."""
        ...

    def shuffle(self, number: int) -> tuple[int, ...]:
        """``range(number)`` in an order of chance: the first is dealt first."""
        ...
