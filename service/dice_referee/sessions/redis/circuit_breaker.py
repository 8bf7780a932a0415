"""A circuit breaker: after some failures in a row a server is not asked for a while."""

from collections.abc import Callable
from threading import Lock

from dice_referee.sessions.store import StoreUnavailable

Changed = Callable[[bool, str], None]
"""``changed(is_open, word)``: a breaker has opened or closed; ``word`` says why it opened."""

STALL_SECONDS = 0.5
"""Seconds of a wait that a late machine explains; an outage lasts longer."""


class CircuitBreaker:
    """Closed: every call is allowed. Open: none for ``pause`` seconds, then one that tries."""

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
        """Time of the last failure that was counted, in seconds."""
        self._until = 0.0
        """Time of the next attempt, in seconds, once there were enough failures."""
        self._word = ""
        """The word of the last failure."""

    @property
    def is_open(self) -> bool:
        """True after enough failures without a success since."""
        return self._failures >= self._most

    def allow(self) -> None:
        """Raises StoreUnavailable while it is open, but for one call after each pause.

        A call that is allowed reports ``success`` or ``failure``. One that never does holds up the
        next attempt for one pause.
        """
        if self.is_open:
            with self._lock:
                left = self._until - self._clock()
                if left > 0 and self.is_open:
                    reason = "not asked: it did not answer just now"
                    raise StoreUnavailable(reason, left, f"not-asked: {self._word}")
                self._until = self._clock() + self._pause

    def success(self) -> None:
        """Records that the server answered, whatever it said."""
        if self._failures:
            with self._lock:
                closes, self._failures = self.is_open, 0
            if closes:
                self._changed(False, self._word)

    def failure(self, word: str, seconds: float = 0.0) -> None:
        """Records that the server did not answer for ``seconds``; ``word`` is the reason.

        Calls that waited at the same time do not open the breaker alone: one stall fails them all.
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
