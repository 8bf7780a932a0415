"""Requests counted against a limit a minute, in this process or for all processes together.

The generic cell rate algorithm: each request costs a minute divided by the limit, and a client may
owe at most a minute, so all requests of a minute may come at once. Times are whole microseconds.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple, TypeVar

SECONDS = 60
MINUTE = SECONDS * 1_000_000

CLIENTS = 10_000
"""Clients and policies that a process remembers; the one not counted for longest is forgotten."""

PORTIONS = 100
"""A process takes one of so many portions of a limit at a time from the shared count."""

BYTES = 1 << 16
"""Bytes of a body for which a request counts once more: a game of 1600 events, 0.3 s of a core."""

T = TypeVar("T")

Clock = Callable[[], int]
"""Nanoseconds since any moment."""

TakeShared = Callable[[str, str, int, int, int], tuple[int, int] | None]
"""``take_shared(client, policy, limit, most, least)``: permits taken, and what is owed.

As ``RateLimitKey.take``, for all processes; None if the store does not answer.
"""


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
    """What requests are counted on, and the arithmetic of its limit."""

    client: str
    policy: str
    limit: int
    """Requests a minute."""

    @property
    def step(self) -> int:
        """The cost of one request."""
        return max(MINUTE // self.limit, 1)

    def cost(self, size: int, least: int = 1) -> int:
        """What a request with a body of so many bytes counts; never more than a minute's worth.

        ``least`` is what it counts without a body.
        """
        return min(least + size // BYTES, self.limit)

    def take(self, owed: int, most: int = 1, least: int = 1) -> tuple[int, int]:
        """Permits that are granted, from ``least`` to ``most`` or none, and what is owed then."""
        # A clock that went back, or a limit that was lowered, must not refuse for ever.
        owed = min(max(owed, 0), self.step * self.limit)
        taken = min(most, self.remaining(owed))
        if taken < least:
            taken = 0
        return taken, owed + taken * self.step

    def remaining(self, owed: int) -> int:
        """Requests that may be sent at once."""
        return self.limit + -owed // self.step

    def status(self, allowed: bool, owed: int, permits: int = 0, cost: int = 1) -> RateLimitStatus:
        """The state of the limit after a request.

        ``permits`` are in the hands of this process, beyond what may still be taken; ``cost`` is
        what was refused, in permits.
        """
        # While permits lie here, what was owed for them is paid off.
        remaining = min(self.remaining(owed) + permits, self.limit)
        next_in = max(owed - self.step * (self.limit - cost), 0)
        wait = owed if allowed and remaining >= cost else next_in
        return RateLimitStatus(self.policy, self.limit, allowed, remaining, wait)


class _Recent(OrderedDict[RateLimitKey, T]):
    """What was remembered last, for so many keys."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def remember(self, key: RateLimitKey, value: T) -> None:
        """Replaces what is remembered for the key; the oldest of too many is forgotten."""
        self[key] = value
        self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)


class LocalCounter:
    """The count of this process alone. Safe to use from many threads."""

    def __init__(self, clock: Clock = time.monotonic_ns, clients: int = CLIENTS) -> None:
        self._clock, self._lock = clock, Lock()
        self._due = _Recent[int](clients)
        """When nothing will be owed any more."""

    def __len__(self) -> int:
        return len(self._due)

    def acquire(self, key: RateLimitKey, cost: int = 1) -> RateLimitStatus:
        """Counts a request of this cost, in permits: all of them or none."""
        with self._lock:
            now = self._clock() // 1000
            taken, owed = key.take(self._due.get(key, now) - now, cost, cost)
            self._due.remember(key, now + owed)
        return key.status(taken > 0, owed, cost=1 if taken else cost)


@dataclass(slots=True)
class _Lease:
    """What this process has taken of the shared count of a client."""

    permits: int
    """Requests that were counted with the shared count, and have not come yet."""
    due: int
    """When nothing will be owed any more: then the permits are worth nothing."""


class SharedQuota:
    """The count of all processes, of which permits are taken in portions.

    Requests are allowed from the permits without asking again. A refusal holds until the time that
    the shared count has named: no other process can make it shorter. Safe to use from many threads.
    """

    def __init__(
        self, take_shared: TakeShared, clock: Clock = time.monotonic_ns, clients: int = CLIENTS
    ) -> None:
        self._take_shared, self._clock = take_shared, clock
        self._leases, self._lock = _Recent[_Lease](clients), Lock()
        self._failed, self._probing = False, Lock()

    def __len__(self) -> int:
        return len(self._leases)

    def try_local(self, key: RateLimitKey, cost: int = 1) -> RateLimitStatus | None:
        """Counts a request of this cost without asking; None if that is not possible."""
        with self._lock:
            lease = self._leases.get(key)
            if lease is None:
                return None
            owed = lease.due - self._clock() // 1000
            permits = lease.permits if owed > 0 else 0
            if permits >= cost:
                lease.permits -= cost
                return key.status(True, owed, lease.permits)
        # A refusal ends when the request is possible again.
        possible = key.remaining(owed) >= cost
        return None if possible else key.status(False, owed, permits, cost)

    def acquire(self, key: RateLimitKey, cost: int = 1) -> RateLimitStatus | None:
        """Counts a request of this cost; None if the store does not answer. May wait for it.

        While the store fails, one thread at a time asks it; for all others it does not answer.
        """
        status = self.try_local(key, cost)
        if status is not None:
            return status
        if not self._failed:
            return self._ask(key, cost)
        if not self._probing.acquire(blocking=False):
            return None
        try:
            return self._ask(key, cost)
        finally:
            self._probing.release()

    def _ask(self, key: RateLimitKey, cost: int) -> RateLimitStatus | None:
        most = max(key.limit // PORTIONS, cost)
        found = self._take_shared(key.client, key.policy, key.limit, most, cost)
        self._failed = found is None
        if found is None:
            return None
        taken, owed = found
        with self._lock:
            now = self._clock() // 1000
            old = self._leases.get(key)
            permits = max(taken - cost, 0) + (old.permits if old and old.due > now else 0)
            self._leases.remember(key, _Lease(permits, now + owed))
        return key.status(taken > 0, owed, permits, 1 if taken else cost)
