"""Health of the session store, shared by all who ask for it."""

from collections.abc import Callable
from enum import StrEnum
from math import inf
from threading import Lock
from time import monotonic

from dice_referee.sessions.store import Store, StoreError

FRESH_SECONDS = 0.5
"""Seconds for which what the store said is given to others."""


class Availability(StrEnum):
    """State of the servers that keep sessions."""

    OK = "ok"
    DEGRADED = "degraded"
    """Some servers do not answer, or refuse commands."""
    AWAY = "away"
    """All of them."""


class StoreHealth:
    """Health of the store: one thread at a time asks it, and the others share the answer.

    ``clock`` returns seconds since an arbitrary moment.
    """

    def __init__(self, store: Store, clock: Callable[[], float] = monotonic) -> None:
        self._store, self._clock, self._asking = store, clock, Lock()
        self._answer: Availability | None = None
        self._asked = self._left = -inf
        """Times in seconds: of the last answer, and of the last caller left to ask."""

    def known(self) -> Availability | None:
        """Returns the last result at once. None: this caller has to ``ask`` now."""
        now = self._clock()
        if now - max(self._asked, self._left) >= FRESH_SECONDS:
            self._left = now
            return None
        return self._answer

    def ask(self) -> Availability:
        """Asks the store for an answer. Waits, unless another thread does or just did."""
        # Before its first answer there is nothing to give: then all wait for the one.
        if self._asking.acquire(blocking=self._answer is None):
            try:
                if self._answer is None or self._clock() - self._asked >= FRESH_SECONDS:
                    self._answer = self._ping()
                    self._asked = self._clock()
            finally:
                self._asking.release()
        # Without an answer, the thread that asked has failed.
        return self._answer or Availability.AWAY

    def _ping(self) -> Availability:
        try:
            return Availability.OK if self._store.ping() else Availability.DEGRADED
        except StoreError:
            return Availability.AWAY
