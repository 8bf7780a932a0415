"""Counters of requests against a limit per minute, in the memory of this process.

They implement the generic cell rate algorithm: each request costs a minute divided by the limit. A
client with a debt of less than a minute is admitted, so all requests of a minute may come at once.
Work that took more CPU time than its permit buys is charged afterwards, up to a debt of two
minutes. Times are whole microseconds.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

SECONDS = 60
MINUTE = SECONDS * 1_000_000

CPU_SECONDS = 6
"""Seconds of CPU that a minute of any limit buys, enough for some 200,000 adjudications."""

CLIENTS = 10_000

Clock = Callable[[], int]
"""Clock in nanoseconds since any moment."""


class RateLimitStatus(NamedTuple):
    policy: str
    limit: int
    allowed: bool
    remaining: int
    """Number of requests allowed now."""
    wait: int
    """Microseconds until the debt is zero, or until the next request if none remains."""

    @property
    def seconds(self) -> int:
        """``wait`` in whole seconds, at least 1: for ``Retry-After``."""
        return max(-(-self.wait // 1_000_000), 1)

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """Header fields of draft-ietf-httpapi-ratelimit-headers."""
        return (
            ("RateLimit-Policy", f'"{self.policy}";q={self.limit};w={SECONDS}'),
            ("RateLimit", f'"{self.policy}";r={self.remaining};t={self.seconds}'),
        )


class RateLimitKey(NamedTuple):
    client: str
    policy: str
    limit: int
    """Requests per minute."""

    @property
    def step(self) -> int:
        """Cost of a permit, in microseconds."""
        return max(MINUTE // self.limit, 1)

    @property
    def most(self) -> int:
        """Maximum debt: two minutes, in microseconds."""
        return 2 * self.step * self.limit

    def take(self, owed: int) -> tuple[bool, int]:
        """Grants or refuses a permit. Returns the decision and the debt after it."""
        step = self.step
        # A clock that went back, or a lowered limit, must not refuse for ever.
        owed = min(max(owed, 0), 2 * step * self.limit)
        allowed = owed + step <= step * self.limit
        return allowed, owed + step if allowed else owed

    def status(self, allowed: bool, owed: int) -> RateLimitStatus:
        remaining = max(self.limit + -owed // self.step, 0)
        wait = owed if remaining else max(owed - self.step * (self.limit - 1), 0)
        return RateLimitStatus(self.policy, self.limit, allowed, remaining, wait)


class LocalCounter:
    def __init__(self, clock: Clock = time.monotonic_ns, clients: int = CLIENTS) -> None:
        self._clock, self._lock, self._clients = clock, Lock(), clients
        self._due: OrderedDict[RateLimitKey, int] = OrderedDict()
        """Times in microseconds at which each key owes nothing any more."""

    def __len__(self) -> int:
        return len(self._due)

    def count(self, key: RateLimitKey) -> RateLimitStatus:
        with self._lock:
            now = self._clock() // 1000
            allowed, owed = key.take(self._due.get(key, now) - now)
            self._keep(key, now + owed)
        return key.status(allowed, owed)

    def charge(self, key: RateLimitKey, cost: int, minutes: int = 2) -> RateLimitStatus:
        """Adds to the debt, which is ``allowed`` up to ``minutes`` minutes."""
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
