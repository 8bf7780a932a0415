"""Rate limits of the service, by policy and client, in requests per minute.

Each process has its own counts, but the store counts new sessions for all processes.
"""

import hashlib
from collections.abc import Mapping
from functools import lru_cache

from dice_referee.limits.client_address import TrustedProxies, is_local
from dice_referee.limits.counters import LocalCounter, RateLimitKey
from dice_referee.limits.policies import FREE_ON_LOOPBACK, RatePolicy

CACHED = 256


class RateLimiter:
    """All rate limits of the service. Thread-safe."""

    def __init__(
        self,
        limits: Mapping[RatePolicy, int],
        proxies: TrustedProxies,
        secret: bytes,
        *,
        loopback: bool = False,
    ) -> None:
        """``limits`` are requests per minute of each policy, 0 for no limit.

        With ``loopback`` all policies also limit clients on this machine. Addresses are stored as
        hashes under ``secret``: without ``secret``, the keys of the store do not reveal the
        clients. The address of a Redis without a password is not such a secret.
        """
        self._limits, self._proxies, self._loopback = dict(limits), proxies, loopback
        self._secret = hashlib.blake2b(secret, digest_size=32, person=b"referee-client").digest()
        self.counter = LocalCounter()
        self.key = lru_cache(CACHED)(self._key)
        """Returns the key that ``(policy, peer, forwarded)`` counts on, or None without a limit."""

    def _key(self, policy: RatePolicy, peer: str, forwarded: str | None) -> RateLimitKey | None:
        limit = self._limits[policy]
        if not limit:
            return None
        client = self._proxies.client(peer, forwarded)
        if policy in FREE_ON_LOOPBACK and is_local(client) and not self._loopback:
            return None
        hashed = hashlib.blake2b(client.encode(), digest_size=16, key=self._secret).hexdigest()
        return RateLimitKey(hashed, policy, limit)
