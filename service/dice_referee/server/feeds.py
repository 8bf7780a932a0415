"""Open feeds of sessions, which are long polls and event streams, without a thread each.

The operation answers first, and returns the ``Feed`` to wait for. Here a poll or a stream waits for
events. All followers of a session in this process share the pages of notifications, and the reads
of its log: a page wakes the followers.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

from dice_referee.api.message import Answer, Feed, Request
from dice_referee.api.pipeline import answer, finish, refuse
from dice_referee.api.problems import ProblemError, too_many_streams
from dice_referee.api.services import Services
from dice_referee.limits.client_address import TrustedProxies, is_local
from dice_referee.server.asgi_messages import Receive, Send, send_piece, send_whole, start_of
from dice_referee.server.followed_session import FollowedSession, Follower, now
from dice_referee.server.presence import RECONNECTION_SECONDS, Presence
from dice_referee.server.waiting_room import in_pool
from dice_referee.sessions.feed import (
    CONNECTED,
    CROWDED,
    GONE,
    HEARTBEAT,
    NUDGE,
    FeedPage,
    numbers,
    read_feed,
)
from dice_referee.sessions.store import (
    Seats,
    SessionDeleted,
    SessionNotFound,
    StoreError,
    StoreUnavailable,
)
from dice_referee.sessions.watchers import SessionWatchers

READERS = 2
"""Threads that read logs for feeds, apart from the threads of operations."""
TOKEN_SHARE = 12
"""Divisor of a session's streams for one token.

All seats and the host together leave streams to clients without a token, so that a token always
finds a stream to displace.
"""

PlaceKey = tuple[str, ...]
"""Name of a limit of feeds, with the session, client or token that it counts."""
ALL: PlaceKey = ("all",)
"""Limit of all feeds of a process."""


@dataclass(eq=False, kw_only=True)
class _Client(Follower):
    request: Request
    answer: Answer
    feed: Feed
    send: Send
    places: dict[PlaceKey, int]
    """Limits of feeds that the client counts toward, the narrowest first."""
    waited: float = 0.0
    """Seconds that a poll has waited for events."""
    seat: int | None = None
    displaced: bool = False
    """True if the stream of a token has taken the client's place."""

    def displaces(self, others: Iterable["_Client"]) -> "_Client | None":
        """Returns the oldest client without a token, or else with the same token.

        Returns None if this client has no token.
        """
        if self.feed.holder is None:
            return None
        holders = {other.feed.holder: other for other in reversed([*others])}
        return holders.get(None) or holders.get(self.feed.holder)

    def pay(self, page: FeedPage) -> None:
        """Charges the entries of a page that is sent, unless they are news."""
        if self.behind or not page.is_complete:
            self.request.bill.read(len(page.lines))
        self.behind = not page.is_complete

    @property
    def debt_seconds(self) -> float:
        """Seconds until the client can pay for the next page, 0 without a page."""
        limit = self.request.bill.look() if self.behind else None
        return 0.0 if limit is None or limit.allowed else limit.wait / 1_000_000


