"""Number of sessions, counted in the background by one process for all of a store.

The number lies in the store beside a lock that expires by itself: of however many processes one
counts, and the others read what it found. A request never waits for it.
"""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from dice_referee.sessions.redis.driver import Driver, servers
from dice_referee.sessions.redis.periodic import PeriodicThread
from dice_referee.sessions.store import StoreUnavailable

FOUND = "referee:census"
LOCK = "referee:census:lock"
PATTERN = "referee:{*}"
"""Pattern of keys: of a session's keys only its hash ends with the brace."""

EVERY_SECONDS = 60
"""Seconds from one count to the next, over all processes; one that takes longer is not alone."""
POLL_SECONDS = 2.0
"""Seconds between two reads of the number by a process."""
KEPT_SECONDS = 300
"""Seconds after which a number that was not renewed is dropped."""
STEP = 500
"""Keys that a server looks at in one step: a millisecond or less."""

Ask = Callable[[Callable[[Driver], Any]], Any]
"""``ask(command)``: what the command returns for redis-py's client. Raises StoreUnavailable."""


class SessionCount:
    """The number of sessions, renewed by a thread that starts with the first call of ``number``."""

    def __init__(self, ask: Ask, clock: Callable[[], float] = time.monotonic) -> None:
        self._ask, self._clock = ask, clock
        self._thread = PeriodicThread("census", POLL_SECONDS, self._poll)
        self._found = 0, float("-inf")
        """The number, and when it was read."""

    def number(self) -> int | None:
        """Returns the last count without waiting; None if there is none."""
        self._thread.start()
        number, read_at = self._found
        return None if self._clock() - read_at > KEPT_SECONDS else number

    def close(self) -> None:
        """Ends the thread."""
        self._thread.close()

    def _poll(self) -> None:
        # A number that cannot be read again grows old, and is dropped at last.
        with suppress(StoreUnavailable):
            self.refresh()

    def refresh(self) -> None:
        """Reads the number; counts anew if it is due and no other does. Raises StoreUnavailable."""
        known = self._ask(lambda driver: driver.get(FOUND))
        if known is not None and known.isdigit():
            self._found = int(known), self._clock()
        # The lock is not given back: as long as it is there, a count is not due.
        if not self._ask(lambda driver: driver.set(LOCK, os.getpid(), nx=True, ex=EVERY_SECONDS)):
            return
        number = self._count()
        if number is not None:
            self._ask(lambda driver: driver.set(FOUND, number, ex=KEPT_SECONDS))
            self._found = number, self._clock()

    def _count(self) -> int | None:
        """Counts the keys on all servers, step by step; None if ended meanwhile."""
        number = 0
        for server in self._ask(servers):
            cursor: int | None = None
            while cursor != 0:
                began = self._clock()
                cursor, live = self._ask(partial(_step, server, cursor or 0))
                number += live
                # Half of the server's time at most.
                if self._thread.closed_within(self._clock() - began):
                    return None
        return number


def _step(server: Any, cursor: int, driver: Driver) -> tuple[int, int]:
    """Returns the next cursor, and the live sessions that this step of a server met."""
    cursor, keys = server.scan(cursor, PATTERN, STEP)
    pipeline = server.pipeline(transaction=False)
    for key in keys:
        pipeline.hexists(key, "doc")
    # Tombstones have no document. An error: the key has moved, or is of another kind.
    answers = pipeline.execute(raise_on_error=False) if keys else []
    return cursor, sum(answer is True for answer in answers)
