"""Pauses of long computations, in which a server may compute for other clients."""

from collections.abc import Callable
from contextvars import ContextVar

PAUSE: ContextVar[Callable[[], None]] = ContextVar("pause", default=lambda: None)
"""Function that a long computation of this thread calls at least every 100 ms of CPU."""


def pause() -> None:
    """Lets other computations go on. Call it without holding a lock that they may need."""
    PAUSE.get()()
