"""A circuit breaker: pauses calls to a server after several failures in a row."""

from collections.abc import Callable
from threading import Lock

from dice_referee.sessions.store import StoreUnavailable

Changed = Callable[[bool, str], None]
"""Callback ``changed(is_open, word)`` for a breaker that opens or closes.

``word`` is the reason for its opening.
"""

STALL_SECONDS = 0.5
"""Maximum seconds of a wait that may be a stall of this machine. Outages last longer."""


class CircuitBreaker:
    """Breaker that allows every call while closed, and a call after each ``pause`` while open."""

    def __init__(
        self,
        clock: Callable[[], float],
        failures: int = 3,
        pause: float = 1.0,
        changed: Changed = lambda *_: None,
    ) -> None:
        self._clock = clock
        self._changed = changed
        self._most = failures
        self._pause = pause
        self._lock = Lock()
        self._failures = 0
        self._failed_at = 0.0
        """Time of the last counted failure, in seconds."""
        self._until = 0.0
        """Time of the next attempt, in seconds, after enough failures."""
        self._word = ""

    @property
    def is_open(self) -> bool:
        return self._failures >= self._most

    def allow(self) -> None:
        """Raises StoreUnavailable while open, except for a single call after each pause.

        An allowed call reports ``success`` or ``failure``. A call that does neither delays the next
        attempt by a pause.
        """
        if self.is_open:
            with self._lock:
                left = self._until - self._clock()
                if left > 0 and self.is_open:
                    reason = "not asked: it did not answer just now"
                    raise StoreUnavailable(reason, left, f"not-asked: {self._word}")
                self._until = self._clock() + self._pause

    def success(self) -> None:
        """Records any answer of the server, even a refusal."""
        if self._failures:
            with self._lock:
                closes, self._failures = self.is_open, 0
            if closes:
                self._changed(False, self._word)

    def failure(self, word: str, seconds: float = 0.0) -> None:
        """Records that the server did not answer for ``seconds``. ``word`` is the reason.

        Concurrent calls alone do not open the breaker, because a single stall fails them all.
        """
        with self._lock:
            now = self._clock()
            overlaps = now - self._failed_at < seconds < STALL_SECONDS
            if overlaps and self._failures == self._most - 1:
                return
            self._failures += 1
            self._failed_at = now
            self._word = word
            self._until = now + self._pause
            opens = self._failures == self._most
        if opens:
            self._changed(True, word)