class Feeds:
    def __init__(self, services: Services, watchers: SessionWatchers) -> None:
        self._settings = services.settings
        self._watchers, self._store = watchers, watchers.store
        self._pool = ThreadPoolExecutor(READERS, thread_name_prefix="feeds")
        self._presence = Presence(self._store, partial(in_pool, self._pool))
        self._followed: dict[str, FollowedSession] = {}
        self._proxies = TrustedProxies.parse(self._settings.trusted_proxies)
        self._held: dict[PlaceKey, dict[_Client, None]] = {}
        """Open feeds that count toward each limit, the oldest first."""
        self._stopping = False

    @property
    def open(self) -> int:
        return len(self._held.get(ALL, ()))

    def shutdown(self) -> None:
        self._stopping = True
        for followed in self._followed.values():
            followed.wake()

    async def serve(self, request: Request, answer: Answer, receive: Receive, send: Send) -> None:
        """Answers a request for a feed. ``answer`` is the answer without later events."""
        feed = answer.feed
        assert feed is not None
        client = _Client(
            after=feed.after,
            behind=feed.behind,
            with_state=feed.with_state,
            connected=feed.connected,
            request=request,
            answer=answer,
            feed=feed,
            send=send,
            places=self._places(feed, request),
        )
        if not self._enter(client):
            # A stream is refused. A poll is answered immediately, without events.
            if client.feed.streamed:
                await self._refuse(client, too_many_streams())
            else:
                await self._answer(client, None)
            return
        watching = asyncio.ensure_future(client.watch(receive))
        try:
            await (self._stream(client) if client.feed.streamed else self._poll(client))
        except (StoreError, ProblemError) as error:
            await self._refuse(client, error)
        finally:
            self._leave(client)
            watching.cancel()
            client.hush()

    def _places(self, feed: Feed, request: Request) -> dict[PlaceKey, int]:
        settings, session, most = self._settings, feed.session, self._settings.streams_per_session
        places = dict[PlaceKey, int]()
        address = self._proxies.client(request.peer, request.header(b"x-forwarded-for"))
        limited = settings.streams_per_client > 0 and not is_local(address)
        if feed.holder is not None:
            places["token", session, feed.holder] = max(1, most // TOKEN_SHARE)
        if feed.streamed and limited:
            # Half of a session's streams are reserved for other clients.
            places["share", session, address] = max(1, most // 2)
        if feed.streamed:
            places["session", session] = most
        if limited:
            places["client", address] = settings.streams_per_client
        places[ALL] = settings.streams
        return places

    def _enter(self, client: _Client) -> bool:
        """Counts the client toward its limits, and returns False if a limit is reached.

        The stream of a token displaces another client at each reached limit.
        """
        displaced = set[_Client]()
        for place, most in client.places.items():
            held = self._held.get(place, {})
            if len(held) >= most and displaced.isdisjoint(held):
                other = client.displaces(held)
                if other is None:
                    return False
                displaced.add(other)
        for other in displaced:
            other.displaced = True
            self._leave(other)
            other.wake()
        for place in client.places:
            self._held.setdefault(place, {})[client] = None
        return True

    def _leave(self, client: _Client) -> None:
        for place in client.places:
            held = self._held.get(place, {})
            held.pop(client, None)
            if not held:
                self._held.pop(place, None)

    async def _answer(self, client: _Client, page: FeedPage | None) -> None:
        late = client.feed.late_body
        if page is not None:
            client.pay(page)
            if late is None:
                client.answer.body = page.json(with_state=client.with_state)
            else:
                client.answer.body = await in_pool(self._pool, late)
        finish(client.request, client.answer, client.waited)
        await send_whole(client.answer, client.send)

    async def _refuse(self, client: _Client, problem: Exception) -> None:
        refuse(client.request, problem, client.waited)
        await send_whole(answer(client.request), client.send)

    async def _poll(self, client: _Client) -> None:
        # The clock of ``Request.started``, because that of the loop has steps of a millisecond.
        begun, end = perf_counter(), now() + client.feed.seconds
        try:
            with self._following(client) as followed:
                told = client.connected
                # A lease that Redis refuses does not end each poll.
                client.connected = self._connected(client, followed)
                page = await self._news(client, followed, end)
                connected = self._connected(client, followed)
        finally:
            client.waited = perf_counter() - begun
        if page is None and client.feed.late_body is None and connected != told:
            page = FeedPage(client.after, (), False)
        await self._answer(client, page and replace(page, connected=connected))

    async def _stream(self, client: _Client) -> None:
        finish(client.request, client.answer)
        body = client.answer.body
        assert isinstance(body, bytes)
        await client.send(start_of(client.answer))
        await send_piece(body, client.send)
        # After a fault of the store the client reconnects, and receives a status.
        self._sit(client, client.feed.seat)
        try:
            with suppress(StoreError), self._following(client) as followed:
                await self._follow(client, followed)
        finally:
            self._sit(client, None, 0 if client.left else RECONNECTION_SECONDS)
        if client.displaced:
            await send_piece(CROWDED, client.send)
        await send_piece(b"", client.send, more=False)

    async def _follow(self, client: _Client, followed: FollowedSession) -> None:
        """Sends events and heartbeats until the stream ends.

        Ends it after its lifetime, or when its token is void. Raises StoreError.
        """
        beat = self._settings.heartbeat_seconds
        end, next_beat = now() + self._settings.stream_seconds, now() + beat
        while self._serves(client) and now() < end:
            try:
                page = await self._news(client, followed, min(next_beat, end))
                if page is None and now() >= next_beat:
                    await self._check(client)
            except (SessionNotFound, SessionDeleted):
                await send_piece(GONE, client.send)
                return
            except ProblemError:
                self._sit(client, None)
                return
            for seat in client.nudges:
                await send_piece(NUDGE % seat, client.send)
            client.nudges.clear()
            connected = self._connected(client, followed)
            if connected != client.connected:
                client.connected = connected
                await send_piece(CONNECTED % numbers(connected), client.send)
            if page is not None:
                await send_piece(page.frames(with_state=client.with_state), client.send)
                client.pay(page)
                # While this stream waits, it holds no entries.
                page = None
            elif now() >= next_beat:
                await send_piece(HEARTBEAT, client.send)
                next_beat = now() + beat

    async def _check(self, client: _Client) -> None:
        """Raises ProblemError if the token of the stream is void, and StoreError."""
        if client.feed.check is not None:
            with suppress(StoreUnavailable):
                self._sit(client, await in_pool(self._pool, client.feed.check))

    def _sit(self, client: _Client, seat: int | None, rest: int = 0) -> None:
        """Connects this seat, and disconnects the former seat after ``rest`` seconds."""
        session, former = client.feed.session, client.seat
        if seat == former:
            return
        client.seat = seat
        if former is not None:
            self._presence.leave(session, former, rest)
        if seat is not None:
            self._presence.enter(session, seat)

    def _connected(self, client: _Client, followed: FollowedSession) -> Seats:
        seats = client.connected if followed.connected is None else followed.connected
        return self._presence.seats(client.feed.session, seats)

    async def _news(
        self, client: _Client, followed: FollowedSession, end: float
    ) -> FeedPage | None:
        """Returns the entries that the client lacks when they arrive and the client can pay.

        Returns None after the wait, and at a nudge or a change of seats.
        """
        while self._serves(client):
            debt = client.debt_seconds
            page = None if debt else followed.page(client)
            if page is not None or self._is_called(client, followed):
                return page
            if (moment := now()) >= end:
                return None
            await client.wait(min(end, moment + debt if debt else client.read_at))
        return None

    def _is_called(self, client: _Client, followed: FollowedSession) -> bool:
        if client.feed.late_body is not None:
            return False
        nudged = client.feed.streamed and bool(client.nudges)
        return nudged or self._connected(client, followed) != client.connected

    def _serves(self, client: _Client) -> bool:
        return not (self._stopping or client.left or client.displaced)

    @contextmanager
    def _following(self, client: _Client) -> Iterator[FollowedSession]:
        session = client.feed.session
        followed = self._followed.get(session)
        if followed is None:

            def read(after: int, with_state: bool) -> asyncio.Future[FeedPage]:
                reading = partial(read_feed, self._store, session, after, with_state=with_state)
                return in_pool(self._pool, reading)

            followed = FollowedSession(read)
            soon: Callable[..., object] = asyncio.get_running_loop().call_soon_threadsafe
            listeners = followed.notify, followed.nudge, followed.connect
            watching = self._watchers.watching(
                session, *(partial(soon, each) for each in listeners)
            )
            followed.watching.enter_context(watching)
            self._followed[session] = followed
        followed.followers.add(client)
        try:
            yield followed
        finally:
            followed.followers.discard(client)
            if not followed.followers:
                del self._followed[session]
                followed.watching.close()
