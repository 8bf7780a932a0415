"""Feeds of sessions that are held open: long polls and event streams, without a thread each.

The operation answers first, and says what the client waits for (``Feed``). Here a poll or a stream
waits for news. All followers of a session in this process share one reading of its log: a
notification starts the reading, and the page wakes the followers.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import NamedTuple

from dice_referee.api.exchange import Exchange
from dice_referee.api.message import Feed, Place, Response
from dice_referee.api.pipeline import finish, handle, refuse
from dice_referee.api.problems import ProblemError, too_many_streams
from dice_referee.api.services import Services
from dice_referee.limits.client_address import TrustedProxies, is_local
from dice_referee.server.asgi_messages import Receive, Send, send_piece, send_whole, start_of
from dice_referee.server.waiting_room import in_pool
from dice_referee.sessions.feed import GONE, HEARTBEAT, FeedPage, read_feed
from dice_referee.sessions.store import (
    SessionDeleted,
    SessionNotFound,
    StoreError,
    StoreUnavailable,
)
from dice_referee.sessions.watchers import POLL_SECONDS, SessionWatchers

READERS = 2
"""Threads that read logs for feeds; the operations have the others for themselves."""
FRESH_SECONDS = 1.0
"""Seconds for which a reading is as good as new, unless a notification comes."""


@dataclass(eq=False, slots=True)
class _Client:
    """A client that follows a session, and its request."""

    exchange: Exchange
    response: Response
    feed: Feed
    send: Send
    after: int
    """Version that the client knows."""
    news: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the client has to look for news."""
    alarm: asyncio.TimerHandle | None = None
    """Sets ``news`` at the latest time of this and later waits."""
    left: bool = False
    waited: float = 0.0
    """Seconds of a poll until there was news."""

    async def wait(self, until: float) -> None:
        """Waits until ``news`` is set, at most until this time of the loop.

        An alarm that rings too soon stays: most waits end by news, and need none of their own.
        """
        if self.alarm is None or self.alarm.when() > until:
            self.hush()
            self.alarm = asyncio.get_running_loop().call_at(until, self._ring)
        await self.news.wait()

    def hush(self) -> None:
        """Cancels the alarm."""
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None

    def _ring(self) -> None:
        self.alarm = None
        self.news.set()

    async def watch(self, receive: Receive) -> None:
        """Notes when the client leaves."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self.left = True
        self.news.set()


class _Reading(NamedTuple):
    """A reading of the entries after a version."""

    page: asyncio.Future[FeedPage]
    begun: float
    """Time of the loop."""
    notices: int
    """Notifications of the session before it."""


class _Followed:
    """A session that clients of this process follow."""

    def __init__(self, read: Callable[[int], asyncio.Future[FeedPage]]) -> None:
        self._read = read
        self.clients: set[_Client] = set()
        self.watching = ExitStack()
        """Ends the watching of the session."""
        self._notices = 0
        self._readings: dict[int, _Reading] = {}
        """The last reading after each version, unless the followers have its entries."""

    def notify(self) -> None:
        """Reads anew for all followers."""
        self._notices += 1
        self._readings = {
            after: reading for after, reading in self._readings.items() if not reading.page.done()
        }
        for after in {client.after for client in self.clients} - self._readings.keys():
            self._begin(after)

    def wake(self) -> None:
        """Makes every follower look for news."""
        for client in self.clients:
            client.news.set()

    def page(self, after: int) -> FeedPage | None:
        """Returns the news after a version; without any, reads anew what is old.

        Raises StoreError, but for a store that is unavailable.
        """
        reading = self._readings.get(after)
        if reading is not None:
            if not reading.page.done():
                return None
            try:
                page = reading.page.result()
            except StoreUnavailable:
                pass
            else:
                if page.is_news:
                    return page
            if reading.notices == self._notices and _now() - reading.begun <= FRESH_SECONDS:
                return None
        self._begin(after)
        return None

    def is_reading(self, after: int) -> bool:
        reading = self._readings.get(after)
        return reading is not None and not reading.page.done()

    def _begin(self, after: int) -> None:
        page = self._read(after)
        self._readings[after] = _Reading(page, _now(), self._notices)
        page.add_done_callback(partial(self._finish, after, self._readings[after]))

    def _finish(self, after: int, reading: _Reading, _: object) -> None:
        """Wakes the followers. News is forgotten once they have taken it."""
        self.wake()
        if reading.page.cancelled() or reading.page.exception() is not None:
            return
        page, loop = reading.page.result(), asyncio.get_running_loop()
        if page.is_news:
            loop.call_soon(self._forget, after, reading)
            if page.last == page.version:
                # The session had no further entries: nobody has to ask for them.
                rest = loop.create_future()
                rest.set_result(FeedPage(page.version, (), False))
                self._readings.setdefault(page.last, reading._replace(page=rest))

    def _forget(self, after: int, reading: _Reading) -> None:
        if self._readings.get(after) is reading:
            del self._readings[after]


class Feeds:
    """Every feed that this process holds open."""

    def __init__(self, services: Services, watchers: SessionWatchers) -> None:
        self._services, self._settings = services, services.settings
        self._watchers, self._store = watchers, watchers.store
        self._pool = ThreadPoolExecutor(READERS, thread_name_prefix="feeds")
        self._followed: dict[str, _Followed] = {}
        self._proxies = TrustedProxies.parse(self._settings.trusted_proxies)
        self.open = 0
        """Number of open feeds."""
        self._held = Counter[tuple[str, ...]]()
        """Open feeds of each client, and streams of each session and its clients."""
        self._stopping = False

    def shutdown(self) -> None:
        """Ends every feed: clients come back to another worker."""
        self._stopping = True
        for followed in self._followed.values():
            followed.wake()

    async def serve(
        self, exchange: Exchange, response: Response, receive: Receive, send: Send
    ) -> None:
        """Answers a request for a feed. ``response`` is what is known at once."""
        assert response.feed is not None
        client = _Client(exchange, response, response.feed, send, response.feed.after)
        places = self._places(client)
        full = any(self._held[place] >= most for place, most in places.items())
        if full or self.open >= self._settings.streams:
            # A stream is refused; a poll is answered at once, with nothing in it.
            if client.feed.streamed:
                await self._refuse(client, too_many_streams())
            else:
                await self._answer(client, None)
            return
        self.open += 1
        self._held.update(places.keys())
        watching = asyncio.ensure_future(client.watch(receive))
        try:
            await (self._stream(client) if client.feed.streamed else self._poll(client))
        except (StoreError, ProblemError) as error:
            await self._refuse(client, error)
        finally:
            self.open -= 1
            self._held.subtract(places.keys())
            for place in places:
                if not self._held[place]:
                    del self._held[place]
            watching.cancel()
            client.hush()

    def _places(self, client: _Client) -> dict[tuple[str, ...], int]:
        """Returns the places that the feed takes besides one at the worker, and their limits."""
        settings, request, session = self._settings, client.exchange.request, client.feed.session
        places = dict[tuple[str, ...], int]()
        if client.feed.streamed:
            places["session", session] = settings.streams_per_session
        address = self._proxies.client(request.peer, request.header(b"x-forwarded-for"))
        if settings.streams_per_client and not is_local(address):
            places["client", address] = settings.streams_per_client
            if client.feed.streamed:
                # Half of a session's streams are for other clients.
                places["share", session, address] = max(1, settings.streams_per_session // 2)
        return places

    async def _answer(self, client: _Client, page: FeedPage | None) -> None:
        """Answers a poll with its news, or with what was known at once if there is none."""
        response, late = client.response, client.feed.late_body
        if page is not None:
            body = page.json if late is None else await in_pool(self._pool, late)
            response = response._replace(body=body)
        finish(client.exchange, response, self._services, client.waited)
        await send_whole(response, client.send)

    async def _refuse(self, client: _Client, problem: Exception) -> None:
        refuse(client.exchange, problem, client.waited)
        await send_whole(handle(client.exchange, self._services, Place.LOOP), client.send)

    async def _poll(self, client: _Client) -> None:
        """Answers with the news once there is some, or without any after the wait."""
        # The clock of ``Exchange.started``: that of the loop has steps of a millisecond.
        begun, end = perf_counter(), _now() + client.feed.seconds
        try:
            with self._following(client) as followed:
                page = await self._news(client, followed, end)
        finally:
            client.waited = perf_counter() - begun
        await self._answer(client, page)

    async def _stream(self, client: _Client) -> None:
        """Sends news as it comes."""
        finish(client.exchange, client.response, self._services)
        body = client.response.body
        assert isinstance(body, bytes)
        await client.send(start_of(client.response))
        await send_piece(body, client.send)
        # After a fault of the store the client comes back, and gets a status.
        with suppress(StoreError), self._following(client) as followed:
            await self._follow(client, followed)
        await send_piece(b"", client.send, more=False)

    async def _follow(self, client: _Client, followed: _Followed) -> None:
        """Sends news and heartbeats until the stream has lived long enough. Raises StoreError."""
        beat = self._settings.heartbeat_seconds
        end, next_beat = _now() + self._settings.stream_seconds, _now() + beat
        while self._serves(client) and _now() < end:
            try:
                page = await self._news(client, followed, min(next_beat, end))
            except (SessionNotFound, SessionDeleted):
                await send_piece(GONE, client.send)
                return
            if page is not None:
                await send_piece(page.frames, client.send)
                client.after = page.last
                # While this stream waits for more, it holds no entries.
                page = None
            elif _now() >= next_beat:
                await send_piece(HEARTBEAT, client.send)
                next_beat = _now() + beat

    async def _news(self, client: _Client, followed: _Followed, end: float) -> FeedPage | None:
        """Returns the entries that the client lacks once there are any; None after the wait."""
        while self._serves(client):
            client.news.clear()
            page = followed.page(client.after)
            if page is not None:
                return page
            if followed.is_reading(client.after):
                await client.news.wait()
            elif (now := _now()) < end:
                await client.wait(min(end, now + POLL_SECONDS))
            else:
                return None
        return None

    def _serves(self, client: _Client) -> bool:
        return not self._stopping and not client.left

    @contextmanager
    def _following(self, client: _Client) -> Iterator[_Followed]:
        """Wakes the client at news while it follows its session."""
        loop, session = asyncio.get_running_loop(), client.feed.session
        followed = self._followed.get(session)
        if followed is None:
            followed = _Followed(partial(in_pool, self._pool, read_feed, self._store, session))
            notify = partial(loop.call_soon_threadsafe, followed.notify)
            followed.watching.enter_context(self._watchers.watching(session, notify))
            self._followed[session] = followed
        followed.clients.add(client)
        try:
            yield followed
        finally:
            followed.clients.discard(client)
            if not followed.clients:
                del self._followed[session]
                followed.watching.close()


def _now() -> float:
    return asyncio.get_running_loop().time()
