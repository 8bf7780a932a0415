"""Followers of a session in this process, and the reads of its log that they share."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial

from dice_referee.server.asgi_messages import Receive
from dice_referee.sessions.feed import FeedPage
from dice_referee.sessions.store import Seats, StoreUnavailable
from dice_referee.sessions.watchers import POLL_SECONDS

MOST_PAGES = 4
"""Maximum pages that a follower keeps unsent. It reads later pages from the log."""


@dataclass(eq=False)
class Follower:
    after: int
    """Version that the client knows, or will know after ``pages``."""
    behind: bool = False
    """True if the log had further entries when the client read it."""
    with_state: bool = False
    """True if the client shows the session after the last entry."""
    pages: list[FeedPage] = field(default_factory=list)
    read_at: float = 0.0
    """Time of the loop for the next read of the log."""
    failure: BaseException | None = None
    waiting: asyncio.Future[None] | None = None
    """Done when the client must check for events."""
    alarm: asyncio.TimerHandle | None = None
    """Timer that wakes the client at the end of each wait."""
    nudges: list[int] = field(default_factory=list)
    """Seats of the nudges that a stream has not told yet."""
    connected: Seats = ()
    left: bool = False

    @property
    def has_room(self) -> bool:
        return len(self.pages) < MOST_PAGES

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
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None

    def _ring(self) -> None:
        self.alarm = None
        self.wake()

    def take(self, page: FeedPage) -> None:
        """Keeps a page that continues ``after``."""
        self.pages.append(page)
        self.after = page.last
        if not page.is_complete:
            self.read_at = 0.0

    async def watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.left = True
        self.wake()


class FollowedSession:
    def __init__(self, read: Callable[[int, bool], asyncio.Future[FeedPage]]) -> None:
        """``read`` reads the log after a version, and if required the state after it."""
        self._read = read
        self.followers: set[Follower] = set()
        self.watching = ExitStack()
        """Ends the notifications of the session."""
        self._reading: set[int] = set()
        """Versions after which the log is being read since the last notification."""
        self.connected: Seats | None = None
        """Connected seats, or None before the first read."""
        self._connections = 0

    def notify(self, page: FeedPage | None) -> None:
        self._reading.clear()
        for follower in self.followers:
            known = follower.after
            if page is not None and known == page.lines[0].version - 1 and follower.has_room:
                follower.take(page)
            elif page is None or known < page.last:
                follower.read_at = 0.0
            follower.wake()

    def nudge(self, seat: int) -> None:
        for follower in self.followers:
            follower.nudges.append(seat)
        self.wake()

    def connect(self, seats: Seats) -> None:
        self._connections += 1
        self.connected = seats
        self.wake()

    def wake(self) -> None:
        for follower in self.followers:
            follower.wake()

    def page(self, follower: Follower) -> FeedPage | None:
        """Returns the follower's next page, or reads the log when its time has come.

        Raises StoreError, except for an unavailable store.
        """
        if follower.pages:
            page = follower.pages.pop(0)
            # Later pages have a later state.
            return replace(page, state=b"") if follower.pages else page
        if follower.failure is not None:
            raise follower.failure
        if now() >= follower.read_at:
            self._read_after(follower.after)
        return None

    def _read_after(self, after: int) -> None:
        """Reads the log for all followers at this version, unless a read is under way."""
        followers = self._at(after)
        for follower in followers:
            follower.read_at = now() + POLL_SECONDS
        if after not in self._reading:
            self._reading.add(after)
            reading = self._read(after, any(follower.with_state for follower in followers))
            reading.add_done_callback(partial(self._finish, after, self._connections))

    def _finish(self, after: int, connections: int, reading: asyncio.Future[FeedPage]) -> None:
        self._reading.discard(after)
        error = reading.exception()
        # A notification during the read is newer.
        if error is None and connections == self._connections:
            seats = reading.result().connected
            if seats != self.connected:
                self.connected = seats
                self.wake()
        for follower in self._at(after):
            if error is None and reading.result().is_news:
                follower.take(reading.result())
            elif not isinstance(error, StoreUnavailable):
                follower.failure = error
            follower.wake()

    def _at(self, after: int) -> list[Follower]:
        return [follower for follower in self.followers if follower.after == after]


def now() -> float:
    """Returns the time of the loop, in seconds."""
    return asyncio.get_running_loop().time()
