"""A circuit breaker: after some failures in a row nobody waits for a server that is not there."""

from collections.abc import Callable
from threading import Lock

from service.sessions.store import Away


class Breaker:
    """Closed: everybody may ask. Open: nobody, for ``pause`` seconds; then one, who tries it."""

    def __init__(self, clock: Callable[[], float], failures: int = 3, pause: float = 1.0) -> None:
        self._clock = clock
        self._most = failures
        self._pause = pause
        self._lock = Lock()
        self._failures = 0
        self._until = 0.0
        """When the next attempt may be made, if there were failures enough."""

    @property
    def is_open(self) -> bool:
        """Whether there were failures enough, and no success since."""
        return self._failures >= self._most

    def admit(self) -> bool:
        """Whether this call is the one that tries an open breaker. Raises Away if it may not ask.

        Whoever is admitted says afterwards whether he ``succeeded`` or ``failed``; if he never
        does, somebody else may try after another pause.
        """
        with self._lock:
            if not self.is_open:
                return False
            now = self._clock()
            if now < self._until:
                raise Away("not tried: it was not there a moment ago", self._until - now)
            self._until = now + self._pause
            return True

    def succeeded(self) -> None:
        """There was an answer, whatever it said."""
        with self._lock:
            self._failures = 0

    def failed(self) -> None:
        """There was none."""
        with self._lock:
            self._failures += 1
            self._until = self._clock() + self._pause
