"""Health of the session store, shared by all callers."""

from collections.abc import Callable
from enum import StrEnum
from math import inf
from threading import Lock
from time import monotonic

from dice_referee.sessions.store import Store, StoreError

FRESH_SECONDS = 0.5


class Availability(StrEnum):
    OK = "ok"
    DEGRADED = "degraded"
    """Some servers do not answer, or refuse commands."""
    AWAY = "away"
    """No server answers."""


class StoreHealth:
    """Health of the store. A single thread pings it at a time, and the others share the result.

    ``clock`` returns seconds since an arbitrary moment.
    """

    def __init__(self, store: Store, clock: Callable[[], float] = monotonic) -> None:
        self._store, self._clock, self._asking = store, clock, Lock()
        self._answer: Availability | None = None
        self._asked = self._left = -inf
        """Times in seconds: of the last result, and of the last caller that had to ``ask``."""

    def known(self) -> Availability | None:
        """Returns the last result without waiting, or None if this caller must ``ask``."""
        now = self._clock()
        if now - max(self._asked, self._left) >= FRESH_SECONDS:
            self._left = now
            return None
        return self._answer

    def ask(self) -> Availability:
        """Pings the store, unless another thread does or has just done so."""
        # Without a first result, all threads wait for it.
        if self._asking.acquire(blocking=self._answer is None):
            try:
                if self._answer is None or self._clock() - self._asked >= FRESH_SECONDS:
                    self._answer = self._ping()
                    self._asked = self._clock()
            finally:
                self._asking.release()
        # Without a result, the thread that pinged has failed.
        return self._answer or Availability.AWAY

    def _ping(self) -> Availability:
        try:
            return Availability.OK if self._store.ping() else Availability.DEGRADED
        except StoreError:
            return Availability.AWAY
