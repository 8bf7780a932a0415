"""The bridge to Flask: a bounded pool that no client can hold."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from service.doors.bridge import QUEUE_PER_THREAD, Bridge
from service.doors.reader import (
    NO_BODY,
    Body,
    ClientLeft,
    Message,
    TooSlow,
    read_body,
    whole_request,
)
from service.settings import Settings
from tests.doors.driving import FLASK, Question

LIVEZ = Question("GET", "/livez").scope
SECONDS = 10


class Sent(list[Message]):
    async def send(self, message: Message) -> None:
        self.append(message)

    @property
    def status(self) -> int:
        return int(self[0]["status"])

    @property
    def body(self) -> bytes:
        return b"".join(message["body"] for message in self[1:])


class Gate:
    """Flask, but its threads stop at a gate; a refusal passes."""

    def __init__(self) -> None:
        self.open = threading.Event()

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if threading.current_thread() is not threading.main_thread():
            assert self.open.wait(SECONDS)
        return FLASK(environ, start)


def test_a_full_pool_is_a_503_with_retry_after_and_all_who_wait_are_answered() -> None:
    gate = Gate()
    bridge = Bridge(gate, 1)

    async def fill() -> None:
        waiting = [Sent() for _ in range(QUEUE_PER_THREAD + 1)]
        tasks = [asyncio.create_task(bridge(LIVEZ, NO_BODY, sent.send)) for sent in waiting]
        await asyncio.sleep(0)
        refused = Sent()
        await asyncio.wait_for(bridge(LIVEZ, NO_BODY, refused.send), SECONDS)
        assert refused.status == 503
        headers = dict(refused[0]["headers"])
        assert headers[b"retry-after"] == b"1"
        assert headers[b"content-type"] == b"application/problem+json"
        assert json.loads(refused.body)["type"] == "/problems/busy"
        assert not any(waiting)
        gate.open.set()
        await asyncio.wait_for(asyncio.gather(*tasks), SECONDS)
        assert [sent.status for sent in waiting] == [200] * len(waiting)
        again = Sent()
        await asyncio.wait_for(bridge(LIVEZ, NO_BODY, again.send), SECONDS)
        assert again.status == 200

    try:
        asyncio.run(fill())
    finally:
        gate.open.set()


class Streaming:
    """Answers ``/stream`` piece by piece, all else at once."""

    def __init__(self, pieces: int) -> None:
        self.pieces = pieces
        self.closed = threading.Event()

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] != "/stream":
            start("200 OK", [("Content-Length", "2")])
            return [b"ok"]
        start("200 OK", [("Content-Type", "text/plain")])
        return self.stream()

    def stream(self) -> Iterator[bytes]:
        try:
            for piece in range(self.pieces):
                yield b"%d\n" % piece
        finally:
            self.closed.set()


STREAM = Question("GET", "/stream").scope


def test_a_stream_is_passed_on_piece_by_piece_and_closed() -> None:
    app, sent = Streaming(3), Sent()
    asyncio.run(Bridge(app, 1)(STREAM, NO_BODY, sent.send))
    assert [message["body"] for message in sent[1:]] == [b"0\n", b"1\n", b"2\n", b""]
    assert [message.get("more_body", False) for message in sent[1:]] == [True, True, True, False]
    assert app.closed.is_set()


def test_a_client_that_does_not_read_its_stream_holds_no_thread() -> None:
    app = Streaming(3)
    bridge = Bridge(app, 1)

    async def ask() -> None:
        let_go = asyncio.Event()

        async def stuck(message: Message) -> None:
            if message["type"] == "http.response.body":
                await let_go.wait()

        held, other = asyncio.create_task(bridge(STREAM, NO_BODY, stuck)), Sent()
        await asyncio.sleep(0.2)
        asked = asyncio.create_task(bridge(LIVEZ, NO_BODY, other.send))
        done, _ = await asyncio.wait([asked], timeout=2)
        let_go.set()
        await asyncio.wait_for(asyncio.gather(held, asked), SECONDS)
        assert done, "the only thread waited for a client that does not read"
        assert other.body == b"ok"

    asyncio.run(ask())


def test_who_asks_for_little_is_not_behind_pieces_that_take_long() -> None:
    gate = threading.Event()

    def app(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] != "/stream":
            start("200 OK", [("Content-Length", "2")])
            return [b"ok"]
        start("200 OK", [("Content-Type", "text/plain")])
        return (b"." for _ in range(2) if gate.wait(SECONDS))

    bridge = Bridge(app, 1)

    async def ask() -> None:
        streams = [asyncio.create_task(bridge(STREAM, NO_BODY, Sent().send)) for _ in range(5)]
        await asyncio.sleep(0.2)
        little = Sent()
        try:
            await asyncio.wait_for(bridge(LIVEZ, NO_BODY, little.send), 2)
        finally:
            gate.set()
        assert little.body == b"ok"
        await asyncio.wait_for(asyncio.gather(*streams), SECONDS)

    asyncio.run(ask())


def test_a_stream_whose_client_is_gone_gives_its_thread_back() -> None:
    app = Streaming(3)
    bridge = Bridge(app, 1)

    async def ask() -> None:
        never = asyncio.Event()

        async def stuck(message: Message) -> None:
            if message["type"] == "http.response.body":
                await never.wait()

        held, other = asyncio.create_task(bridge(STREAM, NO_BODY, stuck)), Sent()
        await asyncio.sleep(0.2)
        # What gunicorn does some seconds after a connection was lost.
        held.cancel()
        await asyncio.wait([held], timeout=SECONDS)
        asked = asyncio.create_task(bridge(LIVEZ, NO_BODY, other.send))
        done, _ = await asyncio.wait([asked], timeout=2)
        never.set()
        await asyncio.wait([asked], timeout=SECONDS)
        assert done, "a thread is gone for good"
        assert app.closed.is_set()

    asyncio.run(ask())


def pieces(*messages: Message) -> Callable[[], Any]:
    left = list(messages)

    async def receive() -> Message:
        if not left:
            await asyncio.sleep(SECONDS)
        return left.pop(0)

    return receive


def part(body: bytes, more: bool = True) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


POSTED = Question("POST", "/v1/tutto/adjudications", "", (("Transfer-Encoding", "chunked"),)).scope
SMALL = Settings(body_limit=10, batch_body_limit=20, request_seconds=1)


@pytest.mark.parametrize(
    ("received", "body"),
    [
        ([part(b"", False)], Body(b"", 0)),
        ([part(b"12345"), part(b""), part(b"67890", False)], Body(b"1234567890", 10)),
        ([part(b"12345"), part(b"67890"), part(b"1"), part(b"2", False)], Body(b"", 12)),
        ([part(b"x" * 11, False)], Body(b"", 11)),
    ],
)
def test_a_body_is_read_whole_and_dropped_when_it_is_too_large(
    received: list[Message], body: Body
) -> None:
    assert asyncio.run(read_body(POSTED, dict(POSTED["headers"]), pieces(*received), SMALL)) == body


def test_a_request_without_a_body_is_not_waited_for() -> None:
    assert asyncio.run(read_body(LIVEZ, dict(LIVEZ["headers"]), pieces(), SMALL)) == NO_BODY


def test_who_leaves_is_not_answered_and_who_dawdles_is_not_waited_for() -> None:
    with pytest.raises(ClientLeft):
        asyncio.run(
            read_body(
                POSTED,
                dict(POSTED["headers"]),
                pieces(part(b"1"), {"type": "http.disconnect"}),
                SMALL,
            )
        )
    with pytest.raises(TooSlow):
        asyncio.run(read_body(POSTED, dict(POSTED["headers"]), pieces(part(b"1")), SMALL))


def test_the_shortcut_sees_no_request_with_a_header_twice_or_a_body_too_large() -> None:
    assert whole_request(LIVEZ, dict(LIVEZ["headers"]), NO_BODY) is not None
    assert whole_request(LIVEZ, dict(LIVEZ["headers"]), Body(b"", 5)) is None
    twice = Question("GET", "/livez", "", (("Accept", "a"), ("accept", "b"))).scope
    assert whole_request(twice, dict(twice["headers"]), NO_BODY) is None
