"""How much a client may ask: so many requests a minute of each kind.

The count is one number, the moment at which nothing will be owed any more (the generic cell rate
algorithm). A whole minute's worth may come at once; what was spent grows back evenly. The store of
the sessions counts for all processes; while there is none, or it is away, each counts for itself.
"""

import hashlib
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

from service.http.client import Hops, is_local
from service.http.policy import Headers

SECONDS = 60
MINUTE = SECONDS * 1_000_000
"""Microseconds."""

ACCOUNTS = 10_000
"""Clients that a process counts by itself; the one that was not heard of for longest gives way."""

REMEMBERED = 256
"""Questions whose account is not worked out again."""

BATCH = re.compile(r"/v1/[^/]+/(games|adjudications/batch)")


def policy_of(method: str, path: str) -> str | None:
    """Under which limit a request falls; None if it is not limited, as health and pages."""
    if method == "OPTIONS" or not path.startswith("/v1/"):
        return None
    if path == "/v1/sessions":
        return "sessions" if method == "POST" else "events"
    if path.startswith("/v1/sessions/"):
        return "events"
    return "batch" if BATCH.fullmatch(path) else "stateless"


class Count(NamedTuple):
    """What came of an attempt to spend one request."""

    allowed: bool
    left: int
    """Requests that may still come at once."""
    wait: int
    """Microseconds until all are there again; if none is left, until the next one is."""


def count(due: int, now: int, limit: int) -> tuple[int, Count]:
    """Spend one request of ``limit`` a minute: the new due moment, and what came of it.

    ``due`` is when nothing is owed any more; ``now`` or earlier, if nothing is. In microseconds.
    """
    step = max(MINUTE // limit, 1)
    whole = step * limit
    # A clock that went back, or a limit that was lowered, must not lock anybody out.
    due = min(max(due, now), now + whole)
    allowed = due + step <= now + whole
    if allowed:
        due += step
    left = (now + whole - due) // step
    return due, Count(allowed, left, due - now if left else due + step - now - whole)


class Ledger:
    """Counts of this process. However many clients there are, it does not grow."""

    def __init__(
        self, clock: Callable[[], int] = time.monotonic_ns, accounts: int = ACCOUNTS
    ) -> None:
        self._clock, self._most = clock, accounts
        self._lock = Lock()
        self._due = OrderedDict[tuple[str, str], int]()

    def __len__(self) -> int:
        return len(self._due)

    def spend(self, client: str, policy: str, limit: int) -> Count:
        """Spend one request of a client."""
        with self._lock:
            now = self._clock() // 1000
            # Put back at the end: the first is the one that was not heard of for longest.
            due, counted = count(self._due.pop((client, policy), now), now, limit)
            self._due[client, policy] = due
            if len(self._due) > self._most:
                self._due.popitem(last=False)
        return counted


@dataclass(frozen=True, slots=True)
class Account:
    """Whose requests of which kind are counted."""

    policy: str
    limit: int
    client: str
    """The client, hashed."""


class Receipt(NamedTuple):
    """What was spent of an account, as its client is told."""

    policy: str
    limit: int
    allowed: bool
    left: int
    seconds: int
    """Until all is there again; if nothing is left, until the next request is answered."""

    @property
    def headers(self) -> Headers:
        """The fields of draft-ietf-httpapi-ratelimit-headers."""
        return (
            ("RateLimit-Policy", f'"{self.policy}";q={self.limit};w={SECONDS}'),
            ("RateLimit", f'"{self.policy}";r={self.left};t={self.seconds}'),
        )


Shared = Callable[[str, str, int], tuple[bool, int, int] | None]
"""``shared(client, policy, limit)`` counts for all processes; None if it cannot at the moment."""


class Limits:
    """Every limit of the service. Safe to use from many threads."""

    def __init__(
        self,
        limits: Mapping[str, int],
        hops: Hops,
        secret: bytes,
        shared: Shared | None = None,
        *,
        loopback: bool = False,
        ledger: Ledger | None = None,
    ) -> None:
        """Requests a minute of every policy; 0: no limit. ``loopback``: for this machine too.

        Addresses are kept as hashes under ``secret``. What knows only the hashes, a copy of the
        store or a listing of its keys, does not tell who was here.
        """
        self._limits, self._hops, self._loopback = dict(limits), hops, loopback
        self._key = hashlib.blake2b(secret, digest_size=32, person=b"referee-client").digest()
        self._shared, self._ledger = shared, ledger or Ledger()
        self._hashed = lru_cache(REMEMBERED)(self._hash)
        self.account = lru_cache(REMEMBERED)(self._account)
        """``account(method, path, peer, forwarded)``: what a request is counted on, or None."""

    @property
    def is_shared(self) -> bool:
        """Whether spending may take as long as a question to the store."""
        return self._shared is not None

    def _account(self, method: str, path: str, peer: str, forwarded: str | None) -> Account | None:
        policy = policy_of(method, path)
        limit = self._limits.get(policy, 0) if policy else 0
        if policy is None or not limit:
            return None
        client = self._hops.client(peer, forwarded)
        # Whoever sits at this machine may ask for verdicts as he likes; what is kept costs room.
        if policy in ("stateless", "batch") and is_local(client) and not self._loopback:
            return None
        return Account(policy, limit, self._hashed(client))

    def _hash(self, client: str) -> str:
        return hashlib.blake2b(client.encode(), digest_size=16, key=self._key).hexdigest()

    def spend(self, account: Account) -> Receipt:
        """Spend one request, counted for all processes if that is possible."""
        client, policy, limit = account.client, account.policy, account.limit
        found = self._shared and self._shared(client, policy, limit)
        return _receipt(account, Count(*found)) if found else self.spend_here(account)

    def spend_here(self, account: Account) -> Receipt:
        """Spend one request, counted by this process alone. Waits for nobody."""
        counted = self._ledger.spend(account.client, account.policy, account.limit)
        return _receipt(account, counted)


def _receipt(account: Account, counted: Count) -> Receipt:
    seconds = max(-(-counted.wait // 1_000_000), 1)
    return Receipt(account.policy, account.limit, counted.allowed, counted.left, seconds)
