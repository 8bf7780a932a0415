"""CPU time that a request takes, charged to the limit that has admitted it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import local
from time import thread_time

from dice_referee.limits.counters import CPU_SECONDS, SECONDS, LocalCounter, RateLimitKey
from dice_referee.limits.counters import RateLimitStatus as Status


class _Free(local):
    seconds = 0.0
    """CPU seconds of this thread that nobody pays."""


class WorkClock:
    """CPU seconds of the calling thread, without those of free work."""

    def __init__(self, clock: Callable[[], float] = thread_time) -> None:
        self._clock, self._free = clock, _Free()

    def __call__(self) -> float:
        """Returns the seconds since any moment."""
        return self._clock() - self._free.seconds

    @contextmanager
    def free(self) -> Iterator[None]:
        """Leaves out the work of this block."""
        began = self._clock()
        try:
            yield
        finally:
            self._free.seconds += self._clock() - began


@dataclass(slots=True)
class Bill:
    """The debt of one request: a permit, and the CPU time beyond what the permit has bought.

    One thread at a time works for a request: between ``start`` and ``charge`` that is the calling
    thread.
    """

    key: RateLimitKey
    counter: LocalCounter
    clock: WorkClock
    status: Status
    """The state of the limit after the last charge."""
    _seconds: float = 0.0
    """CPU seconds until now."""
    _charged: int = 0
    """Microseconds of the limit beyond the permit."""
    _began: float = 0.0

    def start(self) -> None:
        """Begins to measure in the calling thread."""
        self._began = self.clock()

    def charge(self) -> Status:
        """Charges the work since the start or the last charge; ``allowed``: work may go on."""
        now = self.clock()
        self._seconds += now - self._began
        self._began = now
        cost = int(self._seconds * 1_000_000 * SECONDS / CPU_SECONDS) - self.key.step
        if cost > self._charged:
            self.status = self.counter.charge(self.key, cost - self._charged)
            self._charged = cost
        return self.status

    def look(self) -> Status:
        """Returns the state of the limit, which other requests may have charged meanwhile."""
        return self.counter.look(self.key)
