"""Followers of a session in this process, and the reads of its log that they share."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from dice_referee.server.asgi_messages import Receive
from dice_referee.sessions.feed import FeedPage
from dice_referee.sessions.store import StoreUnavailable

FRESH_SECONDS = 1.0
"""Seconds for which a read stays fresh, unless a notification arrives."""


@dataclass(eq=False)
class Follower:
    """Client that waits for events of a session."""

    after: int
    """Version that the client knows."""
    behind: bool = False
    """True if the log had further entries when the client read it."""
    waiting: asyncio.Future[None] | None = None
    """Done when the client must check for events."""
    alarm: asyncio.TimerHandle | None = None
    """Timer that wakes the client at the end of this wait and later waits."""
    nudges: list[int] = field(default_factory=list)
    """Seats of the nudges that a stream has not told yet."""
    left: bool = False

    def wait(self, until: float) -> asyncio.Future[None]:
        """Returns a future that ``wake`` ends, or the loop at this time.

        A timer that is too early remains, because most waits end with events.
        """
        loop = asyncio.get_running_loop()
        if self.alarm is None or self.alarm.when() > until:
            self.hush()
            self.alarm = loop.call_at(until, self._ring)
        self.waiting = loop.create_future()
        return self.waiting

    def wake(self) -> None:
        """Makes the client check for events, if it waits."""
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_result(None)

    def hush(self) -> None:
        """Cancels the timer."""
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None

    def _ring(self) -> None:
        self.alarm = None
        self.wake()

    async def watch(self, receive: Receive) -> None:
        """Detects when the client leaves."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self.left = True
        self.wake()


class _Reading(NamedTuple):
    """Read of the entries after a version, or their notification."""

    page: asyncio.Future[FeedPage]
    begun: float
    """Time of the loop at its start."""
    notices: int
    """Number of notifications of the session before it."""


class FollowedSession:
    """Session that followers in this process wait for."""

    def __init__(self, read: Callable[[int], asyncio.Future[FeedPage]]) -> None:
        self._read = read
        self.followers: set[Follower] = set()
        self.watching = ExitStack()
        """Ends the notifications of the session."""
        self._notices = 0
        self._readings: dict[int, _Reading] = {}
        """Last read after each version, unless the followers already have its entries."""

    def notify(self, page: FeedPage | None) -> None:
        """Passes the page on to the followers that it continues. Reads again for all others."""
        self._notices += 1
        self._readings = {
            after: reading for after, reading in self._readings.items() if not reading.page.done()
        }
        if page is not None:
            self._keep(page.lines[0].version - 1, _read_already(page))
        # Followers behind read on when they can pay.
        current = {follower.after for follower in self.followers if not follower.behind}
        for after in current - self._readings.keys():
            self._keep(after, self._read(after))

    def nudge(self, seat: int) -> None:
        """Notifies every follower that this seat was nudged."""
        for follower in self.followers:
            follower.nudges.append(seat)
        self.wake()

    def wake(self) -> None:
        """Makes every follower check for events."""
        for follower in self.followers:
            follower.wake()

    def page(self, after: int) -> FeedPage | None:
        """Returns the events after a version. Without events it repeats a read that is not fresh.

        Raises StoreError, except for an unavailable store.
        """
        reading = self._readings.get(after)
        if reading is not None:
            if not reading.page.done():
                return None
            try:
                if (page := reading.page.result()).is_news:
                    return page
            except StoreUnavailable:
                pass
            if reading.notices == self._notices and now() - reading.begun <= FRESH_SECONDS:
                return None
        self._keep(after, self._read(after))
        return None

    def _keep(self, after: int, page: asyncio.Future[FeedPage]) -> None:
        self._readings[after] = _Reading(page, now(), self._notices)
        page.add_done_callback(partial(self._finish, after, self._readings[after]))

    def _finish(self, after: int, reading: _Reading, _: object) -> None:
        """Wakes the followers, which then take the events."""
        self.wake()
        if reading.page.cancelled() or reading.page.exception() is not None:
            return
        page = reading.page.result()
        if page.is_news:
            asyncio.get_running_loop().call_soon(self._forget, after, reading)
            if page.last == page.version:
                # The session had no further entries, so no follower needs to read them.
                rest = _read_already(FeedPage(page.version, (), False))
                self._readings.setdefault(page.last, reading._replace(page=rest))

    def _forget(self, after: int, reading: _Reading) -> None:
        if self._readings.get(after) is reading:
            del self._readings[after]


def _read_already(page: FeedPage) -> asyncio.Future[FeedPage]:
    reading = asyncio.get_running_loop().create_future()
    reading.set_result(page)
    return reading


def now() -> float:
    """Returns the time of the loop, in seconds."""
    return asyncio.get_running_loop().time()
