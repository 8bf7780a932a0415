"""How much a client may ask: so many requests a minute of each kind.

A whole minute's worth may come at once; what was spent grows back evenly. The store of the sessions
counts for all processes; while there is none, or it is away, each counts for itself.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from service.http.client import Hops, is_local
from service.http.policy import Headers
from service.http.rates import SECONDS, Key, Ledger, Purses, Shared, Spent

REMEMBERED = 256
"""Questions whose account is not worked out again."""

BATCH = re.compile(r"/v1/([^/]+/(games|adjudications/batch)|fairness/verify)")


def policy_of(method: str, path: str) -> str | None:
    """Under which limit a request falls; None if it is not limited, as health and pages."""
    if method == "OPTIONS" or not path.startswith("/v1/"):
        return None
    if path == "/v1/sessions":
        return "sessions" if method == "POST" else "events"
    if path.startswith("/v1/sessions/"):
        return "events"
    return "batch" if BATCH.fullmatch(path) else "stateless"


class Account(NamedTuple):
    """Whose requests of which kind are counted."""

    key: Key
    """The client, hashed, and the policy."""
    limit: int


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
    ) -> None:
        """Requests a minute of every policy; 0: no limit. ``loopback``: for this machine too.

        Addresses are kept as hashes under ``secret``. As long as that is one, a copy of the store
        or a listing of its keys does not tell who was here; an address of Redis without a password
        is none.
        """
        self._limits, self._hops, self._loopback = dict(limits), hops, loopback
        self._key = hashlib.blake2b(secret, digest_size=32, person=b"referee-client").digest()
        self._ledger = Ledger()
        self._purses = None if shared is None else Purses(shared)
        self._hashed = lru_cache(REMEMBERED)(self._hash)
        self.account = lru_cache(REMEMBERED)(self._account)
        """``account(method, path, peer, forwarded)``: what a request is counted on, or None."""

    def _account(self, method: str, path: str, peer: str, forwarded: str | None) -> Account | None:
        policy = policy_of(method, path)
        limit = self._limits.get(policy, 0) if policy else 0
        if policy is None or not limit:
            return None
        client = self._hops.client(peer, forwarded)
        # Whoever sits at this machine may ask for verdicts as he likes; what is kept costs room.
        if policy in ("stateless", "batch") and is_local(client) and not self._loopback:
            return None
        return Account((self._hashed(client), policy), limit)

    def _hash(self, client: str) -> str:
        return hashlib.blake2b(client.encode(), digest_size=16, key=self._key).hexdigest()

    def at_hand(self, account: Account) -> Receipt | None:
        """Spend one request without waiting; None if the store has to be asked."""
        if self._purses is None:
            return self.here(account)
        spent = self._purses.at_hand(*account)
        return spent and _receipt(account, spent)

    def spend(self, account: Account) -> Receipt:
        """Spend one request, counted for all processes if that is possible."""
        receipt = self.at_hand(account)
        if receipt is None and self._purses is not None:
            spent = self._purses.spend(*account)
            receipt = spent and _receipt(account, spent)
        return receipt or self.here(account)

    def here(self, account: Account) -> Receipt:
        """Spend one request, counted by this process alone."""
        return _receipt(account, self._ledger.spend(*account))


def _receipt(account: Account, spent: Spent) -> Receipt:
    seconds = max(-(-spent.wait // 1_000_000), 1)
    _, policy = account.key
    return Receipt(policy, account.limit, spent.allowed, spent.left, seconds)
