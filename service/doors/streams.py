"""Feeds of sessions that are held open: long polls and event streams, without a thread each.

Flask answers first, and says what the client waits for (``Held``). The door waits for the bell
and, for a stream, reads the log itself; all who follow a session here share one reading.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar
from uuid import uuid4

from service.doors.bridge import AnswerOfFlask, Bridge
from service.doors.reader import Body, Receive, Scope, Send
from service.http.message import Held
from service.sessions.bells import LOOK_SECONDS, Listeners
from service.sessions.feed import GONE, HEARTBEAT, News, as_frames, as_json, news
from service.sessions.store import Away, Gone, Missing, StoreError
from service.settings import Settings

READERS = 2
"""Threads that read logs for streams: those who play have the others for themselves."""
FRESH_SECONDS = 1.0
"""Seconds for which what was read is as good as new, unless the bell rings."""
LEASE_BEATS = 3
"""Heartbeats after which the place of a stream that is not heard of is free again."""

T = TypeVar("T")


class _Followed:
    """A session that streams of this process follow."""

    def __init__(self) -> None:
        self.bells: set[asyncio.Event] = set()
        self.readings: dict[int, tuple[asyncio.Task[News], float]] = {}
        """What was read after a version, and when, by the clock of the loop."""

    def ring(self) -> None:
        """Something may have happened: what was read before is old."""
        self.readings.clear()
        for bell in self.bells:
            bell.set()


class Streams:
    """Every feed that this process holds open."""

    def __init__(self, bridge: Bridge, listeners: Listeners, settings: Settings) -> None:
        self._bridge, self._listeners, self._settings = bridge, listeners, settings
        self._store = listeners.store
        self._pool = ThreadPoolExecutor(READERS, thread_name_prefix="streams")
        self._followed: dict[str, _Followed] = {}
        self.open = 0
        """How many feeds are held now."""
        self._leaving = False

    @staticmethod
    def asked(scope: Scope) -> bool:
        """Whether the request is for a feed."""
        path: str = scope["path"]
        return (
            scope["method"] == "GET"
            and path.startswith("/v1/sessions/")
            and path.endswith("/events")
        )

    def leave(self) -> None:
        """The server stops: whoever waits comes back to another worker."""
        self._leaving = True
        for followed in self._followed.values():
            followed.ring()

    async def __call__(self, scope: Scope, body: Body, receive: Receive, send: Send) -> None:
        held = Held()
        answer = await self._bridge.answer(scope, body, held=held)
        if not held.session:
            await self._bridge.relay(answer, send)
            return
        if self.open >= self._settings.streams:
            # A stream is refused; a poll is answered at once, with nothing in it.
            if held.streamed:
                answer = await self._bridge.answer(scope, body, "too-many-streams")
            else:
                held.count()
            await self._bridge.relay(answer, send)
            return
        self.open += 1
        left = asyncio.ensure_future(_left(receive))
        try:
            if held.streamed:
                await self._stream(scope, body, held, answer, left, send)
            else:
                await self._poll(scope, body, held, answer, left, send)
        finally:
            self.open -= 1
            left.cancel()

    # Polls --------------------------------------------------------------------------------------

    async def _poll(
        self,
        scope: Scope,
        body: Body,
        held: Held,
        answer: AnswerOfFlask,
        left: asyncio.Future[None],
        send: Send,
    ) -> None:
        """Flask's answer with the news in it, once there is some; as it is after the wait."""
        loop = asyncio.get_running_loop()
        until = loop.time() + held.seconds
        async with self._following(held.session) as (followed, bell):
            while not self._leaving and not left.done():
                try:
                    found = await self._news(followed, held.session, held.after)
                except Away:
                    found = None
                except StoreError:
                    # Flask says in words what has become of the session.
                    held = Held()
                    answer = await self._bridge.answer(scope, body, held=held)
                    break
                if found is not None and (found.lines or found.reset):
                    answer = _with(answer, as_json(found))
                    break
                rest = until - loop.time()
                if rest <= 0:
                    break
                await _either(bell, left, min(rest, LOOK_SECONDS))
                bell.clear()
        held.count()
        if not left.done():
            await self._bridge.relay(answer, send)

    # Streams ------------------------------------------------------------------------------------

    async def _stream(
        self,
        scope: Scope,
        body: Body,
        held: Held,
        answer: AnswerOfFlask,
        left: asyncio.Future[None],
        send: Send,
    ) -> None:
        member = uuid4().hex
        refusal = ""
        try:
            if not await self._lease(held.session, member):
                refusal = "too-many-streams"
        except Away:
            refusal = "sessions-away"
        except StoreError:
            refusal = "session-unreadable"
        if refusal:
            await self._bridge.relay(await self._bridge.answer(scope, body, refusal), send)
            return
        held.count()
        try:
            head, content = answer
            headers = [pair for pair in head["headers"] if pair[0] != b"content-length"]
            await send({**head, "headers": headers})
            await _piece(send, content)
            await self._follow(held, member, left, send)
            await send({"type": "http.response.body", "body": b""})
        finally:
            with suppress(StoreError):
                await self._in_pool(self._store.release, held.session, member)

    async def _follow(
        self, held: Held, member: str, left: asyncio.Future[None], send: Send
    ) -> None:
        """Send news as it comes, until the stream has lived long enough."""
        loop, beat = asyncio.get_running_loop(), self._settings.heartbeat_seconds
        end, next_beat, after = loop.time() + self._settings.stream_seconds, loop.time() + beat, 0
        after = held.after
        async with self._following(held.session) as (followed, bell):
            while not self._leaving and not left.done() and loop.time() < end:
                try:
                    found = await self._news(followed, held.session, after)
                except (Missing, Gone):
                    await _piece(send, GONE)
                    return
                except Away:
                    found = None
                except StoreError:
                    # Said in words, with a status, to the client who comes back.
                    return
                if found is not None and (found.lines or found.reset):
                    await _piece(send, as_frames(found))
                    after = found.last
                    continue
                if loop.time() >= next_beat:
                    await _piece(send, HEARTBEAT)
                    next_beat = loop.time() + beat
                    with suppress(StoreError):
                        await self._lease(held.session, member)
                pause = min(next_beat, end) - loop.time()
                await _either(bell, left, min(pause, LOOK_SECONDS))
                bell.clear()

    async def _news(self, followed: _Followed, session_id: str, after: int) -> News:
        """What happened after a version, read once for all who wait for it."""
        now = asyncio.get_running_loop().time()
        reading, read_at = followed.readings.get(after, (None, now))
        if reading is None or now - read_at > FRESH_SECONDS:
            reading = asyncio.ensure_future(self._in_pool(news, self._store, session_id, after))
            followed.readings[after] = reading, now
        return await asyncio.shield(reading)

    async def _lease(self, session_id: str, member: str) -> bool:
        """A place among the streams of the session, counted over all processes."""
        settings = self._settings
        seconds = LEASE_BEATS * settings.heartbeat_seconds
        return await self._in_pool(
            self._store.lease, session_id, member, settings.streams_per_session, seconds
        )

    @asynccontextmanager
    async def _following(self, session_id: str) -> AsyncIterator[tuple[_Followed, asyncio.Event]]:
        """The session, and a bell that rings when something may have happened in it."""
        loop, bell = asyncio.get_running_loop(), asyncio.Event()
        followed = self._followed.get(session_id)
        if followed is None:
            followed = self._followed[session_id] = _Followed()
        followed.bells.add(bell)
        ring = followed.ring

        def rung() -> None:
            loop.call_soon_threadsafe(ring)

        try:
            with self._listeners.listening(session_id, rung):
                yield followed, bell
        finally:
            followed.bells.discard(bell)
            if not followed.bells:
                self._followed.pop(session_id, None)

    def _in_pool(self, work: Callable[..., T], *arguments: Any) -> Coroutine[Any, Any, T]:
        async def done() -> T:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)

        return done()


def _with(answer: AnswerOfFlask, content: bytes) -> AnswerOfFlask:
    """The answer with this content instead of its own."""
    head, _ = answer
    told = [pair for pair in head["headers"] if pair[0] != b"content-length"]
    length = (b"content-length", b"%d" % len(content))
    return {**head, "headers": [*told, length]}, content


async def _piece(send: Send, content: bytes) -> None:
    await send({"type": "http.response.body", "body": content, "more_body": True})


async def _left(receive: Receive) -> None:
    """Returns when the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _either(bell: asyncio.Event, left: asyncio.Future[None], seconds: float) -> None:
    """Wait for the bell or for the client to leave, but not longer than so many seconds."""
    rung = asyncio.ensure_future(bell.wait())
    await asyncio.wait((rung, left), timeout=max(seconds, 0), return_when=asyncio.FIRST_COMPLETED)
    rung.cancel()
