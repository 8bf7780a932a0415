"""So many requests a minute: what is owed, who remembers it, and how much is taken at a time.

What a client owes is time (the generic cell rate algorithm): each request costs a minute divided by
the limit, and all may be spent at once. Times are whole microseconds.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

SECONDS = 60
MINUTE = SECONDS * 1_000_000

CLIENTS = 10_000
"""Whom a process remembers; whoever was not counted anew for longest gives way."""

PORTIONS = 100
"""Into so many portions a limit is divided, of which a process takes one at a time."""

Key = tuple[str, str]
"""A client and a policy."""

Clock = Callable[[], int]
"""Nanoseconds since whenever."""

Shared = Callable[[str, str, int, int], tuple[int, int] | None]
"""``shared(client, policy, limit, most)``: how many were taken, and what is owed then.

Counts for all processes; None if that cannot be done at the moment.
"""


class Rate(NamedTuple):
    """A limit: requests a minute."""

    limit: int

    @property
    def step(self) -> int:
        """What one request costs."""
        return max(MINUTE // self.limit, 1)

    @property
    def whole(self) -> int:
        """The most that may be owed."""
        return self.step * self.limit

    def take(self, owed: int, most: int = 1) -> tuple[int, int]:
        """How many of ``most`` requests may be sent, and what is owed when they were."""
        # A clock that went back, or a limit that was lowered, must not lock anybody out.
        owed = min(max(owed, 0), self.whole)
        taken = min(most, (self.whole - owed) // self.step)
        return taken, owed + taken * self.step

    def left(self, owed: int) -> int:
        """Requests that may still be sent at once."""
        return (self.whole - owed) // self.step

    def until_next(self, owed: int) -> int:
        """Time until one may be sent; none if it may at once."""
        return max(owed + self.step - self.whole, 0)


T = TypeVar("T")


class _Remembered(Generic[T]):
    """Something about every client that was heard of lately. It does not grow without end."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept = OrderedDict[Key, T]()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Key) -> T | None:
        return self._kept.get(key)

    def put(self, key: Key, value: T) -> None:
        self._kept[key] = value
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)


class Spent(NamedTuple):
    """What came of an attempt to spend one request."""

    allowed: bool
    left: int
    """Requests that may still be sent at once."""
    wait: int
    """Time until nothing is owed; if none is left, until the next one may be sent."""


def _spent(rate: Rate, allowed: bool, left: int, owed: int) -> Spent:
    return Spent(allowed, left, owed if left else rate.until_next(owed))


class Ledger:
    """The count of this process alone."""

    def __init__(self, clock: Clock = time.monotonic_ns, clients: int = CLIENTS) -> None:
        self._clock, self._lock = clock, Lock()
        self._due = _Remembered[int](clients)
        """When nothing will be owed any more."""

    def __len__(self) -> int:
        return len(self._due)

    def spend(self, key: Key, limit: int) -> Spent:
        """Spend one request."""
        rate = Rate(limit)
        with self._lock:
            now = self._clock() // 1000
            taken, owed = rate.take((self._due.get(key) or 0) - now)
            self._due.put(key, now + owed)
        return _spent(rate, taken > 0, rate.left(owed), owed)


@dataclass(slots=True)
class _Purse:
    """What was taken for a client of the shared count and is not yet spent."""

    coins: int
    due: int
    """When nothing will be owed any more."""


class Purses:
    """The shared count, asked once for some requests: they are spent without asking again.

    What is refused stays so for a known time, and need not be asked again either: nobody can make
    that time shorter. A purse is worth nothing any more when nothing is owed.
    """

    def __init__(
        self, shared: Shared, clock: Clock = time.monotonic_ns, clients: int = CLIENTS
    ) -> None:
        self._shared, self._clock, self._lock = shared, clock, Lock()
        self._purses = _Remembered[_Purse](clients)

    def __len__(self) -> int:
        return len(self._purses)

    def at_hand(self, key: Key, limit: int) -> Spent | None:
        """Spend one request without asking; None if the shared count has to be asked."""
        rate = Rate(limit)
        with self._lock:
            purse = self._purses.get(key)
            if purse is None:
                return None
            owed = purse.due - self._clock() // 1000
            if purse.coins and owed > 0:
                purse.coins -= 1
                return _spent(rate, True, rate.left(owed) + purse.coins, owed)
            # As long as not even one is there again.
            return None if rate.left(owed) else _spent(rate, False, 0, owed)

    def spend(self, key: Key, limit: int) -> Spent | None:
        """Spend one request, after asking; None if nobody answers. Takes as long as that does."""
        rate = Rate(limit)
        found = self._shared(*key, limit, max(limit // PORTIONS, 1))
        if found is None:
            return None
        taken, owed = found
        with self._lock:
            old = self._purses.get(key)
            due = self._clock() // 1000 + owed
            coins = max(taken - 1, 0) + (old.coins if old and old.due > due - owed else 0)
            self._purses.put(key, _Purse(coins, due))
        return _spent(rate, taken > 0, rate.left(owed) + coins, owed)
