"""Work of a request, charged to the rate limit that admitted it."""

from collections.abc import Callable
from dataclasses import dataclass
from time import thread_time

from dice_referee.limits.counters import (
    CPU_SECONDS,
    SECONDS,
    LocalCounter,
    RateLimitKey,
    RateLimitStatus,
)

ENTRIES_PER_PERMIT = 100
"""Number of entries of a session's log that a permit buys."""


@dataclass(slots=True, eq=False)
class Bill:
    """Costs of a request: a permit, and more permits for more CPU time or entries of a log.

    Permits for entries buy CPU time too.

    A single thread works for a request at a time. Between ``start`` and ``charge`` that is the
    calling thread.
    """

    counter: LocalCounter
    key: RateLimitKey | None = None
    """Key of the limit, or ``None`` if the request is not limited, or was refused."""
    clock: Callable[[], float] = thread_time
    """CPU clock of the calling thread, in seconds."""
    limit: RateLimitStatus | None = None
    _seconds: float = 0.0
    """CPU seconds so far."""
    _entries: int = 0
    _charged: int = 0
    """Microseconds charged beyond the permit."""
    _began: float = 0.0

    def admit(self) -> None:
        if self.key is not None:
            self.limit = self.counter.count(self.key)
            self.key = self.key if self.limit.allowed else None

    def start(self) -> None:
        """Starts to measure the calling thread. Work since the last charge is free."""
        if self.key is not None:
            self._began = self.clock()

    def charge(self) -> RateLimitStatus | None:
        """Charges the work since the start or the last charge. ``allowed`` permits further work."""
        if self.key is not None:
            now = self.clock()
            self._seconds += now - self._began
            self._began = now
            self._settle(self.key)
        return self.limit

    def read(self, entries: int) -> None:
        """Charges entries of a log: a permit for each started hundred after the first."""
        if self.key is not None:
            self._entries += entries
            self._settle(self.key)

    def _settle(self, key: RateLimitKey) -> None:
        work = int(self._seconds * 1_000_000 * SECONDS / CPU_SECONDS)
        entries = -(-self._entries // ENTRIES_PER_PERMIT) * key.step
        cost = max(work, entries) - key.step
        if cost > self._charged:
            self.limit = self.counter.charge(key, cost - self._charged)
            self._charged = cost

    def look(self) -> RateLimitStatus | None:
        """Returns the state of the limit. ``allowed`` is False for a client in debt."""
        return self.limit if self.key is None else self.counter.charge(self.key, 0, minutes=1)

    def __enter__(self) -> None:
        self.start()

    def __exit__(self, *_: object) -> None:
        self.charge()


FREE = Bill(LocalCounter())
"""Bill of all requests without a limit. It never changes."""
