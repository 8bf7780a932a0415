"""Requests counted against a limit a minute, in the memory of this process.

The generic cell rate algorithm: each request costs a minute divided by the limit. A client that
owes less than a minute is admitted, so all requests of a minute may come at once. Work that took
more CPU time than its permit buys is charged afterwards; a client owes two minutes at most. Times
are whole microseconds.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

SECONDS = 60
MINUTE = SECONDS * 1_000_000

CPU_SECONDS = 6
"""Seconds of CPU that a minute of any limit buys: those of some 200,000 adjudications."""

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
    """Microseconds until nothing is owed; if no request remains, until the next one is allowed."""

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

    @property
    def most(self) -> int:
        """The largest debt: two minutes."""
        return 2 * self.step * self.limit

    def take(self, owed: int) -> tuple[bool, int]:
        """Grants or refuses a permit; returns the decision with the debt after it."""
        step = self.step
        # A clock that went back, or a limit that was lowered, must not refuse for ever.
        owed = min(max(owed, 0), 2 * step * self.limit)
        allowed = owed + step <= step * self.limit
        return allowed, owed + step if allowed else owed

    def status(self, allowed: bool, owed: int) -> RateLimitStatus:
        """Returns the state of the limit at this debt."""
        remaining = max(self.limit + -owed // self.step, 0)
        wait = owed if remaining else max(owed - self.step * (self.limit - 1), 0)
        return RateLimitStatus(self.policy, self.limit, allowed, remaining, wait)


class LocalCounter:
    """The counts of this process. Safe to use from many threads."""

    def __init__(self, clock: Clock = time.monotonic_ns, clients: int = CLIENTS) -> None:
        self._clock, self._lock, self._clients = clock, Lock(), clients
        self._due: OrderedDict[RateLimitKey, int] = OrderedDict()
        """Times in seconds at which each key owes nothing any more."""

    def __len__(self) -> int:
        return len(self._due)

    def count(self, key: RateLimitKey) -> RateLimitStatus:
        """Counts a request, if it is allowed."""
        with self._lock:
            now = self._clock() // 1000
            allowed, owed = key.take(self._due.get(key, now) - now)
            self._keep(key, now + owed)
        return key.status(allowed, owed)

    def charge(self, key: RateLimitKey, cost: int, minutes: int = 2) -> RateLimitStatus:
        """Adds to the debt, which is ``allowed`` up to so many minutes."""
        with self._lock:
            now = self._clock() // 1000
            owed = min(max(self._due.get(key, now) - now, 0), key.most) + cost
            self._keep(key, now + min(owed, key.most))
        return key.status(owed <= minutes * key.most // 2, min(owed, key.most))

    def _keep(self, key: RateLimitKey, due: int) -> None:
        self._due[key] = due
        self._due.move_to_end(key)
        if len(self._due) > self._clients:
            self._due.popitem(last=False)
