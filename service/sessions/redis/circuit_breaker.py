"""A circuit breaker: after some failures in a row a server is not asked for a while."""

from collections.abc import Callable
from threading import Lock

from service.sessions.store import StoreUnavailable


class CircuitBreaker:
    """Closed: every call is allowed. Open: none for ``pause`` seconds, then one that tries."""

    def __init__(self, clock: Callable[[], float], failures: int = 3, pause: float = 1.0) -> None:
        self._clock = clock
        self._most = failures
        self._pause = pause
        self._lock = Lock()
        self._failures = 0
        self._until = 0.0
        """When the next attempt may be made, once there were failures enough."""

    @property
    def is_open(self) -> bool:
        """Whether there were failures enough, and no success since."""
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
                    raise StoreUnavailable(reason, left, "not-asked")
                self._until = self._clock() + self._pause

    def success(self) -> None:
        """The server answered, whatever it said."""
        if self._failures:
            with self._lock:
                self._failures = 0

    def failure(self) -> None:
        """The server did not answer."""
        with self._lock:
            self._failures += 1
            self._until = self._clock() + self._pause
