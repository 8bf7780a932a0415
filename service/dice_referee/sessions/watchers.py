"""Watchers of sessions in this process: long polls and streams.

A notification is only a hint of a write, by any process. A watcher reads the log itself, and does
so regularly even without a notification.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock
from time import monotonic

from dice_referee.sessions.feed import FeedPage, read_feed
from dice_referee.sessions.store import Notifications, Store

Notify = Callable[[], object]

POLL_SECONDS = 5.0
"""Seconds after which a watcher reads the log without a notification, which may be lost."""


class SessionWatchers:
    """All watchers in this process. Connects for the first watcher."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock = Lock()
        self._notifications: Notifications | None = None
        self._watching: dict[str, list[Notify]] = {}

    @contextmanager
    def watching(self, session_id: str, notify: Notify) -> Iterator[None]:
        """Calls ``notify``, from another thread, after a possible write."""
        with self._lock:
            if self._notifications is None:
                self._notifications = self.store.notifications(self._notified)
            watchers = self._watching.setdefault(session_id, [])
            watchers.append(notify)
            if len(watchers) == 1:
                self._notifications.watch(session_id)
        try:
            yield
        finally:
            with self._lock:
                watchers.remove(notify)
                if not watchers:
                    del self._watching[session_id]
                    self._notifications.unwatch(session_id)

    def _notified(self, session_id: str) -> None:
        with self._lock:
            watchers = tuple(self._watching.get(session_id, ()))
        for notify in watchers:
            notify()

    def wait(self, session_id: str, after: int, seconds: float) -> FeedPage:
        """Waits at most ``seconds`` for news after a version, and returns the feed.

        Blocks the thread. Raises StoreError.
        """
        notified, until = Event(), monotonic() + seconds
        with self.watching(session_id, notified.set):
            while True:
                page = read_feed(self.store, session_id, after)
                left = until - monotonic()
                if page.is_news or left <= 0:
                    return page
                notified.wait(min(left, POLL_SECONDS))
                notified.clear()
