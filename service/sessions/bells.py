"""Who waits for news of which session: requests that are held, and streams.

A bell is only a hint that something was written, from whichever process; those who listen look at
the log themselves, and look now and then without a bell too.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock
from time import monotonic

from service.sessions.feed import News, news
from service.sessions.store import Bells, Store

Ring = Callable[[], None]

LOOK_SECONDS = 5.0
"""Seconds after which somebody who waits looks without a bell: hints can be lost."""


class Listeners:
    """Everybody in this process who waits for news. Connects when the first one does."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock = Lock()
        self._bells: Bells | None = None
        self._listening: dict[str, list[Ring]] = {}

    @contextmanager
    def listening(self, session_id: str, ring: Ring) -> Iterator[None]:
        """Call ``ring``, from another thread, whenever something happens in the session."""
        with self._lock:
            if self._bells is None:
                self._bells = self.store.bells(self._rung)
            rings = self._listening.setdefault(session_id, [])
            rings.append(ring)
            if len(rings) == 1:
                self._bells.watch(session_id)
        try:
            yield
        finally:
            with self._lock:
                rings.remove(ring)
                if not rings:
                    del self._listening[session_id]
                    self._bells.unwatch(session_id)

    def _rung(self, session_id: str) -> None:
        with self._lock:
            rings = tuple(self._listening.get(session_id, ()))
        for ring in rings:
            ring()

    def wait(self, session_id: str, after: int, seconds: float) -> News:
        """News, as soon as there is some, but after so many seconds at the latest.

        Holds the thread. Raises StoreError.
        """
        rung, until = Event(), monotonic() + seconds
        with self.listening(session_id, rung.set):
            while True:
                found = news(self.store, session_id, after)
                left = until - monotonic()
                if found.lines or found.reset or left <= 0:
                    return found
                rung.wait(min(left, LOOK_SECONDS))
                rung.clear()
