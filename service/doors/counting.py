"""What clients have spent, asked by the front door in threads of its own: it may take long."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from service.doors.reader import Scope
from service.http.limits import Account, Limits, Receipt

ASKERS = 2
"""Threads that ask the store."""
MOST = 64
"""Questions that may wait for them; whoever comes then is counted by this process alone."""


class Counting:
    """The limits of the service, for an event loop."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pool = ThreadPoolExecutor(ASKERS, thread_name_prefix="counting")
        self._waiting = 0
        self.account = limits.account

    async def spend(self, account: Account) -> Receipt:
        """Spend one request."""
        receipt = self._limits.at_hand(account)
        if receipt is not None:
            return receipt
        if self._waiting >= MOST:
            return self._limits.here(account)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, self._limits.spend, account)
        finally:
            self._waiting -= 1


def forwarded(scope: Scope) -> str:
    """X-Forwarded-For as one line, in the order in which its lines came."""
    lines = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return b",".join(lines).decode("latin-1")
