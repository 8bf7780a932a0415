"""Memory cost of clients that never read, or send too much."""

import asyncio
import gc
import re
import tracemalloc
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

import pytest

from dice_referee.api.message import Answer, Feed, Operation, Request
from dice_referee.api.sessions import list_events
from dice_referee.server import feeds, followed_session
from dice_referee.server.asgi_messages import Message, read_body
from dice_referee.sessions.feed import FeedPage
from dice_referee.sessions.store import LogLine
from tests.application import ASGI, BATCH
from tests.wire import Server, Wire, request, serving

MB = 1 << 20
SECONDS = 60
"""Seconds until a test gives up."""
POSITION = (
    b'{"card":"bonus-200","roll":[1,1,1,5,5,5],"player":0,'
    b'"scores":[100,200,300,400,500,600,700,800,900,1000]}'
)
LARGEST = b'{"positions":[' + b",".join([POSITION] * 10_000) + b"]}"


def unread_clients(server: Server, stack: ExitStack, number: int) -> list[Wire]:
    """Connects clients that request the longest answer and read only its first line."""
    wires = [stack.enter_context(server.wire(receive_buffer=1 << 12)) for _ in range(number)]
    for wire in wires:
        wire.send(request("POST", BATCH, LARGEST))
    for wire in wires:
        assert wire.file.readline() in (
            b"HTTP/1.1 200 OK\r\n",
            b"HTTP/1.1 503 Service Unavailable\r\n",
        )
    return wires


class Watchers:
    """Notifies of nothing."""

    @property
    def store(self) -> Self:
        return self

    @contextmanager
    def watching(self, *_: Any) -> Iterator[None]:
        yield


@pytest.mark.long
def test_unread_long_answers_are_produced_lazily() -> None:
    """Covers eight answers of 65 MB, which release 0.4.0 built completely."""
    with serving(WORKERS=1) as server, ExitStack() as stack:
        (worker,) = server.workers()
        wires = unread_clients(server, stack, 8)
        status = Path(f"/proc/{worker}/status").read_text()
        assert int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) < 200 * 1024
        wires[0].send(request("GET", "/livez", close=True))
        assert len(wires[0].rest()) > 50 * MB


class Entry(bytes):
    """An entry of a log. Counts its instances, and decrements at their deletion."""

    read = gone = 0

    def __del__(self) -> None:
        Entry.gone += 1


def test_log_pages_are_not_cached_for_other_followers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Release 0.4.0 cached each page of a log while the session had a follower."""

    def read_feed(store: Any, session: str, after: int, **_: bool) -> FeedPage:
        if after == 10:
            return FeedPage(10, (), False)
        Entry.read += 1
        return FeedPage(10, (LogLine(10, Entry(b"{}")),), False)

    monkeypatch.setattr(feeds, "read_feed", read_feed)
    # No page is read twice, so that a cached page would stay.
    monkeypatch.setattr(followed_session, "POLL_SECONDS", SECONDS)

    async def follow() -> None:
        services = ASGI.services
        held = feeds.Feeds(services, Watchers())  # type: ignore[arg-type]
        left = asyncio.Event()

        async def stay() -> Message:
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            pass

        def stream(after: int) -> asyncio.Task[None]:
            request = Request("GET", "/", b"", {}, "", "none", {}, Operation(list_events), services)
            feed = Feed("session", after, 0, streamed=True)
            return asyncio.create_task(held.serve(request, Answer(feed=feed), stay, send))

        streams = [stream(after) for after in (10, 0, 1, 2, 2)]
        while not Entry.gone == Entry.read == 3:
            await asyncio.sleep(0)
            gc.collect()
        assert held.open == 5
        left.set()
        await asyncio.gather(*streams)

    asyncio.run(asyncio.wait_for(follow(), SECONDS))
    assert Entry.read == 3, "followers at the same page share the read"


def test_oversize_chunked_body_costs_no_more_than_its_limit() -> None:
    """The body is read to its end, and bytes above the limit are discarded."""
    left = 32

    async def receive() -> Message:
        nonlocal left
        left -= 1
        return {"type": "http.request", "body": bytes(MB), "more_body": left > 0}

    tracemalloc.start()
    try:
        body = asyncio.run(read_body({b"transfer-encoding": b"chunked"}, receive, 4 * MB))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (body.content, body.size) == (b"", 32 * MB)
    assert peak < 7 * MB
