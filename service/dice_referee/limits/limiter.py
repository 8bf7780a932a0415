"""The rate limits of the service: so many requests a minute of each policy for each client.

A minute's worth may come at once; it grows back evenly. Each process counts for itself; only new
sessions are counted by the store that keeps them, for all processes.
"""

import hashlib
from collections.abc import Mapping
from functools import lru_cache

from dice_referee.limits.client_address import TrustedProxies, is_local
from dice_referee.limits.counters import LocalCounter, RateLimitKey
from dice_referee.limits.policies import FREE_ON_LOOPBACK, RatePolicy

CACHED = 256
"""Clients whose keys are not worked out again."""


class RateLimiter:
    """Every rate limit of the service. Safe to use from many threads."""

    def __init__(
        self,
        limits: Mapping[RatePolicy, int],
        proxies: TrustedProxies,
        secret: bytes,
        *,
        loopback: bool = False,
    ) -> None:
        """``limits``: requests a minute of each policy, 0 for no limit.

        ``loopback``: every policy holds for clients on this machine, too. Addresses are kept as
        hashes under ``secret``: without it, the keys of the store do not show which clients came.
        The address of a Redis without a password is no such secret.
        """
        self._limits, self._proxies, self._loopback = dict(limits), proxies, loopback
        self._secret = hashlib.blake2b(secret, digest_size=32, person=b"referee-client").digest()
        self.counter = LocalCounter()
        self.key = lru_cache(CACHED)(self._key)
        """``key(policy, peer, forwarded)``: what a request is counted on; None: it is not limited.

        ``peer`` is the address that has connected, ``forwarded`` the line ``X-Forwarded-For``.
        """

    def _key(self, policy: RatePolicy, peer: str, forwarded: str | None) -> RateLimitKey | None:
        limit = self._limits[policy]
        if not limit:
            return None
        client = self._proxies.client(peer, forwarded)
        if policy in FREE_ON_LOOPBACK and is_local(client) and not self._loopback:
            return None
        hashed = hashlib.blake2b(client.encode(), digest_size=16, key=self._secret).hexdigest()
        return RateLimitKey(hashed, policy, limit)
