"""Watchers of sessions in this process: long polls and streams.

A notification has the new entries of a write, by any process. It may be late, lost or needless, so
a watcher reads the log for what it lacks, and does so regularly even without a notification.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock
from time import monotonic

from dice_referee.sessions.feed import FeedPage, page_of, read_feed
from dice_referee.sessions.store import Notifications, Seats, Store

Notify = Callable[[FeedPage | None], object]
"""Function that is called with the page of a notification, or None if the log must be read."""
Nudge = Callable[[int], object]
"""Function that is called with the seat of a nudge."""
Connect = Callable[[Seats], object]
"""Function that is called with the connected seats after a change."""

POLL_SECONDS = 5.0
"""Seconds after which a watcher reads the log without a notification, which may be lost."""


class SessionWatchers:
    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock = Lock()
        self._notifications: Notifications | None = None
        self._watching: dict[str, list[tuple[Notify, Nudge, Connect]]] = {}

    @contextmanager
    def watching(
        self,
        session_id: str,
        notify: Notify,
        nudge: Nudge = lambda _: None,
        connect: Connect = lambda _: None,
    ) -> Iterator[None]:
        """Calls ``notify``, from another thread, after a possible write.

        Calls ``nudge`` with the seat of each nudge, and ``connect`` with the connected seats.
        """
        watcher = notify, nudge, connect
        with self._lock:
            if self._notifications is None:
                self._notifications = self.store.notifications(
                    self._notify, self._nudge, self._connect
                )
            watchers = self._watching.setdefault(session_id, [])
            watchers.append(watcher)
            if len(watchers) == 1:
                self._notifications.watch(session_id)
        try:
            yield
        finally:
            with self._lock:
                watchers.remove(watcher)
                if not watchers:
                    del self._watching[session_id]
                    self._notifications.unwatch(session_id)

    def _notify(self, session_id: str, message: bytes) -> None:
        page = page_of(message)
        for notify, *_ in self._watchers(session_id):
            notify(page)

    def _nudge(self, session_id: str, seat: int) -> None:
        for _, nudge, _ in self._watchers(session_id):
            nudge(seat)

    def _connect(self, session_id: str, seats: Seats) -> None:
        for *_, connect in self._watchers(session_id):
            connect(seats)

    def _watchers(self, session_id: str) -> tuple[tuple[Notify, Nudge, Connect], ...]:
        with self._lock:
            return tuple(self._watching.get(session_id, ()))

    def wait(
        self, session_id: str, after: int, seconds: float, *, with_state: bool = False
    ) -> FeedPage:
        """Waits at most ``seconds`` for news after a version, and returns the feed.

        Blocks the thread. Raises StoreError.
        """
        notified, until = Event(), monotonic() + seconds
        with self.watching(session_id, lambda _: notified.set()):
            while True:
                page = read_feed(self.store, session_id, after, with_state=with_state)
                left = until - monotonic()
                if page.is_news or left <= 0:
                    return page
                notified.wait(min(left, POLL_SECONDS))
                notified.clear()
