"""How many sessions are kept: counted now and then, by one process for all who share the store.

The number lies in the store beside a lock that expires by itself, so that however many replicas
there are, one of them counts, and the others read what it found. Nobody who asks waits for it.
"""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any, Protocol

from service.sessions.store import Away

FOUND = "referee:census"
LOCK = "referee:census:lock"
PATTERN = "referee:{*}"
"""Of a session's keys only its hash ends with the brace."""

EVERY_SECONDS = 60
"""Seconds from one count to the next, over all processes."""
LOOK_SECONDS = 5.0
"""Seconds between two looks of a process at the number."""
SOON_SECONDS = 1.0
"""The same as long as it has not seen one: somebody else may just be counting."""
KEPT_SECONDS = 300
"""Seconds after which a number that nobody could renew is not believed any more."""
STEP = 500
"""Keys that a server looks at in one step: a millisecond or less."""


class Counted(Protocol):
    """What a census asks of servers. Every method raises Away."""

    def ask(self, name: str, *more: str | bytes | int) -> Any:
        """A command about the key ``name``, put to whoever keeps it: ``ask(key, "GET")``."""

    def servers(self) -> list[int]:
        """A slot of every server that keeps sessions."""

    def page(self, slot: int, cursor: bytes, pattern: str, most: int) -> tuple[bytes, list[bytes]]:
        """The next cursor, and some keys of the server that has the slot."""

    def living(self, slot: int, keys: Sequence[bytes]) -> int:
        """How many of these are sessions, and not what is left of one that was deleted."""


class Census:
    """The number of sessions, renewed by a thread that starts when somebody asks for it."""

    def __init__(self, counted: Counted, clock: Callable[[], float] = time.monotonic) -> None:
        self._counted, self._clock = counted, clock
        self._lock = Lock()
        self._pid = 0
        self._ended = Event()
        self._found: tuple[int, float] | None = None
        """The number, and when it was read."""

    def number(self) -> int | None:
        """How many there were a moment ago; None if nobody knows. Asks no server."""
        if self._pid != os.getpid():
            self._begin()
        found = self._found
        if found is None or self._clock() - found[1] > KEPT_SECONDS:
            return None
        return found[0]

    def close(self) -> None:
        """Count no more."""
        self._ended.set()

    def _begin(self) -> None:
        """Start the thread, which a fork leaves behind."""
        with self._lock:
            if self._pid != os.getpid():
                self._pid, self._ended = os.getpid(), Event()
                Thread(target=self._run, args=(self._ended,), name="census", daemon=True).start()

    def _run(self, ended: Event) -> None:
        while True:
            # Without news the number grows old, and is forgotten at last.
            with suppress(Away):
                self.look(ended)
            if ended.wait(SOON_SECONDS if self._found is None else LOOK_SECONDS):
                return

    def look(self, ended: Event) -> None:
        """Read the number, and count anew if it is time and nobody else does. Raises Away."""
        told = self._counted.ask(FOUND, "GET")
        if told is not None and told.isdigit():
            self._found = int(told), self._clock()
        # The lock is not given back: as long as it is there, a count is not due.
        if self._counted.ask(LOCK, "SET", os.getpid(), "NX", "EX", EVERY_SECONDS) is None:
            return
        number = self._count(ended)
        if number is not None:
            self._counted.ask(FOUND, "SET", number, "EX", KEPT_SECONDS)
            self._found = number, self._clock()

    def _count(self, ended: Event) -> int | None:
        """Go through every server step by step; None if it is not needed any more."""
        number, renewed = 0, self._clock()
        for slot in self._counted.servers():
            cursor = b""
            while cursor != b"0":
                began = self._clock()
                cursor, keys = self._counted.page(slot, cursor or b"0", PATTERN, STEP)
                if keys:
                    number += self._counted.living(slot, keys)
                now = self._clock()
                if now - renewed > EVERY_SECONDS / 3:
                    self._counted.ask(LOCK, "SET", os.getpid(), "EX", EVERY_SECONDS)
                    renewed = now
                # Half of the server's time at most is ours.
                if ended.wait(now - began):
                    return None
        return number
