"""Requests counted against a limit a minute, in the memory of this process.

The generic cell rate algorithm: each request costs a minute divided by the limit, and a client may
owe at most a minute, so all requests of a minute may come at once. Times are whole microseconds.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

SECONDS = 60
MINUTE = SECONDS * 1_000_000

CLIENTS = 10_000
"""Clients and policies that a process remembers; the one not counted for longest is forgotten."""

Clock = Callable[[], int]
"""Nanoseconds since any moment."""


class RateLimitStatus(NamedTuple):
    """The state of a limit after a request."""

    policy: str
    limit: int
    allowed: bool
    remaining: int
    """Requests that may still be sent at once."""
    wait: int
    """Microseconds until nothing is owed; if too few remain, until the next request is allowed."""

    @property
    def seconds(self) -> int:
        """``wait`` in whole seconds, at least 1: for ``Retry-After``."""
        return max(-(-self.wait // 1_000_000), 1)

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """The fields of draft-ietf-httpapi-ratelimit-headers."""
        return (
            ("RateLimit-Policy", f'"{self.policy}";q={self.limit};w={SECONDS}'),
            ("RateLimit", f'"{self.policy}";r={self.remaining};t={self.seconds}'),
        )


class RateLimitKey(NamedTuple):
    """Key of a rate-limit counter, and the arithmetic of its limit."""

    client: str
    policy: str
    limit: int
    """Requests a minute."""

    @property
    def step(self) -> int:
        """The cost of one permit."""
        return max(MINUTE // self.limit, 1)

    def take(self, owed: int, cost: int = 1) -> tuple[bool, int]:
        """Says whether so many permits are granted, and what is owed then."""
        # A clock that went back, or a limit that was lowered, must not refuse for ever.
        owed = min(max(owed, 0), self.step * self.limit)
        allowed = cost <= self.remaining(owed)
        return allowed, owed + cost * self.step if allowed else owed

    def remaining(self, owed: int) -> int:
        """Requests that may be sent at once."""
        return self.limit + -owed // self.step

    def status(self, allowed: bool, owed: int, cost: int = 1) -> RateLimitStatus:
        """Returns the state of the limit after a request; ``cost``: refused permits."""
        wait = owed if allowed else max(owed - self.step * (self.limit - cost), 0)
        if allowed and not self.remaining(owed):
            wait = max(owed - self.step * (self.limit - 1), 0)
        return RateLimitStatus(self.policy, self.limit, allowed, self.remaining(owed), wait)


class LocalCounter:
    """The counts of this process. Safe to use from many threads."""

    def __init__(self, clock: Clock = time.monotonic_ns, clients: int = CLIENTS) -> None:
        self._clock, self._lock, self._clients = clock, Lock(), clients
        self._due: OrderedDict[RateLimitKey, int] = OrderedDict()
        """Times in seconds at which each key owes nothing any more."""

    def __len__(self) -> int:
        return len(self._due)

    def count(self, key: RateLimitKey, cost: int = 1) -> RateLimitStatus:
        """Counts a request of this cost, in permits: all of them or none."""
        with self._lock:
            now = self._clock() // 1000
            allowed, owed = key.take(self._due.get(key, now) - now, cost)
            self._due[key] = now + owed
            self._due.move_to_end(key)
            if len(self._due) > self._clients:
                self._due.popitem(last=False)
        return key.status(allowed, owed, cost)
