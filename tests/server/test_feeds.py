"""Places of feeds: streams and polls release their places on every exit."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from contextlib import suppress
from copy import copy
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from dice_referee.api.message import Answer, Feed, Operation, Request
from dice_referee.api.problems import busy
from dice_referee.api.services import Services
from dice_referee.api.sessions import list_events
from dice_referee.app import create_app
from dice_referee.games import most_players
from dice_referee.limits.bill import FREE, Bill
from dice_referee.limits.counters import LocalCounter, RateLimitStatus
from dice_referee.server import followed_session
from dice_referee.server.asgi_messages import Message
from dice_referee.server.feeds import TOKEN_SHARE, Feeds
from dice_referee.server.followed_session import MOST_PAGES, FollowedSession
from dice_referee.server.wsgi import WsgiApplication
from dice_referee.sessions.feed import message_of
from dice_referee.sessions.redis.store import RedisStore
from dice_referee.sessions.store import (
    CorruptSession,
    Log,
    LogLine,
    Seats,
    SessionDeleted,
    StoreError,
    StoreUnavailable,
)
from dice_referee.sessions.watchers import SessionWatchers
from tests.engines.servers import wait_until
from tests.server.test_asgi import SECONDS, Sent
from tests.unlimited import UNLIMITED

STREAM, POLL = Feed("session", 0, 30, streamed=True), Feed("session", 0, 30, streamed=False)
Outcome = Log | Exception
"""Result of reading a log: its version and lines, or an error."""
QUIET: Outcome = Log(0, [])
NEWS: Outcome = Log(1, [LogLine(1, b'{"version":1}')])
DELETED: Outcome = SessionDeleted(b"{}")
Way = Callable[["SingleFeed", Feed], Awaitable[None]]
"""Exit of a feed."""


class GivenLog(RedisStore):
    """A store with a given log that knows which sessions are watched."""

    def __init__(self) -> None:
        super().__init__("redis://127.0.0.1:1")
        self.outcome: Outcome = QUIET
        self.watched: list[str] = []

    def log(self, *_: Any) -> Log:
        if isinstance(self.outcome, Exception):
            raise copy(self.outcome)
        return self.outcome

    def notifications(
        self,
        notify: Callable[[str, bytes], None],
        nudge: Callable[[str, int], None] = lambda *_: None,
        connect: Callable[[str, Seats], None] = lambda *_: None,
    ) -> Any:
        self.notify_watchers, self.nudge_watchers = notify, nudge
        self.connect_watchers = connect
        if isinstance(self.outcome, StoreUnavailable):
            raise copy(self.outcome)
        return self

    def watch(self, id: str) -> None:
        self.watched.append(id)

    def unwatch(self, id: str) -> None:
        self.watched.remove(id)


@cache
def services(stream_seconds: int) -> Services:
    """Returns the services of feeds that have a single place each."""
    places: dict[str, Any] = {"streams": 1, "streams_per_client": 1, "streams_per_session": 1}
    app = create_app(replace(UNLIMITED, stream_seconds=stream_seconds, **places))
    wsgi: WsgiApplication = app.extensions["dice-referee"]
    return wsgi.services


class SingleFeed:
    """Feeds with a single place in total, per client and per session."""

    def __init__(self, outcome: Outcome, stream_seconds: int = 300) -> None:
        self.store, self.leaves = GivenLog(), asyncio.Event()
        self.store.outcome = outcome
        self.feeds = Feeds(services(stream_seconds), SessionWatchers(self.store))

    async def receive(self) -> Message:
        await self.leaves.wait()
        return {"type": "http.disconnect"}

    async def serve(self, feed: Feed, send: Any = None, bill: Bill = FREE) -> Sent:
        """Serves a feed to its end."""
        sent, answer = Sent(), Answer(b"{}", feed=feed)
        match = "none", dict[str, Any](), Operation(list_events), services(300)
        request = Request("GET", "/", b"", {}, "192.0.2.1", *match, bill=bill)
        serving = self.feeds.serve(request, answer, self.receive, send or sent.send)
        await asyncio.wait_for(serving, SECONDS)
        return sent

    async def begin(self, feed: Feed) -> asyncio.Task[Sent]:
        """Serves a feed, and returns when the feed follows its session or has ended."""
        serving = asyncio.create_task(self.serve(feed))
        while not (self.store.watched or serving.done()):
            await asyncio.sleep(0)
        return serving


async def leave(held: SingleFeed, feed: Feed) -> None:
    serving = await held.begin(feed)
    held.leaves.set()
    await serving


async def stop(held: SingleFeed, feed: Feed) -> None:
    serving = await held.begin(feed)
    held.feeds.shutdown()
    await serving


async def cancel(held: SingleFeed, feed: Feed) -> None:
    serving = await held.begin(feed)
    serving.cancel()
    await asyncio.wait([serving])
    assert serving.cancelled()


async def expire(held: SingleFeed, feed: Feed) -> None:
    await held.serve(feed._replace(seconds=0))


async def be_refused(held: SingleFeed, feed: Feed) -> None:
    serving = await held.begin(feed)
    assert (await held.serve(STREAM)).status == 429
    assert (await held.serve(POLL)).body == b"{}"
    held.leaves.set()
    await serving


async def be_displaced(held: SingleFeed, feed: Feed) -> None:
    serving = await held.begin(feed)
    other = asyncio.create_task(held.serve(STREAM._replace(holder="token")))
    crowded = b"event: crowded\ndata: {}\n\n"
    assert (await serving).body == b"{}" + crowded * feed.streamed
    held.leaves.set()
    assert (await other).status == 200


async def lose_the_client(held: SingleFeed, feed: Feed) -> None:
    async def lost(message: Message) -> None:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        await held.serve(feed._replace(seconds=0), lost)


async def fail(held: SingleFeed, feed: Feed) -> None:
    with pytest.raises(ArithmeticError):
        await held.serve(feed)


async def fail_to_speak(held: SingleFeed, feed: Feed) -> None:
    def late_body() -> bytes:
        raise busy()

    assert (await held.serve(POLL._replace(late_body=late_body))).status == 503


WAYS: list[tuple[Way, Outcome]] = [
    *((way, QUIET) for way in (leave, stop, cancel, expire, be_refused, be_displaced)),
    (lose_the_client, QUIET),
    *((leave, outcome) for outcome in (NEWS, DELETED, CorruptSession(), StoreUnavailable())),
    (fail, ArithmeticError()),
    (fail_to_speak, NEWS),
]


def clients_and_sessions_in_use() -> list[object]:
    """Returns the clients and the followed sessions that are still in use."""
    gc.collect()
    modules = (Feeds.__module__, FollowedSession.__module__)
    own = [instance for instance in gc.get_objects() if type(instance).__module__ in modules]
    return [instance for instance in own if not isinstance(instance, Feeds)]


def test_every_exit_from_a_feed_frees_its_places() -> None:
    async def run(way: Way, outcome: Outcome, feed: Feed) -> None:
        held = SingleFeed(outcome, stream_seconds=0 if way is expire else 300)
        await way(held, feed)
        name = f"{way.__name__} after {outcome!r}: {feed}"
        assert (held.feeds.open, held.store.watched) == (0, []), name
        held.store.outcome = DELETED
        assert (await held.serve(STREAM)).status == 200, name
        # A cancelled task ends in the next iteration of the loop.
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}, name

    for way, outcome in WAYS:
        for feed in (STREAM, POLL):
            asyncio.run(run(way, outcome, feed))
    # A thread may still read for a disconnected client.
    wait_until("no client is remembered", lambda: not clients_and_sessions_in_use())


def test_stream_sends_a_nudge_of_its_session_at_once() -> None:
    async def run() -> bytes:
        held, nudged, bodies = SingleFeed(QUIET), asyncio.Event(), list[bytes]()

        async def send(message: Message) -> None:
            bodies.append(message.get("body", b""))
            if b"nudge" in bodies[-1]:
                nudged.set()

        serving = asyncio.create_task(held.serve(STREAM, send))
        while not held.store.watched:
            await asyncio.sleep(0)
        held.store.nudge_watchers("other", 0)
        held.store.nudge_watchers("session", 1)
        await asyncio.wait_for(nudged.wait(), SECONDS)
        held.leaves.set()
        await serving
        return b"".join(bodies)

    assert asyncio.run(run()) == b'{}event: nudge\ndata: {"player":1}\n\n'


def test_seats_and_host_together_leave_streams_to_others() -> None:
    assert most_players() + 1 < TOKEN_SHARE


@pytest.mark.long
@pytest.mark.parametrize("holder", ["own", "other"])
def test_token_displaces_its_own_stream_alone(holder: str) -> None:
    async def run() -> tuple[int, bytes]:
        held = SingleFeed(QUIET)
        serving = await held.begin(STREAM._replace(holder="own"))
        held.store.outcome = DELETED
        newer = await held.serve(STREAM._replace(holder=holder))
        held.leaves.set()
        return newer.status, (await serving).body

    displaced = 200, b"{}event: crowded\ndata: {}\n\n"
    assert asyncio.run(run()) == (displaced if holder == "own" else (429, b"{}"))


def test_notified_entries_reach_a_poll_without_a_read() -> None:
    async def run() -> bytes:
        held = SingleFeed(QUIET)
        serving = await held.begin(POLL)
        held.store.notify_watchers("session", b'1\n{"version":1,"at":0}\n{"version":2,"at":0}')
        return (await serving).body

    assert asyncio.run(run()) == (
        b'{"events":[{"version":1,"at":0},{"version":2,"at":0}],"version":2,"reset":false,'
        b'"connected":[]}'
    )


def test_notified_state_reaches_a_poll_without_a_read() -> None:
    async def run() -> bytes:
        held = SingleFeed(QUIET)
        serving = await held.begin(POLL._replace(with_state=True))
        message = message_of(1, [b'{"version":1,"at":0}'], b'{"id":1}')
        held.store.notify_watchers("session", message)
        return (await serving).body

    news = b'{"entry":{"version":1,"at":0},"session":{"id":1}}'
    assert asyncio.run(run()) == b'{"events":[%b],"version":1,"reset":false,"connected":[]}' % news


@pytest.mark.parametrize("message", [b"", b"1", b"gone", b'2\n{"version":2,"at":0}'])
def test_poll_reads_what_the_notification_lacks(message: bytes) -> None:
    async def run() -> bytes:
        held = SingleFeed(QUIET)
        serving = await held.begin(POLL)
        held.store.outcome = NEWS
        held.store.notify_watchers("session", message)
        return (await serving).body

    assert (
        asyncio.run(run()) == b'{"events":[{"version":1}],"version":1,"reset":false,"connected":[]}'
    )


def follow_with_a_pause(entries: int, *, with_state: bool) -> bytes:
    """Notifies a stream of entries while its client, after the first entry, reads none."""

    async def run() -> bytes:
        held, lines, bodies = SingleFeed(QUIET), list[LogLine](), list[bytes]()
        paused, resumed = asyncio.Event(), asyncio.Event()

        def log(_: str, after: int, most: int) -> Log:
            return Log(len(lines), lines[after:])

        def write() -> None:
            version = len(lines) + 1
            lines.append(LogLine(version, b'{"version":%d,"at":0}' % version))
            state = b'{"id":%d}' % version
            held.store.notify_watchers("session", message_of(version, [lines[-1].entry], state))

        async def send(message: Message) -> None:
            bodies.append(message.get("body", b""))
            if bodies[-1].startswith(b"id: 1\n"):
                paused.set()
                await resumed.wait()
            if b"id: %d\n" % entries in bodies[-1]:
                held.leaves.set()

        held.store.log = log  # type: ignore[method-assign]
        serving = asyncio.create_task(held.serve(STREAM._replace(with_state=with_state), send))
        while not held.store.watched:
            await asyncio.sleep(0)
        write()
        await paused.wait()
        for _ in range(entries - 1):
            write()
        # Notifications pass through the loop, in order.
        asyncio.get_running_loop().call_soon(resumed.set)
        await serving
        return b"".join(bodies)

    return asyncio.run(run()).removeprefix(b"{}")


@pytest.mark.parametrize("entries", [MOST_PAGES + 1, 3 * MOST_PAGES])
def test_paused_stream_sends_each_entry_once(entries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followed_session, "POLL_SECONDS", 2 * SECONDS)
    expected = [
        b'id: %d\ndata: {"version":%d,"at":0}\n\n' % (at, at) for at in range(1, entries + 1)
    ]
    assert follow_with_a_pause(entries, with_state=False) == b"".join(expected)


def test_stream_sends_no_state_that_is_past() -> None:
    frame = b'id: %d\ndata: {"entry":{"version":%d,"at":0},"session":%b}\n\n'
    states = [b'{"id":1}', b"null", b'{"id":3}']
    expected = [frame % (at, at, state) for at, state in enumerate(states, 1)]
    assert follow_with_a_pause(3, with_state=True) == b"".join(expected)


def test_poll_keeps_waiting_after_a_nudge() -> None:
    async def run() -> bytes:
        held = SingleFeed(QUIET)
        serving = await held.begin(POLL)
        held.store.nudge_watchers("session", 1)
        held.store.outcome = NEWS
        held.store.notify_watchers("session", b"")
        return (await serving).body

    assert (
        asyncio.run(run()) == b'{"events":[{"version":1}],"version":1,"reset":false,"connected":[]}'
    )


class Purse(Bill):
    """A bill whose client cannot pay at the first looks. Notes what happens in ``steps``."""

    def __init__(self, debts: int, milliseconds: int = 1) -> None:
        super().__init__(LocalCounter())
        self.steps = list[str]()
        self.debts, self.wait = debts, milliseconds * 1000

    def look(self) -> RateLimitStatus:
        self.debts -= 1
        if self.debts >= 0:
            self.steps.append("debt")
        return RateLimitStatus("events", 60, self.debts < 0, 0, self.wait)

    def read(self, entries: int) -> None:
        self.steps.append(f"pay {entries}")


def follow_behind(purse: Purse, notified: bool = False) -> bytes:
    """Follows a log that has an entry more than the first answer, until the entry is sent."""

    async def run() -> bytes:
        held, read, bodies = SingleFeed(NEWS), SingleFeed(NEWS).store.log, list[bytes]()

        def log(*arguments: Any) -> Log:
            purse.steps.append("read")
            return read(*arguments)

        async def send(message: Message) -> None:
            bodies.append(message.get("body", b""))
            if b"data" in bodies[-1]:
                held.leaves.set()

        held.store.log = log  # type: ignore[method-assign]
        serving = asyncio.create_task(held.serve(STREAM._replace(behind=True), send, purse))
        while not held.store.watched:
            await asyncio.sleep(0)
        if notified:
            held.store.notify_watchers("session", b"")
            # The notification arrives before the client leaves.
            asyncio.get_running_loop().call_soon(held.leaves.set)
        await serving
        return b"".join(bodies)

    return asyncio.run(run())


def test_stream_waits_for_the_log_until_its_client_can_pay() -> None:
    purse = Purse(2)
    assert follow_behind(purse) == b'{}id: 1\ndata: {"version":1}\n\n'
    assert purse.steps == ["debt", "debt", "read", "pay 1"]


def test_notification_reads_no_log_for_a_client_in_debt() -> None:
    purse = Purse(100, milliseconds=60_000)
    assert follow_behind(purse, notified=True) == b"{}"
    assert {*purse.steps} == {"debt"}


def test_every_exit_from_a_blocking_poll_ends_its_watch() -> None:
    outcomes = DELETED, CorruptSession(), StoreUnavailable(), ArithmeticError(), QUIET, NEWS
    for outcome in outcomes:
        store = GivenLog()
        store.outcome = outcome
        with suppress(StoreError, ArithmeticError):
            SessionWatchers(store).wait("session", 0, 0)
        assert store.watched == [], outcome
